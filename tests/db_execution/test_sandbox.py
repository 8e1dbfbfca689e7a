"""The sandbox by itself, on databases in memory."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from db_execution.cells import RawText
from db_execution.protocol import ERROR_CLASSES, NOT_UTF8, Answer
from db_execution.sandbox import GENERAL, Ask, Profile, Sandbox, open_bytes, open_script
from db_execution.sandbox.authorizer import FUNCTIONS, PRAGMAS
from tests.db_execution.conftest import HOSTILE

TIGHT = Profile(
    sql_bytes=4_000, value_bytes=16 * 1024, rows=100, vm_steps=2_000_000, wall_ms=1_000, tick=1_000
)
ENDLESS = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
NAMES = "CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT, born DATE DEFAULT CURRENT_DATE)"


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    opened = open_script(HOSTILE + NAMES)
    yield opened
    opened.close()


def outcome(answer: Answer) -> tuple[str, str | None]:
    return answer.status, answer.error_class


def test_rows_come_with_the_names_of_their_columns(sandbox: Sandbox) -> None:
    answer = sandbox.run("SELECT 1 AS x, 2 AS x, 'a'")
    assert (answer.columns, answer.rows) == (("x", "x", "'a'"), ((1, 2, "a"),))


def test_no_rows_have_columns_all_the_same(sandbox: Sandbox) -> None:
    answer = sandbox.run("SELECT id, v FROM t WHERE 0")
    assert (answer.columns, answer.rows, answer.column_count) == (("id", "v"), (), 2)


def test_too_many_rows_are_cut_and_said_to_be(sandbox: Sandbox) -> None:
    cut = sandbox.run("SELECT id FROM t", Ask(rows=199))
    whole = sandbox.run("SELECT id FROM t", Ask(rows=200))
    assert (cut.truncated, cut.row_count) == (True, 199)
    assert (whole.truncated, whole.row_count) == (False, 200)


def test_a_digest_has_no_row_cap(sandbox: Sandbox) -> None:
    answer = sandbox.run("SELECT id FROM t", Ask(want="digest", rows=1))
    assert (answer.row_count, answer.rows) == (200, None)


def test_prepare_compiles_and_runs_nothing(sandbox: Sandbox) -> None:
    answer = sandbox.run(ENDLESS, Ask(want="prepare"))
    assert (answer.status, answer.columns, answer.row_count) == ("ok", ("max(i)",), None)
    assert outcome(sandbox.run("SELECT absent FROM t", Ask(want="prepare"))) == (
        "error",
        "no_such_column",
    )


def test_an_endless_query_stops_at_its_steps_and_the_next_one_runs(sandbox: Sandbox) -> None:
    assert outcome(sandbox.run(ENDLESS, Ask(vm_steps=100_000))) == ("timeout", "vm_steps")
    assert sandbox.run("SELECT 1").rows == ((1,),)


def test_steps_end_a_query_at_the_same_place_every_time(sandbox: Sandbox) -> None:
    counting = (
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT {}) SELECT * FROM n"
    )
    enough = [
        rows
        for rows in range(500, 700, 10)
        if sandbox.run(counting.format(rows), Ask(vm_steps=10_000)).status == "ok"
    ]
    again = [
        rows for rows in enough if sandbox.run(counting.format(rows), Ask(vm_steps=10_000)).rows
    ]
    assert enough == again
    assert 0 < len(enough) < 20


def test_wall_time_is_a_safety_net_and_flagged(sandbox: Sandbox) -> None:
    answer = sandbox.run(ENDLESS, Ask(wall_ms=50))
    assert (*outcome(answer), answer.flags) == ("timeout", "wall_time", ("wall_time",))


def test_a_tight_profile_is_other_numbers_and_no_other_code() -> None:
    tight = open_script(HOSTILE, profile=TIGHT)
    assert outcome(tight.run(ENDLESS)) == ("timeout", "vm_steps")
    assert outcome(tight.run("SELECT hex(zeroblob(50000))")) == ("too_large", "value_bytes")
    assert outcome(tight.run("SELECT 1" + " " * 4_000)) == ("refused", "sql_bytes")
    assert tight.run("SELECT id FROM t").truncated
    tight.close()


def test_a_profile_may_deny_more_functions() -> None:
    strict = open_script("", profile=Profile(denied_functions=frozenset(("random", "zeroblob"))))
    assert outcome(strict.run("SELECT random()")) == ("refused", "not_authorized")
    assert strict.run("SELECT abs(-1)").rows == ((1,),)
    strict.close()


def test_too_many_bytes_of_rows_are_no_answer() -> None:
    small = open_script("", profile=Profile(result_bytes=1_000))
    assert outcome(small.run("SELECT printf('%.2000c', 'x')")) == ("too_large", "result_bytes")
    assert small.run("SELECT printf('%.2000c', 'x')", Ask(want="digest")).status == "ok"
    small.close()


def test_text_that_is_not_utf8_is_an_answer(sandbox: Sandbox) -> None:
    answer = sandbox.run("SELECT CAST(x'61ff' AS TEXT), 1.5, x'ff', NULL, 'é' -- bytes")
    assert answer.rows == ((RawText(b"a\xff"), 1.5, b"\xff", None, "é"),)
    assert answer.flags == (NOT_UTF8,)
    assert sandbox.run("SELECT x'ff', 'é'").flags == ()


def test_text_that_is_not_utf8_keeps_its_place(sandbox: Sandbox) -> None:
    sql = "SELECT CAST(x'ff' AS TEXT) AS a, v FROM t WHERE id < 5 ORDER BY v DESC;"
    answer = sandbox.run(sql)
    assert [row[1] for row in answer.rows or ()] == [10, 7, 6, 3, 0]
    assert answer.columns == ("a", "v")


def test_the_digest_of_such_text_is_that_of_its_rows(sandbox: Sandbox) -> None:
    bytes_first = "SELECT * FROM (VALUES (CAST(x'ff' AS TEXT)), ('a'))"
    answer = sandbox.run(bytes_first, Ask(want="digest"))
    again = sandbox.run(bytes_first.replace("x'ff'", "x'FF'"), Ask(want="digest"))
    assert answer.row_count == 2
    assert answer.list_digest == again.list_digest
    assert answer.flags == again.flags == (NOT_UTF8,)


def test_where_such_bytes_cannot_be_had_it_is_said() -> None:
    copy = open_bytes(database_bytes(), mode="sandbox_rollback")
    returning = "INSERT INTO u VALUES (1, CAST(x'ff' AS TEXT)) RETURNING t_id"
    assert outcome(copy.run(returning)) == ("error", "undecodable")
    copy.close()


def test_a_double_quoted_word_that_names_nothing_is_text(sandbox: Sandbox) -> None:
    assert sandbox.run('SELECT "absent", "id" FROM t LIMIT 1').rows == (("absent", 0),)


def test_like_ignores_the_case_of_ascii(sandbox: Sandbox) -> None:
    assert sandbox.run("SELECT 'ABC' LIKE 'abc', 'É' LIKE 'é'").rows == ((1, 0),)


@pytest.mark.parametrize("name", sorted(PRAGMAS))
def test_a_schema_is_read_with_pragmas_and_their_functions(sandbox: Sandbox, name: str) -> None:
    assert sandbox.run(f"PRAGMA {name}(t)").status == "ok"
    assert sandbox.run(f"SELECT * FROM pragma_{name}('t')").status == "ok"
    assert sandbox.run(f"SELECT 1 FROM main.pragma_{name}('t') AS p").status == "ok"


def test_a_pragma_that_is_not_about_the_schema_is_refused(sandbox: Sandbox) -> None:
    every = [row[0] for row in sandbox_pragmas()]
    for name in set(every) - PRAGMAS:
        assert outcome(sandbox.run(f"PRAGMA {name}")) == ("refused", "not_authorized"), name
        assert sandbox.run(f"SELECT * FROM pragma_{name}").status != "ok", name


def sandbox_pragmas() -> list[tuple[str]]:
    import apsw

    return [row for row in apsw.Connection(":memory:").execute("PRAGMA pragma_list")]


def test_every_listed_function_is_one_the_engine_has() -> None:
    import apsw

    rows = apsw.Connection(":memory:").execute("PRAGMA function_list")
    assert {name for name, *_ in rows} >= FUNCTIONS


@pytest.mark.parametrize(
    ("sql", "error_class"),
    [
        ("SELECT * FROM absent", "no_such_table"),
        ("SELECT absent FROM t", "no_such_column"),
        ("SELECT id FROM t, u", "ambiguous_column"),
        ("SELECT absent(1)", "no_such_function"),
        ("SELECT abs(1, 2)", "wrong_arguments"),
        ("SELECT sum(sum(v)) FROM t", "misuse_of_aggregate"),
        ("SELECT 1 UNION SELECT 1, 2", "column_count"),
        ("SELECT 1 FROM", "syntax_error"),
        ("SELECT json('{')", "malformed_json"),
        ("SELECT abs(-9223372036854775808)", "integer_overflow"),
        ("SELECT 1 INTERSECT SELECT * FROM t INDEXED BY absent", "other"),
    ],
)
def test_the_engines_own_errors_have_stable_names(
    sandbox: Sandbox, sql: str, error_class: str
) -> None:
    assert outcome(sandbox.run(sql)) == ("error", error_class)
    assert error_class in ERROR_CLASSES["error"]


@pytest.mark.parametrize(
    ("sql", "error_class"),
    [
        ("SELECT 1; SELECT 2", "not_one_statement"),
        ("SELECT 1; DROP TABLE t", "not_one_statement"),
        ("", "no_statement"),
        (" ;; -- absent", "no_statement"),
        ("SELECT ?", "parameters"),
        ("SELECT :name", "parameters"),
        ("EXPLAIN SELECT 1", "explain"),
        ("SELECT '\0'", "not_text"),
        ("SELECT '\ud800'", "not_text"),
        ("ATTACH 'x.sqlite' AS x", "not_authorized"),
    ],
)
def test_what_is_no_query_is_refused(sandbox: Sandbox, sql: str, error_class: str) -> None:
    assert outcome(sandbox.run(sql)) == ("refused", error_class)


def test_a_refusal_has_nothing_of_the_query_before(sandbox: Sandbox) -> None:
    sandbox.run("SELECT id FROM t; DELETE FROM t")
    sandbox.run("SELECT id FROM t")
    assert sandbox.run("SELECT '\0'").columns == ()
    assert outcome(sandbox.run("SELECT absent")) == ("error", "no_such_column")


def test_one_statement_may_end_in_semicolons_and_comments(sandbox: Sandbox) -> None:
    assert sandbox.run("/* a */ SELECT 1; ; -- the end\n /* of it */").rows == ((1,),)


def test_a_refusal_says_what_was_not_allowed(sandbox: Sandbox) -> None:
    assert sandbox.run("DELETE FROM t").error == "not allowed here: DELETE t"


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO t VALUES (999, 1, 'x') RETURNING id",
        "WITH x AS (SELECT 1) DELETE FROM t",
        "ALTER TABLE t RENAME COLUMN v TO w",
        "ALTER TABLE t ADD COLUMN w",
        "ALTER TABLE t DROP COLUMN s",
        "ANALYZE",
        "REINDEX",
        "CREATE INDEX i ON t(v)",
        "CREATE TABLE n AS SELECT * FROM t",
        "CREATE TRIGGER g AFTER INSERT ON u BEGIN DELETE FROM t; END",
        "DROP TABLE t",
    ],
)
def test_a_private_copy_may_be_written_to_and_is_gone(sql: str) -> None:
    contents = database_bytes()
    copy = open_bytes(contents, mode="sandbox_rollback")
    assert copy.run(sql).status == "ok", copy.run(sql)
    copy.close()
    assert contents == database_bytes()


def database_bytes() -> bytes:
    import apsw

    connection = apsw.Connection(":memory:")
    connection.execute(HOSTILE)
    contents = connection.serialize("main")
    connection.close()
    return contents


def test_a_copy_does_not_grow_without_bound() -> None:
    small = Profile(copy_bytes=1_000_000)
    copy = open_bytes(database_bytes(), mode="sandbox_rollback", profile=small)
    grown = copy.run("CREATE TABLE big AS SELECT zeroblob(100000) FROM t LIMIT 100")
    assert outcome(grown) == ("too_large", "copy_bytes")
    copy.close()


def test_statement_types_are_first_words(sandbox: Sandbox) -> None:
    assert sandbox.run("-- a\n(values (1))").statement_type == "VALUES"
    assert sandbox.run("pragma table_info(t)").statement_type == "PRAGMA"


def test_an_answer_names_the_engine(sandbox: Sandbox) -> None:
    assert sandbox.run("SELECT sqlite_version()").rows == ((sandbox.run("").sqlite_version,),)


def test_the_general_profile_is_that_of_the_design() -> None:
    assert (GENERAL.vm_steps, GENERAL.wall_ms) == (3_000_000_000, 120_000)


def test_rows_of_an_answer_count_as_steps_and_end_it_at_the_same_place() -> None:
    rows = "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c LIMIT 20000) SELECT x FROM c"
    with closing(open_script("")) as sandbox:
        counted = sandbox.run(
            f"SELECT count(*) FROM ({rows})", Ask(want="digest", vm_steps=1_000_000)
        )
        answered = sandbox.run(rows, Ask(want="digest", vm_steps=1_000_000))
    assert counted.status == "ok"
    assert (answered.status, answered.error_class, answered.flags) == ("timeout", "vm_steps", ())
