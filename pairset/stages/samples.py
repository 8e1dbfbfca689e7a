"""samples: every corpus read, checked, and laid down a database at a time."""

from collections import defaultdict

from pairset.build import Build, Place, Rows, Unit
from pairset.config import Config
from pairset.corpus import Corpus, read_corpora
from pairset.frames import refused_table, samples_table
from pairset.ids import digest
from pairset.rows import Sample

ALL = Unit("_", "_")
"""The one piece of this stage: rows are numbered over all corpora, so they are read together."""


class SamplesStage:
    """Reads all corpora at once; their refusals are one file."""

    name = "samples"
    version = 1
    tables = ("samples", "refused_samples")
    asks_executor = False

    def units(self, build: Build) -> list[Unit]:
        """All corpora together."""
        return [ALL]

    def inputs(self, build: Build, unit: Unit) -> dict[str, str]:
        """The corpora's files, and what the config says of them."""
        corpora = corpora_of(build)
        files = [list(item) for corpus in corpora for item in sorted(corpus.files.items())]
        return {"files": digest([repr(files)]), "config": _settings(build.config)}

    def places(self, build: Build, unit: Unit) -> list[Place]:
        """A shard of samples for each database, and the refusals."""
        found = {
            ("samples", sample.dataset, sample.db_id)
            for corpus in corpora_of(build)
            for sample in corpus.samples
        }
        return [*sorted(found), ("refused_samples", ALL.dataset, ALL.db_id)]

    def make(self, build: Build, unit: Unit) -> Rows:
        """The samples by database, in corpus order, and the refusals."""
        corpora = corpora_of(build)
        samples: dict[Place, list[Sample]] = defaultdict(list)
        for corpus in corpora:
            for sample in corpus.samples:
                samples["samples", sample.dataset, sample.db_id].append(sample)
        refused = [refusal for corpus in corpora for refusal in corpus.refused]
        made = {place: samples_table(found) for place, found in samples.items()}
        return {**made, ("refused_samples", *unit.place): refused_table("samples", refused)}


def corpora_of(build: Build) -> list[Corpus]:
    """The corpora as read."""
    return build.once("corpora", lambda: read_corpora(build.config))


def _settings(config: Config) -> str:
    """What of the config decides which rows come in, folders aside: a corpus may be moved."""
    kept = [corpus.model_dump(mode="json") for corpus in config.corpora]
    for corpus in kept:
        for key in ("path", "file", "databases", "schemas"):
            corpus.pop(key, None)
    return digest([repr(kept)])
