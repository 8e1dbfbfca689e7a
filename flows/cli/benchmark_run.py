"""``pairset benchmark run``, ``rounds`` and ``tutorial``: let an agent answer, and see how well."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.benchmark import SUMMARY, THRESHOLD, TREE, Chosen
from flows.cli.options import JSON, takes
from flows.cli.outcome import WRONG, one_line

if TYPE_CHECKING:  # a help text needs none of these
    from benchmark.agents import AgentSettings
    from benchmark.loading import Asked
    from benchmark.rounds import Rounds
    from benchmark.running import Ran
    from benchmark.running_work import Wish

AGENT = typer.Option(metavar="NAME", help="An agent of --agents.")
AGENTS = typer.Option(metavar="FILE", help="TOML with [agent.NAME]. (default: the definition)")
PREDICTIONS = typer.Option(metavar="FILE", help="The agent is a file of ids and SQL.")
COMMAND = typer.Option(
    metavar="WORDS", help="The agent is a command: JSON on standard input, SQL on standard output."
)
ENDPOINT = typer.Option(metavar="URL", help="The agent is a model behind this address, up to /v1.")
MODEL = typer.Option(metavar="NAME", help="Which model.")
KEY = typer.Option(metavar="NAME", help="The environment variable that holds the key.")
STREAM = typer.Option("--stream", help="Have the model's answer in pieces.")
TIME_LIMIT = typer.Option(
    min=0.01, max=86_400, metavar="SECONDS", help="How long one answer takes."
)
OUT = typer.Option(metavar="DIR", help="Where run folders go.")
LESSON = typer.Option(metavar="DIR", help="Where the lesson's files go.")
NAME = typer.Option(
    "--run-id",
    "--run_id",
    metavar="NAME",
    help="The run's folder; named again, it goes on. (default: now)",
)
AGAIN = typer.Option("--again", help="Ask those tasks again that the agent failed at.")
ANSWERED = typer.Option(
    min=0.0, max=1.0, metavar="SHARE", help="End with 1 if less than this share has SQL."
)


ROUNDS = typer.Option(
    "--rounds", "--round", "--max-round", "--max_round",
    min=1, max=1000, metavar="N", help="How often every question is asked.",
)  # fmt: skip
GROUP = typer.Option(
    "--group-name", "--group_name",
    metavar="NAME", help="The rounds' folders are NAME_0, NAME_1... (default: the agent's name)",
)  # fmt: skip
AFRESH = typer.Option(
    "--delete-history", "--delete_history", help="Take earlier rounds of this group away first."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking(Chosen):
    """Which agent, and where its files go."""

    agent: Annotated[str | None, AGENT] = None
    agents: Annotated[str | None, AGENTS] = None
    predictions: Annotated[str | None, PREDICTIONS] = None
    command: Annotated[str | None, COMMAND] = None
    endpoint: Annotated[str | None, ENDPOINT] = None
    model: Annotated[str | None, MODEL] = None
    key_variable: Annotated[str | None, KEY] = None
    stream: Annotated[bool, STREAM] = False
    time_limit: Annotated[float | None, TIME_LIMIT] = None
    out: Annotated[str, OUT] = "runs"
    again: Annotated[bool, AGAIN] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Asking):
    """One run."""

    run_id: Annotated[str, NAME] = ""
    threshold: Annotated[float, ANSWERED] = 0.0


@takes(Run)
def run(context: typer.Context, options: Run) -> None:
    """Ask an agent every question, and keep its SQL, its results and what it did.

    A run that was stopped goes on where it was. Ends with 1 if no task, or less than --threshold
    of them, has SQL.
    """
    with one_line():
        from benchmark.running_work import run_asked, run_name

        folder = Path(options.out) / run_name(options.run_id)
        with TemporaryDirectory() as scratch, _wish(options) as wish:
            ran = run_asked(_asked(options, Path(scratch)), _settings(options), folder, wish)
        _say(ran, folder, options)
    if ran.answered == 0 or ran.answered < options.threshold * ran.total:
        raise typer.Exit(WRONG)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played(Asking):
    """Several runs."""

    rounds: Annotated[int, ROUNDS] = 4
    group_name: Annotated[str, GROUP] = ""
    delete_history: Annotated[bool, AFRESH] = False
    tree: Annotated[list[str], TREE] = ()  # type: ignore[assignment]
    summary_report_file: Annotated[str | None, SUMMARY] = None
    threshold: Annotated[float, THRESHOLD] = 0.0


@takes(Played)
def rounds(context: typer.Context, options: Played) -> None:
    """Ask an agent every question in several rounds, evaluate each, and see how steady it is.

    Leaves a folder and a report a round, a workbook, a plot and a summary. Rounds that were
    stopped go on where they were. Ends with 1 if a round passes less than --threshold.
    """
    with one_line():
        from benchmark.rounds import play_rounds
        from benchmark.rounds.play import Plan
        from benchmark.rounds.report import write_rounds
        from benchmark.summary import below

        plan = Plan(
            home=Path(options.out),
            rounds=options.rounds,
            group=options.group_name,
            afresh=options.delete_history,
        )
        with TemporaryDirectory() as scratch, _wish(options) as wish:
            asked = _asked(options, Path(scratch), tuple(options.tree))
            found = play_rounds(asked, _settings(options), plan, wish)
        files = write_rounds(found, plan.home)
        _tell(found, files, options)
    if below(found.evaluations, options.threshold):
        raise typer.Exit(WRONG)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """Where it goes."""

    out: Annotated[str, LESSON] = "tutorial"
    json: Annotated[bool, JSON] = False


@takes(Learning)
def tutorial(context: typer.Context, options: Learning) -> None:
    """See a whole benchmark in under a minute: questions, an agent, its evaluation, a report."""
    with one_line():
        from benchmark.running_work import Wish
        from benchmark.tutorial import facts, next_steps
        from benchmark.tutorial import tutorial as teach
        from flows.cli import report
        from pairset.config import cores

        began = time.monotonic()
        lesson = teach(Path(options.out), Wish(workers=cores()), _on_error)
        if options.json:
            told = {"command": "benchmark tutorial", **facts(lesson)}
            report.as_json(told | {"seconds": round(time.monotonic() - began, 2)})
        else:
            print(lesson.files["summary"].read_text(encoding="utf-8"), end="")
            print("to go on:", *next_steps(lesson), sep="\n  ")


def add_to(group: typer.Typer) -> None:
    """Put the commands into their group."""
    group.command("run")(run)
    group.command("rounds")(rounds)
    group.command("tutorial")(tutorial)


def _on_error(line: str) -> None:
    print(line, file=sys.stderr)


@contextmanager
def _wish(options: Asking) -> "Iterator[Wish]":
    """How it is to run, and a bar for it."""
    from benchmark.running_work import Wish
    from flows.progress import counted
    from pairset.config import cores

    with counted("tasks") as tell:
        yield Wish(
            task_ids=options.task_ids,
            timeout=options.timeout,
            workers=options.workers or cores(),
            again=options.again,
            tell=tell,
            note=lambda line: print(f"pairset: {line}", file=sys.stderr),
        )


def _asked(options: Asking, scratch: Path, trees: tuple[str, ...] = ()) -> "Asked":
    from benchmark.loading import Asked
    from flows.families import named

    definition, root, databases = (
        None if text is None else Path(text)
        for text in (options.definition, options.root, options.databases)
    )
    name, definition = named(options.benchmark, definition, scratch)
    return Asked(
        benchmark=name,
        definition=definition,
        root=root,
        databases=databases,
        trees=trees,
        scratch=scratch,
    )


def _settings(options: Asking) -> "AgentSettings":
    """The agent of the file, or the one that the command line says; what it says goes first."""
    from benchmark.agents.settings import checked, chosen_agent
    from benchmark.errors import BenchmarkError

    said = ("predictions", "command", "endpoint", "model", "key_variable", "time_limit")
    named = {name: value for name in said if (value := getattr(options, name)) is not None}
    named |= {"stream": True} if options.stream else {}
    if options.agent is None:
        return checked(named, "the agent")
    file = options.agents or options.definition
    if file is None:
        raise BenchmarkError(f"--agent {options.agent}: say with --agents in which file it stands")
    found = chosen_agent(Path(file), options.agent)
    return checked({**found.model_dump(), **named}, f"{file}: [agent.{options.agent}]")


def _say(ran: "Ran", folder: Path, options: Asking) -> None:
    from flows.cli import report

    facts = asdict(ran)
    if options.json:
        report.as_json({"command": "benchmark run", "folder": str(folder), **facts})
        return
    names = ("total", "answered", "silent", "failed", "skipped", "sql_errors", "asked_now")
    report.as_lines({name.replace("_", " "): facts[name] for name in names})
    for reason, count in ran.reasons.items():
        print(f"  failed: {reason}: {count}")
    if ran.usage:
        print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in ran.usage.items()))
    report.where(folder)


def _tell(found: "Rounds", files: dict[str, Path], options: Played) -> None:
    from benchmark.rounds.report import summary, text
    from benchmark.summary import append
    from flows.cli import report

    told = summary(found)
    if options.summary_report_file:
        append(Path(options.summary_report_file), text(told))
    if options.json:
        paths = {name: str(path) for name, path in files.items()}
        facts: dict[str, Any] = {"command": "benchmark rounds", **told, "files": paths}
        report.as_json(facts)
        return
    print(text(told), end="")
    for name, path in files.items():
        print(f"  {name:<14}{path}")
    report.where(files["workbook"])
