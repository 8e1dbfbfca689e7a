"""Trees for a newcomer to compare with: a copy of the original, and one with no row in it.

A tree is made whole beside its place and then takes its name; it is laid out as
``DIR/<dataset>/<db_id>/<db_id>.sqlite``.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from db_execution.client import Client
from db_execution.protocol import Batch
from db_execution.writer import copy_database, write_rows
from pairset.build import Build, Unit
from pairset.scores.ddl import Ddl, Unreadable, declared
from pairset.stages.runs import batch_of
from pairset.store import StoreError
from pairset.trees import ORIGINAL, database_file


@dataclass(slots=True)
class Making:
    """What became of a tree: its databases, and all that could not be made in them, by name."""

    databases: int = 0
    rows: int | None = None
    refused: list[str] = field(default_factory=list)


def original_units(build: Build) -> list[Unit]:
    """The databases of the original tree that the build knows and has, by name."""
    shards = build.store.places("schemas")
    found = [Unit(dataset, db_id) for _, dataset, db_id in shards]
    return [unit for unit in found if served_as(build, unit) == ORIGINAL]


def served_as(build: Build, unit: Unit) -> str | None:
    """Which tree of the build has the database: the original, or the empty one; None for none."""
    names = build.store.read("schemas", *unit.place, columns=["tree"]).column(0).to_pylist()
    return str(names[0]) if names else None


def copy_tree(build: Build, out: Path) -> Making:
    """Copy the original, byte for byte."""
    made = Making()
    with whole_tree(out) as folder:
        for unit in original_units(build):
            source = database_file(build, *unit.place)
            if source is None:
                raise StoreError(
                    f"the file of {unit.dataset}/{unit.db_id} is not here to be copied: the "
                    "original is behind endpoints, so copy its folder where it lies"
                )
            copy_database(source, database_path(folder, unit))
            made.databases += 1
    return made


def empty_tree(build: Build, out: Path) -> Making:
    """Make every database of the original with its declarations, word for word, and no row."""
    made = Making()
    with whole_tree(out) as folder, build.client() as client:
        for unit in original_units(build):
            ddl = declarations(build, client, unit, ORIGINAL)
            failed = write_rows(database_path(folder, unit), list(ddl.values()), ())
            made.refused += [f"{unit.dataset}/{unit.db_id}: {one.reason}" for one in failed]
            made.databases += 1
    return made


def declarations(build: Build, client: Client, unit: Unit, tree: str) -> Ddl:
    """The declarations of a database, in the order in which they were made."""
    try:
        return declared(client, terms_of(build, unit, tree))
    except Unreadable as error:
        raise StoreError(
            f"the declarations of {unit.dataset}/{unit.db_id} on tree {tree!r} cannot be read: "
            f"{error}; mend the database, or take it out of its folder"
        ) from None


def terms_of(build: Build, unit: Unit, tree: str) -> Batch:
    """On what terms a database is asked: those of the config."""
    return batch_of(build.config.executor, unit, tree, [])


def database_path(folder: Path, unit: Unit) -> Path:
    """Where a database lies in a tree."""
    return folder / unit.dataset / unit.db_id / f"{unit.db_id}.sqlite"


@contextmanager
def whole_tree(out: Path) -> Iterator[Path]:
    """A folder to make a tree in, which becomes ``out`` when all went well, and else is gone."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise StoreError(f"{out} is there already; name a folder that is new or empty with --out")
    out.parent.mkdir(parents=True, exist_ok=True)
    unfinished = out.parent / f".{out.name}.{os.getpid()}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        unfinished.mkdir()
        yield unfinished
        if out.exists():
            out.rmdir()
        unfinished.rename(out)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
