"""The tables of gold and neighbour pairs, and what is true of them."""

__version__ = "0.1.0"
