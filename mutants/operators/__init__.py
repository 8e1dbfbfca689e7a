"""The operators, a family a file."""
