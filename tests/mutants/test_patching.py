"""A patched reading is the reading of the mutant's own text: over every mutant, alone and in pairs."""

import random

import pytest

from mutants.gold import Gold
from mutants.mutate import Candidate, candidates, drawn_pairs
from mutants.weights import WEIGHTS
from sqltext.facts import Facts, Reading, analyse
from sqltext.patches import Change
from sqltext.patching import Patcher
from tests.mutants.golds import have_real_golds, own_golds, real_golds
from tests.sqltext.queries import SMALL

needs_corpora = pytest.mark.skipif(not have_real_golds(), reason="no real corpora in the test data")


def compared(reading: Reading | Facts) -> tuple[object, ...]:
    return (
        reading.exact,
        reading.structural,
        reading.features,
        reading.family,
        reading.nondeterministic,
    )


class Checked:
    """A gold's patcher, with the number of patched readings that were held against fresh ones."""

    def __init__(self, gold: Gold) -> None:
        self.gold = gold
        self.facts: Facts = analyse(gold.parsed.sql, gold.schema)
        self.patcher = Patcher(self.facts)
        self.count = 0

    def patch(self, candidate: Candidate) -> Change | None:
        edit = candidate.edit
        return self.patcher.patch(edit.start, edit.end, edit.text)

    def check(self, *made: tuple[Candidate, Change | None]) -> None:
        patches = [patch for _, patch in made if patch is not None]
        reading = self.patcher.reading(*patches) if len(patches) == len(made) else None
        if reading is not None:
            sql = self.gold.splice(*(candidate.edit for candidate, _ in made))
            assert compared(reading) == compared(analyse(sql, self.gold.schema)), sql
            self.count += 1


def check_all(gold: Gold) -> tuple[int, int]:
    """How many mutants of the first order there are, and how many were patched."""
    checked = Checked(gold)
    made = [(candidate, checked.patch(candidate)) for candidate in candidates(gold)]
    for one in made:
        checked.check(one)
    patched = checked.count
    patches = {id(candidate): patch for candidate, patch in made}
    drawn = drawn_pairs([candidate for candidate, _ in made], random.Random(1), WEIGHTS)
    for pair in drawn[:40]:
        checked.check(*((candidate, patches[id(candidate)]) for candidate in pair))
    return len(made), patched


def test_every_mutant_of_our_golds_reads_as_its_text_does() -> None:
    counts = [check_all(gold) for gold in own_golds()]
    assert sum(patched for _, patched in counts) > 0.6 * sum(offered for offered, _ in counts)


@needs_corpora
def test_every_mutant_of_real_golds_reads_as_its_text_does() -> None:
    counts = [check_all(gold) for gold in real_golds(step=150, first=7)]
    assert sum(patched for _, patched in counts) > 0.75 * sum(offered for offered, _ in counts)


def test_a_patcher_leaves_its_query_as_it_was() -> None:
    for gold in own_golds()[:20]:
        checked = Checked(gold)
        for candidate in candidates(gold):
            checked.check((candidate, checked.patch(candidate)))
        again = Patcher(checked.facts)
        assert compared(analyse(gold.parsed.sql, gold.schema)) == compared(checked.facts)
        assert [node.parent for node in checked.patcher.parsed.nodes][-1] is None
        assert again.parsed.nodes == checked.patcher.parsed.nodes


@pytest.mark.parametrize(
    ("sql", "old", "new"),
    [
        ("SELECT a FROM (SELECT a FROM t) ORDER BY a", "a FROM t", "b FROM t"),
        ("SELECT a FROM t UNION SELECT a FROM u ORDER BY a", "a FROM u", "x FROM u"),
        ("SELECT a FROM t WHERE a IN (SELECT b FROM u)", "(SELECT b FROM u)", "(SELECT c FROM u)"),
        ("SELECT a FROM t WHERE a = random()", "a = random()", "a = 1"),
        ("SELECT a FROM (SELECT (a) FROM t)", "a) FROM", "b) FROM"),
        ("SELECT [a+0] FROM (SELECT a+0 FROM t)", "0 FROM", "1 FROM"),
        ("SELECT [a+1] FROM (SELECT a+0 FROM t)", "+0", "+1"),
        ("SELECT [(select 1 limit 2)] FROM (SELECT (select 1 limit 2))", " limit 2", ""),
    ],
)
def test_what_may_change_the_names_in_sight_is_read_from_scratch(
    sql: str, old: str, new: str
) -> None:
    patcher = Patcher(analyse(sql))
    start = sql.rindex(old)
    patch = patcher.patch(start, start + len(old), new)
    assert patch is None or patcher.reading(patch) is None


JOINED = "t JOIN u ON u.tid = t.id"


@pytest.mark.parametrize(
    ("sql", "old", "new", "made"),
    [
        ("SELECT a FROM t WHERE a - -1 > 2", "- -", "+ -", True),
        ("SELECT a + 0 FROM t UNION SELECT 1", "+", "-", False),
        ("SELECT b FROM (SELECT b, a+ 0 FROM t)", "0", "1", True),
        ("SELECT a FROM t JOIN u ON t.id = tid", "JOIN u ON t.id = tid", "CROSS JOIN u", True),
        ("SELECT a FROM ( t) WHERE b = 1", "t", JOINED, False),
        ("SELECT a FROM t WHERE b = 1", "t", JOINED, True),
        ("SELECT a FROM t WHERE b IN (SELECT x FROM u AS v)", "t", JOINED, False),
        ("SELECT a FROM u AS v WHERE tid IN (SELECT id FROM t)", "t", JOINED, False),
        ("SELECT v.id FROM u AS v WHERE v.tid IN (SELECT t.id FROM t)", "t", JOINED, True),
        ("SELECT a FROM t WHERE x = 1", "t", JOINED, False),
        ("SELECT a FROM t WHERE u.x = 1", "t", JOINED, False),
        ("SELECT a FROM t WHERE rowid = 1", "t", JOINED, False),
        ("SELECT * FROM t", "t", JOINED, False),
        ("WITH u AS (SELECT 1 AS tid) SELECT a FROM t", "t", JOINED, False),
    ],
)
def test_a_change_leaves_every_name_what_it_was_or_is_not_made(
    sql: str, old: str, new: str, made: bool
) -> None:
    patcher = Patcher(analyse(sql, SMALL))
    start = sql.rindex(f" {old}") + 1
    change = patcher.patch(start, start + len(old), new)
    reading = None if change is None else patcher.reading(change)
    assert (reading is not None) == made
    if reading is not None:
        written = sql[:start] + new + sql[start + len(old) :]
        assert compared(reading) == compared(analyse(written, SMALL))


def test_a_table_that_comes_keeps_the_other_edit_from_naming_its_columns() -> None:
    sql = "SELECT a FROM t WHERE a = 1"
    patcher = Patcher(analyse(sql, SMALL))
    joined = patcher.patch(14, 15, JOINED)
    assert joined is not None
    for name, together in (("b", True), ("x", False), ("id", False), ("u.x", False)):
        renamed = patcher.patch(22, 23, name)
        assert renamed is not None
        reading = patcher.reading(joined, renamed)
        assert (reading is not None) == together
        if reading is not None:
            written = f"SELECT a FROM {JOINED} WHERE {name} = 1"
            assert compared(reading) == compared(analyse(written, SMALL))


def test_an_edit_that_binds_looser_takes_in_what_is_around_it() -> None:
    sql = "SELECT a FROM t WHERE a = 1 AND b = 2 AND c = 3"
    patcher = Patcher(analyse(sql))
    start = sql.index("AND b")
    patch = patcher.patch(start, start + 3, "OR")
    assert patch is not None
    reading = patcher.reading(patch)
    assert reading is not None
    assert reading.exact == analyse("SELECT a FROM t WHERE a = 1 OR (b = 2 AND c = 3)").exact
