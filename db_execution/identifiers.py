"""Names in SQL."""


def quoted(name: str) -> str:
    """``name`` as an identifier, whatever it holds.

    >>> quoted('the "first" name')
    '"the ""first"" name"'
    """
    return '"' + name.replace('"', '""') + '"'
