"""Doubts about golds, each with what was seen. A finding never changes a verdict."""

from benchmark.audit.audit import Finding, audited
from benchmark.audit.checks import CHECKS, NAMES

__all__ = ["CHECKS", "NAMES", "Finding", "audited"]
