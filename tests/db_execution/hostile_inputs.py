"""Inputs that wish the service ill, of kinds the shared cases do not have: id, SQL, what may come of it.

``runs``: it is harmless and answered. ``refused``: not answered, whatever the reason. ``stopped``: a
limit ends it. ``either``: as long as nothing breaks. A ``writes`` input may run on a private copy.
"""

from typing import NamedTuple


class Input(NamedTuple):
    """One input and what may come of it in read_only mode."""

    id: str
    sql: str
    expect: str
    writes: bool = False


def doubling(levels: int, body: str) -> str:
    """CTEs of which each names the one before twice."""
    ctes = ", ".join(f"c{n} AS ({body.format(f'c{n - 1}')})" for n in range(1, levels))
    return f"WITH c0 AS (SELECT 1 AS x), {ctes} SELECT count(*) FROM c{levels - 1}"


NUMBERS = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) "

INPUTS = (
    # Text that is not what it looks like.
    Input("fullwidth_semicolon", "SELECT 1； DROP TABLE t", "refused"),
    Input("zero_width_space_in_keyword", "DE\u200bLETE FROM t", "refused"),
    Input("no_break_space_between_words", "DELETE\u00a0FROM\u00a0t", "refused"),
    Input("right_to_left_override", "SELECT 1 \u202e-- ;t ELBAT PORD", "either"),
    Input("byte_order_mark_first", "\ufeffSELECT 1", "either"),
    Input("lone_surrogate", "SELECT '\udc80'", "refused"),
    Input("nul_in_a_comment", "SELECT 1 -- \0\n; DROP TABLE t", "refused"),
    Input("other_line_ends", "SELECT 1 --\u2028; DROP TABLE t", "runs"),
    Input("carriage_return_in_comment", "SELECT 1 --\r; DROP TABLE t", "runs"),
    Input("comment_hides_second_statement", "SELECT 1; /* */ DELETE FROM t", "refused"),
    Input("comment_never_closed", "SELECT 1 /* ; DELETE FROM t", "runs"),
    Input("nested_comment", "SELECT 1 /* /* */ ; DELETE FROM t /* */", "refused"),
    Input(
        "semicolon_in_every_quote",
        'SELECT \';\', ";", [a;b], `a;b` FROM (SELECT 1 AS "a;b")',
        "runs",
    ),
    Input("keyword_as_name", 'SELECT "DROP TABLE t" AS "ATTACH"', "runs"),
    # Statements by another door.
    Input("delete_under_with", "WITH x AS (SELECT 1) DELETE FROM t", "refused", True),
    Input(
        "update_from_under_with",
        "WITH x AS (SELECT 1 AS a) UPDATE t SET v = a FROM x",
        "refused",
        True,
    ),
    Input("insert_or_replace", "REPLACE INTO t VALUES (1, 1, 'x')", "refused", True),
    Input(
        "upsert_returning",
        "INSERT INTO t VALUES (1, 1, 'x') ON CONFLICT DO UPDATE SET v = 0 RETURNING *",
        "refused",
        True,
    ),
    Input("explain_of_a_write", "EXPLAIN DELETE FROM t", "refused", True),
    Input("explain_query_plan_of_a_write", "EXPLAIN QUERY PLAN DELETE FROM t", "refused", True),
    Input("explain", "EXPLAIN SELECT * FROM t", "refused"),
    Input("attach_memory", "ATTACH ':memory:' AS m", "refused"),
    Input("attach_by_uri", "ATTACH 'file:x.sqlite?mode=rwc' AS m", "refused"),
    Input("commit_nothing", "COMMIT", "refused"),
    Input("release_nothing", "RELEASE a", "refused"),
    Input(
        "create_trigger_that_fires_later",
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM u; END",
        "refused",
        True,
    ),
    Input("create_view", "CREATE VIEW w AS SELECT * FROM t", "refused", True),
    # Virtual tables, PRAGMAs and functions.
    Input("fts5_table", "CREATE VIRTUAL TABLE f USING fts5(a)", "refused"),
    Input("rtree_table", "CREATE VIRTUAL TABLE f USING rtree(a, b, c)", "refused"),
    Input("fts3tokenize", "SELECT * FROM fts3tokenize('simple', 'a b')", "refused"),
    Input("statement_list", "SELECT sql FROM sqlite_stmt", "refused"),
    Input("bytecode", "SELECT * FROM bytecode('SELECT 1')", "refused"),
    Input("csv_module", "CREATE VIRTUAL TABLE c USING csv(filename='/etc/passwd')", "refused"),
    Input("carray_pointer", "SELECT * FROM carray(1, 1)", "refused"),
    Input("pragma_database_list", "SELECT file FROM pragma_database_list", "refused"),
    Input("pragma_function_list", "SELECT name FROM pragma_function_list", "refused"),
    Input("pragma_compile_options", "SELECT * FROM pragma_compile_options", "refused"),
    Input("pragma_integrity_check", "PRAGMA integrity_check", "refused"),
    Input("pragma_table_info_of_temp", "PRAGMA temp.table_info(sqlite_temp_master)", "runs"),
    Input("pragma_journal_mode", "PRAGMA journal_mode = WAL", "refused"),
    Input("pragma_mmap_size", "PRAGMA mmap_size = 1000000000000", "refused"),
    Input("pragma_case_sensitive_like", "PRAGMA case_sensitive_like = ON", "refused"),
    Input("sqlite_log", "SELECT sqlite_log(1, 'x')", "refused"),
    Input("source_id", "SELECT sqlite_source_id()", "refused"),
    Input(
        "internal_function", "SELECT sqlite_rename_test('main', 't', 'sql', 1, 2, 3, 4)", "refused"
    ),
    Input("json_tables", "SELECT key, value FROM json_each('{\"a\": [1, 2]}')", "runs"),
    # Size and time.
    Input("huge_hex_literal", "SELECT length(x'" + "00" * 40_000 + "')", "runs"),
    Input("huge_integer_literal", "SELECT " + "9" * 5_000, "runs"),
    Input("huge_text_literal", "SELECT length('" + "a" * 150_000 + "')", "refused"),
    Input("many_parentheses", "SELECT " + "(" * 1_500 + "1" + ")" * 1_500, "refused"),
    Input("deep_json", "SELECT json_valid('" + "[" * 5_000 + "]" * 5_000 + "')", "either"),
    Input("deep_json_path", "SELECT json_extract('{}', '$" + ".a" * 5_000 + "')", "either"),
    Input("deep_case", "SELECT " + "CASE WHEN 1 THEN " * 900 + "1" + " END" * 900, "either"),
    Input(
        "deep_subqueries", "SELECT * FROM " + "(SELECT * FROM " * 150 + "t" + ")" * 150, "either"
    ),
    Input(
        "cte_doubling_union",
        doubling(26, "SELECT x FROM {0} UNION ALL SELECT x FROM {0}"),
        "refused",
    ),
    Input("cte_doubling_join", doubling(26, "SELECT a.x FROM {0} a, {0} b"), "refused"),
    Input(
        "cte_doubling_scalar",
        doubling(26, "SELECT (SELECT x FROM {0}) + (SELECT x FROM {0}) AS x"),
        "refused",
    ),
    Input(
        "window_bomb",
        NUMBERS
        + "SELECT sum(i) OVER (ORDER BY i ROWS BETWEEN 1000000 PRECEDING AND CURRENT ROW) FROM n",
        "stopped",
    ),
    Input(
        "recursive_text_growth",
        "WITH RECURSIVE n(s) AS (VALUES ('x') UNION ALL SELECT s || s FROM n) SELECT max(length(s)) FROM n",
        "stopped",
    ),
    Input(
        "union_distinct_queue",
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION SELECT i + 1 FROM n) SELECT count(*) FROM n",
        "stopped",
    ),
    Input(
        "many_wide_rows",
        NUMBERS + "SELECT " + ", ".join(["zeroblob(9000000)"] * 30) + " FROM n",
        "stopped",
    ),
    Input(
        "wide_text_of_wide_letters",
        "SELECT " + ", ".join(["replace(hex(zeroblob(400000)), '0', '😀')"] * 20),
        "stopped",
    ),
    Input(
        "group_concat_of_everything",
        "SELECT length(group_concat(a.s || b.s || c.s, '')) FROM t a, t b, t c",
        "stopped",
    ),
    Input(
        "json_array_of_everything",
        "SELECT json_group_array(a.s) OVER (ORDER BY a.id, b.id) FROM t a, t b, t c",
        "either",
    ),
    Input(
        "instr_of_long_text",
        "SELECT instr(hex(zeroblob(4000000)) || 'b', substr(hex(zeroblob(2000000)), 2) || 'c')",
        "stopped",
    ),
    Input("glob_backtracking", "SELECT hex(zeroblob(400000)) GLOB '" + "*0" * 200 + "1'", "either"),
    Input("collation_that_is_not_there", "SELECT * FROM t ORDER BY s COLLATE absent", "refused"),
    Input(
        "collation_that_hides_a_statement",
        'SELECT 1 ORDER BY 1 COLLATE "x; DELETE FROM t"',
        "refused",
    ),
    Input(
        "collations_of_every_kind",
        "SELECT 'a' = 'A' COLLATE NOCASE, 'a ' = 'a' COLLATE RTRIM",
        "runs",
    ),
    Input("returning_under_explain", "EXPLAIN DELETE FROM t RETURNING *", "refused", True),
    Input("delete_returning", "DELETE FROM t RETURNING *", "refused", True),
    Input(
        "window_over_a_cross_join",
        "SELECT count(*) OVER (PARTITION BY a.id ORDER BY b.id GROUPS UNBOUNDED PRECEDING) FROM t a, t b, t c, u d",
        "either",
    ),
    Input("order_by_many", "SELECT * FROM t a, t b, t c ORDER BY a.v, b.v, c.v LIMIT 1", "either"),
)
