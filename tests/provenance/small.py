"""A small corpus of our own in the FINER-SQL layout, and what makes a build of it."""

import gc
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets

from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from db_execution.writer import write_database
from flows.parts import of_pairset
from pairset.build import Build
from pairset.config import load_config
from pairset.trees import tree_specs
from pairset.work import make
from sqltext.schema import Schema, TableSchema

datasets.disable_progress_bars()  # what a command says on standard error is looked at

SCRIPT = """
CREATE TABLE Berths (Code TEXT PRIMARY KEY, Description TEXT);
CREATE TABLE Calls (Id INTEGER PRIMARY KEY, CALL_DATE TEXT, BERTH TEXT, DELAY INTEGER, SHIP TEXT);
INSERT INTO Berths VALUES ('N1', 'North Quay'), ('S1', 'South Quay'), ('E1', 'East Quay');
INSERT INTO Calls VALUES
    (1, '2018/8/1', 'N1', 0, 'Anna'), (2, '2018/8/1', 'N1', 12, 'Bela'),
    (3, '2018/8/1', 'S1', -3, 'Carl'), (4, '2018/8/15', 'N1', 5, 'Anna'),
    (5, '2018/8/15', 'E1', 0, 'Dora'), (6, '2018/8/20', 'S1', 7, 'Carl'),
    (7, '2018/8/20', 'S1', 9, 'Elsa');
"""
HARBOUR = Schema(
    [
        TableSchema("Berths", ("Code", "Description")),
        TableSchema("Calls", ("Id", "CALL_DATE", "BERTH", "DELAY", "SHIP")),
    ]
)
NORTH_QUAY = (
    "SELECT COUNT(T1.Code) FROM Berths AS T1 JOIN Calls AS T2 ON T1.Code = T2.BERTH "
    "WHERE T2.CALL_DATE = '2018/8/15' AND T1.Description = 'North Quay'"
)
ON_TIME = "SELECT COUNT(*) FROM Calls WHERE CALL_DATE = '2018/8/1' AND DELAY <= 0"
ON_TIME_AGAIN = (
    "SELECT SUM(CASE WHEN delay <= 0 THEN 1 ELSE 0 END) FROM calls WHERE call_date = '2018/8/1'"
)
SHIPS = "SELECT DISTINCT SHIP FROM Calls ORDER BY SHIP"
LATE = "SELECT SHIP FROM Calls WHERE CALL_DATE = '2018/8/20' AND DELAY > 5"
EAST = "SELECT Code FROM Berths WHERE Description = 'East Quay'"

ROWS: tuple[tuple[int, str, list[Any]], ...] = (
    (5848, SHIPS, ["SELECT SHIP FROM Calls GROUP BY SHIP ORDER BY 1"]),
    # The head of this list is the list of sample 5854.
    (5849, NORTH_QUAY, [
        ON_TIME_AGAIN,
        "SELECT COUNT(Id) FROM Calls WHERE DELAY < 1 AND CALL_DATE = '2018/8/1'",
        "SELECT COUNT(*) FROM Calls WHERE CALL_DATE = '2018/8/15' AND BERTH IN "
        "(SELECT Code FROM Berths WHERE Description = 'North Quay')",
        "SELECT COUNT(*) FROM Calls WHERE CALL_DATE = '2018/8/15'",  # simply wrong
    ]),
    (5850, EAST, ["SELECT b.Code FROM Berths b WHERE b.Description = 'East Quay'"]),  # its gold again
    (5852, LATE, ["SELECT SHIP FROM Calls WHERE DELAY > 5 AND CALL_DATE = '2018/8/20' ORDER BY Id"]),
    (5854, ON_TIME, []),
    (5855, ON_TIME, ["SELECT COUNT(*) FROM Calls WHERE NOT DELAY > 0 AND CALL_DATE = '2018/8/1'"]),
)  # fmt: skip

FEATURES = datasets.Features(
    {
        "sample_id": datasets.Value("int64"),
        "dataset_name": datasets.Value("string"),
        "db_id": datasets.Value("string"),
        "question": datasets.Value("string"),
        "prompt_raw": datasets.Value("string"),
        "messages": datasets.List(
            {"role": datasets.Value("string"), "content": datasets.Value("string")}
        ),
        "groundtruth_sqls": datasets.List(datasets.Value("string")),
    }
)


def write_corpus(folder: Path, rows: Sequence[tuple[int, str | None, list[Any]]] = ROWS) -> Path:
    """A dataset saved to disk under ``folder``, a stray cache beside its file; its path."""
    records = [
        {
            "sample_id": sample,
            "dataset_name": "harbour",
            "db_id": "port",
            "question": f"Question {sample}?",
            "prompt_raw": f"Prompt of {sample}",
            "messages": [{"role": "user", "content": f"Prompt of {sample}"}],
            "groundtruth_sqls": [gold, *references],
        }
        for sample, gold, references in rows
    ]
    path = folder / "corpus"
    datasets.Dataset.from_list(records, features=FEATURES).save_to_disk(str(path))
    (path / "cache-0123456789abcdef.arrow").write_bytes(b"left by whoever mapped a function")
    return path


def write_config(folder: Path, *, databases: bool = True, corpus: Path | None = None) -> Path:
    """The config of a build of the corpus under ``folder``, its database beside it or missing."""
    if databases:
        write_database(folder / "databases" / "port" / "port.sqlite", SCRIPT)
    where = {"path": str(corpus or folder / "corpus"), "split": "train"}
    if databases:
        where["databases"] = str(folder / "databases")
    lines = [f"{name} = {json.dumps(value)}" for name, value in where.items()]
    text = "\n".join(["[[corpora]]", 'name = "harbour"', 'layout = "finer"', *lines])
    text += '\non_missing = "skip"\n[generators.mutants]\ncap = 5\n'
    text += f"[output]\ndata = {json.dumps(str(folder / 'data'))}\n"
    config = folder / "config.toml"
    config.write_text(text)
    return config


@contextmanager
def made(config: Path, root: Path) -> Iterator[Build]:
    """A build with every stage made, and its executor still there."""
    gc.collect()
    gc.freeze()  # a stage looks for garbage after each piece: not among all that tests import
    build = Build(load_config(config, {}), root)
    first, *others = of_pairset().stages
    make(first, build, first.units(build))
    with Embedded(tree_specs(build.config, root), workers=1, log=root / "log") as service:
        trees = ("original", "schema")
        asking = replace(build, endpoints=tuple(Endpoint(service.url, tree) for tree in trees))
        for stage in others:
            make(stage, asking, stage.units(asking))
        yield asking
