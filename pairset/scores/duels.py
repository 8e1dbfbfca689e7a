"""Two trees pair by pair: which of them separates what the other ties, and whether that is luck."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import polars as pl

from pairset.scores.rates import READINGS
from pairset.stages.tied import OK


def duels(scores: Mapping[str, pl.DataFrame]) -> Iterator[dict[str, Any]]:
    """Every two trees in both readings, over the tied pairs that count.

    ``won`` are the pairs that ``tree`` alone separates, ``lost`` those that ``other`` alone does.
    The p value is McNemar's exact one: how odd such a split would be, were both trees as good.
    """
    for (tree, mine), (other, theirs) in combinations(scores.items(), 2):
        for reading, label in READINGS.items():
            both = _separated(mine, label, "mine").join(
                _separated(theirs, label, "theirs"), on="pair_id", validate="1:1"
            )
            won, lost = (
                both.filter("mine", ~pl.col("theirs")),
                both.filter(~pl.col("mine"), "theirs"),
            )
            yield {
                "tree": tree,
                "other": other,
                "reading": reading,
                "pairs": both.height,
                "won": won.height,
                "lost": lost.height,
                "both": both.filter("mine", "theirs").height,
                "neither": both.filter(~pl.col("mine"), ~pl.col("theirs")).height,
                "p_value": mcnemar(won.height, lost.height),
            }


def mcnemar(won: int, lost: int) -> float:
    """The two-sided exact p value of ``won`` against ``lost`` (McNemar 1947; binomial, half each).

    >>> mcnemar(0, 0), mcnemar(3, 3), round(mcnemar(0, 6), 5)
    (1.0, 1.0, 0.03125)
    """
    if won + lost == 0:
        return 1.0
    from scipy.stats import binomtest  # takes half a second to import, and no help text needs it

    return float(binomtest(min(won, lost), won + lost, 0.5).pvalue)


def _separated(scores: pl.DataFrame, label: str, name: str) -> pl.DataFrame:
    counted = scores.filter(
        (pl.col("original_label") == "tied") & (pl.col("provenance_check") == OK)
    )
    return counted.select("pair_id", (pl.col(label) == "separated").alias(name))
