"""The lexer cuts a text where SQLite cuts it."""

import pytest

from sqltext.errors import NotAQuery
from sqltext.lexer import (
    BLOB,
    NUMBER,
    OPERATOR,
    PARAMETER,
    QUOTED,
    STRING,
    WORD,
    fold,
    tokenize,
    unquote,
)
from tests.sqltext.engine import complaint

_INFIX = "|| << >> <= >= <> != == = + - * / % & | < >"
INFIX = _INFIX.split()
TOKENS = [
    ("a", WORD),
    ("été", WORD),
    ("a$b_1", WORD),
    ("ıs", WORD),
    ("'it''s'", STRING),
    ("''", STRING),
    ('"a ""b"""', QUOTED),
    ("`a ``b`", QUOTED),
    ("[a b]", QUOTED),
    ("x'00ff'", BLOB),
    ("X''", BLOB),
    ("12", NUMBER),
    ("1_000", NUMBER),
    ("1.", NUMBER),
    (".5", NUMBER),
    ("1.5e-3", NUMBER),
    ("1E5", NUMBER),
    ("0x1F", NUMBER),
    ("0X1_F", NUMBER),
    ("?", PARAMETER),
    ("?12", PARAMETER),
    (":a", PARAMETER),
    ("@a", PARAMETER),
    ("$a::b(c)", PARAMETER),
    ("#a", PARAMETER),
    *((operator, OPERATOR) for operator in [*INFIX, "->", "->>", "~"]),
]


@pytest.mark.parametrize(("text", "kind"), TOKENS)
def test_a_token_is_one_and_of_its_kind(text: str, kind: int) -> None:
    tokens = tokenize(text)
    assert tokens.kinds[:-1] == [kind]
    assert (tokens.starts[0], tokens.ends[0]) == (0, len(text))


BAD = [
    "1a",
    "1__0",
    "1_",
    "0x",
    "0xg",
    "1e5x",
    "x'0'",
    "x'zz'",
    "'a",
    '"a',
    "`a",
    "[a",
    "!",
    "\\",
    "^",
]
BAD += ["{", "\x0b", "a\x01", ":", "@", "$", "$(a)", "1\u0663"]


@pytest.mark.parametrize("text", BAD)
def test_what_sqlite_cannot_cut_is_no_token(text: str) -> None:
    assert "unrecognized token" in complaint(f"SELECT 1+{text}")
    with pytest.raises(NotAQuery) as caught:
        tokenize(f"SELECT 1+{text}")
    assert caught.value.reason in ("bad_token", "unterminated")
    assert caught.value.position >= len("SELECT 1+")


BLANKS = [
    " ",
    "\t",
    "\n",
    "\f",
    "\r",
    " \x0b",
    "\ufeff",
    "-- a\n",
    "--\n",
    "/* a */",
    "/**/",
    "/* -- */",
]


@pytest.mark.parametrize("blank", BLANKS)
def test_blanks_and_comments_part_tokens_and_vanish(blank: str) -> None:
    assert complaint(f"SELECT(1){blank}+1") == ""
    assert tokenize(f"SELECT(1){blank}+1").upper[1:5] == ["(", "", ")", "+"]


@pytest.mark.parametrize("end", ["-- a", "/* a", "/* a *", "/*/", "--"])
def test_a_comment_may_end_with_the_text(end: str) -> None:
    assert complaint(f"SELECT 1 {end}") == ""
    assert tokenize(f"SELECT 1 {end}").upper == ["SELECT", "", "END OF TEXT"]


def test_a_slash_and_star_at_the_very_end_are_operators() -> None:
    assert complaint("SELECT 1 /*") != ""
    assert tokenize("SELECT 1 /*").upper[2:4] == ["/", "*"]


@pytest.mark.parametrize("word", ["LIMIT", "limit", "LiMiT"])
def test_keywords_are_known_in_any_case(word: str) -> None:
    assert tokenize(word).upper[0] == "LIMIT"


@pytest.mark.parametrize("word", ["lımıt", "ＳＥＬＥＣＴ", "ſelect"])
def test_a_letter_that_only_looks_like_one_spells_no_keyword(word: str) -> None:
    assert tokenize(word).upper[0] == ""


def test_only_ascii_letters_are_folded() -> None:
    assert fold("ÀB") == "Àb"
    assert fold("İ") == "İ"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a''b'", "a'b"),
        ('"a"', "a"),
        ("`a``b`", "a`b"),
        ("[a]b]", "a]b"),
        ("a", "a"),
        ("''''", "'"),
    ],
)
def test_quotes_come_off(text: str, value: str) -> None:
    assert unquote(text) == value
