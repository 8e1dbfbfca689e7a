"""Which databases a corpus has on disk, and the DDL it declares for those it lacks."""

import re
from pathlib import Path
from typing import Any

from pairset.config import (
    BirdCorpus,
    CorpusConfig,
    FinerCorpus,
    SampleCorpus,
    SpiderCorpus,
    TasksCorpus,
)
from pairset.corpus import bird
from pairset.corpus.common import BadFile, CorpusError, Inputs, parsed_json, shown
from pairset.corpus.sample import sample_scripts
from pairset.corpus.tables_json import ddl

# SQLite keeps these tables itself, and refuses to be told to make them.
_INTERNAL = re.compile(r"CREATE\s+TABLE\s+[\"`\[]?sqlite_\w*[\"`\]]?\s*\([^()]*\)\s*;?", re.I)


def databases_folder(spec: CorpusConfig, *, dataset: str | None = None) -> Path | None:
    """Where a corpus's databases lie: as declared, else where its layout has them, if they do.

    ``dataset`` counts for the FINER layout alone, whose rows may be of several datasets.
    """
    match spec:
        case FinerCorpus(databases=dict() as folders):
            return folders.get(dataset or "")
        case FinerCorpus(databases=Path() as folder) | TasksCorpus(databases=Path() as folder):
            return folder
        case SpiderCorpus():
            return spec.databases or _if_there(spec.path / "database")
        case BirdCorpus(path=path, splits=(split, *_)):
            return spec.databases or _if_there(bird.home(path, split) / f"{split}_databases")
    return None


def schemas_file(spec: CorpusConfig, *, dataset: str | None = None) -> Path | None:
    """The file that declares a corpus's schemas, found as its databases are."""
    match spec:
        case FinerCorpus(schemas=dict() as files):
            return files.get(dataset or "")
        case FinerCorpus(schemas=Path() as file) | TasksCorpus(schemas=Path() as file):
            return file
        case SpiderCorpus():
            return spec.schemas or _if_there(spec.path / "tables.json")
        case BirdCorpus(path=path, splits=(split, *_)):
            return spec.schemas or _if_there(bird.home(path, split) / f"{split}_tables.json")
    return None


def known_databases(spec: CorpusConfig, *, dataset: str | None = None) -> set[str]:
    """The databases that are there, by the names of folders and files; none is opened."""
    if isinstance(spec, SampleCorpus):
        return set(sample_scripts())
    folder = databases_folder(spec, dataset=dataset)
    if folder is None:
        return set()
    return {one.name for one in folder.iterdir() if (one / f"{one.name}.sqlite").is_file()}


def declared_schemas(spec: CorpusConfig, *, dataset: str | None = None) -> dict[str, str]:
    """The DDL of every database that the corpus declares, by ``db_id``."""
    file = schemas_file(spec, dataset=dataset)
    if file is None:
        return {}
    found = {}
    for db_id, schema in read_schemas(spec, file, Inputs()).items():
        try:
            found[db_id] = _INTERNAL.sub("", schema) if isinstance(schema, str) else ddl(schema)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            what = f"no schema of Spider's form ({type(error).__name__}: {error})"
            place = f"schemas/{file.name}, db_id {shown(db_id)}"
            raise CorpusError(f"{spec.name}: {place}: {what}") from None
    return found


def declared_ddl(spec: CorpusConfig, db_id: str, *, dataset: str | None = None) -> str | None:
    """The DDL of one database; for many, ``declared_schemas`` reads the file once."""
    return declared_schemas(spec, dataset=dataset).get(db_id)


def read_schemas(spec: CorpusConfig, file: Path, inputs: Inputs) -> dict[str, Any]:
    """The schemas in a file by ``db_id``: DDL, or an entry of Spider's tables.json."""
    name = f"schemas/{file.name}"
    try:
        value = parsed_json(inputs.text(file, name), name)
    except BadFile as bad:
        raise CorpusError(f"{spec.name}: {bad.fault.place}: {bad.fault.note}") from None
    if isinstance(value, list):
        value = {one.get("db_id"): one for one in value if isinstance(one, dict)}
    if not isinstance(value, dict) or not all(_is_schema(*item) for item in value.items()):
        what = "expected Spider's tables.json, or an object of db_id and DDL"
        raise CorpusError(f"{spec.name}: {name}: {what}; found something else")
    return value


def _is_schema(db_id: object, schema: object) -> bool:
    return isinstance(db_id, str) and isinstance(schema, str | dict)


def _if_there(path: Path) -> Path | None:
    return path if path.exists() else None
