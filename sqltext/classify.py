"""What differs between a gold and its neighbour, and the shape of each."""

from __future__ import annotations

from collections.abc import Callable

from sqltext.compare_conditions import ADDED, DROPPED, differing
from sqltext.conditions import Operand
from sqltext.feature_reader import Clause
from sqltext.features import Features

_Compare = Callable[[Features, Features], set[str]]

ASPECTS = (
    "set_operation_changed",
    "table_changed",
    "join_changed",
    "subquery_changed",
    "grouping_changed",
    "having_changed",
    "aggregate_changed",
    "distinct_changed",
    "projection_changed",
    "condition_dropped",
    "condition_added",
    "connective_changed",
    "negation_changed",
    "null_test_changed",
    "comparison_changed",
    "value_changed",
    "arithmetic_changed",
    "function_changed",
    "order_changed",
    "limit_changed",
    "other_changed",
)


def aspects(gold: Features, neighbor: Features) -> tuple[str, ...]:
    """All that differs, in the order of `ASPECTS`; the first is the class of the mutation.

    Two queries of one exact form differ in nothing.
    """
    if gold.exact == neighbor.exact:
        return ()
    asked: set[_Compare] = set()
    for compares, ours, theirs in zip(_BY_FIELD, gold, neighbor, strict=True):
        if ours is not theirs and compares and ours != theirs:
            asked.update(compares)
    found: set[str] = set()
    for compare in asked:
        found |= compare(gold, neighbor)
    if len(found) > 1:
        return tuple([name for name in ASPECTS if name in found])
    return tuple(found) or ("other_changed",)


def family(features: Features) -> str:
    """The shape of a query: its clauses, or `simple`."""
    return "+".join(features.clauses) or "simple"


def strategy_family(gold: Features, neighbor: Features) -> str:
    """The shape of the change: the clauses that came and those that went, or `same shape`."""
    came = [f"+{name}" for name in neighbor.clauses if name not in gold.clauses]
    went = [f"-{name}" for name in gold.clauses if name not in neighbor.clauses]
    return " ".join(came + went) or "same shape"


def _set_operation(gold: Features, neighbor: Features) -> set[str]:
    differs = gold.set_operations != neighbor.set_operations or _arms_swapped(gold, neighbor)
    return {"set_operation_changed"} if differs else set()


def _arms_swapped(gold: Features, neighbor: Features) -> bool:
    return gold.arms != neighbor.arms and sorted(gold.arms) == sorted(neighbor.arms)


def _distinct(gold: Features, neighbor: Features) -> set[str]:
    """Where a SELECT came or went, only the outermost query's first is compared."""
    if len(gold.distinct) == len(neighbor.distinct):
        differs = gold.distinct != neighbor.distinct
    else:
        differs = gold.distinct[gold.first] != neighbor.distinct[neighbor.first]
    return {"distinct_changed"} if differs else set()


def _clause(name: str, aspect: str) -> tuple[frozenset[str], _Compare]:
    """How lists of clauses are compared: by their shapes, and one by one by their values."""

    def compare(gold: Features, neighbor: Features) -> set[str]:
        ours, theirs = getattr(gold, name), getattr(neighbor, name)
        shapes = [clause.shape for clause in ours], [clause.shape for clause in theirs]
        found = {aspect} if shapes[0] != shapes[1] else set()
        if any(_values_differ(a, b) for a, b in zip(ours, theirs, strict=False)):
            found.add("value_changed")
        return found

    return frozenset((name,)), compare


def _values_differ(gold: Clause, neighbor: Clause) -> bool:
    return gold.structural == neighbor.structural and gold.exact != neighbor.exact


def _differing_conditions(gold: Features, neighbor: Features) -> set[str]:
    return differing(gold.where, neighbor.where)


def _differing_inside(gold: Features, neighbor: Features) -> set[str]:
    """Conditions where a value stands: one that came or went belongs to the CASE it is in."""
    found = differing(gold.inner, neighbor.inner)
    if found & {DROPPED, ADDED}:
        found = found - {DROPPED, ADDED} | {"function_changed"}
    return found


def _differing_items(gold: Features, neighbor: Features) -> set[str]:
    found: set[str] = set()
    if _arms_swapped(gold, neighbor):
        return found
    same_calls = (gold.aggregates, gold.functions) == (neighbor.aggregates, neighbor.functions)
    for ours, theirs in _compared_items(gold, neighbor):
        if len(ours) != len(theirs):
            found.add("projection_changed")
            continue
        for item, other in zip(ours, theirs, strict=True):
            found |= _between(item, other)
            if same_calls and item.calls != other.calls:
                found.add("projection_changed")  # the same calls, in another order
    return found


def _compared_items(
    gold: Features, neighbor: Features
) -> list[tuple[tuple[Operand, ...], tuple[Operand, ...]]]:
    """Where a SELECT came or went, only the outermost query's first is compared."""
    if len(gold.items) == len(neighbor.items):
        return list(zip(gold.items, neighbor.items, strict=True))
    return [(gold.items[gold.first], neighbor.items[neighbor.first])]


def _between(item: Operand, other: Operand) -> set[str]:
    """An expression that keeps its columns, or some of them, is the same item."""
    if item.columns == other.columns:
        changed = item.values != other.values and len(item.values) == len(other.values)
        return {"value_changed"} if changed else set()
    ours, theirs = set(item.columns), set(other.columns)
    if not (ours and theirs and (ours <= theirs or theirs <= ours)):
        return {"projection_changed"}
    return {"function_changed"} if item.calls or other.calls else {"arithmetic_changed"}


def _same(name: str, aspect: str) -> tuple[frozenset[str], _Compare]:
    """A feature that is all of an aspect."""
    return frozenset((name,)), lambda _, __: {aspect}


# What is compared if any of the named features differs.
_COMPARED: tuple[tuple[frozenset[str], _Compare], ...] = (
    (frozenset(("set_operations", "arms")), _set_operation),
    _same("tables", "table_changed"),
    _clause("joins", "join_changed"),
    _same("subqueries", "subquery_changed"),
    _clause("grouping", "grouping_changed"),
    _clause("having", "having_changed"),
    _same("aggregates", "aggregate_changed"),
    (frozenset(("distinct", "first")), _distinct),
    (frozenset(("where",)), _differing_conditions),
    (frozenset(("inner",)), _differing_inside),
    (frozenset(("items", "first")), _differing_items),
    _same("arithmetic", "arithmetic_changed"),
    _same("functions", "function_changed"),
    _clause("order", "order_changed"),
    _same("limit", "limit_changed"),
)
# The same by field, in the order of the fields.
_BY_FIELD: tuple[tuple[_Compare, ...], ...] = tuple(
    tuple(compare for names, compare in _COMPARED if field in names) for field in Features._fields
)
