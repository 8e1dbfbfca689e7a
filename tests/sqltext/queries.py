"""Random queries over a small schema, for laws."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from sqltext.schema import Schema, TableSchema

# On a busy machine queries are slow to draw; that is no fault of theirs.
some_queries = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
SMALL = Schema(
    [
        TableSchema("t", ("id", "a", "b", "c"), ("INTEGER", "INTEGER", "TEXT", "REAL"), (), (frozenset({"id"}),)),
        TableSchema("u", ("id", "tid", "x"), ("INTEGER", "INTEGER", "TEXT"), (), (frozenset({"id"}),)),
        TableSchema("Odd Table", ("Home Town", "order", "b"), ("TEXT", "INTEGER", "TEXT")),
    ]
)  # fmt: skip
DDL = """
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT, c REAL);
CREATE TABLE u (id INTEGER PRIMARY KEY, tid INTEGER, x TEXT);
CREATE TABLE "Odd Table" ("Home Town" TEXT, "order" INTEGER, b TEXT);
"""
TABLES = {
    "t": ("id", "a", "b", "c"),
    "u": ("id", "tid", "x"),
    "[Odd Table]": ("`Home Town`", '"order"', "b"),
}

VALUES = st.sampled_from(["1", "01", "1.50", "1e3", "0x1F", "'x'", "'X y'", "'it''s'", '"no such name"', "NULL", "x'0F'", "TRUE", "-7"])  # fmt: skip
INFIX = st.sampled_from(["+", "-", "*", "/", "%", "||", "&", "<<", "->>"])
COMPARED = st.sampled_from(["=", "==", "<>", "!=", "<", "<=", ">", ">=", "IS", "IS NOT", "LIKE", "NOT LIKE", "GLOB"])  # fmt: skip
FUNCTIONS = st.sampled_from(["abs", "UPPER", "coalesce", "Round"])
AGGREGATES = st.sampled_from(["count", "SUM", "max", "Avg"])
TYPES = st.sampled_from(["INTEGER", "text", "REAL", "NUMERIC", "VARCHAR(10)"])
JOINS = st.sampled_from(
    [", ", " JOIN ", " INNER JOIN ", " LEFT JOIN ", " left outer join ", " CROSS JOIN "]
)
COMPOUNDS = st.sampled_from(["UNION", "UNION ALL", "INTERSECT", "EXCEPT"])


@st.composite
def sources(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A FROM with one to three tables, and the columns it offers."""
    text, columns = "", []
    for number in range(draw(st.integers(1, 3))):
        table = draw(st.sampled_from(sorted(TABLES)))
        text += (draw(JOINS) if number else "") + f"{table} AS {'pqr'[number]}"
        columns += [f"{'pqr'[number]}.{name}" for name in TABLES[table]]
        if number and "JOIN" in text.upper().rsplit(" AS ", 2)[-2] and draw(st.booleans()):
            text += f" ON {columns[0]} = {columns[-1]}"
    return text, columns


def expressions(columns: list[str], depth: int = 2) -> st.SearchStrategy[str]:
    leaf = st.one_of(st.sampled_from(columns), VALUES)
    if depth == 0:
        return leaf
    inner = expressions(columns, depth - 1)
    return st.one_of(
        leaf,
        st.builds("{} {} {}".format, inner, INFIX, inner),
        st.builds("({})".format, inner),
        st.builds("- {}".format, inner),
        st.builds("+{}".format, inner),
        st.builds("{}({}, 1)".format, FUNCTIONS, inner),
        st.builds("CAST({} AS {})".format, inner, TYPES),
        st.builds("CASE WHEN {} THEN {} ELSE {} END".format, conditions(columns, 0), inner, inner),
    )


def conditions(columns: list[str], depth: int = 2) -> st.SearchStrategy[str]:
    value = expressions(columns, min(depth, 1))
    atom = st.one_of(
        st.builds("{} {} {}".format, value, COMPARED, value),
        st.builds("{} BETWEEN {} AND {}".format, value, value, value),
        st.builds("{} NOT IN ({}, {})".format, value, value, value),
        st.builds("{} IS NOT NULL".format, value),
        st.builds(
            "{} IN (SELECT id FROM u WHERE {})".format,
            value,
            st.sampled_from(["x = 'k'", "tid > 5"]),
        ),
        st.just("EXISTS (SELECT 1 FROM t AS s WHERE s.a = 2)"),
    )
    if depth == 0:
        return atom
    inner = conditions(columns, depth - 1)
    return st.one_of(
        atom,
        st.builds("{} AND {}".format, inner, inner),
        st.builds("({} OR {})".format, inner, inner),
        st.builds("NOT ({})".format, inner),
    )


@st.composite
def cores(draw: st.DrawFn, width: int) -> str:
    source, columns = draw(sources())
    grouped = draw(st.booleans())
    items = draw(st.lists(expressions(columns), min_size=width, max_size=width))
    if grouped:
        items[-1] = f"{draw(AGGREGATES)}({draw(st.sampled_from(['', 'DISTINCT ']))}{columns[0]})"
    sql = f"SELECT {draw(st.sampled_from(['', 'DISTINCT ']))}{', '.join(items)} FROM {source}"
    if draw(st.booleans()):
        sql += f" WHERE {draw(conditions(columns))}"
    if grouped and draw(st.booleans()):
        sql += f" GROUP BY {columns[-1]}"
        sql += draw(st.sampled_from(["", " HAVING COUNT(*) > 2"]))
    return sql


@st.composite
def queries(draw: st.DrawFn) -> str:
    """A query that SQLite prepares, or fails for types alone."""
    width = draw(st.integers(1, 3))
    sql = draw(cores(width))
    if draw(st.integers(0, 5)) == 0:
        sql += f" {draw(COMPOUNDS)} {draw(cores(width))}"
    sql += draw(st.sampled_from(["", "", " ORDER BY 1", f" ORDER BY {width} DESC"]))
    return sql + draw(st.sampled_from(["", "", " LIMIT 3", " LIMIT 2, 3"]))
