"""Which seeds are for training and which for testing: disjoint ranges, told by the seed alone."""

from investigation.errors import BadDraw

TESTING = 2**32
"""How many seeds are kept for tests: the last ones, of which a fresh 63-bit seed is hardly ever."""

SPLITS: dict[str, range] = {
    "train": range(0, 2**63 - TESTING),
    "test": range(2**63 - TESTING, 2**63),
}


def split_of(seed: int) -> str:
    """The split that a seed belongs to.

    >>> split_of(0), split_of(2**63 - 1)
    ('train', 'test')
    """
    return next(name for name, seeds in SPLITS.items() if seed in seeds)


def seeds_of(split: str, count: int) -> range:
    """The first ``count`` seeds of a split; raises BadDraw for a split or a count that is none.

    >>> seeds_of("train", 3)
    range(0, 3)
    """
    if split not in SPLITS:
        raise BadDraw(f"no split {split!r:.60}; there are: {', '.join(SPLITS)}")
    if not 0 < count <= TESTING:
        raise BadDraw(f"found {count} seeds; there may be 1 to {TESTING} of a split")
    return SPLITS[split][:count]
