"""The proof that the builder paired what the corpus says, by code that is not the builder's."""

from provenance.extraction.proof import Proof, verify_extraction

__all__ = ["Proof", "verify_extraction"]
