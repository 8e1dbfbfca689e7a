"""What is still to make, read off the build's files. Looking writes nothing."""

from collections.abc import Sequence

from flows.errors import NotYet
from flows.parts import Parts
from flows.request import Request
from pairset.build import Build, Stage
from pairset.store import StoreError
from pairset.work import pending, stale

MANIFEST = "manifest"
RUN = "run"


def first_behind(stages: Sequence[Stage], build: Build) -> str | None:
    """The first stage that has something to make or to sweep, or None where all is made.

    A stage reads what the ones before it made, so what comes after the first is not known yet.
    """
    return next((stage.name for stage in stages if not is_current(stage, build)), None)


def is_current(stage: Stage, build: Build) -> bool:
    """Whether every piece of the stage is made from today's inputs, and nothing else lies there."""
    try:
        return not pending(stage, build) and not stale(stage, build)
    except StoreError:  # what it reads is not made yet
        return False


def is_made(name: str, parts: Parts, build: Build, request: Request) -> bool:
    """Whether there is nothing to do for a stage, the manifest or the whole run.

    Raises `NotYet` where what it is made from is not made.
    """
    if name == RUN:
        return first_behind(parts.stages, build) is None and parts.manifest_is_current(build)
    demand(parts.before(name), name, build, request)
    if name == MANIFEST:
        return parts.manifest_is_current(build)
    return is_current(parts.stage(name), build)


def demand(stages: Sequence[Stage], name: str, build: Build, request: Request) -> None:
    """Raise `NotYet` unless ``stages``, which ``name`` is made from, are made."""
    first = first_behind(stages, build)
    if first is not None:
        raise NotYet(
            f"{name} is made from {first}, which is not made or out of date in {build.root}; "
            f"make it with: {request.command(first)}"
        )
