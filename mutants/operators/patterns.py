"""OR.LKE: LIKE."""

from collections.abc import Iterator

from mutants.constants import STRING, constant_of, text_like
from mutants.gold import Edit, Gold
from mutants.operator import operator
from sqltext.expressions import Like


@operator(
    "OR.LKE",
    Like,
    examples={
        "SELECT a FROM t WHERE b LIKE '%x%'": "SELECT a FROM t WHERE b LIKE 'x%'",
        "SELECT a FROM t WHERE b LIKE 'x'": "SELECT a FROM t WHERE b LIKE '%x'",
    },
)
def move_pattern(node: Like, gold: Gold) -> Iterator[Edit]:
    """Look for the words at the beginning, at the end, anywhere or alone, or for one letter beside.

    Catches databases where they always stand in the same place of the text.
    """
    pattern = _pattern(node, gold)
    if pattern is None or not pattern.strip("%"):
        return
    for other in dict.fromkeys(_moved(pattern)):
        if other != pattern:
            yield gold.replace(node.pattern, text_like(gold.scopes, node.pattern, other))


def _moved(pattern: str) -> Iterator[str]:
    core = pattern.strip("%")
    first, last = pattern.startswith("%"), pattern.endswith("%")
    yield ("" if first else "%") + core + "%" * last
    yield "%" * first + core + ("" if last else "%")
    if first and last:
        yield core
    yield pattern.replace("%", "_") if "%" in pattern else pattern.replace("_", "%")


@operator(
    "OR.LKE",
    Like,
    examples={"SELECT a FROM t WHERE b LIKE 'x%'": "SELECT a FROM t WHERE b = 'x'"},
)
def like_to_equal(node: Like, gold: Gold) -> Iterator[Edit]:
    """Be equal to the words, instead of containing them.

    Catches databases where no text says more than the words, or says them in other letters.
    """
    pattern = _pattern(node, gold)
    if pattern is not None and (core := pattern.strip("%")):
        text = text_like(gold.scopes, node.pattern, core)
        op = "<>" if node.negated else "="
        yield gold.replace_tokens((node.left.last + 1, node.last), f"{op} {text}", node)


@operator(
    "OR.LKE",
    Like,
    examples={"SELECT a FROM t WHERE b LIKE 'x%'": "SELECT a FROM t WHERE b NOT LIKE 'x%'"},
)
def negate_like(node: Like, gold: Gold) -> Iterator[Edit]:
    """What matches for what does not, and the other way round.

    Catches databases with no text to compare at all.
    """
    at = node.left.last + 1
    word = node.op if node.negated else f"NOT {node.op}"
    yield gold.replace_tokens((at, at + node.negated), word, node)


def _pattern(node: Like, gold: Gold) -> str | None:
    """The pattern of a LIKE, where it is a text in which % and _ have no escape."""
    constant = constant_of(gold.scopes, node.pattern)
    if node.op != "LIKE" or node.escape is not None or constant is None:
        return None
    return constant.value if constant.kind == STRING else None
