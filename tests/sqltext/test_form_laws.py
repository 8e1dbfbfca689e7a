"""What must hold of the forms of every query, written by people or at random."""

import functools
import random

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqltext.clauses import GroupBy, OrderTerm, TableSource
from sqltext.expressions import Expression, Literal, Logical, Node, Paren
from sqltext.forms import Forms, forms
from sqltext.lexer import OPERATOR, WORD, fold, tokenize
from sqltext.parse import Parsed, parse, refusal
from sqltext.schema import NO_SCHEMA, Schema
from tests.sqltext import corpus
from tests.sqltext.engine import database
from tests.sqltext.queries import DDL, SMALL, queries, some_queries
from tests.sqltext.test_grammar import READ

BLANKS = [" ", "  ", "\n", "\t", " /* c */ ", " -- c\n"]


def respelled(sql: str, chance: random.Random) -> str:
    """The same tokens with other blanks between them, and words in another case."""
    tokens = tokenize(sql)
    texts = []
    for kind, start, end in list(zip(tokens.kinds, tokens.starts, tokens.ends, strict=True))[:-1]:
        text = sql[start:end]
        texts.append(
            chance.choice([text, text.upper(), text.lower()])
            if kind == WORD and text.isascii()
            else text
        )
    return "".join(text + chance.choice(BLANKS) for text in texts)


def spliced(parsed: Parsed, node: Node, text: str) -> str:
    return parsed.sql[: parsed.start(node)] + text + parsed.sql[parsed.end(node) :]


def bracketed(parsed: Parsed, chance: random.Random) -> str:
    """One expression more in parentheses."""
    nodes = [node for node in parsed.nodes if isinstance(node, Expression)]
    if not nodes:
        return parsed.sql
    node = chance.choice(nodes)
    return spliced(parsed, node, f"({parsed.text(node)})")


def turned(parsed: Parsed, chance: random.Random) -> str:
    """The sides of one AND or OR changed."""
    pairs = [node for node in parsed.nodes if isinstance(node, Logical)]
    if not pairs:
        return parsed.sql
    node = chance.choice(pairs)
    return spliced(parsed, node, f"{parsed.text(node.right)} {node.op} {parsed.text(node.left)}")


def realiased(parsed: Parsed) -> str:
    """Every table alias has another name."""
    aliases = {
        fold(node.alias) for node in parsed.nodes if isinstance(node, TableSource) and node.alias
    }
    named = {
        fold(name) for node in parsed.nodes if isinstance(node, TableSource) for name in node.names
    }
    tokens, sql = parsed.tokens, parsed.sql
    pieces, at = [], 0
    for token, (start, end) in enumerate(zip(tokens.starts, tokens.ends, strict=True)):
        text = sql[start:end]
        dotted = token + 1 < len(tokens.upper) and tokens.upper[token + 1] == "."
        defined = token > 0 and any(
            isinstance(n, TableSource) and n.alias and n.last == token for n in parsed.nodes
        )
        if (
            tokens.kinds[token] != OPERATOR
            and fold(text) in aliases - named
            and (dotted or defined)
        ):
            pieces += [sql[at:start], f"zz{fold(text)}"]
            at = end
    return "".join(pieces) + sql[at:]


def revalued(parsed: Parsed) -> str:
    """Another value in the place of every value; what may be a position is left alone."""
    pieces, at = [], 0
    for node in parsed.nodes:
        if isinstance(node, Literal) and node.kind in ("number", "string"):
            if isinstance(node.parent, OrderTerm | GroupBy | Paren):
                continue
            other = "77" if node.kind == "number" else "'other'"
            pieces += [parsed.sql[at : parsed.start(node)], other]
            at = parsed.end(node)
    return "".join(pieces) + parsed.sql[at:]


@functools.cache
def filled() -> apsw.Connection:
    """The small schema with a few rows, some of them alike."""
    connection = database(DDL)
    connection.execute(
        "INSERT INTO t VALUES (1, 5, 'x', 1.5), (2, NULL, 'X y', 2), (7, 5, '1', NULL)"
    )
    connection.execute("INSERT INTO u VALUES (1, 1, 'k'), (2, 1, 'x'), (3, 7, NULL)")
    connection.execute(
        """INSERT INTO "Odd Table" VALUES ('x', 1, '5'), ('Home Town', 2, 'order')"""
    )
    return connection


def rows(sql: str, connection: apsw.Connection) -> list[str] | str:
    """The rows in any order, or what SQLite says against the query."""
    try:
        return sorted(map(repr, connection.execute(sql)))
    except apsw.Error as error:
        return str(error).split(":")[0].lower()


def answer(sql: str) -> list[str] | str | int:
    """On the small tables; where LIMIT picks among rows, how many there are."""
    found = rows(sql, filled())
    return len(found) if "limit" in sql.lower() and isinstance(found, list) else found


def check_laws(sql: str, schema: Schema, chance: random.Random) -> None:
    expected, parsed = forms(sql, schema), parse(sql)
    assert forms(expected.exact, schema) == expected
    assert forms(respelled(sql, chance), schema) == expected
    assert forms(bracketed(parsed, chance), schema) == expected
    assert forms(turned(parsed, chance), schema) == expected
    assert forms(realiased(parsed), schema) == expected
    assert forms(revalued(parsed), schema).structural == expected.structural


def test_the_laws_hold_over_the_corpora() -> None:
    chance = random.Random(0)
    read = [pair for pair in corpus.queries() if refusal(pair[1]) is None]
    for db_id, sql in chance.sample(read, 1_000):
        check_laws(sql, corpus.schema(db_id), chance)


def test_every_corpus_querys_exact_form_reads_back_as_itself() -> None:
    for db_id, sql in corpus.queries()[::4]:
        if refusal(sql) is None:
            expected = forms(sql, corpus.schema(db_id))
            assert forms(expected.exact, corpus.schema(db_id)) == expected, sql


@pytest.mark.parametrize("sql", [*READ, "SELECT - 0xFFFFFFFFFFFFFFFF", "SELECT - - 5, 9e999"])
def test_the_laws_hold_over_every_production(sql: str) -> None:
    for schema in (NO_SCHEMA, SMALL):
        check_laws(sql, schema, random.Random(sql))


@some_queries
@given(queries(), st.randoms(use_true_random=False))
def test_the_laws_hold_over_random_queries(sql: str, chance: random.Random) -> None:
    check_laws(sql, SMALL, chance)


@some_queries
@given(queries())
def test_a_random_query_and_its_exact_form_give_one_answer(sql: str) -> None:
    assert answer(sql) == answer(forms(sql, SMALL).exact)


def test_an_exact_form_gives_its_querys_answer_on_a_real_database() -> None:
    read = [sql for db_id, sql in corpus.queries() if db_id == "concert_singer"]
    connection = corpus.filled_database("concert_singer")
    for sql in read:
        exact = forms(sql, corpus.schema("concert_singer")).exact
        assert rows(sql, connection) == rows(exact, connection), sql


def test_forms_are_records() -> None:
    assert forms("SELECT 1") == Forms("select 1", "select ?")
