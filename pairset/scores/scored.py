"""A tree to be scored: its name, and what each database of it is, before any query is asked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from db_execution.endpoints import Endpoint, load_endpoints
from db_execution.errors import BadTree, NoSuchDatabase
from db_execution.trees import EVERY_DATASET, Trees, parse_spec
from pairset.build import Build, client_of
from pairset.ids import digest
from pairset.trees import ORIGINAL, SCHEMA

Place = tuple[str, str]
"""A dataset and a database."""


@dataclass(frozen=True, slots=True)
class Found:
    """One database of a tree: the digest of its bytes, or why there is none to ask."""

    sha256: str | None
    note: str = ""


ABSENT = Found(None, "no such database in the tree")


@dataclass(frozen=True, slots=True)
class ScoredTree:
    """A tree by name; ``databases`` are those that pairs are about, found or not.

    ``sha256`` is over all databases that it has; ``extra`` names those that no pair is about, and
    ``specs`` are the folders that it lies in, none where endpoints serve it.
    """

    name: str
    databases: Mapping[Place, Found]
    sha256: str
    extra: tuple[str, ...] = ()
    specs: tuple[str, ...] = ()

    def found(self, place: Place) -> Found:
        """What there is of a database."""
        return self.databases.get(place, ABSENT)


def databases_digest(databases: Mapping[Place, Found]) -> str:
    """The digest of a tree: over the dataset, name and bytes' digest of each database there is.

    The dataset is ``*`` in a flat folder, which answers for every dataset.

    >>> databases_digest({})[:16]
    '4f53cda18c2baa0c'
    """
    there = [(*place, found.sha256) for place, found in sorted(databases.items()) if found.sha256]
    return digest([part for row in there for part in row])


def tree_names(texts: Iterable[str], build: Build) -> dict[str, list[str]]:
    """The specs of each tree that is asked for, the config's own trees after those given.

    ``NAME`` alone is a tree of the endpoints that the config names. Raises `BadTree`.
    """
    asked: dict[str, list[str]] = {}
    for text in texts:
        name = parse_spec(text).name if "=" in text else text
        if name in (SCHEMA, ORIGINAL):
            raise BadTree(f"{name!r} is a tree of the build itself; choose another name")
        asked.setdefault(name, []).extend([text] if "=" in text else [])
    for name, folder in build.config.trees.items():
        asked.setdefault(name, [f"{name}={folder}"])
    return asked


def find_tree(build: Build, name: str, specs: Sequence[str], places: Sequence[Place]) -> ScoredTree:
    """The tree of that name; raises `BadTree` where nothing serves it."""
    if specs:
        trees = Trees([parse_spec(text) for text in specs])
        there = {place: _in_folders(trees, name, place) for place in places}
        listed = listing(specs)
        extra = _in_excess(listed, places)
        return ScoredTree(name, there, databases_digest(listed), extra, tuple(specs))
    served = _served(build, name)
    there = {p: served.get(p) or served.get((EVERY_DATASET, p[1]), ABSENT) for p in places}
    return ScoredTree(name, there, databases_digest(served), _in_excess(served, places))


def listing(specs: Sequence[str]) -> dict[Place, Found]:
    """Every database of a tree in folders, pairs or not; raises `BadTree`."""
    parsed = [parse_spec(text) for text in specs]
    trees, name = Trees(parsed), parsed[0].name
    return {place: _in_folders(trees, name, place) for place in trees.databases(name)}


def _in_excess(there: Iterable[Place], places: Sequence[Place]) -> tuple[str, ...]:
    """The databases of a tree that the tied set knows nothing of."""
    names = {db_id for _, db_id in places}
    return tuple(
        f"{dataset}/{db_id}"
        for dataset, db_id in sorted(there)
        if (dataset, db_id) not in places and not (dataset == EVERY_DATASET and db_id in names)
    )


def _in_folders(trees: Trees, name: str, place: Place) -> Found:
    try:
        return Found(trees.sha256(trees.find(name, *place)))
    except NoSuchDatabase:
        return ABSENT
    except (BadTree, OSError) as error:
        return Found(None, str(error))


def _served(build: Build, name: str) -> dict[Place, Found]:
    """What the endpoints of the config say of a tree."""
    endpoints = served_by(build, name)
    if not endpoints:
        raise BadTree(
            f"no folder is given for the tree {name!r}, and no endpoint of the config serves it: "
            f"give --tree {name}=DIR"
        )
    try:
        with client_of(endpoints, retry_for=5.0) as client:
            found = {place: Found(sha) for place, sha in client.databases(name).items()}
            bad = {place: Found(None, why) for place, why in client.unreadable(name).items()}
            return found | bad
    except NoSuchDatabase as error:
        raise BadTree(str(error)) from None


def served_by(build: Build, name: str) -> tuple[Endpoint, ...]:
    """The endpoints of the config that answer for a tree."""
    named = build.config.executor.endpoints
    return tuple(e for e in load_endpoints(named) if e.tree == name) if named else ()
