"""Which databases a build has: the corpora's own (`original`), and empty ones from DDL (`schema`).

Nothing here opens a database. Those that come as scripts or DDL are made by the writer; what is in
one is asked of the executor.
"""

from collections.abc import Iterator
from pathlib import Path

from db_execution.endpoints import load_endpoints
from db_execution.writer import write_database
from pairset.build import Build, client_of
from pairset.config import AnyCorpus, Config, FinerCorpus, SampleCorpus
from pairset.corpus import databases_folder, declared_schemas, sample_scripts
from pairset.files import file_digest

ORIGINAL, SCHEMA = "original", "schema"


_NOT_YET = "to be made from its script"


def tree_folder(root: Path, tree: str) -> Path:
    """Where the databases lie that a build makes itself."""
    return root / "databases" / tree


def tree_specs(config: Config, root: Path) -> list[str]:
    """What the build's own executor has to serve, as ``NAME=DIR`` and ``NAME:DATASET=DIR``.

    The sample's databases are made on the way. The `schema` tree is there from the start and fills
    as databases turn out to be missing.
    """
    tree_folder(root, SCHEMA).mkdir(parents=True, exist_ok=True)
    specs = [f"{SCHEMA}={tree_folder(root, SCHEMA)}"]
    if config.executor.endpoints is None:
        specs += _original_specs(config, root)
    return specs


def _original_specs(config: Config, root: Path) -> Iterator[str]:
    for corpus in config.corpora:
        if isinstance(corpus, SampleCorpus):
            write_sample(root, corpus.dataset)
        for dataset, folder in _folders(corpus, root).items():
            yield f"{ORIGINAL}={folder}" if dataset == "*" else f"{ORIGINAL}:{dataset}={folder}"


def _folders(corpus: AnyCorpus, root: Path) -> dict[str, Path]:
    """Where a corpus's databases lie, by dataset; ``*`` stands for every dataset of its rows."""
    if isinstance(corpus, SampleCorpus):
        return {corpus.dataset: tree_folder(root, ORIGINAL) / corpus.dataset}
    if isinstance(corpus, FinerCorpus) and isinstance(corpus.databases, dict):
        return dict(corpus.databases)
    folder = databases_folder(corpus)
    if folder is None:
        return {}
    return {"*" if isinstance(corpus, FinerCorpus) else corpus.dataset: folder}


def write_sample(root: Path, dataset: str) -> None:
    """Make the sample's databases, those that are not there yet."""
    for db_id, script in sample_scripts().items():
        path = _database(tree_folder(root, ORIGINAL) / dataset, db_id)
        if not path.exists():
            write_database(path, script)


def database_digest(build: Build, dataset: str, db_id: str) -> str | None:
    """The sha256 of a database of the original tree, or None where there is none.

    A folder's database is digested here, so that a build can see without an executor that there is
    nothing to do; where endpoints are named, they are asked.
    """
    named = build.config.executor.endpoints
    if named is not None:
        there = build.once("served", lambda: _served(named))
        return there.get((dataset, db_id)) or there.get(("*", db_id))
    path = database_file(build, dataset, db_id)
    if path is not None:
        return build.once(f"digest {path}", lambda: file_digest(path))
    samples = [c.dataset for c in build.config.corpora if isinstance(c, SampleCorpus)]
    return _NOT_YET if dataset in samples else None


def database_file(build: Build, dataset: str, db_id: str) -> Path | None:
    """Where a database of the original tree lies; None where it is missing, or behind endpoints."""
    if build.config.executor.endpoints is not None:
        return None
    for corpus in build.config.corpora:
        folders = _folders(corpus, build.root)
        folder = folders.get(dataset) or folders.get("*")
        if folder is not None and (path := _database(folder, db_id)).is_file():
            return path
    return None


def _served(endpoints: Path) -> dict[tuple[str, str], str]:
    # Before anything is made, an executor that does not answer is one to be started.
    with client_of(load_endpoints(endpoints), retry_for=5.0) as client:
        return client.databases(ORIGINAL)


def declared_schema(build: Build, dataset: str, db_id: str) -> str | None:
    """The DDL that a corpus declares for a database, or None."""
    for corpus in build.config.corpora:
        if isinstance(corpus, FinerCorpus) or corpus.dataset == dataset:
            declared = _declared(build, corpus, dataset)
            if db_id in declared:
                return declared[db_id]
    return None


def _declared(build: Build, corpus: AnyCorpus, dataset: str) -> dict[str, str]:
    name = f"schemas {corpus.name} {dataset}"
    return build.once(name, lambda: declared_schemas(corpus, dataset=dataset))


def write_empty(build: Build, dataset: str, db_id: str, ddl: str) -> list[tuple[str, str]]:
    """Make the `schema` tree's database from its DDL; each statement that failed, and why."""
    path = _database(tree_folder(build.root, SCHEMA) / dataset, db_id)
    return [(failed.statement, failed.reason) for failed in write_database(path, ddl)]


def _database(folder: Path, db_id: str) -> Path:
    return folder / db_id / f"{db_id}.sqlite"
