"""Corpora: training rows read from their layouts, checked, and counted."""

from pairset.corpus.common import CorpusError
from pairset.corpus.read import Corpus, read_corpora, read_corpus
from pairset.corpus.sample import sample_scripts
from pairset.corpus.schemas import (
    databases_folder,
    declared_ddl,
    declared_schemas,
    known_databases,
    schemas_file,
)
from pairset.corpus.sources import SourceCount, count_sources

__all__ = [
    "Corpus",
    "CorpusError",
    "SourceCount",
    "count_sources",
    "databases_folder",
    "declared_ddl",
    "declared_schemas",
    "known_databases",
    "read_corpora",
    "read_corpus",
    "sample_scripts",
    "schemas_file",
]
