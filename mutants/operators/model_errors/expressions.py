"""X.CST, X.CAS, X.DTF: casts, branches, and the formats of dates."""

from collections.abc import Iterator

from mutants.constants import text_like
from mutants.gold import Edit, Gold
from mutants.operator import operator
from sqltext.binding import power_of
from sqltext.expressions import Call, Case, Cast, Column, Expression, Literal
from sqltext.lexer import fold, unquote

# Each format with those that people take for it.
_FORMATS = {
    "%Y": ("%m", "%Y-%m"),
    "%m": ("%Y", "%d"),
    "%d": ("%m", "%j"),
    "%j": ("%d", "%m"),
    "%w": ("%d", "%W"),
    "%W": ("%w", "%m"),
    "%H": ("%M", "%d"),
    "%M": ("%m", "%H"),
    "%S": ("%M", "%s"),
    "%J": ("%j", "%Y"),
    "%s": ("%S", "%J"),
    "%Y-%m": ("%Y", "%m"),
    "%m-%d": ("%d-%m", "%Y-%m-%d"),
    "%Y-%m-%d": ("%Y-%m", "%Y-%d-%m"),
    "%Y/%m/%d": ("%Y-%m-%d", "%Y/%d/%m"),
    "%Y%m": ("%Y-%m", "%Y"),
}


@operator(
    "X.CST",
    Cast,
    examples={"SELECT CAST(a AS REAL) / 2 FROM t": "SELECT a / 2 FROM t"},
)
def drop_cast(node: Cast, gold: Gold) -> Iterator[Edit]:
    """Take the value as it is stored.

    Catches databases where integers divide without a rest, or texts sort as their numbers do.
    """
    inner = node.operand
    yield gold.replace_expression(node, gold.text(inner), power_of(inner))


@operator(
    "X.CAS",
    Case,
    examples={
        "SELECT SUM(CASE WHEN a > 2 THEN 1 ELSE 0 END) FROM t": (
            "SELECT SUM(CASE WHEN a > 2 THEN 0 ELSE 1 END) FROM t"
        ),
    },
)
def swap_branches(node: Case, gold: Gold) -> Iterator[Edit]:
    """Give for one branch of a CASE what the next one gives, and the other way round.

    Catches databases where as many rows take the one as the other, or none takes either.
    """
    results = [when.result for when in node.whens]
    results += [node.default] if node.default is not None else []
    for one, other in zip(results, results[1:], strict=False):
        yield from _swapped(gold, one, other)


@operator(
    "X.CAS",
    Call,
    examples={
        "SELECT SUM(IIF(a > 2, 1, 0)) FROM t": "SELECT SUM(IIF(a > 2, 0, 1)) FROM t",
    },
)
def swap_iif(node: Call, gold: Gold) -> Iterator[Edit]:
    """Give for one branch of an IIF what the other gives, and the other way round.

    Catches databases where as many rows take the one as the other, or none takes either.
    """
    if fold(node.name) in ("iif", "if") and len(node.arguments) == 3:
        yield from _swapped(gold, node.arguments[1], node.arguments[2])


@operator(
    "X.CAS",
    Case,
    Call,
    examples={
        "SELECT COUNT(CASE WHEN a > 2 THEN 1 ELSE NULL END) FROM t": (
            "SELECT COUNT(CASE WHEN a > 2 THEN 1 ELSE 0 END) FROM t"
        ),
        "SELECT AVG(IIF(a > 2, a, 0)) FROM t": "SELECT AVG(IIF(a > 2, a, NULL)) FROM t",
    },
)
def count_the_rest(node: Case | Call, gold: Gold) -> Iterator[Edit]:
    """Give 0 for NULL to all other rows, or NULL for 0: a COUNT or AVG takes them in, or not.

    Catches databases without other rows.
    """
    rest = _rest(node)
    if isinstance(rest, Literal) and rest.text.upper() in ("0", "NULL"):
        yield gold.replace(rest, "NULL" if rest.text == "0" else "0")
    elif isinstance(node, Case) and rest is None:
        yield gold.replace_tokens((node.last, node.last), f"ELSE 0 {_end(node, gold)}", node)


@operator(
    "X.DTF",
    Call,
    examples={
        "SELECT b FROM t WHERE strftime('%Y', d) = '2020'": (
            "SELECT b FROM t WHERE strftime('%Y-%m', d) = '2020'"
        ),
        "SELECT strftime('%m', d) FROM t": "SELECT strftime('%d', d) FROM t",
    },
)
def change_date_format(node: Call, gold: Gold) -> Iterator[Edit]:
    """Read another part of a date.

    Catches databases without dates, or whose dates say the same in both parts.
    """
    if fold(node.name) != "strftime" or not node.arguments:
        return
    written = node.arguments[0]
    value = _text(gold, written)
    for other in _FORMATS.get(value or "", ()):
        yield gold.replace(written, text_like(gold.scopes, written, other))


def _text(gold: Gold, node: Expression) -> str | None:
    if isinstance(node, Literal) and node.kind == "string":
        return unquote(node.text)
    found = gold.scopes.columns.get(node) if isinstance(node, Column) else None
    return found.name if found is not None and found.kind == "value" else None


def _swapped(gold: Gold, one: Expression, other: Expression) -> Iterator[Edit]:
    if gold.text(one) != gold.text(other):
        between = gold.parsed.sql[gold.parsed.end(one) : gold.parsed.start(other)]
        text = gold.text(other) + between + gold.text(one)
        yield gold.replace_tokens((one.first, other.last), text)


def _rest(node: Case | Call) -> Expression | None:
    """What the rows get that no condition takes."""
    if isinstance(node, Case):
        return node.default
    is_iif = fold(node.name) in ("iif", "if") and len(node.arguments) == 3
    return node.arguments[2] if is_iif else None


def _end(node: Case, gold: Gold) -> str:
    """The END of a CASE, as its author wrote it."""
    tokens = gold.parsed.tokens
    return gold.parsed.sql[tokens.starts[node.last] : tokens.ends[node.last]]
