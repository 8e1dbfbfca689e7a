"""Readings of a query with changes made, from what is known of it without them.

What a change leaves as it was is not read again: only the nodes above it are printed anew, only
the features that it touches are put together anew, and two changes together take what each of them
alone has shown, but for the nodes above both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqltext.clauses import (
    Compound,
    From,
    GroupBy,
    Having,
    NestedSource,
    OrderBy,
    Query,
    Select,
    TableSource,
    Window,
)
from sqltext.expressions import Call, Node
from sqltext.facts import Facts, Reading
from sqltext.feature_reader import Contribution
from sqltext.features import FINISH, Features, clauses_of
from sqltext.forms import PRINT
from sqltext.patches import ASIDE, Addition, Change, Made, reread, swap, swap_back
from sqltext.scope import Source

_PLACE = {name: at for at, name in enumerate(Features._fields)}
_EXACT, _CLAUSES, _FIRST, _SUBQUERIES = (
    _PLACE[name] for name in ("exact", "clauses", "first", "subqueries")
)
_RESHAPING = (Select, Query, From, NestedSource, Compound)
_SHAPED = (From, NestedSource, TableSource, GroupBy, Having, OrderBy, Window)
_at = itemgetter(0)


class Composer:
    """Makes changes in one query, reads it, and takes them back: it is left as it was."""

    def __init__(self, facts: Facts) -> None:
        known = facts.gathered
        self.facts = facts
        self.query = facts.scopes.parsed.query
        self.printers = known.printers
        self.reader = known.reader
        self.texts = known.exact, known.structural, known.shapes
        self._own = known.contributions
        self._added = _by_name(self._own)
        self._before = list(zip(range(self.places), *self.texts, strict=True))
        self._shaped = _shaped(facts.scopes.parsed.nodes)
        self._above: dict[tuple[int, bool], list[Node]] = {}
        self.reader.terms.remember()

    def reading(self, change: Change) -> Reading:
        """What is read off the query once ``change`` is made."""
        return self._alone(change).reading

    def both(self, one: Change, other: Change) -> Reading:
        """What is read off the query once both changes are made."""
        alone = self._alone(one), self._alone(other)
        path = [*one.path, *other.path]
        swapped = swap(one.patches + other.patches)
        try:
            self._put(alone[0].texts)
            self._put(alone[1].texts)
            shared = _shared(one.path, other.path)
            self._print(shared)
            asks = one.nondeterministic or other.nondeterministic
            return self._joined(alone, self._reread(_read_in(shared, alone), path), asks)
        finally:
            swap_back(swapped)
            self._put([self._before[node.at] for node in path])

    def take_in(self, fresh: Sequence[Node]) -> dict[int, Contribution]:
        """Print new nodes, whose places are behind all others, and give what they add."""
        for printer in self.printers:
            add = printer.printed.append
            for node in fresh:
                add(PRINT[type(node)](node, printer))
        return self.reader.read_all(fresh)

    def label(self, source: Source, label: str) -> None:
        """What a new source is called in shapes."""
        self.printers[2].labels[source] = label

    @property
    def places(self) -> int:
        """How many places are taken."""
        return len(self.texts[0])

    def _alone(self, change: Change) -> Made:
        if change.own is None:
            swapped = swap(change.patches)
            try:
                self._print(change.path)
                nodes = self._readable(change)
                change.own = self._made(change, self._reread(nodes, change.path))
            finally:
                swap_back(swapped)
                self._put([self._before[node.at] for node in change.path])
        return change.own

    def _readable(self, change: Change) -> list[Node]:
        """The nodes above a change that may add something else now."""
        patch = change.patches[0]
        key = patch.owner.at, patch.name in ASIDE
        found = self._above.get(key) if len(change.patches) == 1 else None
        if found is None:
            nodes = reread(change.path, change.patches)
            found = [node for node in nodes if self._own.get(node.at)]
            if len(change.patches) == 1:
                self._above[key] = found
        return found

    def _made(self, change: Change, found: dict[int, Contribution]) -> Made:
        own, patches = self._own, change.patches
        gone = {at for patch in patches for at in range(*patch.old) if at in own}
        names = {at: _differing(own[at], now) for at, now in found.items()}
        added = [one for patch in patches for one in patch.added]
        changed: set[str] = set().union(*names.values())
        for at in gone:
            changed.update([name for name, _ in own[at]])
        if added:
            changed.update([name for _, name, _ in added])
        known = self._known(changed, gone.union(found), added + _listed(found))
        reshapes = any(isinstance(patch.owner, _RESHAPING) for patch in patches)
        reading = self._reading(known, change.nondeterministic, reshapes)
        return Made(self._saved(change.path), found, names, gone, added, known, reshapes, reading)

    def _joined(
        self, alone: tuple[Made, Made], found: dict[int, Contribution], asks: bool
    ) -> Reading:
        """``found`` is what the nodes above both changes add: what they touch is of both."""
        one, other = alone
        both = set(one.known.keys() & other.known.keys())
        for at, now in found.items():
            both |= _differing(self._own[at], now) | one.names[at] | other.names[at]
        known = {**one.known, **other.known}
        if both:
            read = {**one.found, **other.found, **found}
            gone = one.gone.union(other.gone, read)
            known.update(self._known(both, gone, one.added + other.added + _listed(read)))
        return self._reading(known, asks, one.reshapes or other.reshapes)

    def _known(
        self, names: Iterable[str], gone: set[int], new: Sequence[Addition]
    ) -> dict[str, Any]:
        """Features by their names: what is not ``gone``, and what is ``new``, by its place."""
        known: dict[str, Any] = {}
        for name in names:
            placed = [one for one in self._added[name] if one[0] not in gone]
            placed += [(at, value) for at, its_name, value in new if its_name == name]
            placed.sort(key=_at)
            known[name] = FINISH[name]([value for _, value in placed])
        return known

    def _reading(self, known: Mapping[str, Any], asks: bool, reshapes: bool) -> Reading:
        """What is read off the query as it is now."""
        values: list[Any] = list(self.facts.features)
        for name, value in known.items():
            place = _PLACE.get(name)
            if place is not None:
                values[place] = value
        exact, structural, _ = self.texts
        values[_EXACT] = exact[self.query.at]
        if "cores" in known:
            values[_FIRST] = known["cores"].index(self.query.cores[0])
        if reshapes or "windows" in known or "subqueries" in known:
            windows = known.get("windows", self._added["windows"])
            values[_CLAUSES] = clauses_of(self.query, values[_SUBQUERIES], windows)
        return Reading.of(Features._make(values), structural[self.query.at], nondeterministic=asks)

    def _reread(self, nodes: Iterable[Node], path: Iterable[Node]) -> dict[int, Contribution]:
        """What ``nodes`` add now; all that lies below ``path`` is as it was."""
        self.reader.terms.changed = {node.at for node in path}
        return self.reader.read_all(nodes)

    def _print(self, path: Iterable[Node]) -> None:
        exact, structural, shapes = self.texts
        one, two, three = self.printers
        for node in path:
            at, how = node.at, PRINT[type(node)]
            exact[at], structural[at] = how(node, one), how(node, two)
            if self._shaped[at]:
                shapes[at] = how(node, three)

    def _saved(self, path: Iterable[Node]) -> list[tuple[int, str, str, str]]:
        exact, structural, shapes = self.texts
        return [(node.at, exact[node.at], structural[node.at], shapes[node.at]) for node in path]

    def _put(self, saved: Iterable[tuple[int, str, str, str]]) -> None:
        exact, structural, shapes = self.texts
        for at, one, two, three in saved:
            exact[at], structural[at], shapes[at] = one, two, three


def _by_name(contributions: Mapping[int, Contribution]) -> dict[str, list[tuple[int, Any]]]:
    found: dict[str, list[tuple[int, Any]]] = {name: [] for name in FINISH}
    for at, contribution in contributions.items():
        for name, value in contribution:
            found[name].append((at, value))
    return found


def _listed(found: Mapping[int, Contribution]) -> list[Addition]:
    return [(at, name, value) for at, now in found.items() for name, value in now]


def _differing(before: Contribution, now: Contribution) -> set[str]:
    """The features to which a node adds something else than before."""
    found: set[str] = set()
    if len(before) == len(now):
        for (name, value), (its_name, its_value) in zip(before, now, strict=True):
            if name != its_name:
                break
            if value != its_value:
                found.add(name)
        else:
            return found
    return {name for name, _ in before} | {name for name, _ in now}


def _shared(one: Sequence[Node], other: Sequence[Node]) -> list[Node]:
    """The nodes of both paths, children before parents."""
    there = {node.at for node in other}
    return [node for node in one if node.at in there]


def _read_in(path: Iterable[Node], alone: tuple[Made, Made]) -> list[Node]:
    one, other = alone
    return [node for node in path if node.at in one.found and node.at in other.found]


def _shaped(nodes: Sequence[Node]) -> list[bool]:
    """Whether a node's shape is read: that of a clause, of a source, of a window, or of a part."""
    found = [False] * len(nodes)
    for node in reversed(nodes):
        own = isinstance(node, _SHAPED) or (isinstance(node, Call) and node.window is not None)
        inherited = node.parent is not None and found[node.parent.at] and type(node) is not Query
        found[node.at] = own or inherited
    return found
