"""A build as it is published: its tables put together into shards, its manifest, its card."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa

from pairset.build import Build
from pairset.files import file_digest, write_text
from pairset.ids import digest
from pairset.manifest import JSON, PAGE, read_manifest
from pairset.publish.bundle import (
    CARD,
    SUMMARY,
    Bundle,
    File,
    bundled,
    file_at,
    publishable,
)
from pairset.publish.card import build_card
from pairset.publish.errors import PublishError
from pairset.publish.rows import SCHEMAS, is_audited, published_rows
from pairset.publish.shards import HELD_BYTES, Series, Written

VERSION = 1
"""Raised whenever the same tables would give other files."""

KIND = "build"


@dataclass(frozen=True, slots=True)
class Preparing:
    """How a build is prepared: where to, how much is held at once, and whom to tell."""

    folder: Path
    held_bytes: int = HELD_BYTES
    after: Callable[[], None] = lambda: None


def series_of(build: Build) -> list[tuple[str, str]]:
    """The table and dataset of every series of shards there is to write."""
    found = {(t, dataset) for t in SCHEMAS for _, dataset, _ in build.store.places(t)}
    return sorted(found, key=lambda one: (list(SCHEMAS).index(one[0]), one[1]))


def prepare_build(build: Build, how: Preparing) -> Bundle:
    """Put the build together in a folder, or take what lies there if it is just that.

    The manifest is made. What was prepared of another state of the build is replaced. Raises
    `PublishError` where the build has nothing to publish or a dataset's name cannot go.
    """
    manifest = read_manifest(build)
    series = series_of(build)
    if manifest is None or not series:
        raise PublishError(f"nothing to publish in {build.root}: make it with: pairset run")
    for _, dataset in series:
        publishable(dataset, "the dataset")
    made_from = _made_from(build, how)
    if (ready := prepared(how.folder, made_from)) is not None:
        return ready
    partial = how.folder.with_name(f".{how.folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    written = _shards(build, series, partial, how)
    text = build_card(manifest, audited=is_audited(build.store)).render(build.config.publication)
    write_text(partial / CARD, text)
    for name in (JSON, PAGE):
        shutil.copyfile(build.root / name, partial / name)
    _summarised(partial, written, manifest, made_from)
    shutil.rmtree(how.folder, ignore_errors=True)
    partial.rename(how.folder)
    return _required(prepared(how.folder, made_from))


def prepared(folder: Path, made_from: str) -> Bundle | None:
    """What lies ready in ``folder``, if it was made from just that and every file is whole."""
    try:
        summary = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
        files = tuple(file_at(folder, path) for path in summary["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    told = {path: one["sha256"] for path, one in summary["files"].items()}
    if summary.get("made_from") != made_from or told != {f.path: f.sha256 for f in files}:
        return None
    return Bundle(summary["kind"], files, file_at(folder, SUMMARY))


def _shards(
    build: Build, series: list[tuple[str, str]], folder: Path, how: Preparing
) -> list[Written]:
    written: list[Written] = []
    for table, dataset in series:
        one = Series(folder, table, dataset, how.held_bytes)
        written += one.write(_databases(build, table, dataset))
        how.after()
    return written


def _databases(build: Build, table: str, dataset: str) -> Iterator[tuple[str, pa.Table]]:
    """Each database's name and rows, one at a time, in the order of the names."""
    for _, of, db_id in build.store.places(table):
        if of == dataset:
            yield db_id, published_rows(build.store, table, dataset, db_id)


def _summarised(
    folder: Path, written: list[Written], manifest: dict[str, Any], made_from: str
) -> None:
    files = [File(one.path, folder / one.path, one.bytes, one.sha256) for one in written]
    files += [file_at(folder, path) for path in (CARD, JSON, PAGE)]
    shards = {one.path: {"rows": one.rows, "rows_sha256": one.rows_sha256} for one in written}
    tables = {t: sum(w.rows for w in written if w.path.startswith(f"{t}/")) for t in SCHEMAS}
    counted = {one["table"]: one["rows"] for one in manifest["tables"]}
    if tables["pairs"] != counted.get("pairs"):
        raise PublishError(
            f"the manifest counts {counted.get('pairs')} pairs and the tables hold "
            f"{tables['pairs']}; make it again with: pairset manifest"
        )
    labels: dict[str, int] = {}
    for row in manifest["labels"]["all"]:
        name = row["label"] or "no_label"
        labels[name] = labels.get(name, 0) + row["rows"]
    facts = {
        "made_from": made_from,
        "evaluation_data": manifest["evaluation_data"],
        "versions": manifest["versions"],
        "rows": tables,
        "labels": labels,
        "shards": shards,
    }
    bundled(KIND, folder, files, facts)


def _made_from(build: Build, how: Preparing) -> str:
    """A digest of all that the prepared files hang on."""
    shown = build.config.publication.model_dump(mode="json", include={"license", "terms"})
    parts = [str(VERSION), file_digest(build.root / JSON), file_digest(build.root / PAGE)]
    parts += [str(how.held_bytes), version("pyarrow"), *(f"{k}={v}" for k, v in shown.items())]
    return digest(parts)


def _required(bundle: Bundle | None) -> Bundle:
    if bundle is None:
        raise AssertionError("what was prepared is not what was written")
    return bundle
