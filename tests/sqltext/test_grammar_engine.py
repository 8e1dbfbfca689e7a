"""Our grammar and SQLite's agree: on the corpora, on texts spoiled at random, on precedence."""

import random
from collections.abc import Iterator

import apsw
import pytest

from sqltext.errors import NotAQuery
from sqltext.expressions import Call, Cast, Column, Literal, Node, Paren, Row
from sqltext.lexer import tokenize
from sqltext.parse import Parsed, parse, refusal
from tests.sqltext.corpus import empty_database, queries
from tests.sqltext.engine import complaint, is_syntax, nothing
from tests.sqltext.test_grammar import READ
from tests.sqltext.test_lexer import INFIX

# What is wrong with a text that is otherwise grammatical: names, types, counts, places.
_MISPLACED = ("ORDER BY clause should come after", "LIMIT clause should come after")
_ABOUT_NAMES = ("no such", "ambiguous", "misuse", "wrong number", "not unique")


def test_of_the_corpora_exactly_what_sqlite_reads_is_read() -> None:
    for db_id, sql in queries():
        said, ours = complaint(sql, empty_database(db_id)), refusal(sql)
        if ours is None:
            assert not is_syntax(said), sql
        elif ours.reason != "two_statements":
            assert is_syntax(said) or said.startswith(_MISPLACED), (sql, said)


def test_few_corpus_queries_are_refused() -> None:
    assert sum(refusal(sql) is not None for _, sql in queries()) < 20


WORDS = """
    ABORT ALL AND AS ASC BETWEEN BY CASE CAST COLLATE CROSS CURRENT CURRENT_DATE DEFAULT DESC DISTINCT
    ELSE END ESCAPE EXCEPT EXCLUDE EXISTS FILTER FIRST FOLLOWING FROM FULL GLOB GROUP GROUPS HAVING IF
    IN INDEXED INNER INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL
    NO NOT NOTHING NOTNULL NULL NULLS OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PRECEDING RAISE
    RANGE RECURSIVE REGEXP REPLACE RIGHT ROW ROWS SELECT SET TABLE TEMP THEN TIES TO TRUE UNBOUNDED
    UNION USING VALUES WHEN WHERE WINDOW WITH WITHOUT
    + - * / % & | ~ < > <= >= = == <> != << >> || -> ->> ( ) , . ;
    1 1.5 0x1F 1a 's' x'00' x'0' "q" `b` [k] a t u count max ? ?1 :p $a::b(c) #1 é
"""


def spoiled(seed: int, many: int) -> Iterator[str]:
    """Texts of the tables with tokens dropped, added, replaced or swapped."""
    chance = random.Random(seed)
    for _ in range(many):
        sql = chance.choice(READ)
        tokens = tokenize(sql)
        texts = [sql[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)][:-1]
        for _ in range(chance.choice((1, 1, 2))):
            at = chance.randrange(len(texts))
            texts[at : at + chance.randrange(2)] = chance.sample(WORDS.split(), chance.randrange(2))
            texts = texts or ["SELECT"]
        yield " ".join(texts)


@pytest.mark.parametrize("seed", range(8))
def test_spoiled_texts_are_refused_where_sqlite_refuses_them(seed: int) -> None:
    for sql in spoiled(seed, 4_000):
        said, ours = complaint(sql), refusal(sql)
        if is_syntax(said):
            assert ours is not None, (sql, said)
        elif ours is not None and ours.reason not in ("two_statements", "not_a_query"):
            assert said != "", (sql, ours)
            assert not said.startswith(_ABOUT_NAMES) or ";" in sql or "RAISE" in sql, (sql, said)


def bracketed(parsed: Parsed, node: Node) -> str:
    """The text of ``node`` with every operation in parentheses."""
    if isinstance(node, Literal | Column | Call | Cast):
        return parsed.text(node)
    at, text = parsed.start(node), ""
    for part in node.parts():
        text += parsed.sql[at : parsed.start(part)] + bracketed(parsed, part)
        at = parsed.end(part)
    text += parsed.sql[at : parsed.end(node)]
    return text if isinstance(node, Paren | Row) else f"({text})"


WORDED = ["AND", "OR", "IS", "IS NOT", "IS DISTINCT FROM", "LIKE", "NOT LIKE", "GLOB"]
OPERATORS = [*WORDED, *INFIX]
AFTER = [" ISNULL", " NOTNULL", " IS NULL", " IS NOT NULL", " COLLATE NOCASE"]


def expression(chance: random.Random, depth: int) -> str:
    """A random expression over values, with few parentheses."""
    kind = chance.random() if depth else 0.0
    left = expression(chance, depth - 1) if kind > 0.15 else ""
    right = expression(chance, depth - 1) if kind > 0.15 else ""
    if kind <= 0.15:
        return chance.choice(["0", "1", "2", "-1", "NULL", "'a'", "'1'", "1.5", "x'61'"])
    if kind < 0.75:
        return f"{left} {chance.choice(OPERATORS)} {right}"
    if kind < 0.83:
        return chance.choice(["NOT ", "- ", "+", "~"]) + left
    if kind < 0.88:
        return left + chance.choice(AFTER)
    between = f"{left} BETWEEN {right} AND {expression(chance, depth - 1)}"
    return chance.choice(
        [between, f"{left} NOT IN ({right}, 1)", f"({left})", f"{left} LIKE {right} ESCAPE 'a'"]
    )


def answer(sql: str) -> object:
    try:
        return nothing().execute(sql).fetchall()
    except apsw.Error as error:
        return str(error).split(":")[0]


def test_a_comparison_after_escape_belongs_to_the_escape() -> None:
    """SQLite binds < tighter than LIKE, and so the character is not 'a' but what it is less than."""
    parsed = parse("SELECT '1' LIKE '1' ESCAPE 'a' <= 0")
    assert bracketed(parsed, parsed.nodes[-3].parts()[0]) == "('1' LIKE '1' ESCAPE ('a' <= 0))"


@pytest.mark.parametrize("seed", range(5))
def test_operators_bind_as_they_do_in_sqlite(seed: int) -> None:
    """An expression gives what it gives with our reading of it spelled out."""
    chance = random.Random(seed)
    for _ in range(2_000):
        sql = "SELECT " + expression(chance, chance.choice((2, 3, 3)))
        try:
            parsed = parse(sql)
        except NotAQuery:
            assert is_syntax(complaint(sql)), sql
            continue
        spelled_out = "SELECT " + bracketed(parsed, parsed.nodes[-3].parts()[0])
        assert answer(sql) == answer(spelled_out), (sql, spelled_out)
