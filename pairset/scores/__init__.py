"""Trees scored: which databases tell the tied pairs apart, by how much, and which pairs.

The denominator is the tied set of the original tree. No tree can shrink it: a pair whose queries a
tree cannot run is a pair that it does not separate.
"""
