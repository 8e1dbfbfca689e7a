"""One clear line for a bad config: the key, what was found, what it may be."""

import difflib
import re
from collections.abc import Iterable, Mapping
from datetime import date, time
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from pairset.config.corpora import LAYOUTS
from pairset.config.parts import Config

Place = tuple[int | str, ...]
KINDS = {str: "text", bool: "true or false", int: "a whole number", float: "a number"} | {
    list: "a list",
    tuple: "a list",
    dict: "a table",
    date: "a date",
    time: "a time",
}


class ConfigError(ValueError):
    """A config that cannot be used; its text is one line for the person who wrote it."""

    def __init__(self, line: str) -> None:
        super().__init__(" ".join(line.splitlines()))


def one_line(error: ValidationError) -> tuple[Place, str]:
    """The first fault of ``error``: where it stands, and what to say.

    Unknown keys come first, since a key that is misspelt is also a key that is missing.
    """
    faults: list[Any] = error.errors(include_url=False)
    fault = min(faults, key=lambda one: one["type"] != "extra_forbidden")
    place, kind = fault["loc"], fault["type"]
    if place[-1] == "[key]":  # a key of a table whose keys are free, and the fault is in the key
        place = place[:-2]
    if kind == "extra_forbidden":
        return place, _unknown_key(place)
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return (*place, "layout"), _layout(place, fault["input"])
    if kind == "missing":
        return place, f"{dotted(place)}: missing; it may be {_may_be(place)}"
    if kind == "value_error":
        return place, f"{dotted(place)}: {fault['ctx']['error']}"
    return place, f"{dotted(place)}: found {shown(fault['input'])}; it may be {_may_be(place)}"


def dotted(place: Place) -> str:
    """A place as one would write it.

    >>> dotted(("corpora", 0, "spider", "path"))
    'corpora[0].path'
    """
    return "".join(
        f"[{part}]" if isinstance(part, int) else f".{_bare(part)}" for part in written(place)
    ).removeprefix(".")


def written(place: Place) -> Place:
    """``place`` without the layout that pydantic puts behind a corpus's index."""
    return (*place[:2], *place[3:]) if len(place) > 2 and place[0] == "corpora" else place


def suggestion(word: str, known: Iterable[str]) -> str:
    """What ``word`` may be meant to be, and all that it may be.

    >>> suggestion("worker", ["seed", "workers"])
    "did you mean 'workers'? it may be: seed, workers"
    """
    near = difflib.get_close_matches(word, list(known), n=1)
    return "".join(f"did you mean {one!r}? " for one in near) + f"it may be: {', '.join(known)}"


def shown(value: object) -> str:
    """What was found, short enough for a line, and its kind.

    >>> shown("two"), shown(True)
    ("'two' (text)", 'True (true or false)')
    """
    text = str(value) if isinstance(value, date | time) else repr(value)
    text = text if len(text) <= 60 else f"{text[:57]}..."
    kind = next((word for cls, word in KINDS.items() if isinstance(value, cls)), None)
    return f"{text} ({kind})" if kind else text


def _unknown_key(place: Place) -> str:
    owner = _model(place[:-1])
    table = dotted(place[:-1])
    where = f"[{table}]" if table and "[" not in table else table or "the config"
    return f"unknown key {place[-1]!r} in {where}; {suggestion(str(place[-1]), owner.model_fields)}"


def _layout(place: Place, found: object) -> str:
    layout = found.get("layout") if isinstance(found, Mapping) else None
    if layout is None:
        return f"{dotted(place)}.layout: missing; it may be: {', '.join(LAYOUTS)}"
    return f"{dotted(place)}.layout: found {shown(layout)}; {suggestion(str(layout), LAYOUTS)}"


def _may_be(place: Place) -> str:
    field = _field(place)
    return (field and field.description) or "a table"


def _model(place: Place) -> type[BaseModel]:
    """The table that ``place`` leads to."""
    model: type[BaseModel] = Config
    for i, part in enumerate(place):
        if place[0] == "corpora" and i == 2:  # the layout, which chose the table
            model = LAYOUTS[str(part)]
        elif isinstance(part, str) and (field := model.model_fields.get(part)):
            kind = field.annotation
            model = kind if isinstance(kind, type) and issubclass(kind, BaseModel) else model
    return model


def _field(place: Place) -> FieldInfo | None:
    """The field that ``place`` is, or is inside of."""
    for end in range(len(place), 0, -1):
        if field := _model(place[: end - 1]).model_fields.get(str(place[end - 1])):
            return field
    return None


def _bare(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key) else repr(key)
