"""Count what the corpora hold, for ``pairset sources``; no database is opened."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pairset.config import Config, CorpusConfig
from pairset.corpus.read import Corpus, read_corpora


@dataclass(frozen=True, slots=True)
class SourceCount:
    """One dataset of one corpus, counted.

    ``golds`` are the distinct texts a database's questions have as golds; ``references`` are the
    entries beside the golds that are texts, ``not_text`` those that are not.
    """

    corpus: str
    dataset: str
    samples: int
    databases: int
    golds: int
    references: int
    not_text: int
    refused: dict[str, int]


def count_sources(config: Config) -> list[SourceCount]:
    """The counts of every dataset of every corpus, in the config's order, datasets by name."""
    read = zip(config.corpora, read_corpora(config), strict=True)
    return [count for spec, corpus in read for count in _counts(spec, corpus)]


def _counts(spec: CorpusConfig, corpus: Corpus) -> Iterable[SourceCount]:
    met = {one.dataset for one in corpus.samples} | {one.dataset for one in corpus.refused}
    for dataset in sorted(met):
        samples = [one for one in corpus.samples if one.dataset == dataset]
        references = [text for one in samples for text in one.references]
        reasons = Counter(one.reason for one in corpus.refused if one.dataset == dataset)
        yield SourceCount(
            corpus=spec.name,
            dataset=dataset,
            samples=len(samples),
            databases=len({one.db_id for one in samples}),
            golds=len({(one.db_id, one.gold_sql) for one in samples}),
            references=sum(text is not None for text in references),
            not_text=sum(text is None for text in references),
            refused=dict(sorted(reasons.items())),
        )
