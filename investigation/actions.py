"""What an agent may do: ask a query, submit one as the answer, or give up."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Op = Literal["query", "submit", "finish"]
OPS: tuple[Op, ...] = get_args(Op)
KEYS = frozenset(("op", "sql"))


class Malformed(ValueError):
    """The input is no action: nothing happens, and it costs none."""


@dataclass(frozen=True, slots=True)
class Action:
    """One action. ``sql`` is the text of a query or submission; ``finish`` has none."""

    op: Op
    sql: str = ""


def read_action(document: object) -> Action:
    """The action that a JSON object asks for; Malformed says what is wrong with it.

    >>> read_action({"op": "query", "sql": "SELECT 1"})
    Action(op='query', sql='SELECT 1')
    """
    if not isinstance(document, Mapping) or not KEYS.issuperset(document):
        raise Malformed("an action is an object with 'op' and, but for finish, 'sql'")
    op, sql = document.get("op"), document.get("sql")
    if op not in OPS:
        raise Malformed(f"'op' is one of {', '.join(OPS)}")
    if op == "finish":
        return Action("finish")
    if not isinstance(sql, str):
        raise Malformed(f"{op} needs 'sql', a text")
    return Action(op, sql)
