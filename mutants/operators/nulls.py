"""NL.NLF, NL.NLI, NL.NLO, NL.NLS: NULL."""

from collections.abc import Iterator

from mutants.columns import family, is_nullable, source_of
from mutants.families import NUMBER
from mutants.gold import Edit, Gold
from mutants.operator import operator
from mutants.queries import inside, is_aggregate, is_read_by_name
from sqltext.clauses import Item
from sqltext.expressions import (
    Between,
    Column,
    Comparison,
    Exists,
    Expression,
    In,
    Like,
    NullTest,
)

# Outside every domain there is; a reader of an answer sees at once where it comes from.
_NO_NUMBER, _NO_TEXT = "-987654321", "'(no value)'"


@operator(
    "NL.NLF",
    NullTest,
    examples={
        "SELECT b FROM t WHERE a IS NULL": "SELECT b FROM t WHERE a IS NOT NULL",
        "SELECT b FROM t WHERE a NOTNULL": "SELECT b FROM t WHERE a IS NULL",
    },
)
def flip_null_test(node: NullTest, gold: Gold) -> Iterator[Edit]:
    """Where a value is missing for where there is one, and the other way round.

    Catches databases with no row to ask about.
    """
    text = "IS NULL" if node.negated else "IS NOT NULL"
    yield gold.replace_tokens((node.operand.last + 1, node.last), text, node)


@operator(
    "NL.NLF",
    Comparison,
    examples={"SELECT b FROM t WHERE a IS 5": "SELECT b FROM t WHERE a IS NOT 5"},
)
def flip_identity(node: Comparison, gold: Gold) -> Iterator[Edit]:
    """The same value or no value for any other, and the other way round.

    Catches databases with no row to ask about.
    """
    if node.op.startswith("IS"):
        at = node.left.last + 1
        text = "IS" if node.op.startswith("IS NOT") else "IS NOT"
        yield gold.replace_tokens((at, at + (text == "IS")), text, node)


@operator(
    "NL.NLI",
    Comparison,
    Like,
    Between,
    In,
    examples={"SELECT b FROM t WHERE a > 5": "SELECT b FROM t WHERE (a IS NULL OR a > 5)"},
)
def let_null_in(node: Expression, gold: Gold) -> Iterator[Edit]:
    """Take the rows where the value is missing too.

    Catches databases where it is never missing in a row that meets all else.
    """
    column = _nullable_in(node, gold)
    if column is not None:
        yield gold.replace(node, f"({gold.text(column)} IS NULL OR {gold.text(node)})")


@operator(
    "NL.NLO",
    Comparison,
    Like,
    Between,
    In,
    examples={
        "SELECT b FROM t WHERE a > 5": "SELECT b FROM t WHERE (a IS NULL OR NOT a > 5)",
        "SELECT b FROM t WHERE b = 'x' AND a > 5": (
            "SELECT b FROM t WHERE b = 'x' AND (a IS NOT NULL)"
        ),
    },
)
def ask_for_null(node: Expression, gold: Gold) -> Iterator[Edit]:
    """Take the rows where the condition fails or the value is missing; or ask for that alone.

    Catches databases where the condition and the missing value single out the same rows.
    """
    column = _nullable_in(node, gold)
    if column is not None:
        text = gold.text(column)
        yield gold.replace(node, f"({text} IS NULL OR NOT {gold.text(node)})")
        yield gold.replace(node, f"({text} IS NULL)")
        yield gold.replace(node, f"({text} IS NOT NULL)")


@operator(
    "NL.NLS",
    Item,
    examples={"SELECT a FROM t": "SELECT COALESCE(a, -987654321) FROM t"},
)
def stand_in_for_null(node: Item, gold: Gold) -> Iterator[Edit]:
    """Give a value that no row has where there is none.

    Catches databases where the answer has no NULL.
    """
    value = node.value
    found = source_of(gold.scopes, value)
    if found is None or not is_nullable(gold.scopes, *found) or is_read_by_name(value):
        return
    other = _NO_NUMBER if family(gold.scopes, *found) == NUMBER else _NO_TEXT
    yield gold.replace(value, f"COALESCE({gold.text(value)}, {other})")


def _nullable_in(node: Expression, gold: Gold) -> Column | None:
    """The first column of a condition that may be NULL, where the condition is about rows."""
    if gold.in_on(node):
        return None
    parts = list(inside(node))
    if any(is_aggregate(part) or isinstance(part, Exists) for part in parts):
        return None
    for part in parts:
        if isinstance(part, Column):
            found = source_of(gold.scopes, part)
            if found is not None and is_nullable(gold.scopes, *found):
                return part
    return None
