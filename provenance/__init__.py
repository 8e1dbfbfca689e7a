"""Does this query belong to this question? The audit of references, its proof, and the repair."""
