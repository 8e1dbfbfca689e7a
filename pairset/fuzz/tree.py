"""A tree of random databases for a build: the third baseline, and the one that catches."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from random import Random

from db_execution.cells import Cell
from db_execution.client import Client
from db_execution.identifiers import quoted
from db_execution.writer import FailedStatement, Rows, write_rows
from pairset.baselines import (
    Making,
    database_path,
    declarations,
    original_units,
    served_as,
    terms_of,
    whole_tree,
)
from pairset.build import Build, Unit
from pairset.fuzz.checks import checked_values
from pairset.fuzz.fill import Filling, Pool
from pairset.fuzz.literals import At, Wanted, wanted_by
from pairset.fuzz.model import Table, Tables, classes, kinds, tables_of
from pairset.fuzz.placing import duplicate, place
from pairset.fuzz.repair import repair
from pairset.fuzz.values import beside, fitting
from pairset.ids import canonical_json
from pairset.scores.ddl import Ddl
from pairset.stages.schemas import schema_of
from pairset.trees import ORIGINAL
from sqltext.facts import analyse
from sqltext.lexer import fold
from sqltext.parse import release

_MOST_LITERALS = 60
_LONGEST = 200
_ROUNDS = 12


@dataclass(frozen=True, slots=True)
class FuzzSettings:
    """How a tree is filled: the seed; rows of a table that refers to no other; NULLs; originals.

    ``originals`` is how many values of each column are asked of the original database; 0 asks none.
    """

    seed: int
    rows: int = 24
    null_rate: float = 0.05
    originals: int = 8
    missing: bool = False


def fuzz_tree(build: Build, out: Path, settings: FuzzSettings) -> Making:
    """Make a random database for each of the original; of the missing ones as well if asked."""
    made = Making(rows=0)
    units = original_units(build)
    if settings.missing:
        units = [Unit(dataset, db_id) for _, dataset, db_id in build.store.places("schemas")]
    with whole_tree(out) as folder, build.client() as client:
        for unit in units:
            tree = served_as(build, unit)
            if tree is None:
                made.refused.append(f"{unit.dataset}/{unit.db_id}: no schema is known of it")
                continue
            database = _Database(build, client, unit, (tree, settings))
            rows, refused = database.write(database_path(folder, unit))
            made.databases += 1
            made.rows = (made.rows or 0) + rows
            made.refused += [f"{unit.dataset}/{unit.db_id}: {line}" for line in refused]
    return made


class _Database:
    """One database on its way."""

    def __init__(
        self, build: Build, client: Client, unit: Unit, how: tuple[str, FuzzSettings]
    ) -> None:
        self.build, self.client, self.unit = build, client, unit
        self.tree, self.settings = how
        self.schema = schema_of(build.store.read("schemas", *unit.place))
        seed = canonical_json([self.settings.seed, *unit.place])
        self.rng = Random(int.from_bytes(hashlib.sha256(seed).digest()))

    def write(self, path: Path) -> tuple[int, list[str]]:
        """Make the file; its rows, and what could not be made, in words."""
        ddl = self._ddl()
        golds = list(self._golds())
        plain = _plain(ddl)
        tables = tables_of(self.schema, set(plain), self.settings.rows)
        pools = self._pools(tables, golds, plain)
        filling = Filling(tables, pools, kinds(tables), self.rng, self.settings.null_rate)
        filling.fill()
        repair(tables)
        duplicate(tables, self.rng)
        place(filling, golds)
        repair(tables)
        refused = self._written(path, list(ddl.values()), filling)
        lines = Counter(map(_refusal, refused))
        said = [f"{line} ({times} times)" if times > 1 else line for line, times in lines.items()]
        return sum(table.rows for table in tables.values()), said

    def _written(self, path: Path, ddl: Sequence[str], filling: Filling) -> list[FailedStatement]:
        """Write the tables; rows that a constraint turns away are drawn again, then left out."""
        left_out: list[FailedStatement] = []
        for at in count():
            failed = write_rows(path, ddl, list(contents(filling.tables)))
            bad = [one for one in failed if one.row >= 0]
            if not bad:
                break
            if at < _ROUNDS:
                _redraw(filling, bad)
            else:
                _leave_out(filling.tables, bad)
                left_out += bad
            repair(filling.tables)
        return failed + left_out

    def _ddl(self) -> Ddl:
        return declarations(self.build, self.client, self.unit, self.tree)

    def _golds(self) -> Iterator[Wanted]:
        """What each gold wants, in the order of their ids."""
        columns = ["gold_id", "gold_sql", "parses"]
        for row in self.build.store.read("golds", *self.unit.place, columns=columns).to_pylist():
            if row["parses"]:
                facts = analyse(row["gold_sql"], self.schema)
                yield wanted_by(facts.scopes)
                release(facts.scopes.parsed.nodes)

    def _pools(
        self, tables: Tables, golds: Sequence[Wanted], plain: Mapping[str, str]
    ) -> dict[At, Pool]:
        """What each column draws from; columns that are equal somewhere share the golds' values.

        The constants of CHECK constraints are among them.
        """
        equal = ((l[1], r[1]) for gold in golds for l, r in gold.equal)  # noqa: E741
        known = (p for p in equal if all(_has(tables, at) for at in p))
        root = classes(tables, known)
        wanted: dict[At, dict[Cell, None]] = {}
        for bound in chain.from_iterable(gold.bounds for gold in golds):
            if _has(tables, bound.column):
                values = wanted.setdefault(root[bound.column], {})
                values.update(dict.fromkeys(beside(bound.value, bound.op)))
        for name, table in tables.items():
            for column, value in checked_values(plain[name], list(table.schema.folded)):
                values = wanted.setdefault(root[name, column], {})
                values.update(dict.fromkeys(beside(value, "=")))
        originals = self._originals(tables)
        held = kinds(tables)
        return {
            at: self._pool(wanted.get(root[at], {}), originals.get(at, ()), held[at]) for at in root
        }

    def _pool(self, values: Mapping[Cell, None], originals: Sequence[Cell], kind: str) -> Pool:
        """The golds' values and the original's, those of them that the column may hold."""
        found = dict.fromkeys(c for v in values for c in fitting(v, kind, originals))
        fits = list(found)
        if len(fits) > _MOST_LITERALS:
            fits = self.rng.sample(fits, _MOST_LITERALS)
        kept = dict.fromkeys(c for v in originals for c in fitting(v, kind, originals))
        return Pool(tuple(fits), tuple(kept))

    def _originals(self, tables: Tables) -> dict[At, tuple[Cell, ...]]:
        """A few values of each column of the original, drawn by the engine with our seed."""
        if self.tree != ORIGINAL or not self.settings.originals:
            return {}
        most = self.settings.originals
        asked = [
            ((name, column), _DRAW.format(c=quoted(said), t=quoted(table.schema.name), n=most))
            for name, table in tables.items()
            for column, said in zip(table.schema.folded, table.schema.columns, strict=True)
        ]
        terms = replace(
            terms_of(self.build, self.unit, ORIGINAL),
            want="rows",
            seed=self.settings.seed % 2**63,
            queries=tuple(sql for _, sql in asked),
        )
        answers = self.client.batch(terms) if asked else iter(())
        return {
            at: tuple(row[0] for row in answer.rows or ())
            for (at, _), answer in zip(asked, answers, strict=True)
        }


def _redraw(filling: Filling, bad: Sequence[FailedStatement]) -> None:
    """Draw the free columns of rows that were turned away again."""
    for one in bad:
        name = fold(one.table)
        table = filling.tables[name]
        for column in table.free():
            if not table.is_unique(column):
                table.columns[column][one.row] = filling.draw(name, column)


def _leave_out(tables: Tables, bad: Sequence[FailedStatement]) -> None:
    gone = {(fold(one.table), one.row) for one in bad}
    for name, table in tables.items():
        table.keep([at for at in range(table.rows) if (name, at) not in gone])


_DRAW = (
    "SELECT DISTINCT {c} FROM {t} WHERE {c} IS NOT NULL AND typeof({c}) <> 'blob' "
    f"AND length({{c}}) <= {_LONGEST} ORDER BY random() LIMIT {{n}}"
)


def _plain(ddl: Ddl) -> dict[str, str]:
    """The declarations of tables that hold rows, by folded name: no views, nothing virtual."""
    return {
        fold(name): text
        for (kind, name), text in ddl.items()
        if kind == "table" and not text.upper().startswith("CREATE VIRTUAL")
    }


def contents(tables: Tables) -> Iterator[Rows]:
    """The tables' rows, with the columns' names as they are declared."""
    for table in tables.values():
        names = [table.schema.columns[at] for at in table.schema.folded.values()]
        yield Rows(table.schema.name, names, table.tuples(tuple(table.schema.folded)))


def _has(tables: Tables, at: At) -> bool:
    table: Table | None = tables.get(at[0])
    return table is not None and at[1] in table.schema.folded


def _refusal(failed: FailedStatement) -> str:
    where = f"a row of {failed.table}" if failed.row >= 0 else failed.statement[:80]
    return f"{where}: {failed.reason}"
