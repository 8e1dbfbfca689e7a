"""A condition taken apart: what each atom says about which columns, and what connects them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

from sqltext.expressions import (
    Between,
    Comparison,
    Exists,
    Expression,
    In,
    Like,
    Logical,
    Node,
    Not,
    NullTest,
)
from sqltext.form_printer import bare
from sqltext.shapes import QUERY

T = TypeVar("T")

_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


class Operand(NamedTuple):
    """One side of a comparison or one item: its columns and values in the order they stand in.

    ``calls`` are the functions and aggregates that it is made with.
    """

    columns: tuple[str, ...]
    values: tuple[str, ...]
    calls: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Its columns in one text."""
        return ",".join(self.columns)


class Atom(NamedTuple):
    """A condition without AND, OR and NOT in it; ``key`` is what it says something about."""

    key: str
    op: str
    negated: bool
    against: str
    values: tuple[str, ...]


class Condition(NamedTuple):
    """A condition taken apart; ``skeleton`` is how its atoms' keys are connected.

    ``negations`` are the skeletons of what stands as a group behind a NOT.
    """

    atoms: tuple[Atom, ...]
    connectives: tuple[str, ...]
    negations: tuple[str, ...]
    skeleton: str


class ReadsOperands(Protocol):
    """What reads the sides of a comparison."""

    shapes: list[str]

    def operand(self, *nodes: Node) -> Operand:
        """The columns and values of expressions."""

    def once(self, node: Node, how: object, read: Callable[[Any, Node, Any], T]) -> T:
        """What ``read`` gives for ``node`` read in this way, which may be remembered."""


def read_condition(terms: ReadsOperands, node: Expression) -> Condition:
    """Take a condition apart."""
    reader = _Reader(terms)
    skeleton = reader.read(node, False)
    return Condition(
        tuple(sorted(reader.atoms)),
        tuple(sorted(reader.connectives)),
        tuple(sorted(reader.negations)),
        skeleton,
    )


class _Reader:
    """Lists the atoms of one condition."""

    def __init__(self, terms: ReadsOperands) -> None:
        self.terms = terms
        self.atoms: list[Atom] = []
        self.connectives: list[str] = []
        self.negations: list[str] = []

    def read(self, node: Node, negated: bool) -> str:
        """The skeleton of ``node``."""
        node = bare(node)
        if isinstance(node, Logical):
            return self._logical(node)
        if isinstance(node, Not):
            skeleton = self.read(node.operand, not negated)
            if isinstance(bare(node.operand), Logical):
                self.negations.append(skeleton)
            return skeleton
        return _connected("and", self._keys(node, negated))

    def _logical(self, node: Logical) -> str:
        op, members = node.op.lower(), _chain(node)
        self.connectives += [op] * (len(members) - 1)
        texts: list[str] = []
        for member in members:
            if op == "and" and isinstance(member, Between):
                texts += self._keys(member, False)
            else:
                texts.append(self.read(member, False))
        return _connected(op, texts)

    def _keys(self, node: Node, negated: bool) -> list[str]:
        atoms = self.terms.once(node, negated, _atoms)
        self.atoms += atoms
        self.connectives += ["and"] * (len(atoms) - 1)
        return [atom.key for atom in atoms]


def _connected(op: str, texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{op}({','.join(sorted(texts))})"


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


def _atoms(terms: ReadsOperands, node: Node, negated: bool) -> list[Atom]:
    if isinstance(node, Comparison):
        return [_comparison(terms, node, negated)]
    if isinstance(node, Between):
        return _bounds(terms, node, negated)
    if isinstance(node, In):
        return [_in(terms, node, negated)]
    if isinstance(node, Like):
        return [_like(terms, node, negated)]
    if isinstance(node, NullTest):
        return [Atom(terms.operand(node.operand).key, "null", node.negated ^ negated, "", ())]
    if isinstance(node, Exists):
        return [Atom("exists", "exists", negated, QUERY, ())]
    found = terms.operand(node)
    return [Atom(found.key, "true", negated, "", found.values)]


def _atom(left: Operand, op: str, negated: bool, right: Operand) -> Atom:
    return Atom(left.key, op, negated, right.key, left.values + right.values)


def _comparison(terms: ReadsOperands, node: Comparison, negated: bool) -> Atom:
    """With its columns on the left, so that `5 < a` is about what `a > 5` is about."""
    op = node.op
    if op.startswith("IS NOT"):
        op, negated = "IS" + op[6:], not negated
    left, right = terms.operand(node.left), terms.operand(node.right)
    if _rank(left) > _rank(right):
        left, right, op = right, left, _FLIPPED.get(op, op)
    return _atom(left, op, negated, right)


def _rank(operand: Operand) -> tuple[bool, bool, tuple[str, ...]]:
    """Columns before queries, and both before values; two columns by name."""
    return (not operand.columns, QUERY in operand.columns, operand.columns)


def _bounds(terms: ReadsOperands, node: Between, negated: bool) -> list[Atom]:
    """BETWEEN says two things about one operand."""
    operand = terms.operand(node.operand)
    low, high = terms.operand(node.low), terms.operand(node.high)
    negated ^= node.negated
    return [_atom(operand, ">=", negated, low), _atom(operand, "<=", negated, high)]


def _like(terms: ReadsOperands, node: Like, negated: bool) -> Atom:
    pattern = terms.operand(*node.parts()[1:])
    return _atom(terms.operand(node.left), node.op.lower(), node.negated ^ negated, pattern)


def _in(terms: ReadsOperands, node: In, negated: bool) -> Atom:
    inside = terms.operand(*node.items)
    if node.query is not None:
        inside = Operand((QUERY,), ())
    elif node.table is not None:
        inside = Operand((terms.shapes[node.table.at],), ())
    return _atom(terms.operand(node.operand), "in", node.negated ^ negated, inside)
