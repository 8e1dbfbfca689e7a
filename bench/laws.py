"""What holds of every pair that the grammar made, asked of the rows of a build.

A law is a name and a check of one mutant; what breaks one is listed with the texts.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlglot
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from pairset import ids
from sqltext.classify import aspects, strategy_family
from sqltext.errors import NotAQuery
from sqltext.facts import Reading, read
from sqltext.schema import Schema

Row = Mapping[str, Any]
SHOWN = 20  # broken laws that are listed in full


@dataclass(slots=True)
class Found:
    """What was counted, and the laws that were broken."""

    counts: Counter[str] = field(default_factory=Counter)
    broken: list[dict[str, str]] = field(default_factory=list)

    def fail(self, law: str, row: Row, said: str = "") -> None:
        """Note a broken law."""
        self.counts["broken"] += 1
        if len(self.broken) < SHOWN:
            self.broken.append({
                "law": law, "said": said, "database": f"{row['dataset']}/{row['db_id']}",
                "operator": row["operator"], "gold": row["gold_sql"], "mutant": row["neighbor_sql"],
            })  # fmt: skip


def check_gold(rows: Sequence[Row], schema: Schema, found: Found, every_id: set[str]) -> None:
    """All laws over the mutants of one gold, which are ``rows``."""
    gold = read(rows[0]["gold_sql"], schema)
    exact = {gold.exact}
    found.counts["golds"] += 1
    for row in rows:
        found.counts["mutants"] += 1
        _check_id(row, found, every_id)
        _check_text(row, found)
        try:
            mutant = read(row["neighbor_sql"], schema)
        except NotAQuery as error:
            found.fail("parses", row, str(error))
            continue
        if mutant.exact in exact:
            found.fail("exact form is neither the gold's nor a sibling's", row)
        exact.add(mutant.exact)
        for said in _otherwise(row, gold, mutant):
            found.fail("its text says what its row says", row, said)


def _check_id(row: Row, found: Found, every_id: set[str]) -> None:
    fields = row["dataset"], row["db_id"], row["gold_sql"], row["neighbor_sql"]
    if row["pair_id"] != ids.pair_id(*fields):
        found.fail("the id is the digest of the row", row)
    if row["pair_id"] in every_id:
        found.fail("ids are unique", row)
    every_id.add(row["pair_id"])


def _check_text(row: Row, found: Found) -> None:
    """One edit: what is outside its span is the gold's, character by character."""
    gold, mutant = row["gold_sql"], row["neighbor_sql"]
    if row["order"] == 1:
        start, end = row["edit_start"], row["edit_end"]
        written = len(mutant) - start - (len(gold) - end)
        if written < 0 or mutant != gold[:start] + mutant[start : start + written] + gold[end:]:
            found.fail("verbatim outside the span", row)
    elif row["parent_sql"] in (gold, mutant):
        found.fail("the query between two edits is neither end", row)


def _otherwise(row: Row, gold: Reading, mutant: Reading) -> Iterator[str]:
    """What a fresh reading of the mutant's text says otherwise than its row."""
    fresh = {
        "neighbor_l1": mutant.structural,
        "neighbor_family": mutant.family,
        "neighbor_nondeterministic": mutant.nondeterministic,
        "mutation_aspects": list(aspects(gold.features, mutant.features)),
        "strategy_family": strategy_family(gold.features, mutant.features),
    }
    for column, value in fresh.items():
        if row[column] != value:
            yield f"{column}: {row[column]!r} in the table, {value!r} from the text"


def second_opinion(rows: Sequence[Row], found: Found, kinds: Counter[str]) -> None:
    """What sqlglot says of the mutants of one gold: parsed or not, and the gold's form or not."""
    own = _sqlglot_form(rows[0]["gold_sql"])
    if own is None:
        found.counts["golds_sqlglot_does_not_parse"] += 1
        return
    for row in rows:
        found.counts["asked_of_sqlglot"] += 1
        form = _sqlglot_form(row["neighbor_sql"])
        if form is None:
            kinds[f"does not parse: {_codes(row)}"] += 1
        elif form == own:
            kinds[f"same as the gold: {_codes(row)}"] += 1
        else:
            found.counts["sqlglot_agrees"] += 1


def _codes(row: Row) -> str:
    return str(row["operator"]) if row["order"] == 1 else "two edits"


def _sqlglot_form(sql: str) -> str | None:
    try:
        query = sqlglot.parse_one(sql, dialect="sqlite")
        return str(normalize_identifiers(query, dialect="sqlite").sql(dialect="sqlite"))
    except (SqlglotError, RecursionError):
        return None
