"""Training data only: splits and files that are evaluation data by their name are refused."""

import re
from collections.abc import Iterable

from pairset.config import CorpusConfig
from pairset.corpus.common import CorpusError

EVALUATION = frozenset(
    {"dev", "develop", "development", "eval", "evaluation"}
    | {"test", "testing", "val", "valid", "validation"}
)


def is_evaluation(name: str) -> bool:
    """Whether a split or file is evaluation data, going by the words of its name.

    >>> is_evaluation("mini-dev.json"), is_evaluation("train_others"), is_evaluation("latest")
    (True, False, False)
    """
    return not EVALUATION.isdisjoint(re.split(r"[^a-z]+", name.lower()))


def refuse_evaluation(spec: CorpusConfig, names: Iterable[str]) -> None:
    """Stop where a split or file is evaluation data and the config does not allow it."""
    if spec.allow_evaluation_data:
        return
    if bad := [name for name in names if is_evaluation(name)]:
        raise CorpusError(
            f"{spec.name}: {bad[0]!r} is evaluation data, and only training data is read; "
            "where that is meant, set allow_evaluation_data = true for this corpus"
        )
