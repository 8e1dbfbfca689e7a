"""The whole config: corpora, generators, executor, trees, output, workers."""

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from pairset.config.corpora import AnyCorpus
from pairset.config.values import (
    MAX_WORKERS,
    File,
    Folder,
    Instant,
    LicenseId,
    Name,
    Part,
    PlainPath,
    RepoName,
    TagName,
    Zone,
    cores,
)

WORKERS = f"a whole number from 1 to {MAX_WORKERS}"
# The sample's databases have tens of rows: what takes longer than this never ends.
SAMPLE_VM_STEPS = 5_000_000
TERMS = (
    "This data is made from a training corpus and says where executing a query cannot tell it from "
    "a wrong one. Say who you are and what you will use it for; each request is read by a person."
)
RESERVED_TREES = ("original", "schema")


class Mutants(Part):
    """The mutant grammar: how many neighbours a gold gets, and how edits come in pairs."""

    enabled: bool = Field(default=True, description="true or false")
    cap: int = Field(default=72, ge=1, le=10_000, description="a whole number from 1 to 10000")
    second_order: bool = Field(default=True, description="true or false")
    weights: Literal["observed", "uniform"] = Field(
        default="observed", description="'observed' or 'uniform'"
    )


class Generators(Part):
    """Who writes neighbours: the corpus's own references, and the grammar."""

    enrichment: bool = Field(default=True, description="true or false")
    mutants: Mutants = Field(default=Mutants(), description="a table")


class Executor(Part):
    """The db_execution service that runs the queries, or what one is started with."""

    workers: int = Field(default_factory=cores, ge=1, le=MAX_WORKERS, description=WORKERS)
    endpoints: File | None = Field(default=None, description="a JSON file, as text in quotes")
    timeout_s: float = Field(default=120, ge=1, le=3600, description="seconds, from 1 to 3600")
    max_vm_steps: int = Field(
        default=3_000_000_000, ge=1000, le=10**13, description="a whole number from 1000 to 10^13"
    )
    clock: Instant = Field(
        default="2026-01-01T00:00:00Z", description="an instant, as text in quotes"
    )
    seed: int = Field(default=0, ge=0, lt=2**63, description="a whole number from 0 to 2^63 - 1")
    cache: PlainPath | None = Field(default=None, description="a folder, as text in quotes")
    cache_mib: int = Field(default=64, ge=1, le=2**20, description="MiB, from 1 to 1048576")
    runner: Literal["threads", "processes", "dask", "ray"] = Field(
        default="threads", description="'threads', 'processes', 'dask' or 'ray'"
    )
    cluster: str | None = Field(default=None, description="a scheduler's address, as text")


class Schedule(Part):
    """When `pairset serve` has the whole chain made, and what becomes of an outage."""

    cron: str = Field(default="0 2 * * *", description="a cron line, as text in quotes")
    timezone: Zone = Field(default="UTC", description="a time zone, such as 'Europe/Paris'")
    retries: int = Field(default=3, ge=0, le=100, description="a whole number from 0 to 100")
    retry_delay_s: float = Field(
        default=300, ge=0, le=86_400, description="seconds, from 0 to 86400"
    )


class Output(Part):
    """Where the tables go: ``<data>/<build>/``."""

    data: PlainPath = Field(description="a folder, as text in quotes; it is made")
    build: Name = Field(description="a folder's name, as text in quotes")


class Publication(Part):
    """Where a build is published, and on which terms. Access is always granted by hand."""

    repo: RepoName | None = Field(default=None, description="'owner/name', as text in quotes")
    public: bool = Field(default=False, description="true or false")
    create: bool = Field(default=True, description="true or false")
    license: LicenseId = Field(
        default="other", description="an id the Hub knows, as text in quotes"
    )
    tag: TagName | None = Field(default=None, description="a version's name, as text in quotes")
    terms: str = Field(default=TERMS, min_length=1, description="text, as text in quotes")


class Config(Part):
    """All that a build is told. Without a word it is the embedded sample corpus."""

    corpora: tuple[AnyCorpus, ...] = Field(
        strict=False, min_length=1, description="one or more tables [[corpora]]"
    )
    workers: int = Field(default_factory=cores, ge=1, le=MAX_WORKERS, description=WORKERS)
    generators: Generators = Field(default=Generators(), description="a table")
    executor: Executor = Field(description="a table")
    trees: dict[Name, Folder] = Field(default={}, description="a table: name = folder")
    output: Output = Field(description="a table")
    publication: Publication = Field(default=Publication(), description="a table")
    schedule: Schedule = Field(default=Schedule(), description="a table")

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, data: Any) -> Any:
        """Put in what other keys decide: the corpora, the build's name, the executor's workers."""
        if not isinstance(data, dict):
            return data
        corpora = data.get("corpora", [{"layout": "sample"}])
        sample = _is_sample_alone(corpora)
        build = "sample" if sample else "main"
        workers = {"workers": data["workers"]} if "workers" in data else {}
        budget = {"max_vm_steps": SAMPLE_VM_STEPS} if sample else {}
        return data | {
            "corpora": corpora,
            "executor": _over(workers | budget, data.get("executor", {})),
            "output": _over({"data": "data", "build": build}, data.get("output", {})),
        }

    @field_validator("corpora")
    @classmethod
    def _named_apart(cls, corpora: tuple[AnyCorpus, ...]) -> tuple[AnyCorpus, ...]:
        seen: dict[str, int] = {}
        for i, corpus in enumerate(corpora):
            if (first := seen.setdefault(corpus.dataset, i)) != i:
                raise ValueError(f"corpora[{first}] and [{i}] are both named {corpus.dataset!r}")
        return corpora

    @field_validator("trees")
    @classmethod
    def _free_names(cls, trees: dict[str, Path]) -> dict[str, Path]:
        if taken := [name for name in RESERVED_TREES if name in trees]:
            raise ValueError(f"{taken[0]!r} is a tree of every build; choose another name")
        return trees


def _over(defaults: dict[str, Any], given: Any) -> Any:
    return defaults | given if isinstance(given, dict) else given


def _is_sample_alone(corpora: Any) -> bool:
    """Whether the sample corpus is the only one, under whatever name."""
    if not isinstance(corpora, list | tuple) or len(corpora) != 1:
        return False
    [only] = corpora
    layout = only.get("layout") if isinstance(only, dict) else getattr(only, "layout", None)
    return layout == "sample"
