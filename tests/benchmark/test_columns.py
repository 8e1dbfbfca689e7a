"""Columns are matched jointly: whole rows or nothing, and the largest match is found."""

from itertools import permutations, product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from benchmark.columns import As, Assignment, Rows, all_match, assign, coded


def holds(actual: Rows, gold: Rows, pairs: tuple[tuple[int, int], ...], how: As) -> bool:
    """Whether the rows are equal once cut down to those pairs of columns, said plainly."""
    one = [tuple(row[at] for at, _ in pairs) for row in actual]
    other = [tuple(row[at] for _, at in pairs) for row in gold]
    if how == "list":
        return one == other
    return set(one) == set(other) if how == "set" else sorted(one) == sorted(other)


def largest(actual: Rows, gold: Rows, widths: tuple[int, int], how: As) -> int:
    """How many columns of the gold can be matched, by trying everything."""
    best = 0
    for kept in product((True, False), repeat=widths[1]):
        wanted = [at for at in range(widths[1]) if kept[at]]
        for chosen in permutations(range(widths[0]), len(wanted)):
            if holds(actual, gold, tuple(zip(chosen, wanted, strict=True)), how):
                best = max(best, len(wanted))
    return best


cells = st.integers(0, 2)
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[cells] * width), min_size=1, max_size=5).map(
        lambda rows: (width, rows)
    )
)


@given(tables, tables, st.sampled_from(["list", "multiset", "set"]))
def test_the_largest_joint_match_is_found(
    one: tuple[int, Rows], other: tuple[int, Rows], how: As
) -> None:
    (width, actual), (gold_width, gold) = one, other
    if how != "set":
        size = min(len(actual), len(gold))
        actual, gold = actual[:size], gold[:size]
    found = assign(coded(actual, gold, (width, gold_width)), how)
    assert found.decided
    assert found.largest
    assert len(found.pairs) == largest(actual, gold, (width, gold_width), how)
    assert holds(actual, gold, found.pairs, how)


@given(tables, tables, st.sampled_from(["list", "multiset", "set"]))
def test_whether_all_match_is_what_the_largest_match_says(
    one: tuple[int, Rows], other: tuple[int, Rows], how: As
) -> None:
    (width, actual), (gold_width, gold) = one, other
    width = min(width, gold_width)
    size = min(len(actual), len(gold))
    actual, gold = [row[:width] for row in actual[:size]], [row[:width] for row in gold[:size]]
    whole = len(assign(coded(actual, gold, (width, width)), how).pairs) == width
    assert all_match(actual, gold, width, how) == whole


@given(tables, st.randoms())
def test_shuffled_columns_and_rows_are_found_again(table: tuple[int, Rows], random: Random) -> None:
    width, gold = table
    order = random.sample(range(width), width)
    actual = [tuple(row[at] for at in order) for row in random.sample(list(gold), len(gold))]
    assert len(assign(coded(actual, gold, (width, width)), "multiset").pairs) == width


def test_columns_that_match_alone_but_not_together_do_not_match() -> None:
    gold, actual = [(1, "a"), (2, "b")], [(1, "b"), (2, "a")]
    assert assign(coded(actual, gold, (2, 2)), "multiset") == Assignment(((0, 0),))


def test_one_column_serves_one_column() -> None:
    assert len(assign(coded([(1,)], [(1, 1)], (1, 2)), "multiset").pairs) == 1


def test_columns_that_tie_are_paired_by_their_place() -> None:
    rows = [(1, 1, 2)]
    assert assign(coded(rows, rows, (3, 3)), "multiset").pairs == ((0, 0), (1, 1), (2, 2))


def test_a_search_that_would_not_end_says_that_it_does_not_know() -> None:
    random = Random(1)
    gold = [tuple(random.randint(0, 1) for _ in range(16)) for _ in range(200)]
    balanced = [tuple(column) for column in zip(*gold, strict=True)]
    columns = [sorted(column) for column in balanced]
    for column in columns:
        random.shuffle(column)
    actual = list(zip(*columns, strict=True))
    found = assign(coded(actual, gold, (16, 16)), "multiset", work=5_000)
    assert not found.largest
    assert all_match(gold, gold, 16, "multiset", work=5_000) is None


def test_wide_answers_are_not_searched() -> None:
    row = tuple(range(301))
    assert not assign(coded([row], [row], (301, 301)), "multiset").decided
    assert all_match([row], [row], 301, "multiset") is None
