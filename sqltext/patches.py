"""A change at one place of a tree, and what lies above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqltext.clauses import From, Item, Select
from sqltext.expressions import Node
from sqltext.facts import Reading
from sqltext.feature_reader import Contribution
from sqltext.sources import Source

ASIDE = ("where", "group", "having")  # clauses of a SELECT that are read on their own


Addition = tuple[int, str, Any]
"""What a node adds: where it counts as standing, the name of a feature, and the value."""


@dataclass(slots=True, eq=False)
class Patch:
    """A change at one place of the tree: the attribute ``name`` of ``owner``, or a member of it.

    ``old`` are the places of the nodes that go, a half-open range; ``fresh`` the nodes that come,
    and ``added`` what those add to the features.
    """

    owner: Node
    name: str
    index: int | None
    value: object
    old: tuple[int, int]
    fresh: Sequence[Node] = ()
    added: Sequence[Addition] = ()
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
        if self.owner is other.owner and self.name == other.name:
            return self.index is not None and other.index is not None and self.index != other.index
        return not (lies_in(self.owner.at, other.old) or lies_in(other.owner.at, self.old))


@dataclass(slots=True, eq=False)
class Change:
    """What an edit of the text is in the tree: patches that are made together.

    ``source`` is the table that it adds to a FROM. ``own`` is what is found when it is made alone.
    """

    patches: tuple[Patch, ...]
    source: Source | None = None
    path: list[Node] = field(init=False)
    own: Made | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.path = path_of(self.patches)

    @property
    def nondeterministic(self) -> bool:
        """Whether what comes asks the clock, chance or the connection."""
        return any(patch.nondeterministic for patch in self.patches)

    def apart_from(self, other: Change) -> bool:
        """Whether the two can be made together."""
        return all(one.apart_from(two) for one in self.patches for two in other.patches)


@dataclass(slots=True, eq=False)
class Made:
    """The query with one change made.

    ``texts`` are the printed texts of each node above the change, behind its place. ``found`` is
    what such nodes add now, and ``names`` the features to which one of them adds something else
    than it did. ``gone`` are the nodes whose contributions do not count any more, ``added`` what
    new nodes add, and ``known`` the features that may be others now. ``reshapes`` says whether
    a clause may have come or gone.
    """

    texts: list[tuple[int, str, str, str]]
    found: dict[int, Contribution]
    names: dict[int, set[str]]
    gone: set[int]
    added: list[Addition]
    known: dict[str, Any]
    reshapes: bool
    reading: Reading


def lies_in(at: int, span: tuple[int, int]) -> bool:
    """Whether a place lies in a half-open range of places."""
    return span[0] <= at < span[1]


def ancestors(node: Node) -> list[Node]:
    """A node and all above it, children before parents."""
    found: list[Node] = []
    at: Node | None = node
    while at is not None:
        found.append(at)
        at = at.parent
    return found


def path_of(patches: Sequence[Patch]) -> list[Node]:
    """The nodes above the patches, children before parents."""
    if len(patches) == 1:
        return ancestors(patches[0].owner)
    found: dict[int, Node] = {}
    for patch in patches:
        at: Node | None = patch.owner
        while at is not None:
            found[at.at] = at
            at = at.parent
    return [found[at] for at in sorted(found)]


def swap(patches: Sequence[Patch]) -> list[tuple[Patch, object]]:
    """Make the patches; gives what `swap_back` takes."""
    return [(patch, patch.swap(patch.value)) for patch in patches]


def swap_back(swapped: Sequence[tuple[Patch, object]]) -> None:
    """Take patches back."""
    for patch, value in swapped:
        patch.swap(value)


def reread(path: Sequence[Node], patches: Sequence[Patch]) -> list[Node]:
    """Those of ``path`` that may add something else now: a SELECT adds its items and its FROM."""
    shown = {node.parent for node in path if type(node) in (Item, From)}
    shown.update(patch.owner for patch in patches if patch.name not in ASIDE)
    return [node for node in path if type(node) is not Select or node in shown]


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


def first_places(nodes: Sequence[Node]) -> list[int]:
    """For every node the place of the first of those below it, or its own."""
    found = list(range(len(nodes)))
    for node in nodes:
        parts = node.parts()
        if parts:
            found[node.at] = min(found[part.at] for part in parts)
    return found
