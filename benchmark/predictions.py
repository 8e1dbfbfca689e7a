"""A predictions file as a run in memory: an id and a query a record, or a line a task."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from benchmark.errors import BenchmarkError, several, shown
from benchmark.files import BARE, RECORDS, Records, read_records, text_lines
from benchmark.ids import task_id
from benchmark.run import Attempt, Run
from benchmark.tasks import Tasks

ID_KEYS = ("task_id", "question_id", "instance_id", "id")
SQL_KEYS = ("sql", "gen_sql", "SQL", "predicted_sql", "prediction", "query")
BIRD_MARK = "\t----- bird -----\t"


def read_predictions(path: Path, tasks: Tasks, *, id_key: str = "", sql_key: str = "") -> Run:
    """The run that a csv, tsv, json, jsonl or bare text file stands for.

    A record's ``sql`` of null is an attempt without SQL; a task that no record names was not
    executed. Lines of bare text carry ids (``id``, tab, SQL), or are as many as the tasks.
    """
    if path.suffix.lower() in RECORDS:
        records = read_records(path, id_key or ID_KEYS[0])
        pairs, notes = list(_records(records, tasks, id_key, sql_key)), records.notes
    else:
        pairs, notes = list(_lines(path, tasks)), ()
    attempts: dict[str, Attempt] = {}
    for name, sql in _known(pairs, tasks.names, path):
        if name in attempts:
            raise BenchmarkError(f"{path}: the task {name} stands there twice")
        attempts[name] = Attempt(task_id=name, sql=sql)
    return Run(path.stem, attempts, notes)


def _known(
    pairs: Iterable[tuple[str, str | None]], names: Mapping[str, str], path: Path
) -> Iterator[tuple[str, str | None]]:
    found = list(pairs)
    if unknown := [name for name, _ in found if name not in names]:
        example = next(iter(names), "none")
        raise BenchmarkError(
            f"{path}: no task has the id {several(unknown)}; ids look like {shown(example)}"
        )
    return ((names[name], sql) for name, sql in found)


def _records(
    records: Records, tasks: Tasks, id_key: str, sql_key: str
) -> Iterator[tuple[str, str | None]]:
    if all(BARE in one for one in records.records):
        id_key, sql_key = id_key or ID_KEYS[0], BARE
    else:
        id_key = _key(records, id_key, ID_KEYS, "id")
        sql_key = _key(records, sql_key, SQL_KEYS, "SQL")
    databases = {one.task_id: one.db_id for one in tasks.tasks}
    names = tasks.names
    for position, record in enumerate(records.records):
        name = record.get(id_key, "")
        if not isinstance(name, str) or name not in names:
            name = task_id(name, records.place(position))
        sql, db_id = record.get(sql_key), record.get("db_id")
        if sql is not None and not isinstance(sql, str):
            place = records.place(position)
            raise BenchmarkError(f"{place}: the SQL is {shown(sql)}; expected a text or null")
        if sql is not None and BIRD_MARK in sql:
            sql, _, db_id = sql.partition(BIRD_MARK)
        own = databases.get(names.get(name, ""))
        if own and isinstance(db_id, str) and db_id.strip() not in ("", own):
            place, said = records.place(position), shown(db_id.strip())
            raise BenchmarkError(f"{place}: task {name} is about the database {own}, not {said}")
        yield name, sql


def _key(records: Records, asked: str, usual: tuple[str, ...], what: str) -> str:
    there = records.keys()
    if asked:
        records.demand(asked, what)
        return asked
    found = [key for key in usual if key in there]
    if not found:
        names = ", ".join(map(shown, there))
        raise BenchmarkError(
            f"{records.path}: no key holds the {what}: looked for {', '.join(usual)}; "
            f"the file has: {names}"
        )
    return found[0]


def _lines(path: Path, tasks: Tasks) -> Iterator[tuple[str, str | None]]:
    lines = text_lines(path)
    heads = [line.partition("\t") for line in lines]
    names = tasks.names
    if all(tab and head.strip() in names for head, tab, _ in heads):
        yield from ((head.strip(), sql) for head, _, sql in heads)
        return
    in_order = sorted(tasks.tasks, key=lambda one: one.position)
    if len(lines) != len(in_order):
        raise BenchmarkError(
            f"{path}: {len(lines)} lines for {len(in_order)} tasks; lines without ids must be as "
            "many, or each must be an id, a tab and the SQL"
        )
    yield from ((one.task_id, line) for one, line in zip(in_order, lines, strict=True))
