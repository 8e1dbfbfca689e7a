"""Which databases there are, and the DDL of those that are not."""

from pathlib import Path
from typing import Any

import apsw
import pytest

from pairset.config import CorpusConfig
from pairset.corpus import (
    CorpusError,
    databases_folder,
    declared_ddl,
    declared_schemas,
    known_databases,
    read_corpus,
)
from tests.pairset.corpus.made import ROW, database, spec, tasks, write
from tests.shared_data import shared

SHOP = {
    "db_id": "shop",
    "table_names_original": ["item", 'odd "name"', "sqlite_sequence"],
    "column_names_original": [
        [-1, "*"], [0, "id"], [0, "made on"], [0, "sold"], [0, "note"],
        [1, "item"], [1, "place"], [1, "size"], [2, "name"],
    ],
    "column_types": ["text", "number", "time", "boolean", "others", "number", "text", "x", "text"],
    "primary_keys": [1, [5, 6]],
    "foreign_keys": [[5, 1]],
}  # fmt: skip
SHOP_DDL = """CREATE TABLE "item" (
  "id" NUMERIC,
  "made on" TEXT,
  "sold" NUMERIC,
  "note" TEXT,
  PRIMARY KEY ("id")
);
CREATE TABLE "odd ""name\""" (
  "item" NUMERIC,
  "place" TEXT,
  "size" TEXT,
  PRIMARY KEY ("item", "place"),
  FOREIGN KEY ("item") REFERENCES "item"("id")
);"""


def declaring(path: Path, schemas: object, **keys: Any) -> CorpusConfig:
    return tasks(path, ROW, schemas=str(write(path / "schemas.json", schemas)), **keys)


def columns(ddl: str) -> dict[str, list[str]]:
    """Table and column names of a database made from ``ddl``, in lower case."""
    connection = apsw.Connection(":memory:")
    connection.execute(ddl)
    return listed(connection)


def listed(connection: apsw.Connection) -> dict[str, list[str]]:
    tables = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
    )
    return {
        str(name).lower(): [str(row[0]).lower() for row in connection.execute(
            "SELECT name FROM pragma_table_info(?)", (name,))]
        for (name,) in list(tables)
    }  # fmt: skip


def test_spiders_tables_json_becomes_create_table(tmp_path: Path) -> None:
    assert declared_ddl(declaring(tmp_path, [SHOP]), "shop") == SHOP_DDL
    assert columns(SHOP_DDL)['odd "name"'] == ["item", "place", "size"]


def test_a_key_of_several_columns_may_stand_one_by_one(tmp_path: Path) -> None:
    flat = SHOP | {"primary_keys": [1, 5, 6]}
    assert declared_ddl(declaring(tmp_path, [flat]), "shop") == SHOP_DDL


def test_ddl_is_kept_but_for_the_tables_that_sqlite_makes_itself(tmp_path: Path) -> None:
    ddl = "CREATE TABLE t (a);\nCREATE TABLE sqlite_sequence\n(\n name ,seq\n);\nCREATE VIEW v AS SELECT a FROM t;"
    corpus = declaring(tmp_path, {"d": ddl})
    assert declared_ddl(corpus, "d") == "CREATE TABLE t (a);\n\nCREATE VIEW v AS SELECT a FROM t;"
    assert declared_ddl(corpus, "other") is None


@pytest.mark.parametrize(
    ("schemas", "said"),
    [
        (3, "schemas/schemas.json: expected Spider's tables.json, or an object of db_id and DDL"),
        ({"d": 3}, "schemas/schemas.json: expected Spider's tables.json, or an object of"),
        ([{"tables": []}], "schemas/schemas.json: expected Spider's tables.json, or an object of"),
        (
            [{"db_id": "d"}],
            r"schemas/schemas.json, db_id 'd': no schema of Spider's form \(KeyError",
        ),
        (
            [SHOP | {"foreign_keys": [[99, 1]]}],
            r"schemas/schemas.json, db_id 'shop': no schema of Spider's form \(Index",
        ),
        (
            [SHOP | {"column_types": []}],
            r"schemas/schemas.json, db_id 'shop': no schema of Spider's form \(ValueError",
        ),
    ],
)
def test_a_bad_file_of_schemas_stops(tmp_path: Path, schemas: object, said: str) -> None:
    with pytest.raises(CorpusError, match=f"^tasks: {said}"):
        declared_schemas(declaring(tmp_path, schemas))


def test_a_broken_file_of_schemas_stops_whatever_the_config_says(tmp_path: Path) -> None:
    corpus = declaring(tmp_path, [SHOP], on_missing="skip")
    (tmp_path / "schemas.json").write_text("[")
    with pytest.raises(CorpusError, match=r"^tasks: schemas/schemas\.json, line 1, column 2: "):
        read_corpus(corpus)


def test_databases_are_known_by_name_alone(tmp_path: Path) -> None:
    database(tmp_path / "databases", "d")
    (tmp_path / "databases" / "empty").mkdir()
    (tmp_path / "databases" / ".DS_Store").touch()
    assert known_databases(tasks(tmp_path, ROW, databases=str(tmp_path / "databases"))) == {"d"}
    assert known_databases(tasks(tmp_path, ROW)) == set()


def test_released_corpora_keep_their_databases_beside_them(tmp_path: Path) -> None:
    database(tmp_path / "database", "s")
    database(tmp_path / "train" / "train_databases", "b")
    write(tmp_path / "train" / "train_tables.json", [SHOP])
    bird = spec("bird", path=str(tmp_path))
    assert known_databases(spec("spider", path=str(tmp_path))) == {"s"}
    assert (known_databases(bird), set(declared_schemas(bird))) == ({"b"}, {"shop"})


def test_each_dataset_of_a_finer_corpus_has_its_own_folder(tmp_path: Path) -> None:
    database(tmp_path / "a", "d")
    apart = spec("finer", path=str(tmp_path), databases={"spider": str(tmp_path / "a")})
    one = spec("finer", path=str(tmp_path), databases=str(tmp_path / "a"))
    assert known_databases(apart, dataset="spider") == {"d"}
    assert databases_folder(apart, dataset="bird") is None
    assert known_databases(one, dataset="bird") == {"d"}


def test_all_schemas_of_spider_and_bird_make_databases() -> None:
    spider = spec("spider", path=str(shared("corpora", "spider")))
    ddl = str(shared("corpora", "bird", "train", "train_ddl.json"))
    bird = spec("bird", path=str(shared("corpora", "bird")), schemas=ddl)
    made = [columns(ddl) for corpus in (spider, bird) for ddl in declared_schemas(corpus).values()]
    assert len(made) == 166 + 69
    assert all(made)


def test_spiders_schemas_name_what_its_databases_have() -> None:
    folder = shared("corpora", "spider", "database")
    schemas = declared_schemas(spec("spider", path=str(folder.parent)))
    for db_id in ("concert_singer", "world_1", "store_1", "academic"):
        file = f"file:{folder / db_id / db_id}.sqlite?mode=ro&immutable=1"
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        with apsw.Connection(file, flags=flags) as there:
            assert columns(schemas[db_id]) == listed(there), db_id
