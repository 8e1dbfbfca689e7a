"""BIRD as it is released: ``train/train.json``, the gold under ``SQL``, evidence beside it."""

from pathlib import Path

from pairset.config import BirdCorpus
from pairset.corpus.common import Columns, Found, Inputs, guarded, json_rows
from pairset.corpus.evaluation import refuse_evaluation

COLUMNS = Columns(
    sample_id="question_id",
    db_id="db_id",
    question="question",
    evidence="evidence",
    gold="SQL",
    optional=frozenset({"question_id", "evidence"}),  # released for the development split alone
)


def rows(spec: BirdCorpus, inputs: Inputs) -> Found:
    """The rows of every split, in the order in which the config names them."""
    refuse_evaluation(spec, spec.splits)
    for split in spec.splits:
        yield from guarded(_rows_of(spec, split, inputs))


def home(path: Path, split: str) -> Path:
    """The folder of a split's files: ``path`` itself, or the split's own folder in it."""
    inner = path / split
    return path if (path / f"{split}.json").is_file() or not inner.is_dir() else inner


def _rows_of(spec: BirdCorpus, split: str, inputs: Inputs) -> Found:
    name = f"{split}.json"
    text = inputs.text(home(spec.path, split) / name, name)
    yield from json_rows(text, name, COLUMNS, split)
