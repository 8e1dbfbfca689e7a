"""Trees scored by a build at work: what is out of date is asked again, and nothing else."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from flows.engine import Engine, Way
from flows.executor import executors
from flows.planning import demand
from pairset.build import Build
from pairset.scores.scored import ScoredTree, find_tree, served_by, tree_names
from pairset.scores.stage import ScoresStage, tree_build
from pairset.work import pending

SCORES = "scores"


def asked_trees(build: Build, texts: Sequence[str]) -> list[ScoredTree]:
    """The trees that are asked for, each looked at; raises `BadTree` where one is not there."""
    shards = build.store.shards("labels")
    places = [(shard.dataset, shard.db_id) for shard in shards if shard.rows]
    named = tree_names(texts, build)
    return [find_tree(build, name, specs, places) for name, specs in named.items()]


def is_scored(build: Build, trees: Sequence[ScoredTree], *, lost: bool) -> bool:
    """Whether every database of the trees has been asked already."""
    stages = [ScoresStage(build.root, tree, lost) for tree in trees]
    return not any(pending(stage, tree_build(build, stage.tree.name)) for stage in stages)


def score_trees(engine: Engine, trees: Sequence[ScoredTree], way: Way, *, lost: bool = True) -> int:
    """Score the trees; how many databases had to be asked. Executors start if there are any."""
    build = engine.build
    demand(engine.parts.stages, SCORES, build, engine.request)
    if is_scored(build, trees, lost=lost):
        return 0
    stages = [ScoresStage(build.root, tree, lost) for tree in trees]
    specs = [spec for tree in trees for spec in tree.specs]
    with executors(build, specs) as endpoints:
        served = [one for tree in trees if not tree.specs for one in served_by(build, tree.name)]
        asking = replace(build, endpoints=tuple(dict.fromkeys((*endpoints, *served))))
        builds = [tree_build(asking, stage.tree.name) for stage in stages]
        for one in builds:
            one.store.clear_leftovers()
        return sum(engine.score(s, b, way) for s, b in zip(stages, builds, strict=True))


def report_trees(
    engine: Engine, trees: Sequence[ScoredTree], *, lost: bool
) -> tuple[dict[str, Any], Path]:
    """The report of the trees, and its page. It is made once: a command prints what its flow wrote.

    So whoever asks one engine twice asks for the same trees.
    """
    from pairset.scores.page import write_page  # draws: nothing else has to wait for that
    from pairset.scores.report import report

    if engine.reported is None:
        found = report(engine.build, trees, lost=lost)
        engine.reported = found, write_page(engine.build, found)
    return engine.reported
