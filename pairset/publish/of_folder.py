"""A folder as it is published: a corpus saved to disk, an export of tasks, or a page of one's own.

A dataset that was saved to disk cannot be loaded from the Hub as it is, so its rows go out as
Parquet shards; what lies beside it (reports, lists) goes as it is.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from pairset.config import Publication
from pairset.files import write_text
from pairset.publish.bundle import (
    CARD,
    SUMMARY,
    Bundle,
    File,
    bundled,
    file_at,
    publishable,
)
from pairset.publish.card import EVALUATION, Card, code, config, numbered
from pairset.publish.errors import PublishError
from pairset.publish.shards import HELD_BYTES, Series, Written

STATE, EXPORT = "state.json", "export.json"
_INFO = "dataset_info.json"
_WHAT_TO_GIVE = (
    f"give a dataset saved to disk ({STATE}), an export of tasks ({EXPORT}), or a folder that has "
    f"a card of its own ({CARD})"
)

_WHOLE = "`summary.json` has the sha256 of every file; where it is there, all of them are."


@dataclass(frozen=True, slots=True)
class Found:
    """What a folder is: its kind, its card, the files that go as they are, and its shards."""

    kind: str
    card: Card | None
    files: tuple[str, ...]
    shards: tuple[Written, ...] = ()


def prepare_folder(source: Path, out: Path, terms: Publication) -> Bundle:
    """Make ready what goes out of ``source``, which is only read; what is made goes to ``out``.

    What was prepared there before is replaced. Raises `PublishError` where it is no such folder,
    or holds a file that has no business on the Hub.
    """
    if not source.is_dir():
        raise PublishError(f"no folder {str(source)!r}; {_WHAT_TO_GIVE}")
    if out.resolve().is_relative_to(source.resolve()):
        raise PublishError(f"{out} is inside {source}, which is only read")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    found = _found(source, out)
    files = [file_at(source, path) for path in found.files]
    files += [File(one.path, out / one.path, one.bytes, one.sha256) for one in found.shards]
    if found.card is not None:
        write_text(out / CARD, found.card.render(terms))
        files.append(file_at(out, CARD))
    shards = {one.path: {"rows": one.rows, "rows_sha256": one.rows_sha256} for one in found.shards}
    return bundled(found.kind, out, files, {"shards": shards} if shards else {})


def _found(source: Path, out: Path) -> Found:
    paths = tuple(_paths(source))
    if (source / STATE).is_file():
        return _saved(source, out, paths)
    if (source / EXPORT).is_file():
        return _exported(source, paths)
    if CARD in paths:
        return Found("folder", None, paths)
    raise PublishError(f"{source} is nothing that can be published; {_WHAT_TO_GIVE}")


def _paths(source: Path) -> Iterator[str]:
    """Every file to be published, sorted; hidden ones stay, and a link is refused."""
    for path in sorted(source.rglob("*")):
        relative = path.relative_to(source)
        if any(part.startswith(".") for part in relative.parts) or str(relative) == SUMMARY:
            continue
        if path.is_symlink():
            raise PublishError(f"{path} is a link; what it names may be no part of {source}")
        if path.is_file():
            yield relative.as_posix()


def _saved(source: Path, out: Path, paths: tuple[str, ...]) -> Found:
    """A dataset of `datasets.save_to_disk`: only the files that its state names are its rows."""
    state, info = _json(source / STATE), _json(source / _INFO)
    try:
        named = [str(one["filename"]) for one in state["_data_files"]]
        split = publishable(str(state["_split"] or "train"), "the split").replace("-", "_")
    except (KeyError, TypeError):
        raise PublishError(
            f"{source / STATE} is none of a dataset that was saved to disk"
        ) from None
    if missing := [name for name in named if name not in paths]:
        raise PublishError(f"{source} has no file {missing[0]!r}, which its {STATE} names")
    shards = Series(out, "data", split, HELD_BYTES).write(_rows(source / name for name in named))
    own = (STATE, _INFO, *named)
    reports = tuple(p for p in paths if p not in own and not p.endswith(".arrow") and p != CARD)
    rows = sum(one.rows for one in shards)
    columns = sorted(info.get("features") or {})
    card = _corpus_card(rows, columns, reports, split)
    return Found("corpus", card, reports, tuple(shards))


def _rows(files: Iterator[Path]) -> Iterator[tuple[str, pa.Table]]:
    """The rows of Arrow files, batch by batch."""
    for path in files:
        with pa.memory_map(str(path)) as mapped, pa.ipc.open_stream(mapped) as reader:
            for at, batch in enumerate(reader):
                yield f"{path.name}/{at}", pa.Table.from_batches([batch])


def _corpus_card(rows: int, columns: list[str], reports: tuple[str, ...], split: str) -> Card:
    beside = "".join(f"- {code(path)}\n" for path in reports)
    text = (
        "# A corrected text-to-SQL corpus\n\n"
        f"{rows:,} training questions, each with its gold query first and its references behind "
        "it, in `groundtruth_sqls`. A reference that belongs to another question was taken to it "
        "or removed; golds, questions and the order of the rows are as they were.\n\n"
        "## How to read it\n\n```python\nfrom datasets import load_dataset\n\n"
        f'rows = load_dataset("OWNER/NAME", split="{split}", streaming=True)\n```\n\n'
        f"Columns: {', '.join(map(code, columns))}.\n\n"
        + (f"## What was changed, and why\n\n{beside}\n" if beside else "")
        + _WHOLE
    )
    configs = [config("corpus", numbered("data", split), default=True, split=split)]
    return Card("A corrected text-to-SQL corpus", configs, text)


def _exported(source: Path, paths: tuple[str, ...]) -> Found:
    """What ``pairset investigation export`` writes."""
    splits = sorted(p.split("/")[1].removesuffix(".jsonl") for p in paths if _is_corpus(p))
    facts = _json(source / EXPORT)
    text = (
        f"{EVALUATION if set(splits) - {'train'} else ''}# Tasks to be solved over databases\n\n"
        "Each task is drawn from a seed: an instruction, a database, the rows that are right and a "
        "query that gives them. `data/` has the script that makes each database, `databases/` the "
        "database itself, `corpus/` the right and the wrong queries as a text-to-SQL corpus.\n\n"
        f"Families and seeds:\n\n```json\n{_shown(facts)}\n```\n\n" + _WHOLE
    )
    configs = [config("tasks", "tasks.jsonl", default=True)]
    configs += [
        config(f"corpus-{publishable(name, 'the split')}", f"corpus/{name}.jsonl", split=name)
        for name in splits
    ]
    card = Card("Tasks over databases", configs, text)
    return Found("tasks", card, tuple(p for p in paths if p != CARD))


def _shown(facts: dict[str, Any]) -> str:
    """As JSON that ends no block of code."""
    return json.dumps(facts, indent=1, sort_keys=True).replace("`", "\\u0060")


def _is_corpus(path: str) -> bool:
    return path.startswith("corpus/") and path.endswith(".jsonl")


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise PublishError(f"{path} is no JSON that can be read") from None
    if not isinstance(found, dict):
        raise PublishError(f"{path} holds no JSON object")
    return found
