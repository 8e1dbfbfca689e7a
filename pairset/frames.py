"""Rows to Arrow tables and back, in the declared schemas."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from pairset.rows import Refusal, Sample
from pairset.schema import TABLES


def to_table(name: str, rows: Iterable[Mapping[str, Any]]) -> pa.Table:
    """``rows`` as a table of that name; every declared column must be there."""
    schema = TABLES[name].schema
    listed = list(rows)
    columns = {
        column.name: pa.array([row[column.name] for row in listed], column.type)
        for column in schema
    }
    return pa.table(columns, schema=schema)


def samples_table(samples: Iterable[Sample]) -> pa.Table:
    """Samples as the table of that name."""
    return to_table("samples", ({**asdict(s), "references": s.references} for s in samples))


def samples_of(table: pa.Table) -> list[Sample]:
    """The samples of a table, in its order."""
    return [Sample(**{**row, "references": tuple(row["references"])}) for row in table.to_pylist()]


def refused_table(stage: str, refused: Iterable[Refusal]) -> pa.Table:
    """Refusals as the table of their stage."""
    return to_table(f"refused_{stage}", map(asdict, refused))
