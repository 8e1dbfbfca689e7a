"""Which source each name belongs to."""

import pytest

from sqltext.clauses import Join, Star
from sqltext.expressions import Column
from sqltext.lexer import fold
from sqltext.parse import parse, refusal
from sqltext.schema import NO_SCHEMA, Schema
from sqltext.scope import Resolved, resolve
from tests.sqltext import corpus
from tests.sqltext.engine import columns_read, complaint, database
from tests.sqltext.queries import DDL, SMALL


def said(found: Resolved) -> str:
    """T1.a for a column of the first source, or what kind of name it is."""
    if found.source is not None:
        return f"T{found.source.number}.{found.name}"
    return f"{found.kind} {found.name}"


def names(sql: str, schema: Schema = SMALL) -> str:
    """What each name of ``sql`` stands for, in the order they are read."""
    return " ".join(said(found) for found in resolve(parse(sql), schema).columns.values())


ROWS = [
    ("SELECT a FROM t", "T1.a"),
    ("SELECT A, t.B, T.[c] FROM T", "T1.a T1.b T1.c"),
    ("SELECT p.a FROM t AS p", "T1.a"),
    ("SELECT main.t.a FROM main.t", "T1.a"),
    ("SELECT a, x FROM t JOIN u", "T1.a T2.x"),
    ("SELECT u.id, t.id FROM t JOIN u ON t.id = tid", "T2.id T1.id T1.id T2.tid"),
    ("SELECT id FROM t JOIN u", "unknown id"),
    ("SELECT id FROM t JOIN u USING (id)", "T1.id"),
    ("SELECT id FROM t NATURAL JOIN u", "T1.id"),
    ("SELECT b FROM t JOIN [odd table]", "unknown b"),
    ("SELECT p.a, q.a FROM t p JOIN t q ON p.id = q.a", "T1.a T2.a T1.id T2.a"),
    ("SELECT p.x FROM t p JOIN u p", "T2.x"),
    ("SELECT rowid FROM t", "T1.rowid"),
    ("SELECT t.oid FROM t JOIN u", "T1.oid"),
    ("SELECT rowid AS a FROM t ORDER BY rowid", "T1.rowid T1.rowid"),
    # Aliases: unseen among the items, first as a whole ORDER BY term, last everywhere else.
    ("SELECT a AS y, y FROM t", "T1.a unknown y"),
    ("SELECT a AS y FROM t WHERE y > 1", "T1.a alias y"),
    ("SELECT a AS y FROM t GROUP BY y HAVING y > 1", "T1.a alias y alias y"),
    ("SELECT a AS b FROM t WHERE b > 1", "T1.a T1.b"),
    ("SELECT a AS b FROM t GROUP BY b", "T1.a T1.b"),
    ("SELECT a AS b FROM t ORDER BY b", "T1.a alias b"),
    ("SELECT a AS b FROM t ORDER BY (b) COLLATE nocase", "T1.a alias b"),
    ("SELECT a AS b FROM t ORDER BY b + 1", "T1.a T1.b"),
    ("SELECT a AS y FROM t ORDER BY y + 1", "T1.a alias y"),
    ("SELECT a AS y FROM t ORDER BY t.y", "T1.a T1.y"),
    ("SELECT a FROM t ORDER BY c", "T1.a T1.c"),
    # Compounds see their output names alone.
    ("SELECT a FROM t UNION SELECT x FROM u ORDER BY a", "T1.a T1.x alias a"),
    ("SELECT a FROM t UNION SELECT x AS y FROM u ORDER BY y", "T1.a T1.x alias y"),
    ("SELECT a FROM t UNION SELECT x FROM u ORDER BY c", "T1.a T1.x unknown c"),
    # Correlated subqueries see outwards; the inner name wins.
    ("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE tid = t.id)", "T1.a T2.tid T1.id"),
    ("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE tid = a)", "T1.a T2.tid T1.a"),
    ("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE id = 1)", "T1.a T2.id"),
    ("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u AS t WHERE t.a = t.tid)", "T1.a T1.a T2.tid"),
    ("SELECT a AS y FROM t WHERE a IN (SELECT tid FROM u WHERE y = 1)", "T1.a T1.a T2.tid alias y"),
    ("SELECT (SELECT x FROM u WHERE tid = y) AS y FROM t", "T2.x T2.tid unknown y"),
    ("SELECT a FROM t ORDER BY (SELECT x FROM u WHERE tid = c)", "T1.a T2.x T2.tid T1.c"),
    # A query in FROM does not see its neighbours, and names its columns outwards.
    ("SELECT s.y FROM (SELECT a AS y FROM t) AS s", "T1.y T1.a"),
    ("SELECT y FROM t, (SELECT a FROM u) AS s", "unknown y unknown a"),
    ("SELECT a FROM t WHERE a IN (SELECT y FROM (SELECT t.b AS y FROM u) AS s)", "T1.a T1.a T2.y T1.b"),
    ("SELECT a FROM (SELECT * FROM t)", "T1.a"),
    ("SELECT id FROM (SELECT p.*, x FROM t p JOIN u)", "T1.id T2.x"),
    ("SELECT column2 FROM (VALUES (1, 2))", "T1.column2"),
    # CTEs, those that read themselves too; a CTE hides a table.
    ("WITH s AS (SELECT a AS y FROM t) SELECT y FROM s", "T1.a T1.y"),
    ("WITH s (y) AS (SELECT a FROM t) SELECT s.y FROM s", "T1.a T1.y"),
    ("WITH u AS (SELECT a FROM t) SELECT x FROM u", "T1.a unknown x"),
    ("WITH RECURSIVE s (n) AS (SELECT 1 UNION SELECT n + 1 FROM s) SELECT n FROM s", "T1.n T1.n"),
    ("WITH RECURSIVE s AS (SELECT 1 AS n UNION SELECT n + 1 FROM s) SELECT n FROM s", "T1.n T1.n"),
    ("WITH s AS (SELECT a FROM t), r AS (SELECT a FROM s) SELECT a FROM r", "T1.a T1.a T1.a"),
    ("SELECT a FROM t WHERE a IN (WITH s AS (SELECT tid AS y FROM u) SELECT y FROM s)", "T1.a T1.a T2.tid T2.y"),
    ("WITH s AS (SELECT 1 AS a) SELECT a FROM main.s", "unknown a"),
    # Double-quoted text is a value where it is no name.
    ('SELECT "a" FROM t', "T1.a"),
    ('SELECT "nope" FROM t', "value nope"),
    ("SELECT 'a' FROM t", ""),
    ("SELECT `nope`, [nope], nope FROM t", "unknown nope unknown nope unknown nope"),
    ('SELECT t."nope" FROM t', "T1.nope"),
    ('SELECT a AS "Y" FROM t ORDER BY "y"', "T1.a alias y"),
    ('SELECT a FROM t WHERE b = "Home Town"', "T1.a T1.b value Home Town"),
    # Tables that nobody knows.
    ("SELECT y FROM nowhere", "unknown y"),
    ("SELECT nowhere.y FROM nowhere", "T1.y"),
    ('SELECT "a", "nope" FROM nowhere', "unknown a value nope"),
    ("SELECT key, value FROM json_each('[1]')", "unknown key unknown value"),
    ("SELECT other.a FROM t", "unknown a"),
    ("SELECT a FROM t, (u)", "T1.a"),
    ("SELECT x FROM (t JOIN u ON t.id = tid)", "T2.x T1.id T2.tid"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "expected"), ROWS)
def test_a_name_stands_for(sql: str, expected: str) -> None:
    assert names(sql) == expected


PLAIN = [sql for sql, _ in ROWS if not any(word in sql for word in ("*", "rowid", "oid", "json"))]


@pytest.mark.parametrize("sql", PLAIN)
def test_sqlite_reads_the_columns_that_names_stand_for(sql: str) -> None:
    read = columns_read(sql, database(DDL))
    assert read is None or ours(sql, SMALL) == read


def ours(sql: str, schema: Schema) -> set[tuple[str, str]]:
    """The (table, column) pairs that names of ``sql`` stand for."""
    found = resolve(parse(sql), schema).columns.values()
    tables = [(f.source.table, f.name) for f in found if f.source is not None]
    return {(fold(table.name), name) for table, name in tables if table is not None}


def hides_columns(sql: str) -> bool:
    """Whether the text reads columns that it does not name."""
    nodes = parse(sql).nodes
    return any(isinstance(n, Star) or (isinstance(n, Join) and "NATURAL" in n.op) for n in nodes)


def test_over_the_corpora_our_names_are_those_that_sqlite_reads() -> None:
    for db_id, sql in corpus.queries()[::3]:
        if refusal(sql) is None:
            read = columns_read(sql, corpus.empty_database(db_id))
            if read is not None:
                named = ours(sql, corpus.schema(db_id))
                assert named <= read if hides_columns(sql) else named == read, sql


def test_no_name_of_a_query_that_runs_is_unknown() -> None:
    for db_id, sql in corpus.queries()[::5]:
        if refusal(sql) is None and columns_read(sql, corpus.empty_database(db_id)) is not None:
            found = resolve(parse(sql), corpus.schema(db_id)).columns.values()
            assert not any(name.kind == "unknown" for name in found), sql


def test_without_a_schema_names_belong_to_whom_they_name() -> None:
    assert names('SELECT p.a, b, "c" FROM t p', NO_SCHEMA) == "T1.a unknown b unknown c"


def test_sources_are_numbered_outside_in_and_left_to_right() -> None:
    sql = "SELECT 1 FROM t, u WHERE EXISTS (SELECT 1 FROM t) AND EXISTS (SELECT 1 FROM u)"
    scopes = resolve(parse(sql), SMALL)
    numbers = [source.number for sources in scopes.sources.values() for source in sources]
    assert numbers == [3, 3, 1, 2]


def test_the_outputs_of_a_query_are_its_columns_names() -> None:
    scopes = resolve(parse('SELECT a, b AS "Y", c + 1, u.* FROM t JOIN u'), SMALL)
    assert scopes.outputs[scopes.parsed.query] == ("a", "y", "c + 1", "id", "tid", "x")


def test_every_column_node_is_resolved() -> None:
    for sql, _ in ROWS:
        scopes = resolve(parse(sql), SMALL)
        assert set(scopes.columns) == {n for n in scopes.parsed.nodes if isinstance(n, Column)}


NAMED = [
    ("a", "a"),
    ("(a)", "a"),
    ("((a))", "a"),
    ("t.a", "a"),
    ("(main.t.a)", "a"),
    ('("a")', "a"),
    ("([A])", "a"),
    ("a COLLATE NOCASE", "a"),
    ("((a) COLLATE NOCASE)", "a"),
    ("(a) AS z", "z"),
    ('("zz")', "zz"),
    ("+a", "+a"),
    ("(+a)", "(+a)"),
    ("+a COLLATE NOCASE", "+a collate nocase"),
    ("likely(a)", "likely(a)"),
    ("(SELECT a FROM t)", "(select a from t)"),
]


@pytest.mark.parametrize(("item", "name"), NAMED)
def test_a_column_of_an_answer_has_the_name_that_the_engine_gives_it(item: str, name: str) -> None:
    sql = f"SELECT [{name}] FROM (SELECT {item} FROM t)"
    assert complaint(sql, database(DDL)) == ""
    scopes = resolve(parse(sql), SMALL)
    (source,) = scopes.sources[scopes.parsed.query.cores[0]]
    assert source.columns == (name,)
    assert [found.kind for found in scopes.columns.values() if found.source is source] == ["column"]


@pytest.mark.parametrize("item", ["+a", "(+a)", "likely(a)", "(SELECT a FROM t)"])
def test_what_is_no_column_does_not_show_one(item: str) -> None:
    sql = f"SELECT a FROM (SELECT {item} FROM t)"
    assert complaint(sql, database(DDL)) == "no such column: a"
    assert "unknown a" in names(sql)
