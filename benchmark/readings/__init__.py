"""Other ways to read the same two answers, each named for who reads so. None changes a verdict.

A reading is a pure function over a pair: 1.0 right, 0.0 wrong, between where it grades, None where
it cannot say. What an agent did not answer is 0.0, and what has no gold is None, in all of them.
"""

from collections.abc import Mapping

from benchmark.readings.bird import BIRD
from benchmark.readings.canonical import CANONICAL
from benchmark.readings.common import Reading
from benchmark.readings.datus import DATUS
from benchmark.readings.soft_f1 import SOFT_F1
from benchmark.readings.test_suite import TEST_SUITE

READINGS: Mapping[str, Reading] = {
    reading.name: reading for reading in (CANONICAL, BIRD, TEST_SUITE, DATUS, SOFT_F1)
}
"""In the order in which they are shown. ``r_ves`` takes time to measure, and is asked for apart."""

__all__ = ["READINGS", "Reading"]
