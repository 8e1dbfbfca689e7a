"""The audit of a corpus as large as the real one: `python -m bench.provenance_large --corpora DIR`.

The sample in the FINER layout is repeated with new literals until it has so many samples and
references; each copy of a database serves two repeats. Then the audit's own work is measured, and
beside it the stages that it reads from.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any

import pyarrow as pa

from bench.provenance import built, peak_mib
from pairset.build import Build, Stage, Unit
from pairset.frames import samples_of, samples_table
from pairset.rows import Sample
from pairset.stages.golds import GoldsStage
from pairset.stages.pairs import PairsStage
from pairset.store import Made
from pairset.work import make
from provenance.audit import AuditStage
from sqltext.lexer import NUMBER, STRING, tokenize

_PER_DATABASE = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the corpus, audit it, and print one line."""
    parser = argparse.ArgumentParser(prog="python -m bench.provenance_large", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with finer_sample/")
    parser.add_argument("--samples", type=int, default=18_087)
    parser.add_argument("--references", type=int, default=240_000)
    asked = parser.parse_args(arguments)
    corpora = asked.corpora.resolve()
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small"
        with built(corpora, corpora / "finer_sample" / "dataset", small) as build:
            wanted = (asked.samples, asked.references)
            large = _written(build, Path(folder) / "large", *wanted)
        print(json.dumps(_measured(large)))


def _measured(build: Build) -> dict[str, Any]:
    before: dict[str, float] = {}
    for stage in (GoldsStage(), PairsStage()):
        before[stage.name] = _cpu(stage, build)
    seconds = _cpu(AuditStage(), build)
    found: dict[str, int] = defaultdict(int)
    for _, dataset, db_id in build.store.places("audit"):
        for check in build.store.read("audit", dataset, db_id)["provenance_check"].to_pylist():
            found[check] += 1
    samples = [build.store.read(*place) for place in build.store.places("samples")]
    return {
        "audited_samples": sum(table.num_rows for table in samples),
        "audited_references": sum(map(_references, samples)),
        "audited_pairs": sum(found.values()),
        "audited_databases": len(samples),
        "audited_misaligned": found["misaligned_in_corpus"],
        "cpu_seconds": round(seconds, 1),
        "cpu_seconds_with_golds_and_pairs": round(seconds + sum(before.values()), 1),
        "peak_mib": peak_mib(),
    }


def _cpu(stage: Stage, build: Build) -> float:
    began = process_time()
    make(stage, build, stage.units(build))
    return process_time() - began


def _references(samples: pa.Table) -> int:
    return sum(map(len, samples["references"].to_pylist()))


def _written(small: Build, root: Path, samples: int, references: int) -> Build:
    """The tables of samples and schemas of the large corpus."""
    build = Build(small.config, root)
    rows: dict[Unit, list[Sample]] = defaultdict(list)
    for unit, sample in _repeated(small, samples, references):
        rows[unit].append(sample)
    for unit, found in rows.items():
        schema = small.store.read("schemas", unit.dataset, unit.db_id.rpartition("_copy")[0])
        build.store.write(("samples", *unit.place), samples_table(found), Made("samples/1", {}))
        build.store.write(("schemas", *unit.place), schema, Made("schemas/1", {}))
    return build


def _repeated(small: Build, samples: int, references: int) -> Iterator[tuple[Unit, Sample]]:
    """The samples again and again, each time with new literals, and more references to each."""
    originals = [
        one
        for place in small.store.places("samples")
        for one in samples_of(small.store.read(*place))
    ]
    originals.sort(key=lambda one: one.corpus_row)
    listed = sum(len(one.references) for one in originals)
    row, left = count(), references
    for at in range(samples):
        repeat, index = divmod(at, len(originals))
        one = originals[index]
        unit = Unit(one.dataset, f"{one.db_id}_copy{repeat // _PER_DATABASE:02}")
        share = references * len(originals) / (samples * listed)
        wanted = min(left, round(len(one.references) * share))
        left -= wanted
        yield unit, _varied(one, unit, next(row), repeat, wanted)


def _varied(one: Sample, unit: Unit, row: int, repeat: int, wanted: int) -> Sample:
    first = 1 + 100 * (row % 7)  # samples of one gold stand side by side: no two say the same
    made = tuple(
        with_new_literals(one.references[at % len(one.references)] or "", repeat, first + at)
        for at in range(wanted)
    )
    return replace(
        one,
        corpus_row=row,
        sample_id=str(row),
        db_id=unit.db_id,
        gold_sql=with_new_literals(one.gold_sql, repeat, 0),
        references=made,
    )


def with_new_literals(sql: str, repeat: int, at: int) -> str:
    """The query with other texts for each repeat, and other numbers for each reference.

    >>> with_new_literals("SELECT a FROM t WHERE b = 'x' AND c > 5;", 3, 2)
    "SELECT a FROM t WHERE b = 'x 3' AND c > 52"
    """
    sql = sql.strip().rstrip(";")
    tokens = tokenize(sql)
    pieces, done, has_number = [], 0, False
    for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        if kind == STRING:
            pieces += [sql[done : end - 1], f" {repeat}'"]
            done = end
        elif kind == NUMBER and at and sql[start:end].isdigit():
            pieces += [sql[done:end], str(at)]
            done, has_number = end, True
    text = "".join([*pieces, sql[done:]])
    return text if has_number or not at else f"{text} LIMIT {1000 + at}"


if __name__ == "__main__":
    main()
