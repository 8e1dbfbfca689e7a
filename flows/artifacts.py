"""The counts of a build, shown on Prefect's own page as artifacts of the flow run.

A key names a build and a stage, so that Prefect's page shows how a stage's counts went from run to
run. Only names and counts of ours are shown: nothing that came out of a corpus.
"""

import hashlib
import re
from typing import Any

from prefect.artifacts import create_table_artifact

from flows.engine import Engine
from flows.planning import MANIFEST, RUN
from flows.summary import LABELS, counts, held


def show(name: str, engine: Engine) -> None:
    """Put down what is held of a stage, or of all stages, and what the pairs are labelled."""
    build = engine.build
    is_whole = name in (RUN, MANIFEST)
    stages = [stage for stage in engine.parts.stages if is_whole or stage.name == name]
    tables = [table for stage in stages for table in stage.tables]
    made = f"{engine.made} pieces made so far by this run."
    create_table_artifact(
        [
            {"table": one.table, "rows": one.rows, "bytes": one.bytes, "digest": one.digest}
            for one in held(build.store, tables)
        ],
        key=key(build.root.name, name),
        description=f"{about(name)} {made}",
    )
    if name in ("labels", RUN):
        create_table_artifact(
            label_rows(counts(build.store)),
            key=key(build.root.name, name, "counts"),
            description="How many pairs, and what became of them on the original databases.",
        )


def about(name: str) -> str:
    """What the table of an artifact is; tables named refused_* hold what could not be made."""
    of = "all stages" if name in (RUN, MANIFEST) else f"the stage {name}"
    return f"The tables of {of}; `refused_*` holds what was refused, each row with its reason."


def label_rows(numbers: dict[str, int]) -> list[dict[str, Any]]:
    """The counts of record as rows; a label with its share of all pairs."""
    pairs = numbers["pairs"]
    return [
        {"what": name, "count": count, "of pairs": _share(count, pairs) if name in LABELS else ""}
        for name, count in numbers.items()
    ]


def key(*words: str) -> str:
    """A key that Prefect takes, the same for the same words, and different for different ones.

    >>> key("sample", "labels"), key("Été 1", "labels")
    ('sample-labels', 't-1-2c92a5e5-labels')
    """
    return "-".join(map(_slug, words))


def _slug(word: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-")
    if slug == word:
        return slug
    digest = hashlib.sha256(word.encode()).hexdigest()[:8]
    return f"{slug}-{digest}".removeprefix("-")


def _share(count: int, total: int) -> str:
    return f"{count / total:.1%}" if total else ""
