"""IR.IRT, IR.IRP: constants and parameters for others."""

from collections.abc import Iterator

from mutants.constants import STRING, Constant, constant_of, text_like
from mutants.gold import Edit, Gold
from mutants.operator import operator
from sqltext.binding import CLOSED_POWER, UNARY_POWER
from sqltext.expressions import Column, Literal, Parameter

_OTHERS = 3  # at most, in the order of the text


@operator(
    "IR.IRT",
    Literal,
    Column,
    examples={
        "SELECT b FROM t WHERE a > 2 AND c < 7": "SELECT b FROM t WHERE a > 7 AND c < 7",
        "SELECT a FROM t WHERE b = 'x' OR e = \"p\"": "SELECT a FROM t WHERE b = 'p' OR e = \"p\"",
    },
)
def replace_constant(node: Literal | Column, gold: Gold) -> Iterator[Edit]:
    """Take another constant of the query, of the same kind.

    Catches databases where both constants single out the same rows.
    """
    constant = constant_of(gold.scopes, node)
    if constant is None:
        return
    for other in _of_kind(gold, constant.kind, constant.value):
        text = other.text
        if constant.kind == STRING:
            text = text_like(gold.scopes, constant.node, other.value)
        power = UNARY_POWER if text.startswith("-") else CLOSED_POWER
        yield gold.replace_expression(constant.node, text, power)


@operator(
    "IR.IRP",
    Parameter,
    examples={
        "SELECT b FROM t WHERE a > :low AND c < :high": (
            "SELECT b FROM t WHERE a > :high AND c < :high"
        ),
    },
)
def replace_parameter(node: Parameter, gold: Gold) -> Iterator[Edit]:
    """Take another parameter of the query, or one of its constants.

    Catches databases where both values single out the same rows.
    """
    names = [part.text for part in gold.parsed.nodes if isinstance(part, Parameter)]
    others = [name for name in dict.fromkeys(names) if name not in (node.text, "?")]
    others += [other.text for other in _of_kind(gold, "", "")]
    for text in others[:_OTHERS]:
        power = UNARY_POWER if text.startswith("-") else CLOSED_POWER
        yield gold.replace_expression(node, text, power)


def _of_kind(gold: Gold, kind: str, value: str) -> list[Constant]:
    """The first other constants of that kind, each value once."""
    found: dict[str, Constant] = {}
    for constant in gold.constants:
        if kind in ("", constant.kind) and constant.value != value:
            found.setdefault(constant.value, constant)
        if len(found) == _OTHERS:
            break
    return list(found.values())
