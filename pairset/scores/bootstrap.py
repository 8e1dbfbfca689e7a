"""How far a rate may be trusted: intervals by drawing databases, the pairs of each together.

Pairs of one database hang together, so databases are what is drawn, with replacement, as many as
there are (the cluster bootstrap of Field and Welsh 2007); the interval is from percentiles.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

SEED = 20_260_101
RESAMPLES = 2_000
LEVEL = 0.95


def interval(hits: Sequence[int], of: Sequence[int]) -> tuple[float | None, float | None]:
    """The interval around ``sum(hits) / sum(of)``, one entry a database.

    None, None where there are fewer than two databases: of one, nothing can be drawn.
    """
    if len(of) < 2:
        return None, None
    drawn = _drawn(len(of))
    rates = (drawn @ np.asarray(hits, np.float64)) / (drawn @ np.asarray(of, np.float64))
    low, high = np.quantile(rates, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


@lru_cache(maxsize=512)
def _drawn(databases: int) -> NDArray[np.float64]:
    """How often each database is in each resample; the same draw for the same number of them."""
    generator = np.random.Generator(np.random.PCG64(SEED))
    even = np.full(databases, 1.0 / databases)
    return generator.multinomial(databases, even, size=RESAMPLES).astype(np.float64)
