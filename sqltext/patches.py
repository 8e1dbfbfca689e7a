"""A change at one place of a tree, and what lies above it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqltext.clauses import From, Item, Select
from sqltext.expressions import Node

_ASIDE = ("where", "group", "having")  # clauses of a SELECT that are read on their own


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A change at one place of the tree: the attribute ``name`` of ``owner``, or a member of it.

    ``old`` are the places of the nodes that go, a half-open range; ``fresh`` the nodes that come.
    """

    owner: Node
    name: str
    index: int | None
    value: object
    old: tuple[int, int]
    fresh: Sequence[Node] = ()
    nondeterministic: bool = False

    def swap(self, value: object) -> object:
        """Put ``value`` there, and give back what was there."""
        found = getattr(self.owner, self.name)
        if self.index is None:
            setattr(self.owner, self.name, value)
            return found
        member, found[self.index] = found[self.index], value
        return member

    def apart_from(self, other: Patch) -> bool:
        """Whether the two can be made together: neither lies in what the other takes away."""
        if (self.owner, self.name, self.index) == (other.owner, other.name, other.index):
            return False
        return not (lies_in(self.owner.at, other.old) or lies_in(other.owner.at, self.old))


def lies_in(at: int, span: tuple[int, int]) -> bool:
    """Whether a place lies in a half-open range of places."""
    return span[0] <= at < span[1]


def path_of(patches: Sequence[Patch]) -> list[Node]:
    """The nodes above the patches, children before parents."""
    found: dict[int, Node] = {}
    for patch in patches:
        at: Node | None = patch.owner
        while at is not None:
            found[at.at] = at
            at = at.parent
    return [found[at] for at in sorted(found)]


@contextmanager
def patched(patches: Sequence[Patch]) -> Iterator[None]:
    """The patches made, and taken back once it is over."""
    before = [patch.swap(patch.value) for patch in patches]
    try:
        yield
    finally:
        for patch, value in zip(patches, before, strict=True):
            patch.swap(value)


def reread(path: Sequence[Node], patches: Sequence[Patch]) -> Iterator[Node]:
    """Those of ``path`` that may add something else now: a SELECT adds its items and its FROM."""
    shown = {node.parent for node in path if type(node) in (Item, From)}
    shown.update(patch.owner for patch in patches if patch.name not in _ASIDE)
    return (node for node in path if type(node) is not Select or node in shown)


def place_of(node: Node) -> tuple[Node, str, int | None]:
    """Where a node hangs: its parent, the attribute, and the index where that is a list."""
    owner = node.parent
    assert owner is not None
    for name in owner.PARTS or ("order", "limit"):
        value = getattr(owner, name)
        if value is node:
            return owner, name, None
        if isinstance(value, list):
            for index, member in enumerate(value):
                if member is node:
                    return owner, name, index
    raise AssertionError(f"{node!r} does not hang where it says")
