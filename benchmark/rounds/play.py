"""Play rounds: each in a folder of its own, evaluated from that folder and no other."""

from dataclasses import dataclass
from pathlib import Path

from benchmark.agents import AgentSettings
from benchmark.asking import ORIGINAL
from benchmark.errors import BenchmarkError
from benchmark.evaluate import Settings, evaluate
from benchmark.loading import Asked
from benchmark.rounds.rounds import Rounds
from benchmark.run import Run
from benchmark.running import Ran, run_agent
from benchmark.running_folder import check, identity_of, opened, remove
from benchmark.running_work import Stage, Wish, slug, staged

MOST_ROUNDS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many rounds, and where: ``{home}/{group}_{round}``. The group is the agent's name.

    ``afresh`` takes earlier rounds of that group away first, and nothing that is not one.
    """

    home: Path
    rounds: int = 4
    group: str = ""
    afresh: bool = False

    def folder(self, group: str, round_number: int) -> Path:
        """The folder of one round."""
        return self.home / f"{group}_{round_number}"


def play_rounds(asked: Asked, settings: AgentSettings, plan: Plan, wish: Wish) -> Rounds:
    """All rounds, run as far as they are not done, and then evaluated together.

    Raises AgentError where the agent is of no use; called again, it goes on where it stopped.
    """
    if not 1 <= plan.rounds <= MOST_ROUNDS:
        raise BenchmarkError(f"{plan.rounds} rounds: expected 1 to {MOST_ROUNDS}")
    with staged(asked, settings, wish, plan.rounds) as stage:
        group = slug(plan.group or stage.agent.name)
        folders = [plan.folder(group, at) for at in range(plan.rounds)]
        if plan.afresh:
            for folder in folders:
                remove(folder)
        ran = [_played(stage, folder, at, wish) for at, folder in enumerate(folders)]
        runs = [_read(stage, folder, at) for at, folder in enumerate(folders)]
        trees = tuple(name for name in stage.trees if name != ORIGINAL)
        found = evaluate(stage.chosen, runs, stage.asker, Settings(trees=trees))
    return Rounds(
        benchmark=stage.tasks.definition.name,
        group=group,
        evaluations=tuple(found),
        ran=tuple(ran),
    )


def _played(stage: Stage, folder: Path, round_number: int, wish: Wish) -> Ran:
    identity = identity_of(stage.tasks, stage.agent.identity(round_number), round_number)
    with opened(folder, identity) as own:
        ran = run_agent(stage.agent, stage.chosen, own, stage.running(wish), round_number)
    wish.note(f"round {round_number}: {ran.answered} of {ran.total} answered, {ran.asked_now} now")
    return ran


def _read(stage: Stage, folder: Path, round_number: int) -> Run:
    identity = identity_of(stage.tasks, stage.agent.identity(round_number), round_number)
    return check(folder, identity).read(stage.chosen, folder.name)
