"""What random filling leaves wrong, put right: keys that repeat, foreign keys that lead nowhere."""

from __future__ import annotations

from pairset.fuzz.model import Reference, Table, Tables


def repair(tables: Tables) -> int:
    """Take away rows until every key and foreign key holds; how many went.

    A foreign key that leads nowhere is made NULL where that is declared to be allowed.
    """
    before = sum(table.rows for table in tables.values())
    changed = True
    while changed:
        changed = any([_keyed(table) for table in tables.values()])
        for table in tables.values():
            changed |= any([_referred(tables, table, one) for one in table.references])
            changed |= _not_null(table)
    return before - sum(table.rows for table in tables.values())


def _keyed(table: Table) -> bool:
    """Keep the first row of each key, and none without one."""
    kept = list(range(table.rows))
    for key in table.keys:
        seen: set[object] = set()
        found = []
        for at in kept:
            value = tuple(table.columns[column][at] for column in sorted(key))
            if None not in value and value not in seen:
                seen.add(value)
                found.append(at)
        kept = found
    return _kept(table, kept)


def _referred(tables: Tables, table: Table, reference: Reference) -> bool:
    parents = set(tables[reference.table].tuples(reference.other))
    lost = [
        at
        for at, value in enumerate(table.tuples(reference.own))
        if None not in value and value not in parents
    ]
    if lost and all(table.may_be_null(column) for column in reference.own):
        for at in lost:
            for column in reference.own:
                table.columns[column][at] = None
        return True
    gone = set(lost)
    return _kept(table, [at for at in range(table.rows) if at not in gone])


def _not_null(table: Table) -> bool:
    """No row with NULL where none may be."""
    names = [c for c, at in table.schema.folded.items() if table.schema.not_null[at]]
    kept = [at for at in range(table.rows) if all(table.columns[c][at] is not None for c in names)]
    return _kept(table, kept)


def _kept(table: Table, kept: list[int]) -> bool:
    if len(kept) == table.rows:
        return False
    table.keep(kept)
    return True
