"""Where executors are reached: the list of record, and which of them to ask first."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from db_execution.errors import ExecutorError


class BadEndpoints(ExecutorError):
    """The list of endpoints cannot be used; says where it is wrong."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address that answers for one tree, and for some datasets of it (None: for all)."""

    url: str
    tree: str
    datasets: tuple[str, ...] | None = None

    def serves(self, tree: str, dataset: str) -> bool:
        """Whether a database of that tree and dataset is asked for here."""
        return self.tree == tree and (self.datasets is None or dataset in self.datasets)


def load_endpoints(path: Path) -> tuple[Endpoint, ...]:
    """The endpoints in a JSON file: a list of objects with ``tree``, ``url`` and ``datasets``."""
    try:
        listed = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise BadEndpoints(f"cannot read {path}: {error}") from None
    if not isinstance(listed, list):
        raise BadEndpoints(f"{path}: expected a list of endpoints")
    return tuple(
        _endpoint(entry, f"{path}, entry {place}") for place, entry in enumerate(listed, 1)
    )


def save_endpoints(path: Path, endpoints: Sequence[Endpoint]) -> None:
    """Write the file that ``load_endpoints`` reads."""
    listed = [
        {"tree": one.tree, "url": one.url, "datasets": one.datasets and list(one.datasets)}
        for one in endpoints
    ]
    path.write_text(json.dumps(listed, indent=2) + "\n")


def candidates(
    endpoints: Sequence[Endpoint], tree: str, dataset: str, db_id: str
) -> tuple[Endpoint, ...]:
    """Who can answer for a database, in the order to ask them, which is the same everywhere.

    Databases are dealt out among the endpoints, so each keeps its own open.
    """
    able = [endpoint for endpoint in endpoints if endpoint.serves(tree, dataset)]
    if not able:
        raise BadEndpoints(f"no endpoint serves dataset {dataset!r} of tree {tree!r}")
    first = int.from_bytes(sha256(f"{dataset}/{db_id}".encode()).digest()) % len(able)
    return tuple(able[first:] + able[:first])


def _endpoint(entry: Any, place: str) -> Endpoint:
    if not isinstance(entry, dict) or not entry.keys() <= {"tree", "url", "datasets"}:
        raise BadEndpoints(f"{place}: expected an object with tree, url and datasets")
    tree, url, datasets = entry.get("tree"), entry.get("url"), entry.get("datasets")
    if (
        not isinstance(tree, str)
        or not isinstance(url, str)
        or not url.startswith(("http://", "https://"))
    ):
        raise BadEndpoints(f"{place}: expected a tree's name and an http address")
    if datasets is None:
        return Endpoint(url, tree)
    if not isinstance(datasets, list) or not all(isinstance(name, str) for name in datasets):
        raise BadEndpoints(f"{place}: datasets is a list of names, or null for all")
    return Endpoint(url, tree, tuple(datasets))
