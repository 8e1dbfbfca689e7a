"""A second verdict: how likely a reference is part of a block that belongs to a later sample."""
