"""The comparable parts of one query, read in one pass over its nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqltext.clauses import Query, Select
from sqltext.conditions import Condition, Operand
from sqltext.feature_reader import Clause, Contribution, FeatureReader, is_joined
from sqltext.form_printer import Printer
from sqltext.forms import PrintedForms, print_nodes
from sqltext.scope import Scopes
from sqltext.shapes import ShapePrinter


class Features(NamedTuple):
    """What `sqltext.classify.aspects` holds against another query's; lists are over all SELECTs.

    ``first`` is the place of the outermost query's first core in ``distinct`` and ``items``.
    """

    exact: str
    clauses: tuple[str, ...]
    set_operations: tuple[str, ...]
    arms: tuple[str, ...]
    tables: frozenset[str]
    joins: tuple[Clause, ...]
    subqueries: tuple[str, ...]
    grouping: tuple[Clause, ...]
    having: tuple[Clause, ...]
    aggregates: tuple[str, ...]
    first: int
    distinct: tuple[bool, ...]
    items: tuple[tuple[Operand, ...], ...]
    where: tuple[Condition, ...]
    inner: tuple[Condition, ...]
    arithmetic: tuple[str, ...]
    functions: tuple[str, ...]
    order: tuple[Clause, ...]
    limit: tuple[str, ...]


def _sorted(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(sorted(values))


# What nodes add to, and how a feature is made of it; of the last two no feature is made directly.
FINISH: dict[str, Callable[[list[Any]], Any]] = {
    **dict.fromkeys(("set_operations", "arms", "grouping", "having", "distinct", "items"), tuple),
    **dict.fromkeys(("where", "inner", "order", "limit"), tuple),
    **dict.fromkeys(("joins", "subqueries", "aggregates", "arithmetic", "functions"), _sorted),
    "tables": frozenset,
    "cores": tuple,
    "windows": tuple,
}


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """A query's nodes printed and read: each form of each node, and what each node adds."""

    printers: tuple[Printer, Printer, ShapePrinter]
    reader: FeatureReader
    contributions: dict[int, Contribution]

    @property
    def exact(self) -> list[str]:
        """The exact form of every node."""
        return self.printers[0].printed

    @property
    def structural(self) -> list[str]:
        """The structural form of every node."""
        return self.printers[1].printed

    @property
    def shapes(self) -> list[str]:
        """The shape of every node."""
        return self.printers[2].printed


def gathered(scopes: Scopes) -> Gathered:
    """Print and read every node of a resolved query."""
    printers = (
        Printer(scopes, abstract=False),
        Printer(scopes, abstract=True),
        ShapePrinter(scopes),
    )
    nodes = scopes.parsed.nodes
    exact, structural, shapes = (print_nodes(nodes, printer) for printer in printers)
    reader = FeatureReader(scopes, PrintedForms(exact, structural), shapes)
    return Gathered(printers, reader, reader.read_all(nodes))


def features(scopes: Scopes) -> Features:
    """The comparable parts of a resolved query."""
    found = gathered(scopes)
    return assembled(found.contributions.values(), scopes.parsed.query, found.exact[-1])


def assembled(contributions: Iterable[Contribution], query: Query, exact: str) -> Features:
    """The features of ``query`` from what its nodes add, children before parents."""
    found: dict[str, list[Any]] = {name: [] for name in FINISH}
    for contribution in contributions:
        for name, value in contribution:
            found[name].append(value)
    finished = {name: finish(found[name]) for name, finish in FINISH.items()}
    cores, windows = finished.pop("cores"), finished.pop("windows")
    return Features(
        exact=exact,
        clauses=clauses_of(query, finished["subqueries"], windows),
        first=cores.index(query.cores[0]),
        **finished,
    )


def clauses_of(
    query: Query, subqueries: Sequence[str], windows: Sequence[object]
) -> tuple[str, ...]:
    """What the outermost query has, in the order it would be written."""
    cores = [core for core in query.cores if isinstance(core, Select)]
    sources = [core.source for core in cores if core.source is not None]
    found = {
        "cte": query.with_ is not None,
        **{op.op.lower().replace(" ", "_"): True for op in query.operators},
        "join": any(is_joined(source) for source in sources),
        "where": any(core.where is not None for core in cores),
        "subquery": any(use != "cte" for use in subqueries),
        "group": any(core.group is not None for core in cores),
        "having": any(core.having is not None for core in cores),
        "window": bool(windows),
        "order": query.order is not None,
        "limit": query.limit is not None,
    }
    return tuple(name for name, there in found.items() if there)
