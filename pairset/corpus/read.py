"""Read a corpus: its layout finds rows, the checks make samples of them or say why not."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pairset.config import (
    BirdCorpus,
    Config,
    CorpusConfig,
    FinerCorpus,
    SampleCorpus,
    SpiderCorpus,
    TasksCorpus,
)
from pairset.corpus import bird, finer, sample, spider, tasks
from pairset.corpus.checks import Row, Seen, checked
from pairset.corpus.common import STAGE, CorpusError, Fault, Found, Inputs
from pairset.corpus.schemas import databases_folder, known_databases, read_schemas, schemas_file
from pairset.ids import digest
from pairset.rows import Refusal, Sample


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus as read.

    ``files`` are the digests of all that the samples depend on: the input files, the schemas, and
    the names of the databases. ``rows`` counts every row that was met, refused ones included.
    """

    samples: tuple[Sample, ...]
    refused: tuple[Refusal, ...]
    files: dict[str, str]
    rows: int


def read_corpus(spec: CorpusConfig, *, first_row: int = 0) -> Corpus:
    """The samples of a corpus, its rows counted from ``first_row``.

    A refused row keeps its ``corpus_row``: what is refused moves nothing else.
    """
    inputs = Inputs()
    known = _Known(spec, inputs)
    seen: Seen = {}
    read: list[Sample | Refusal] = []
    row = first_row
    for found in _found(spec, inputs):
        if isinstance(found, Fault):
            read.append(_refusal(found, spec))
            row += found.is_row
        else:
            read.append(checked(Row(found, spec.dataset, known, seen), row))
            row += 1
    samples = tuple(one for one in read if isinstance(one, Sample))
    refused = tuple(one for one in read if isinstance(one, Refusal))
    if refused and spec.on_missing == "stop":
        raise CorpusError(_stop(spec, refused))
    return Corpus(samples, refused, inputs.files, row - first_row)


def read_corpora(config: Config) -> list[Corpus]:
    """Every corpus of a build in the config's order, rows counted over all of them."""
    corpora: list[Corpus] = []
    row = 0
    for spec in config.corpora:
        corpora.append(read_corpus(spec, first_row=row))
        row += corpora[-1].rows
    _apart(config, corpora)
    return corpora


def _found(spec: CorpusConfig, inputs: Inputs) -> Found:
    match spec:
        case SpiderCorpus():
            return spider.rows(spec, inputs)
        case BirdCorpus():
            return bird.rows(spec, inputs)
        case FinerCorpus():
            return finer.rows(spec, inputs)
        case TasksCorpus():
            return tasks.rows(spec, inputs)
        case SampleCorpus():
            return sample.rows(spec, inputs)
    raise TypeError(f"no reader for the layout {spec.layout!r}")


@dataclass(slots=True)
class _Known:
    """The db_ids of a dataset that the corpus declares; None where it declares none."""

    spec: CorpusConfig
    inputs: Inputs
    found: dict[str, frozenset[str] | None] = field(default_factory=dict)

    def __call__(self, dataset: str) -> frozenset[str] | None:
        if dataset not in self.found:
            self.found[dataset] = self._look(dataset)
        return self.found[dataset]

    def _look(self, dataset: str) -> frozenset[str] | None:
        there = known_databases(self.spec, dataset=dataset)
        folder = databases_folder(self.spec, dataset=dataset)
        file = schemas_file(self.spec, dataset=dataset)
        if folder is None and file is None and not there:
            return None
        # Which databases are there decides what is refused, so it is an input as the files are.
        self.inputs.files[f"databases/{dataset}"] = digest(sorted(there))
        schemas = read_schemas(self.spec, file, self.inputs) if file else {}
        return frozenset(there | schemas.keys())


def _refusal(fault: Fault, spec: CorpusConfig) -> Refusal:
    return Refusal(STAGE, fault.reason, spec.dataset, "", fault.place, note=fault.note)


def _stop(spec: CorpusConfig, refused: Sequence[Refusal]) -> str:
    """One line for all faults: the first in full, the rest counted by kind."""
    first, *others = refused
    counts = Counter(one.reason for one in others)
    more = ", ".join(f"{number} {reason}" for reason, number in sorted(counts.items()))
    rest = f", and {len(others)} more ({more})" if others else ""
    return (
        f"{spec.name}: {first.place}: {first.reason}: {first.note}{rest}; "
        "mend the corpus, or leave such rows out with on_missing = 'skip'"
    )


def _apart(config: Config, corpora: Sequence[Corpus]) -> None:
    """A sample id means one sample of a dataset, whichever corpus it comes from."""
    owner: dict[tuple[str, str], str] = {}
    for spec, corpus in zip(config.corpora, corpora, strict=True):
        for one in corpus.samples:
            first = owner.setdefault((one.dataset, one.sample_id), spec.name)
            if first != spec.name:
                what = f"sample {one.sample_id!r} of dataset {one.dataset!r}"
                raise CorpusError(f"{what} is in two corpora: {first} and {spec.name}")
