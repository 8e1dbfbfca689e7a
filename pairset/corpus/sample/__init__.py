"""The embedded sample corpus: five small databases and questions on them, our own work."""

from dataclasses import replace
from functools import cache
from importlib.resources import files

from pairset.config import SampleCorpus
from pairset.corpus.common import Columns, Found, Inputs, RawRow, json_rows

SPLIT = "train"
QUESTIONS = "questions.json"
COLUMNS = Columns(
    sample_id="sample_id",
    db_id="db_id",
    question="question",
    evidence="evidence",
    gold="gold",
    references="references",
    optional=frozenset({"evidence"}),
)


@cache
def sample_scripts() -> dict[str, str]:
    """The script that makes each database, by ``db_id``."""
    scripts = (one for one in files(__name__).iterdir() if one.name.endswith(".sql"))
    return {
        one.name.removesuffix(".sql"): one.read_text(encoding="utf-8")
        for one in sorted(scripts, key=lambda one: one.name)
    }


def rows(spec: SampleCorpus, inputs: Inputs) -> Found:
    """The rows of ``questions.json``, where a reference stands beside a word on what it is."""
    text = inputs.take((files(__name__) / QUESTIONS).read_bytes(), QUESTIONS)
    for found in json_rows(text, QUESTIONS, COLUMNS, SPLIT):
        yield replace(found, record=_plain(found.record)) if isinstance(found, RawRow) else found


def _plain(record: object) -> object:
    """``record`` with its references as other corpora have them: texts alone."""
    if not isinstance(record, dict):
        return record
    return record | {"references": [one["sql"] for one in record["references"]]}
