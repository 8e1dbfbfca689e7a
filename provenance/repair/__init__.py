"""The corrected corpus, written to a new folder with every removed reference and its reason."""

from provenance.repair.write import Repaired, repair, the_corpus

__all__ = ["Repaired", "repair", "the_corpus"]
