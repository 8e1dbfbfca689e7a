"""What an expression is made of: the parts of two queries that are held against each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqltext.expressions import (
    Between,
    Binary,
    Call,
    Case,
    Cast,
    Collate,
    Column,
    Comparison,
    Exists,
    Expression,
    In,
    Like,
    Literal,
    Logical,
    Node,
    Not,
    NullTest,
    Parameter,
    Subquery,
    Unary,
)
from sqltext.form_printer import bare
from sqltext.lexer import fold
from sqltext.scope import Scopes
from sqltext.shapes import QUERY

AGGREGATE = "aggregate"
_AGGREGATES = """
    avg count group_concat json_group_array json_group_object jsonb_group_array jsonb_group_object
    max median min percentile percentile_cont percentile_disc string_agg sum total
"""
AGGREGATES = frozenset(_AGGREGATES.split())
_CONDITIONALS = frozenset({"iif", "if"})
_MAX_DEPTH = 40  # conditions inside conditions
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


class Operand(NamedTuple):
    """One side of a comparison or one item: its columns and values in the order they stand in."""

    columns: tuple[str, ...]
    values: tuple[str, ...]
    calls: bool = False


class Atom(NamedTuple):
    """A condition without AND, OR and NOT in it; ``key`` is what it says something about."""

    key: str
    op: str
    negated: bool
    against: str
    values: tuple[str, ...]


class Condition(NamedTuple):
    """A condition taken apart; ``skeleton`` is how its atoms' keys are connected."""

    atoms: tuple[Atom, ...]
    connectives: tuple[str, ...]
    negations: int
    skeleton: str


@dataclass(slots=True)
class Terms:
    """Reads expressions of one query, and keeps what they do to their columns and values."""

    scopes: Scopes
    shapes: list[str]
    exact: list[str]
    aggregates: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    arithmetic: list[str] = field(default_factory=list)
    inner: list[Condition] = field(default_factory=list)
    depth: int = 0

    def operand(self, node: Expression) -> Operand:
        """The columns and values of an expression; aggregates and queries in it stand as such."""
        columns: list[str] = []
        values: list[str] = []
        calls = len(self.functions)
        self.gather([node], columns, values)
        return Operand(tuple(columns), tuple(values), len(self.functions) > calls)

    def gather(self, stack: list[Node], columns: list[str], values: list[str]) -> None:
        """Add what the nodes of ``stack`` are made of; a loop, as chains may be long."""
        while stack:
            node = stack.pop()
            read = _READ.get(type(node))
            if read is None:
                stack += reversed(node.parts())
            else:
                read(self, node, stack, columns, values)

    def condition(self, node: Expression) -> Condition:
        """Take a condition apart."""
        reader = _ConditionReader(self)
        skeleton = reader.read(node, False)
        return Condition(
            tuple(sorted(reader.atoms)),
            tuple(sorted(reader.connectives)),
            reader.negations,
            skeleton,
        )


def _column(t: Terms, node: Column, _: list[Node], columns: list[str], values: list[str]) -> None:
    if t.scopes.columns[node].kind == "value":
        values.append(t.exact[node.at])
    else:
        columns.append(t.shapes[node.at])


def _value(
    t: Terms, node: Literal | Parameter, _: list[Node], __: list[str], values: list[str]
) -> None:
    values.append(t.exact[node.at])


def _unary(t: Terms, node: Unary, stack: list[Node], _: list[str], values: list[str]) -> None:
    if node.op == "-" and isinstance(node.operand, Literal):
        values.append(t.exact[node.at])
        return
    t.arithmetic.append(f"{node.op}x")
    stack.append(node.operand)


def _binary(t: Terms, node: Binary, stack: list[Node], _: list[str], __: list[str]) -> None:
    t.arithmetic.append(node.op)
    stack += (node.right, node.left)


def _cast(t: Terms, node: Cast, stack: list[Node], _: list[str], __: list[str]) -> None:
    t.functions.append(f"cast as {fold(node.type_name)}")
    stack.append(node.operand)


def _collate(t: Terms, node: Collate, stack: list[Node], _: list[str], __: list[str]) -> None:
    t.functions.append(f"collate {fold(node.collation)}")
    stack.append(node.operand)


def _query(_: Terms, __: Node, ___: list[Node], columns: list[str], ____: list[str]) -> None:
    columns.append(QUERY)


def _call(t: Terms, node: Call, stack: list[Node], columns: list[str], values: list[str]) -> None:
    name = fold(node.name)
    if node.window is not None:
        t.functions.append(t.shapes[node.at])
        columns.append(AGGREGATE)
    elif is_aggregate(node):
        t.aggregates.append(_aggregate_key(t, node, name, values))
        columns.append(AGGREGATE)
    else:
        t.functions.append(name)
        arguments = node.arguments
        if name in _CONDITIONALS and arguments:
            t.inner.append(t.condition(arguments[0]))
            arguments = arguments[1:]
        stack += reversed(arguments)


def is_aggregate(node: Call) -> bool:
    """Whether a call is an aggregate by its name; min and max of several values are not."""
    name = fold(node.name)
    if name in ("min", "max") and len(node.arguments) > 1:
        return False
    return name in AGGREGATES and node.window is None


def _aggregate_key(t: Terms, node: Call, name: str, values: list[str]) -> str:
    """Its name, DISTINCT, and the columns that it is over."""
    columns: list[str] = []
    t.gather(list(reversed(node.arguments)), columns, values)
    order = "" if node.order is None else t.shapes[node.order.at]
    inside = "*" if node.star else ", ".join(columns)
    return f"{name}({'distinct ' if node.distinct else ''}{inside}{order})"


def _case(t: Terms, node: Case, stack: list[Node], _: list[str], __: list[str]) -> None:
    """What its conditions say is compared as conditions are, not as columns of the item."""
    t.functions.append(f"case {len(node.whens)}{'' if node.default is None else ' else'}")
    stack += [node.default] if node.default is not None else []
    for when in reversed(node.whens):
        stack.append(when.result)
        if node.operand is not None:
            stack.append(when.condition)
    for when in node.whens if node.operand is None else []:
        t.inner.append(t.condition(when.condition))
    stack += [node.operand] if node.operand is not None else []


def _condition(
    t: Terms, node: Expression, stack: list[Node], columns: list[str], values: list[str]
) -> None:
    """A condition where a value stands; in a long chain (a = b = c...) only its operands count."""
    if t.depth >= _MAX_DEPTH:
        stack += reversed(node.parts())
        return
    t.depth += 1
    found = t.condition(node)
    t.depth -= 1
    t.inner.append(found)
    columns.extend(atom.key for atom in found.atoms if atom.key)


_READ: dict[type[Node], Callable[[Terms, Any, list[Node], list[str], list[str]], None]] = {
    Column: _column,
    Literal: _value,
    Parameter: _value,
    Unary: _unary,
    Binary: _binary,
    Cast: _cast,
    Collate: _collate,
    Subquery: _query,
    Call: _call,
    Case: _case,
    **dict.fromkeys((Comparison, Like, Between, In, NullTest, Exists, Not, Logical), _condition),
}


class _ConditionReader:
    """Lists the atoms of one condition."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.atoms: list[Atom] = []
        self.connectives: list[str] = []
        self.negations = 0

    def read(self, node: Node, negated: bool) -> str:
        """The skeleton of ``node``."""
        node = bare(node)
        if isinstance(node, Logical):
            return self._logical(node)
        if isinstance(node, Not):
            if isinstance(bare(node.operand), Logical):
                self.negations += 1
                return f"not {self.read(node.operand, False)}"
            return self.read(node.operand, not negated)
        atoms = _atoms(self.terms, node, negated)
        self.atoms += atoms
        self.connectives += ["and"] * (len(atoms) - 1)
        return ",".join(atom.key for atom in atoms)

    def _logical(self, node: Logical) -> str:
        members = _chain(node)
        self.connectives += [node.op.lower()] * (len(members) - 1)
        return f"{node.op.lower()}({','.join(sorted(self.read(m, False) for m in members))})"


def _chain(node: Logical) -> list[Node]:
    """The members of a chain of one connective, in source order."""
    members: list[Node] = []
    stack: list[Node] = [node]
    while stack:
        member = bare(stack.pop())
        if isinstance(member, Logical) and member.op == node.op:
            stack += (member.right, member.left)
        else:
            members.append(member)
    return members


def _atoms(t: Terms, node: Node, negated: bool) -> list[Atom]:
    if isinstance(node, Comparison):
        return [_comparison(t, node, negated)]
    if isinstance(node, Between):
        return _bounds(t, node, negated)
    if isinstance(node, In):
        return [_in(t, node, negated)]
    if isinstance(node, Like):
        left, right = t.operand(node.left), t.operand(node.pattern)
        return [_atom(left, node.op.lower(), node.negated ^ negated, right)]
    if isinstance(node, NullTest):
        found = t.operand(node.operand)
        return [Atom(_key(found), "null", node.negated ^ negated, "", ())]
    if isinstance(node, Exists):
        return [Atom("exists", "exists", negated, QUERY, ())]
    found = Operand((), (), False)
    columns: list[str] = []
    values: list[str] = []
    t.gather([node], columns, values)
    return [Atom(",".join(columns), "true", negated, "", tuple(values))]


def _key(operand: Operand) -> str:
    return ",".join(operand.columns)


def _atom(left: Operand, op: str, negated: bool, right: Operand) -> Atom:
    return Atom(_key(left), op, negated, _key(right), left.values + right.values)


def _comparison(t: Terms, node: Comparison, negated: bool) -> Atom:
    """With its columns on the left, so that `5 < a` is about what `a > 5` is about."""
    op = node.op
    if op.startswith("IS NOT"):
        op, negated = "IS" + op[6:], not negated
    left, right = t.operand(node.left), t.operand(node.right)
    if (not left.columns, left.columns) > (not right.columns, right.columns):
        left, right, op = right, left, _FLIPPED.get(op, op)
    return _atom(left, op, negated, right)


def _bounds(t: Terms, node: Between, negated: bool) -> list[Atom]:
    """BETWEEN says two things about one operand."""
    operand = t.operand(node.operand)
    low, high = t.operand(node.low), t.operand(node.high)
    negated ^= node.negated
    return [_atom(operand, ">=", negated, low), _atom(operand, "<=", negated, high)]


def _in(t: Terms, node: In, negated: bool) -> Atom:
    left = t.operand(node.operand)
    columns: list[str] = []
    values: list[str] = []
    t.gather(list(reversed(node.items)), columns, values)
    if node.query is not None:
        columns.append(QUERY)
    elif node.table is not None:
        columns.append(t.shapes[node.table.at])
    return _atom(left, "in", node.negated ^ negated, Operand(tuple(columns), tuple(values)))
