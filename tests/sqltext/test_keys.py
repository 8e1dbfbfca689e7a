"""Which golds hang on the order in which rows happen to be read."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqltext.keys import GOLD_FLAGS, gold_bare_column, gold_cut, gold_flags, gold_order_ties
from sqltext.parse import parse
from sqltext.schema import NO_SCHEMA, Schema, TableSchema
from sqltext.scope import resolve
from tests.sqltext.key_tables import DDL, KEYED, Author, Rows, built, conforming


def flags(sql: str, schema: Schema = KEYED) -> str:
    """The flags that are set, without their common first word."""
    return " ".join(name.removeprefix("gold_") for name in gold_flags(resolve(parse(sql), schema)))


TIES = [
    ("SELECT g FROM p", ""),
    ("SELECT g FROM p ORDER BY id", ""),
    ("SELECT g FROM p ORDER BY name DESC", ""),
    ("SELECT g FROM p ORDER BY w, p.ID", ""),
    ("SELECT g FROM p ORDER BY w", "order_ties"),
    ("SELECT g FROM p ORDER BY id + 1", "order_ties"),
    ("SELECT g FROM p ORDER BY upper(name)", "order_ties"),
    ("SELECT g FROM p ORDER BY name COLLATE nocase", "order_ties"),
    ("SELECT g FROM c ORDER BY pid", "order_ties"),
    ("SELECT v FROM c ORDER BY n, pid", ""),
    ("SELECT v FROM c WHERE pid = 3 ORDER BY n", ""),
    ("SELECT v FROM c WHERE pid = -3 ORDER BY n", ""),
    ("SELECT v FROM c WHERE 3 = c.pid AND z > 'a' ORDER BY n", ""),
    ("SELECT v FROM c WHERE pid IS 3 ORDER BY n", ""),
    ("SELECT v FROM c WHERE pid IS NULL ORDER BY n", ""),
    ("SELECT v FROM c WHERE pid IS NOT NULL ORDER BY n", "order_ties"),
    ("SELECT v FROM c WHERE pid > 3 ORDER BY n", "order_ties"),
    ("SELECT v FROM c WHERE pid = 3 OR z = 'a' ORDER BY n", "order_ties"),
    ("SELECT v FROM c WHERE NOT pid = 3 ORDER BY n", "order_ties"),
    # All that is shown is ordered by: rows that tie cannot be told apart.
    ("SELECT w FROM p ORDER BY w", ""),
    ("SELECT w, g FROM p ORDER BY g, w DESC", ""),
    ("SELECT w AS x, g FROM p ORDER BY 2, x", ""),
    ("SELECT w, g FROM p ORDER BY w", "order_ties"),
    ("SELECT g + 1 FROM p ORDER BY g + 1", ""),
    ("SELECT upper(w) FROM p ORDER BY w", ""),
    ("SELECT g, random() FROM p ORDER BY g", "order_ties"),
    ("SELECT * FROM l ORDER BY a, b", ""),
    ("SELECT * FROM l ORDER BY 2, 1", ""),
    ("SELECT * FROM l ORDER BY a", "order_ties"),
    ("SELECT a, 'x' FROM l ORDER BY a", ""),
    ("SELECT w FROM p ORDER BY w COLLATE nocase", "order_ties"),
    ("SELECT g, (SELECT max(n) FROM c WHERE v = w) FROM p ORDER BY g", "order_ties"),
    # Joins: a key of every source.
    ("SELECT w FROM p JOIN c ON id = pid ORDER BY pid, n", ""),
    ("SELECT w FROM p JOIN c ON id = pid ORDER BY n, id", ""),
    ("SELECT w FROM p, c WHERE id = pid ORDER BY name, n", ""),
    ("SELECT w FROM p JOIN c ON id = pid ORDER BY n", "order_ties"),
    ("SELECT v FROM p JOIN c ON id = pid ORDER BY id", "order_ties"),
    ("SELECT w FROM p JOIN c ON id = pid ORDER BY id", ""),
    ("SELECT w FROM p JOIN c ON id > pid ORDER BY pid, n", "order_ties"),
    ("SELECT w FROM p JOIN e ON w = s ORDER BY code, id", ""),
    ("SELECT w FROM p JOIN e ON name = e.pid ORDER BY code", "order_ties"),
    ("SELECT w FROM p JOIN e ON id = e.pid ORDER BY code", ""),
    ("SELECT q.w FROM p q JOIN p r ON q.g = r.id ORDER BY q.id", ""),
    ("SELECT q.w FROM p q JOIN p r ON q.g = r.id ORDER BY r.id", "order_ties"),
    ("SELECT s FROM e JOIN c USING (pid) ORDER BY code, n", ""),
    ("SELECT b FROM p JOIN l ON id = a ORDER BY id", "order_ties"),
    ("SELECT w FROM p LEFT JOIN c ON id = pid ORDER BY id, n, pid", ""),
    ("SELECT w FROM p LEFT JOIN c ON id = pid ORDER BY pid, n", "order_ties"),
    ("SELECT w FROM p RIGHT JOIN c ON id = pid ORDER BY pid, n", "order_ties"),
    ("SELECT w FROM (p JOIN c ON id = pid) ORDER BY pid, n", "order_ties"),
    # Groups.
    ("SELECT g, count(*) FROM p GROUP BY g ORDER BY g", ""),
    ("SELECT g, count(*) FROM p GROUP BY g ORDER BY count(*)", "order_ties"),
    ("SELECT g, count(*) FROM p GROUP BY g ORDER BY count(*), g", ""),
    ("SELECT g, count(*) AS n FROM p GROUP BY g ORDER BY n DESC, 1", ""),
    ("SELECT count(*) FROM p GROUP BY g ORDER BY count(*)", ""),
    ("SELECT count(*) FROM p GROUP BY g, w ORDER BY g", "order_ties"),
    ("SELECT count(*) FROM p GROUP BY g, w HAVING g = 1 ORDER BY w", "order_ties"),
    ("SELECT count(*) FROM p WHERE g = 1 GROUP BY g, w ORDER BY w", ""),
    ("SELECT name, count(*) FROM p JOIN c ON id = pid GROUP BY id ORDER BY name", ""),
    ("SELECT count(*) FROM p GROUP BY upper(w) ORDER BY upper(w)", ""),
    ("SELECT count(*) FROM p GROUP BY upper(w) ORDER BY w", "order_ties bare_column"),
    ("SELECT g FROM p GROUP BY 1 ORDER BY 1", ""),
    # DISTINCT.
    ("SELECT DISTINCT w FROM p ORDER BY w", ""),
    ("SELECT DISTINCT w, g FROM p ORDER BY w", "order_ties"),
    ("SELECT DISTINCT w FROM p ORDER BY id", "order_ties"),
    ("SELECT DISTINCT id, w FROM p ORDER BY name", ""),
    # One row has no order.
    ("SELECT count(*) FROM p ORDER BY 1", ""),
    ("SELECT max(w) FROM p HAVING count(*) > 1 ORDER BY count(*)", ""),
    ("SELECT w FROM p WHERE id = 5 ORDER BY g", ""),
    ("SELECT w FROM p WHERE name = 'a' ORDER BY g", ""),
    ("SELECT w FROM p WHERE name = \"a\" ORDER BY g", ""),
    ("SELECT w FROM p JOIN c ON id = pid WHERE id = 5 AND n = 2 ORDER BY v", ""),
    ("SELECT n FROM c WHERE pid = 5 ORDER BY v, z", "order_ties"),
    ("SELECT 1 ORDER BY 1", ""),
    # Compounds, queries in FROM, windows.
    ("SELECT g FROM p UNION SELECT n FROM c ORDER BY 1", ""),
    ("SELECT g FROM p UNION ALL SELECT n FROM c ORDER BY g", ""),
    ("SELECT g, w FROM p UNION SELECT n, v FROM c ORDER BY g", "order_ties"),
    ("SELECT g, w FROM p UNION SELECT n, v FROM c ORDER BY w, 1", ""),
    ("SELECT g FROM p UNION SELECT n AS k FROM c ORDER BY k", ""),
    ("SELECT g FROM p UNION SELECT n FROM c ORDER BY g + 1", "order_ties"),
    ("SELECT * FROM e JOIN c USING (pid) ORDER BY 1, 2, 3, 4, 5", "order_ties"),
    ("SELECT * FROM e NATURAL JOIN c ORDER BY code, n", ""),
    ("SELECT x FROM (SELECT g AS x FROM p) ORDER BY x", ""),
    ("SELECT y FROM (SELECT id, g AS y FROM p) ORDER BY id", "order_ties"),
    ("WITH r AS (SELECT id, g FROM p) SELECT g FROM r ORDER BY id", "order_ties"),
    ("SELECT id, row_number() OVER (ORDER BY g) FROM p ORDER BY id", "order_ties"),
    ("SELECT g FROM nowhere ORDER BY g", ""),
    ("SELECT g FROM nowhere ORDER BY id", "order_ties"),
]  # fmt: skip

CUTS = [
    ("SELECT g FROM p LIMIT 3", "cut"),
    ("SELECT g FROM p LIMIT 3 OFFSET 1", "cut"),
    ("SELECT g FROM p ORDER BY id LIMIT 3", ""),
    ("SELECT g FROM p ORDER BY g LIMIT 3", ""),
    ("SELECT w FROM p ORDER BY g LIMIT 3", "cut order_ties"),
    ("SELECT count(*) FROM p LIMIT 1", ""),
    ("SELECT w FROM p WHERE id = 1 LIMIT 1", ""),
    ("SELECT 1 FROM p LIMIT 1", ""),
    ("VALUES (1), (2)", ""),
    ("SELECT 1 WHERE 2 IN (VALUES (2))", ""),
    ("SELECT q.* FROM c q, p LIMIT 1", "cut"),
    ("SELECT p.* FROM c, p ORDER BY id LIMIT 1", ""),
    ("SELECT p.* FROM c, p ORDER BY n LIMIT 1", "cut order_ties"),
    ("SELECT * FROM nowhere ORDER BY a LIMIT 1", "cut order_ties"),
    ("SELECT upper(\"no column\"), g FROM p ORDER BY g LIMIT 1", ""),
    # Cuts inside.
    ("SELECT g FROM p WHERE id IN (SELECT pid FROM c LIMIT 2)", "cut"),
    ("SELECT g FROM p WHERE id IN (SELECT pid FROM c ORDER BY pid LIMIT 2)", ""),
    ("SELECT g FROM p WHERE id IN (SELECT pid FROM c ORDER BY n LIMIT 2)", "cut"),
    ("SELECT g FROM p WHERE g = (SELECT g FROM p ORDER BY id DESC LIMIT 1)", ""),
    ("SELECT g FROM p WHERE g = (SELECT g FROM p ORDER BY w DESC LIMIT 1)", "cut"),
    ("SELECT g FROM p WHERE EXISTS (SELECT 1 FROM c WHERE pid = id LIMIT 1)", ""),
    ("SELECT g FROM p WHERE NOT EXISTS (SELECT v FROM c LIMIT 1 OFFSET 3)", ""),
    ("SELECT (SELECT v FROM c WHERE pid = p.id ORDER BY n LIMIT 1) FROM p", ""),
    ("SELECT (SELECT v FROM c WHERE pid = p.id AND n = 1 LIMIT 1) FROM p", ""),
    ("SELECT (SELECT v FROM c WHERE pid = p.name ORDER BY n LIMIT 1) FROM p", "cut"),
    ("SELECT g FROM (SELECT g, id FROM p LIMIT 2) ORDER BY g", "cut"),
    ("WITH r AS (SELECT v FROM c LIMIT 2) SELECT v FROM r ORDER BY v", "cut"),
    ("SELECT g FROM p UNION SELECT n FROM c LIMIT 2", "cut"),
    ("SELECT g FROM p UNION SELECT n FROM c ORDER BY 1 LIMIT 2", ""),
]  # fmt: skip

BARE = [
    ("SELECT g, count(*) FROM p GROUP BY g", ""),
    ("SELECT w, count(*) FROM p GROUP BY g", "bare_column"),
    ("SELECT w, count(*) FROM p GROUP BY id", ""),
    ("SELECT p.w, count(*) FROM p JOIN c ON id = pid GROUP BY c.pid", ""),
    ("SELECT w, count(*) FROM p JOIN c ON id = pid GROUP BY n", "bare_column"),
    ("SELECT w, count(*) FROM p JOIN e ON name = e.pid GROUP BY e.pid", "bare_column"),
    ("SELECT w, count(*) FROM p LEFT JOIN c ON id = pid GROUP BY pid", "bare_column"),
    ("SELECT w, count(*) FROM p WHERE w = 'a'", ""),
    ("SELECT w, count(*) FROM p", "bare_column"),
    ("SELECT count(*) FROM p ORDER BY w", ""),
    ("SELECT g FROM p GROUP BY g ORDER BY w", "order_ties bare_column"),
    ("SELECT g FROM p GROUP BY g HAVING w > 'a'", "bare_column"),
    ("SELECT g FROM p GROUP BY g HAVING max(w) > 'a'", ""),
    ("SELECT upper(w), count(*) FROM p GROUP BY upper(w)", ""),
    ("SELECT w, count(*) FROM p GROUP BY upper(w)", "bare_column"),
    ("SELECT w AS k, count(*) FROM p GROUP BY k", ""),
    ("SELECT w, count(*) FROM p GROUP BY 1", ""),
    ("SELECT * FROM p GROUP BY g", "bare_column"),
    ("SELECT * FROM p GROUP BY id", ""),
    ("SELECT g + 1, count(*) FROM p GROUP BY g", ""),
    ("SELECT g + id, count(*) FROM p GROUP BY g", "bare_column"),
    # The row of a lone max() or min() is the row a bare column is of, if there is one such row.
    ("SELECT max(id), w FROM p", ""),
    ("SELECT max(n), v FROM c GROUP BY pid", ""),
    ("SELECT max(g), w FROM p", "bare_column"),
    ("SELECT max(id), min(id), w FROM p", "bare_column"),
    ("SELECT max(n), v FROM c", "bare_column"),
    ("SELECT max(id, g), w FROM p", ""),
    ("SELECT g, (SELECT count(*) FROM (SELECT * FROM c)) FROM p GROUP BY g", ""),
    ("SELECT x FROM nowhere GROUP BY y", "bare_column"),
    ("SELECT x FROM nowhere GROUP BY x", ""),
    # Anywhere in the query.
    ("SELECT g FROM p WHERE id IN (SELECT pid FROM c GROUP BY n)", "bare_column"),
    ("SELECT g FROM (SELECT g, w, count(*) FROM p GROUP BY g)", "bare_column"),
    ("SELECT g, (SELECT max(v) FROM c WHERE pid = w) FROM p GROUP BY g", "bare_column"),
    ("SELECT g, (SELECT max(v) FROM c WHERE pid = g) FROM p GROUP BY g", ""),
    ("SELECT (SELECT count(p.id)), w FROM p", "bare_column"),
    ("SELECT sum(g) OVER (), w FROM p", ""),
    ("SELECT w, count(*) FROM p GROUP BY w COLLATE nocase", "bare_column"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "expected"), TIES + CUTS + BARE)
def test_a_gold_is_flagged(sql: str, expected: str) -> None:
    assert flags(sql) == expected


@pytest.mark.parametrize(("sql", "expected"), TIES + CUTS + BARE)
def test_each_flag_has_a_function_of_its_own(sql: str, expected: str) -> None:
    scopes = resolve(parse(sql), KEYED)
    each = (gold_cut(scopes), gold_order_ties(scopes), gold_bare_column(scopes))
    names = [name.removeprefix("gold_") for name in GOLD_FLAGS]
    assert " ".join(n for n, is_set in zip(names, each, strict=True) if is_set) == expected


def test_without_a_schema_no_key_is_known() -> None:
    assert flags("SELECT g FROM p ORDER BY id", NO_SCHEMA) == "order_ties"


def test_a_column_without_a_declared_type_equals_no_other() -> None:
    typed = TableSchema("r", ("a", "b"), ("INTEGER", "TEXT"), keys=(frozenset("a"),))
    for types, expected in (
        ((), "order_ties"),
        (("",), "order_ties"),
        (("BLOB",), "order_ties"),
        (("BIGINT",), ""),
    ):
        schema = Schema([typed, TableSchema("s", ("k",), types, keys=(frozenset("k"),))])
        assert flags("SELECT b, s.rowid FROM r JOIN s ON a = k ORDER BY k", schema) == expected


def test_a_column_that_compares_without_case_proves_nothing() -> None:
    table = TableSchema(
        "t", ("a", "b"), ("TEXT", "TEXT"), keys=(frozenset("a"),), collations=("NOCASE", "")
    )
    for sql in (
        "SELECT b FROM t ORDER BY a",
        "SELECT a FROM t ORDER BY a",
        "SELECT b FROM t WHERE a = 'x' ORDER BY b",
    ):
        assert flags(sql, Schema([table])) == "order_ties"
    assert flags("SELECT a FROM t GROUP BY a", Schema([table])) == "bare_column"


def answers(sql: str, rows: Rows, chance: random.Random) -> list[object]:
    """What ``sql`` gives with the rows stored and read in several ways."""
    found: list[object] = []
    ordered = parse(sql).query.order is not None
    for ddl in DDL:
        connection = built(rows, ddl, chance)
        for reverse in (0, 1):
            connection.execute(f"PRAGMA reverse_unordered_selects = {reverse}")
            got = connection.execute(sql).fetchall()
            found.append(got if ordered else sorted(map(repr, got)))
    return found


UNFLAGGED = [sql for sql, expected in TIES + CUTS + BARE if not expected and "nowhere" not in sql]


@pytest.mark.parametrize("sql", UNFLAGGED)
def test_a_gold_without_flags_gives_one_answer_however_its_rows_are_read(sql: str) -> None:
    for seed in range(8):
        chance = random.Random(seed)
        found = answers(sql, conforming(chance), chance)
        assert all(answer == found[0] for answer in found)


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32))
def test_so_does_a_random_query_without_flags(seed: int) -> None:
    chance = random.Random(seed)
    sql = Author(chance).query()
    if not flags(sql):
        found = answers(sql, conforming(chance), chance)
        assert all(answer == found[0] for answer in found), sql


FLAGGED = [
    "SELECT w FROM p LIMIT 1",
    "SELECT w FROM p ORDER BY g",
    "SELECT w FROM p ORDER BY g LIMIT 1",
    "SELECT w, count(*) FROM p GROUP BY g",
    "SELECT id FROM p JOIN e ON name = e.pid ORDER BY code",
    "SELECT DISTINCT w FROM p ORDER BY id",
]


@pytest.mark.parametrize("sql", FLAGGED)
def test_a_flagged_gold_does_give_several_answers_somewhere(sql: str) -> None:
    """The way the answers are compared above is able to tell them apart."""

    def varies(seed: int) -> bool:
        chance = random.Random(seed)
        found = answers(sql, conforming(chance), chance)
        return any(answer != found[0] for answer in found)

    assert any(varies(seed) for seed in range(300))


def test_many_random_queries_have_no_flags() -> None:
    texts = [Author(random.Random(seed)).query() for seed in range(500)]
    assert sum(not flags(sql) for sql in texts) > 150
