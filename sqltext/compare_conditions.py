"""What differs between the conditions of two queries.

Atoms are held against each other by what they are about: `a > 5` and `a >= 5` are one condition
with another comparison, not one dropped and one added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from sqltext.conditions import Atom, Condition
from sqltext.shapes import QUERY

_Alike = Callable[[Atom, Atom], bool]

DROPPED, ADDED = "condition_dropped", "condition_added"


def differing(gold: Sequence[Condition], neighbor: Sequence[Condition]) -> set[str]:
    """The aspects in which two lists of conditions differ."""
    if gold == neighbor:
        return set()
    found = _differing_atoms(*_apart(_atoms(gold), _atoms(neighbor)))
    if _listed(gold, "negations") != _listed(neighbor, "negations"):
        found.add("negation_changed")
    if _connected_otherwise(gold, neighbor, settled=not found & {DROPPED, ADDED}):
        found.add("connective_changed")
    return found


def _atoms(conditions: Iterable[Condition]) -> list[Atom]:
    return [atom for condition in conditions for atom in condition.atoms]


def _apart(ours: list[Atom], theirs: list[Atom]) -> tuple[list[Atom], list[Atom]]:
    """What each list has that the other has not; only what lies between equal ends is counted."""
    first, last = 0, 0
    most = min(len(ours), len(theirs))
    while first < most and ours[first] == theirs[first]:
        first += 1
    while last < most - first and ours[-1 - last] == theirs[-1 - last]:
        last += 1
    ours, theirs = ours[first : len(ours) - last], theirs[first : len(theirs) - last]
    if not (ours and theirs) or len(ours) == len(theirs) == 1:
        return ours, theirs
    one, other = Counter(ours), Counter(theirs)
    return list((one - other).elements()), list((other - one).elements())


def _connected_otherwise(
    gold: Sequence[Condition], neighbor: Sequence[Condition], *, settled: bool
) -> bool:
    """Where atoms came or went (not ``settled``), connectives may have come or gone with them."""
    ours, theirs = _listed(gold, "connectives"), _listed(neighbor, "connectives")
    if ours != theirs:
        one, other = Counter(ours), Counter(theirs)
        return settled or not (one <= other or other <= one)
    if not settled or _skeletons(gold) == _skeletons(neighbor):
        return False
    return _keys(gold) == _keys(neighbor)


def _listed(conditions: Iterable[Condition], name: str) -> list[str]:
    return sorted(text for condition in conditions for text in getattr(condition, name))


def _keys(conditions: Iterable[Condition]) -> list[str]:
    return sorted(atom.key for condition in conditions for atom in condition.atoms)


def _skeletons(conditions: Iterable[Condition]) -> list[str]:
    return sorted(condition.skeleton for condition in conditions)


def _differing_atoms(ours: list[Atom], theirs: list[Atom]) -> set[str]:
    ours, theirs = sorted(ours), sorted(theirs)
    found: set[str] = set()
    for alike in _CLOSENESS:
        ours, theirs = _match(ours, theirs, alike, found)
    if ours:
        found.add(DROPPED)
    if theirs:
        found.add(ADDED)
    return found


def _match(
    ours: list[Atom], theirs: list[Atom], alike: _Alike, found: set[str]
) -> tuple[list[Atom], list[Atom]]:
    """Pair the atoms that are ``alike``, note how they differ, and give back the others."""
    left: list[Atom] = []
    theirs = list(theirs)
    for atom in ours:
        other = next((their for their in theirs if alike(atom, their)), None)
        if other is None:
            left.append(atom)
        else:
            theirs.remove(other)
            found |= _between(atom, other)
    return left, theirs


def _between(atom: Atom, other: Atom) -> set[str]:
    """How two atoms about one operand differ."""
    found: set[str] = set()
    if "null" in (atom.op, other.op):
        return {"null_test_changed"}
    if atom.op != other.op or atom.against != other.against or atom.key != other.key:
        found.add("comparison_changed")
    if atom.negated != other.negated:
        found.add("negation_changed")
    if atom.values != other.values and _values_compare(atom, other):
        found.add("value_changed")
    return found


def _values_compare(atom: Atom, other: Atom) -> bool:
    """Another number of values is another expression, except in a list after IN."""
    return len(atom.values) == len(other.values) or atom.op == other.op == "in"


def _same_but_values(atom: Atom, other: Atom) -> bool:
    return atom[:4] == other[:4]


def _same_sides(atom: Atom, other: Atom) -> bool:
    return atom.key == other.key and atom[3:] == other[3:]


def _same_operand(atom: Atom, other: Atom) -> bool:
    return atom.key == other.key


def _share_a_column(atom: Atom, other: Atom) -> bool:
    """`a = b` and `c = b`, or `a > 5` and `a > c`: one side is another column."""
    shared = {atom.key, atom.against} & {other.key, other.against}
    return bool(shared - {"", QUERY})


_CLOSENESS = (_same_but_values, _same_sides, _same_operand, _share_a_column)
