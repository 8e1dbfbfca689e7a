"""Spider as it is released: one JSON list a split, the gold under ``query``."""

from pairset.config import SpiderCorpus
from pairset.corpus.common import Columns, Found, Inputs, guarded, json_rows
from pairset.corpus.evaluation import refuse_evaluation

COLUMNS = Columns(db_id="db_id", question="question", gold="query")


def rows(spec: SpiderCorpus, inputs: Inputs) -> Found:
    """The rows of every split, in the order in which the config names them."""
    refuse_evaluation(spec, spec.splits)
    for split in spec.splits:
        yield from guarded(_rows_of(spec, split, inputs))


def _rows_of(spec: SpiderCorpus, split: str, inputs: Inputs) -> Found:
    name = f"{split}.json"
    yield from json_rows(inputs.text(spec.path / name, name), name, COLUMNS, split)
