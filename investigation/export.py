"""Public instances as files: a task list, scripts that rebuild them, and a corpus for pairset.

========================  ==========================================================================
``tasks.jsonl``           a task a line: instruction, schema, right rows, oracle SQL
``data/<id>.sql``         the script that rebuilds an instance's database
``databases/<id>/``       the same as a file of SQLite
``corpus/<split>.jsonl``  the oracle SQL as gold, the traps and twins as its references
``<split>.toml``          the config of that corpus: ``pairset run --config DIR/<split>.toml``
``export.json``           families with their versions, splits with their seeds
========================  ==========================================================================
"""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from db_execution.writer import write_database
from investigation import showing
from investigation.errors import BadExport
from investigation.families import FAMILIES, draw, family_of
from investigation.instance import Instance
from investigation.scripts import script
from investigation.splits import SPLITS, seeds_of, split_of
from pairset.ids import canonical_json

MARK = "export.json"
CORPUS = "investigation"

CONFIG = """\
# The instances of the {split} seeds: gold is the oracle SQL, references are its traps and twins.

[[corpora]]
name = "{corpus}"
layout = "tasks"
file = "corpus/{split}.jsonl"
split = "{split}"
id_key = "id"
db_key = "db_id"
question_key = "question"
gold_key = "gold"
references_key = "references"
databases = "databases"

[output]
build = "{corpus}-{split}"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which instances: of these families, the first ``count`` seeds of each of these splits."""

    families: Sequence[str] = tuple(FAMILIES)
    splits: Sequence[str] = ("train",)
    count: int = 1

    def instances(self) -> Iterator[Instance]:
        """Every one, by split, family and seed."""
        for split in self.splits:
            seeds = seeds_of(split, self.count)
            for family in self.families:
                yield from (draw(family, seed) for seed in seeds)

    def checked(self) -> "Wanted":
        """Itself; raises BadDraw where a family, a split or the count is none."""
        for family in self.families:
            family_of(family)
        for split in self.splits:
            seeds_of(split, self.count)
        return self


def instance_id(instance: Instance) -> str:
    """What names an instance: also its database, and its sample in a corpus."""
    return f"{instance.family}-{instance.seed}"


def task_row(instance: Instance) -> dict[str, Any]:
    """An instance as a row of the published task list."""
    return {
        "task_id": instance.family,
        "split": split_of(instance.seed),
        "seed": instance.seed,
        "instruction": instance.instruction,
        "schema": showing.schema(instance.tables),
        "expected_rows_json": json.dumps(instance.expected, ensure_ascii=False),
        "oracle_sql": instance.oracle_sql,
    }


def corpus_row(instance: Instance) -> dict[str, Any]:
    """An instance as a sample of pairset; what each reference is stands beside it."""
    queries = [*instance.traps, *instance.twins]
    kinds = ["trap"] * len(instance.traps) + ["twin"] * len(instance.twins)
    return {
        "id": instance_id(instance),
        "db_id": instance_id(instance),
        "family": instance.family,
        "question": instance.instruction,
        "gold": instance.oracle_sql,
        "references": [query.sql for query in queries],
        "reference_names": [query.name for query in queries],
        "reference_kinds": kinds,
    }


def export(folder: Path, wanted: Wanted, *, after: Callable[[], None] = lambda: None) -> int:
    """Write the instances that are wanted to ``folder``, all or nothing; how many those are.

    An earlier export there is replaced. Raises BadExport where something else is in the way, and
    BadDraw where there is no such family or split. ``after`` is called an instance.
    """
    wanted.checked()
    _demand_room(folder)
    partial = folder.absolute().with_name(f".{folder.absolute().name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        count = _write(partial, wanted, after)
        _replace(folder.absolute(), partial)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return count


def _demand_room(folder: Path) -> None:
    if not folder.exists() and not folder.is_symlink():
        return
    if not folder.is_dir() or folder.is_symlink():
        raise BadExport(f"an export goes in a folder of its own, and {folder} is none")
    if any(folder.iterdir()) and not (folder / MARK).is_file():
        raise BadExport(f"there is something else in {folder}; name a folder that is new or empty")


def _write(folder: Path, wanted: Wanted, after: Callable[[], None]) -> int:
    (folder / "data").mkdir(parents=True)
    (folder / "corpus").mkdir()
    tasks, samples = list[str](), dict[str, list[str]]()
    for instance in wanted.instances():
        name, text = instance_id(instance), script(instance.tables)
        (folder / "data" / f"{name}.sql").write_text(text, encoding="utf-8")
        if failed := write_database(folder / "databases" / name / f"{name}.sqlite", text):
            raise AssertionError(f"a script of ours failed: {failed[0]}")
        tasks.append(_line(task_row(instance)))
        samples.setdefault(split_of(instance.seed), []).append(_line(corpus_row(instance)))
        after()
    _write_lines(folder / "tasks.jsonl", tasks)
    for split, lines in samples.items():
        _write_lines(folder / "corpus" / f"{split}.jsonl", lines)
        config = CONFIG.format(split=split, corpus=CORPUS)
        (folder / f"{split}.toml").write_text(config, encoding="utf-8")
    (folder / MARK).write_bytes(canonical_json(_facts(wanted)) + b"\n")
    return len(tasks)


def _facts(wanted: Wanted) -> dict[str, Any]:
    return {
        "families": {name: FAMILIES[name].version for name in wanted.families},
        "seeds": wanted.count,
        "splits": {
            split: {"first": SPLITS[split].start, "last": SPLITS[split].stop - 1}
            for split in wanted.splits
        },
    }


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _replace(folder: Path, new: Path) -> None:
    """Put ``new`` in the place of ``folder``, which keeps its old contents until then."""
    old = new.with_suffix(".old")
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
