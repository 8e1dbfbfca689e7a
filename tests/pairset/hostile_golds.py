"""Golds that no person wrote in earnest, and what has to become of each."""

from dataclasses import dataclass

MADE = "pairs"


@dataclass(frozen=True, slots=True)
class Hostile:
    """A gold; ``fate`` is `MADE`, the reason of a refused sample, or the parser's reason."""

    sql: str
    fate: str


def _repeated(template: str, count: int, between: str = ",") -> str:
    return between.join(template.format(i, i - 1) for i in range(1, count + 1))


def _inside(before: str, middle: str, after: str, count: int) -> str:
    return before * count + middle + after * count


_SELF = "{0} AS (SELECT * FROM {1} AS x, {1} AS y)"
_DOUBLING = ",".join(_SELF.format(f"c{i}", f"c{i - 1}") for i in range(1, 30))

HOSTILE: dict[str, Hostile] = {
    # of the kinds that corpora have had
    "nested 100 deep": Hostile(_inside("SELECT a FROM (", "SELECT a FROM t", ")", 100), "nested_too_deep"),
    "nested 30 deep": Hostile(_inside("SELECT a FROM (", "SELECT a FROM t", ")", 30), MADE),
    "5,000 OR terms": Hostile(f"SELECT a FROM t WHERE {_repeated('a = {0}', 5000, ' OR ')}", "nested_too_deep"),
    "120 OR terms": Hostile(f"SELECT a FROM t WHERE {_repeated('a = {0}', 120, ' OR ')}", MADE),
    "200 kB": Hostile("SELECT a FROM t WHERE b = 'x' -- " + "y" * 200_000, "too_long"),
    "90 kB of comment": Hostile("SELECT a FROM t WHERE b = 'x' -- " + "y" * 90_000, MADE),
    "a literal of 1 MB": Hostile(f"SELECT a FROM t WHERE b = '{'x' * 1_000_000}'", "too_long"),
    "no SQL": Hostile("how many are there?", "not_a_query"),
    "another statement": Hostile("INSERT INTO t VALUES (1, 'x', 2.0)", "not_a_query"),
    "two statements": Hostile("SELECT a FROM t; DROP TABLE t", "two_statements"),
    # texts that are hardly texts
    "a NUL byte": Hostile("SELECT a FROM t WHERE b = 'x\0y'", "bad_token"),
    "a lone surrogate": Hostile("SELECT a FROM t WHERE b = '\ud800'", "not_unicode"),
    "a comment alone": Hostile("-- nothing", "empty"),
    "an open comment": Hostile("SELECT a FROM t /* and so on", MADE),
    "an open string": Hostile("SELECT 'abc FROM t", "unterminated"),
    "empty": Hostile("", "empty_gold"),
    "blank": Hostile(" \n\t ", "empty_gold"),
    "a semicolon": Hostile(";", "not_a_query"),
    "right to left, and a face": Hostile("SELECT a FROM t WHERE b = '\u202e\U0001f600'", MADE),
    # wide
    "10,000 columns": Hostile(f"SELECT {_repeated('a', 10_000)} FROM t", "too_wide"),
    "150 columns": Hostile(f"SELECT {_repeated('a', 150)} FROM t", MADE),
    "a compound of 2,000": Hostile(_repeated("SELECT a FROM t", 2000, " UNION ALL "), "too_wide"),
    "a compound of 600 constants": Hostile(_repeated("SELECT {0}", 600, " UNION ALL "), "too_wide"),
    "a compound of 30": Hostile(_repeated("SELECT a FROM t", 30, " UNION ALL "), MADE),
    "20 joins": Hostile("SELECT t0.a FROM t AS t0 " + _repeated("JOIN t AS t{0} ON t{0}.a = t{1}.a", 20, " "), MADE),
    "1,000 in a list": Hostile(f"SELECT a FROM t WHERE a IN ({_repeated('{0}', 1000)})", MADE),
    "stars that double 30 times": Hostile(f"WITH c0 AS (SELECT * FROM t), {_DOUBLING} SELECT * FROM c29", MADE),
    # deep
    "200 cases": Hostile(f"SELECT {_inside('CASE WHEN a > 1 THEN ', '1', ' ELSE 0 END', 200)} FROM t", "nested_too_deep"),
    "40 cases": Hostile(f"SELECT {_inside('CASE WHEN a > 1 THEN ', '1', ' ELSE 0 END', 40)} FROM t", MADE),
    "500 functions": Hostile(f"SELECT {_inside('abs(', 'a', ')', 500)} FROM t", "nested_too_deep"),
    "60 functions": Hostile(f"SELECT {_inside('abs(', 'a', ')', 60)} FROM t", MADE),
    "1,000 NOT": Hostile(f"SELECT a FROM t WHERE {'NOT ' * 1000} a", "nested_too_deep"),
    "5,000 minus signs": Hostile(f"SELECT {'- ' * 5000} a FROM t", "nested_too_deep"),
    "60 minus signs": Hostile(f"SELECT {'- ' * 60} a FROM t", MADE),
    "50,000 parentheses": Hostile("(" * 50_000, "not_a_query"),
    # numbers
    "a number of 90,000 digits": Hostile(f"SELECT a FROM t WHERE a > {'9' * 90_000}", MADE),
    "a number that would be a gigabyte": Hostile("SELECT a FROM t WHERE a > 1e999999999", MADE),
    "a limit of 5,000 digits": Hostile(f"SELECT a FROM t LIMIT {'9' * 5000}", MADE),
    # without an end
    "a recursion without end": Hostile("WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", MADE),
    "a product without end": Hostile("SELECT count(*) FROM " + _repeated("t AS t{0}", 40), MADE),
}  # fmt: skip
