"""The report laid out as tables of texts: what the terminal, the page and nobody else needs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pairset.scores.rates import ALL_FLAGS, TOTAL, WITHOUT

Report = dict[str, Any]
Row = dict[str, Any]
DASH = "-"
_GROUPINGS = {
    "dataset": "By dataset",
    "mutation_class": "By kind of difference",
    "operator": "By operator (mutants of one edit)",
    "order": "By order (edits of a mutant)",
}


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a title, its columns' heads, its rows, and a sentence below it."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns hold numbers, to be set to the right."""
        columns = range(len(self.heads))
        return tuple(at > 0 and all(_is_number(row[at]) for row in self.rows) for at in columns)


def tables(found: Report) -> Iterator[Table]:
    """Every table of the report, the most important first; tables with no row are left out."""
    made = (
        _totals(found), _beside(found), _without(found), _duels(found),
        *(_grouping(found, name, title) for name, title in _GROUPINGS.items()),
        _constraints(found), _broken(found), _not_scored(found), _unasked(found),
    )  # fmt: skip
    yield from (table for table in made if table.rows)


def head(found: Report) -> str:
    """What the rates are over, in a sentence or two."""
    tied = found["tied_set"]
    text = (
        f"{tied['pairs']:,} tied pairs count, the same for every tree; "
        f"their digest is {tied['sha256']}."
    )
    if tied["left_out"]:
        why = ", ".join(f"{count:,} {name}" for name, count in tied["left_out"].items())
        return f"{text} Left out by the audit: {why}."
    if not tied["audited"]:
        return f"{text} There is no audit in this build, so no pair is left out."
    return f"{text} The audit leaves none out."


def percent(rate: float | None) -> str:
    """A rate as it is read; a dash where there is none.

    >>> percent(0.12345), percent(None)
    ('12.3 %', '-')
    """
    return DASH if rate is None else f"{100 * rate:.1f} %"


def select(found: Report, **wanted: str) -> list[Row]:
    """The rows of the catch rates that have just those keys."""
    key = {"reading": "canonical", "without": ""} | wanted
    return [row for row in found["catch_rates"] if all(row[name] == key[name] for name in key)]


def names(found: Report) -> list[str]:
    """The trees in the order that they were asked for."""
    return [tree["name"] for tree in found["trees"]]


def _totals(found: Report) -> Table:
    rows = []
    for canonical in select(found, grouping=TOTAL):
        (as_sets,) = select(found, grouping=TOTAL, tree=canonical["tree"], reading="set")
        rows.append(
            (
                canonical["tree"],
                _count(canonical["pairs"]),
                _count(canonical["separated"]),
                percent(canonical["catch_rate"]),
                _interval(canonical),
                percent(canonical["macro_catch_rate"]),
                percent(as_sets["catch_rate"]),
                _interval(as_sets),
                _count(as_sets["unknown"]),
            )
        )
    return Table(
        "Catch rates",
        ("tree", "pairs", "separated", "catch rate", "95 %", "macro", "as sets", "95 %", "unknown"),
        tuple(rows),
        "Separated of the tied pairs. The interval is drawn over databases; macro is the mean of "
        "the databases' own rates. As sets is BIRD's rule: order and repetition of rows are no "
        "matter. Unknown pairs have too many rows for that, and count as not separated.",
    )


def _beside(found: Report) -> Table:
    rows = tuple(
        (
            row["tree"],
            *(_count(row[name]) for name in ("golds", "golds_empty", "golds_failing")),
            *(_count(row[name]) for name in ("neighbors_failing", "not_run")),
            _count(row["lost"]) if found["lost_asked"] else DASH,
            _count(row["originally_separated"]) if found["lost_asked"] else DASH,
        )
        for row in select(found, grouping=TOTAL)
    )
    heads = (
        "tree", "golds", "empty", "failing", "neighbours failing", "pairs not run", "lost",
        "of separated",
    )  # fmt: skip
    note = (
        "Never folded into a rate. Golds with no row, golds and neighbours (by pair) that did not "
        "run, pairs whose database could not be asked. Lost are pairs that the original separates "
        "and the tree ties."
    )
    return Table("Beside the rates", heads, rows, note)


def _without(found: Report) -> Table:
    rows = []
    record = {row["tree"]: row["pairs"] for row in select(found, grouping=TOTAL)}
    for without in WITHOUT[1:]:
        name = "all of these" if without == ALL_FLAGS else without
        cells = [
            f"{percent(row['catch_rate'])} ({_count(record[row['tree']] - row['pairs'])} flagged)"
            for row in select(found, grouping=TOTAL, without=without)
        ]
        rows.append((name, *cells))
    note = (
        "Catch rates of the pairs that are left, and how many are flagged. The record is the first "
        "table: a flag never changes a label."
    )
    return Table("Without the pairs of a flag", ("flag", *names(found)), tuple(rows), note)


def _duels(found: Report) -> Table:
    rows = tuple(
        (
            row["tree"], row["other"], row["reading"],
            *(_count(row[name]) for name in ("won", "lost", "both", "neither")),
            f"{row['p_value']:.2g}",
        )
        for row in found["tree_duels"]
    )  # fmt: skip
    return Table(
        "Tree against tree, pair by pair",
        ("tree", "other", "reading", "won", "lost", "both", "neither", "p"),
        rows,
        "Won are the pairs that the tree alone separates, lost those that the other alone does. "
        "p is McNemar's, exact.",
    )


def _grouping(found: Report, grouping: str, title: str) -> Table:
    trees = names(found)
    pairs: dict[str, int] = {}
    cells: dict[tuple[str, str], str] = {}
    for row in select(found, grouping=grouping):
        pairs[row["member"]] = max(pairs.get(row["member"], 0), row["pairs"])
        cells[row["member"], row["tree"]] = (
            f"{_count(row['separated'])} ({percent(row['catch_rate'])})"
        )
    rows = tuple(
        (member, _count(count), *(cells.get((member, tree), DASH) for tree in trees))
        for member, count in sorted(pairs.items())
        if count
    )
    return Table(title, (grouping.replace("_", " "), "pairs", *trees), rows)


def _constraints(found: Report) -> Table:
    names = ("rows", "foreign_keys_broken", "null_in_keys", "wrong_types")
    rows = []
    for tree in found["trees"]:
        counted = tree["constraints"]
        rows.append((tree["name"], *(_count(counted[name]) for name in names)))
    if found["trees"]:
        counted = found["trees"][0]["constraints"]
        rows.append(("original", *(_count(counted[f"original_{name}"]) for name in names)))
    heads = ("tree", "rows", "foreign keys broken", "NULL in keys", "wrong types")
    note = "Counted rows and cells that break what the schema declares; SQLite lets them in."
    return Table("What the databases break of their schema", heads, tuple(rows), note)


def _broken(found: Report) -> Table:
    rows = tuple(
        (tree["name"], f"{one['dataset']}/{one['db_id']}", ", ".join(one["breaks"][:5]))
        for tree in found["trees"]
        for one in tree["breaks"]
    )
    title = "Declarations that a tree breaks and the original keeps"
    return Table(title, ("tree", "database", "what"), rows, "Scored all the same.")


def _not_scored(found: Report) -> Table:
    rows = [
        (
            tree["name"],
            f"{one['dataset']}/{one['db_id']}",
            one["status"].replace("_", " "),
            one["note"],
        )
        for tree in found["trees"]
        for one in tree["not_scored"]
    ]
    return Table(
        "Databases not scored",
        ("tree", "database", "what", "why"),
        tuple(rows),
        "Their pairs count as not separated.",
    )


def _unasked(found: Report) -> Table:
    rows = tuple(
        (tree["name"], _count(len(extra)), ", ".join(extra[:5]))
        for tree in found["trees"]
        if (extra := tree["not_of_the_build"])
    )
    title = "Databases that no pair is about"
    return Table(title, ("tree", "databases", "the first of them"), rows)


def _is_number(text: str) -> bool:
    return text == DASH or text[:1].isdigit()


def _interval(row: Row) -> str:
    if row["low"] is None or row["high"] is None:
        return DASH
    return f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"


def _count(number: int) -> str:
    return f"{number:,}"


__all__: Sequence[str] = ["Report", "Table", "head", "names", "percent", "select", "tables"]
