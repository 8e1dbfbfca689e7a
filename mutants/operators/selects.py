"""SC.SEL, SC.PRJ: what a SELECT gives."""

from collections.abc import Iterator

from mutants.columns import known, source_of
from mutants.gold import Edit, Gold
from mutants.neighbors import hidden_columns
from mutants.operator import operator
from mutants.queries import has_aggregate, is_outermost, sums_up
from mutants.spelling import column_at
from sqltext.clauses import Item, Query, Select
from sqltext.expressions import Exists, In, Literal
from sqltext.form_expressions import is_position
from sqltext.lexer import fold


@operator(
    "SC.SEL",
    Select,
    examples={
        "SELECT b FROM t": "SELECT DISTINCT b FROM t",
        "SELECT DISTINCT b FROM t": "SELECT b FROM t",
    },
)
def toggle_distinct(node: Select, gold: Gold) -> Iterator[Edit]:
    """Keep the duplicates, or drop them, where it can make a difference.

    Catches databases where no two rows of the answer are the same.
    """
    if _gives_a_set(node):
        return
    word = gold.parsed.sql[gold.parsed.start(node) :][: len("select")]
    last = node.first + (1 if node.quantifier else 0)
    text = word if node.quantifier == "DISTINCT" else f"{word} DISTINCT"
    yield gold.replace_tokens((node.first, last), text)


@operator(
    "SC.PRJ",
    Select,
    examples={
        "SELECT a, b FROM t": "SELECT a FROM t",
        "SELECT a, b, c FROM t": "SELECT a, c FROM t",
    },
)
def drop_item(node: Select, gold: Gold) -> Iterator[Edit]:
    """Answer with one column less.

    Catches databases where the answer is empty; with rows, the answers differ in width.
    """
    if not is_outermost(node) or len(node.items) == 1 or _has_positions(gold):
        return
    named = {found.name for found in gold.scopes.columns.values() if found.kind == "alias"}
    for at, item in enumerate(node.items):
        if not (isinstance(item, Item) and fold(item.alias) in named):
            yield gold.drop_member(node.items, at)


@operator("SC.PRJ", Select, examples={"SELECT a, b FROM t": "SELECT b, a FROM t"})
def swap_items(node: Select, gold: Gold) -> Iterator[Edit]:
    """Answer with two columns the other way round.

    Catches databases where both columns hold the same in every row of the answer.
    """
    if not is_outermost(node):
        return
    for one, other in zip(node.items, node.items[1:], strict=False):
        if gold.text(one) == gold.text(other):
            continue
        between = gold.parsed.sql[gold.parsed.end(one) : gold.parsed.start(other)]
        text = gold.text(other) + between + gold.text(one)
        yield gold.replace_tokens((one.first, other.last), text)


@operator("SC.PRJ", Select, examples={"SELECT b FROM t": "SELECT b, e FROM t"})
def add_item(node: Select, gold: Gold) -> Iterator[Edit]:
    """Answer with one column more: the one most like the last.

    Catches databases where the answer is empty; with rows, the answers differ in width.
    """
    last = node.items[-1]
    if not is_outermost(node) or sums_up(node) or not isinstance(last, Item):
        return
    found = source_of(gold.scopes, last.value)
    if found is None or known(gold.scopes, *found) is None:
        return
    alike = hidden_columns(gold, last.value)
    for name in (alike or hidden_columns(gold, last.value, any_family=True))[:1]:
        text = column_at(gold, last.value, found[0], name)
        if text is not None:
            yield gold.replace(last, f"{gold.text(last)}, {text}")


def _gives_a_set(select: Select) -> bool:
    """Whether no duplicate is seen anyway: one row, an arm of UNION, IN and EXISTS."""
    query = select.parent
    if not isinstance(query, Query):
        return False
    if len(query.cores) > 1:
        return all(operation.op != "UNION ALL" for operation in query.operators)
    asked_for_members = isinstance(query.parent, In | Exists) and query.limit is None
    return asked_for_members or (select.group is None and has_aggregate(*select.items))


def _has_positions(gold: Gold) -> bool:
    """Whether ORDER BY or GROUP BY counts the columns, so that none can go."""
    return any(isinstance(node, Literal) and is_position(node) for node in gold.parsed.nodes)
