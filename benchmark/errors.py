"""What a person can mend: a definition, a question file, a run or an id that is not right."""


class BenchmarkError(ValueError):
    """A benchmark or a run that cannot be evaluated; its text is one line for a person."""

    def __init__(self, line: str) -> None:
        super().__init__(" ".join(line.split()))


def shown(value: object) -> str:
    """A value in a message: its literal, cut where it is long.

    >>> shown("a" * 80)[-4:]
    'a...'
    """
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def several(names: list[str]) -> str:
    """The first of some names, and how many there are besides.

    >>> several(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
