"""What a config says of a corpus: one model a layout, so that each layout has its own keys."""

from typing import Annotated, Literal

from pydantic import Field

from pairset.config.values import File, Files, Folder, Folders, Name, Part, QuestionFile

FOLDER = "a folder, as text in quotes"
DATABASES = "a folder that holds <db_id>/<db_id>.sqlite, as text in quotes"
SCHEMAS = "a JSON file (Spider's tables.json, or db_id -> DDL), as text in quotes"
SPLIT = "the split these rows are, as text in quotes"
SPLITS = "a list of split names, each of which has a <split>.json"
COLUMN = "the name of a column, as text in quotes"

Splits = Annotated[tuple[Name, ...], Field(strict=False, min_length=1)]


class CorpusConfig(Part):
    """What every corpus has, whatever its layout."""

    layout: str
    name: Name = Field(description="the dataset's name, as text in quotes")
    on_missing: Literal["stop", "skip"] = Field(default="stop", description="'stop' or 'skip'")
    allow_evaluation_data: bool = Field(default=False, description="true or false")

    @property
    def dataset(self) -> str:
        """The dataset of its samples; rows of the FINER layout name their own."""
        return self.name.lower()


class SpiderCorpus(CorpusConfig):
    """Spider as it is released."""

    layout: Literal["spider"] = "spider"
    path: Folder = Field(description=FOLDER)
    splits: Splits = Field(default=("train_spider", "train_others"), description=SPLITS)
    databases: Folder | None = Field(default=None, description=DATABASES)
    schemas: File | None = Field(default=None, description=SCHEMAS)


class BirdCorpus(CorpusConfig):
    """BIRD as it is released."""

    layout: Literal["bird"] = "bird"
    path: Folder = Field(description=FOLDER)
    splits: Splits = Field(default=("train",), description=SPLITS)
    databases: Folder | None = Field(default=None, description=DATABASES)
    schemas: File | None = Field(default=None, description=SCHEMAS)


class FinerCorpus(CorpusConfig):
    """A Hugging Face dataset saved to disk in the FINER-SQL layout.

    Its rows may be of several datasets, whose databases lie apart: ``databases`` and ``schemas``
    may be tables with an entry a ``dataset_name``.
    """

    layout: Literal["finer"] = "finer"
    path: Folder = Field(description="the folder that holds state.json, as text in quotes")
    split: Name | None = Field(default=None, description=SPLIT)
    databases: Folders | None = Field(default=None, description=f"{DATABASES}, or a table of them")
    schemas: Files | None = Field(default=None, description=f"{SCHEMAS}, or a table of them")


class TasksCorpus(CorpusConfig):
    """A question file, as text-to-SQL benchmarks have it, with its columns named."""

    layout: Literal["tasks"] = "tasks"
    file: QuestionFile = Field(description="a .csv, .tsv, .json or .jsonl file, as text in quotes")
    split: Name = Field(description=SPLIT)
    question_key: str = Field(description=COLUMN)
    db_key: str = Field(description=COLUMN)
    gold_key: str = Field(description=COLUMN)
    id_key: str | None = Field(default=None, description=COLUMN)
    evidence_key: str | None = Field(default=None, description=COLUMN)
    references_key: str | None = Field(default=None, description=COLUMN)
    databases: Folder | None = Field(default=None, description=DATABASES)
    schemas: File | None = Field(default=None, description=SCHEMAS)


class SampleCorpus(CorpusConfig):
    """The corpus that comes with the package."""

    layout: Literal["sample"] = "sample"
    name: Name = Field(default="sample", description="the dataset's name, as text in quotes")


LAYOUTS: dict[str, type[CorpusConfig]] = {
    "spider": SpiderCorpus,
    "bird": BirdCorpus,
    "finer": FinerCorpus,
    "tasks": TasksCorpus,
    "sample": SampleCorpus,
}
AnyCorpus = Annotated[
    SpiderCorpus | BirdCorpus | FinerCorpus | TasksCorpus | SampleCorpus,
    Field(discriminator="layout"),
]
