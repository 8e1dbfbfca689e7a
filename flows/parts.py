"""What a build is made of: the stages in order, then the manifest. Here the flows meet them."""

from collections.abc import Callable
from dataclasses import dataclass

from pairset.build import Build, Stage


@dataclass(frozen=True, slots=True)
class Parts:
    """The stages in the order they are made, and how the manifest is written and checked."""

    stages: tuple[Stage, ...]
    manifest_is_current: Callable[[Build], bool]
    write_manifest: Callable[[Build], object]

    def stage(self, name: str) -> Stage:
        """The stage of that name."""
        return next(stage for stage in self.stages if stage.name == name)

    def before(self, name: str) -> tuple[Stage, ...]:
        """The stages that come before ``name``; before the manifest come all."""
        names = [stage.name for stage in self.stages]
        return self.stages[: names.index(name)] if name in names else self.stages


def of_pairset() -> Parts:
    """The parts of a real build, imported when they are needed: a help text needs none."""
    from pairset.manifest import is_current, write_manifest
    from pairset.stages import STAGES
    from provenance.audit import AuditStage
    from provenance.stage import ReferencesStage

    stages = follow(STAGES, "pairs", AuditStage())
    stages = follow(stages, "labels", ReferencesStage())
    return Parts(stages, is_current, write_manifest)


def follow(stages: tuple[Stage, ...], name: str, *others: Stage) -> tuple[Stage, ...]:
    """``stages`` with ``others`` right after the one of that name."""
    at = [stage.name for stage in stages].index(name) + 1
    return stages[:at] + others + stages[at:]
