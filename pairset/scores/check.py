"""Is a folder of databases fit to be scored: the original's schema, and its constraints kept?"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from db_execution.client import Client
from pairset.baselines import terms_of
from pairset.build import Build, Unit
from pairset.scores.constraints import Violations, violations
from pairset.scores.ddl import Ddl, Unreadable, declared, difference
from pairset.scores.scored import ScoredTree
from pairset.stages.schemas import schema_of
from pairset.trees import ORIGINAL

SAME, MISSING, UNREADABLE, OTHER_SCHEMA = "same_schema", "missing", "unreadable", "other_schema"


@dataclass(frozen=True, slots=True)
class Checked:
    """One database of a tree: its status, what differs, and what it and its original break."""

    dataset: str
    db_id: str
    status: str
    note: str
    violations: Violations | None = None
    original: Violations | None = None

    @property
    def worse(self) -> tuple[str, ...]:
        """The declarations that it breaks and the original keeps."""
        if self.violations is None or self.original is None:
            return ()
        return self.violations.worse_than(self.original)

    @property
    def is_fit(self) -> bool:
        """Whether it may be scored without a word."""
        return self.status == SAME and not self.worse

    @property
    def fault(self) -> str:
        """What is wrong with it, in words."""
        breaks = f"breaks {', '.join(self.worse)}, which the original keeps"
        return self.note or (breaks if self.worse else "")

    def as_json(self) -> dict[str, Any]:
        """All of it, as plain data."""
        return {**asdict(self), "worse": list(self.worse)}


def check_tree(build: Build, tree: ScoredTree, units: Sequence[Unit]) -> Iterator[Checked]:
    """Hold every database of the original against the tree's; ``build`` serves both."""
    with build.client() as client:
        for unit in units:
            yield _checked(build, client, unit, tree)


def _checked(build: Build, client: Client, unit: Unit, tree: ScoredTree) -> Checked:
    found = tree.found(unit.place)
    if found.sha256 is None:
        return Checked(*unit.place, MISSING, found.note)
    terms = terms_of(build, unit, tree.name)
    original = declared(client, terms_of(build, unit, ORIGINAL))
    try:
        ddl = declared(client, terms)
    except Unreadable as error:
        return Checked(*unit.place, UNREADABLE, str(error))
    if note := difference(original, ddl):
        return Checked(*unit.place, OTHER_SCHEMA, note)
    mine, theirs = (_violations(build, client, unit, name, ddl) for name in (tree.name, ORIGINAL))
    return Checked(*unit.place, SAME, "", mine, theirs)


def _violations(build: Build, client: Client, unit: Unit, tree: str, ddl: Ddl) -> Violations:
    schema = schema_of(build.store.read("schemas", *unit.place))
    return violations(client, terms_of(build, unit, tree), schema, ddl)
