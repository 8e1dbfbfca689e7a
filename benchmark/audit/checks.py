"""What may be wrong with a gold: one function a doubt, each with what has to be asked for it.

A check says which variants of the gold to run, and then, from all answers, what was seen. What was
not seen on the database is not said.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmark.audit.variants import (
    Gold,
    all_texts_are_numbers,
    as_numbers,
    bare_columns_taken,
    nulls_last,
    summed_in_order,
    ties_broken,
    turned_round,
    without_duplicates,
)
from db_execution.protocol import Answer
from sqltext.clauses import OrderTerm, Select
from sqltext.expressions import Call, Column
from sqltext.lexer import fold


@dataclass(frozen=True, slots=True)
class Trial:
    """Two queries to run, and what it means if their answers differ in ``kind``, or are the same.

    It counts only where the query ``when`` says 1.
    """

    name: str
    one: str
    other: str
    kind: str
    says: str
    when: str | None = None


SAME = "same"
"""The kind of a trial that is met where the two answers are the same."""

Check = Callable[[Gold], Iterator[Trial]]


def arbitrary_cut(gold: Gold) -> Iterator[Trial]:
    """A LIMIT that has no order, or cuts a tie: other rows could stay on another day."""
    for query in gold.queries:
        if query.limit is not None and (pair := ties_broken(gold, query)):
            what = "cuts rows that tie" if query.order is not None else "has no order"
            yield Trial("arbitrary_cut", *pair, "multiset_digest", f"the LIMIT {what}")


def order_ties(gold: Gold) -> Iterator[Trial]:
    """Rows that tie under the outermost ORDER BY: the list is one of several."""
    query = gold.query
    if query.order is not None and (pair := ties_broken(gold, query)):
        yield Trial("order_ties", *pair, "list_digest", "different rows tie under the ORDER BY")


def bare_column(gold: Gold) -> Iterator[Trial]:
    """A column beside an aggregate that the groups do not fix: any row of its group may give it."""
    for query in gold.queries:
        for core in query.cores:
            if isinstance(core, Select) and (pair := bare_columns_taken(gold, core)):
                says = "a column beside an aggregate takes several values within a group"
                yield Trial("bare_column", *pair, "multiset_digest", says)


def numbers_as_text(gold: Gold) -> Iterator[Trial]:
    """Numbers that are kept as texts and sorted so: 9 comes after 10."""
    for node in gold.scopes.parsed.nodes:
        if isinstance(node, Column) and _is_sorted(node):
            when, says = all_texts_are_numbers(gold, node), f"{gold.text(node)} is sorted as a text"
            if when is not None:
                other = as_numbers(gold, node)
                yield Trial("numbers_as_text", gold.sql, other, "list_digest", says, when)


def nulls_on_top(gold: Gold) -> Iterator[Trial]:
    """NULLs at the head of an ascending order, where a LIMIT then takes them for the first."""
    for query in gold.queries:
        if query.limit is not None and (last := nulls_last(gold, query)):
            says = "NULLs are taken for the least"
            yield Trial("nulls_on_top", gold.sql, last, "multiset_digest", says)


def float_order(gold: Gold) -> Iterator[Trial]:
    """A sum of REALs whose last digits hang on the order in which they are added."""
    if pair := summed_in_order(gold):
        says = "a sum changes with the order of its rows"
        yield Trial("float_order", *pair, "multiset_digest", says)


def duplicate_rows(gold: Gold) -> Iterator[Trial]:
    """Rows that come more than once, and nothing that says whether they are to count."""
    if (other := without_duplicates(gold)) is not None:
        says = "rows are repeated, and there is no DISTINCT"
        yield Trial("duplicate_rows", gold.sql, other, "row_count", says)


def empty_answer(gold: Gold) -> Iterator[Trial]:
    """No row at all: any query that finds nothing would be right."""
    yield Trial("empty_answer", gold.sql, "SELECT 1 WHERE 0", SAME, "the answer has no row")


def null_answer(gold: Gold) -> Iterator[Trial]:
    """One row of one NULL: what an aggregate says where nothing was found."""
    yield Trial("null_answer", gold.sql, "SELECT NULL", SAME, "the answer is one NULL")


def _is_sorted(column: Column) -> bool:
    """Whether a column is what an order, a min() or a max() goes by."""
    parent = column.parent
    if isinstance(parent, OrderTerm):
        return True
    return isinstance(parent, Call) and fold(parent.name) in ("min", "max")


CHECKS: tuple[Check, ...] = (
    arbitrary_cut, order_ties, bare_column, numbers_as_text, nulls_on_top, float_order,
    duplicate_rows, empty_answer, null_answer,
)  # fmt: skip
NAMES = tuple(check.__name__ for check in CHECKS)

_UP = frozenset(
    ("least", "lowest", "smallest", "fewest", "minimum", "shortest", "cheapest", "lightest")
)
_DOWN = frozenset(
    ("most", "highest", "largest", "biggest", "greatest", "maximum", "longest", "heaviest")
)
_WORD = re.compile(r"[a-z]+")


def direction(gold: Gold, question: str) -> Iterator[Trial]:
    """An order that goes against the question's words: "the highest" and ascending."""
    query = gold.query
    words = set(_WORD.findall(question.lower()))
    up, down = sorted(words & _UP), sorted(words & _DOWN)
    if query.order is None or query.limit is None or bool(up) == bool(down):
        return
    descending = query.order.terms[0].direction.upper() == "DESC"
    other = turned_round(gold)
    if descending == bool(down) or other is None:
        return
    way = "descending" if descending else "ascending"
    says = f"the question says {(up or down)[0]!r}, and the order is {way}"
    yield Trial("direction", gold.sql, other, "multiset_digest", says)


def met(trial: Trial, one: Answer, other: Answer) -> bool:
    """Whether both ran, and differ as the trial says; or are the same, where it says that."""
    if one.status != "ok" or other.status != "ok":
        return False
    kind = "multiset_digest" if trial.kind == SAME else trial.kind
    values = [getattr(answer, kind) for answer in (one, other)]
    if None in values:
        return False
    return bool(values[0] == values[1]) == (trial.kind == SAME)
