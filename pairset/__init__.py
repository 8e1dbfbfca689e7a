"""The tables of gold and neighbour pairs, and what is true of them."""
