"""What an agent looked up on its way, beside what the benchmark expected it to look up."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmark.trajectory import Action, Trajectory

KINDS = ("expected_file", "expected_sql", "expected_semantic_model", "expected_metrics")
_FIELDS = {
    "expected_file": ("file", "expected_file"),
    "expected_sql": ("expected_sql",),
    "expected_semantic_model": ("semantic_model", "expected_semantic_model"),
    "expected_metrics": ("expected_metrics",),
}
_TOOLS = {
    "expected_file": re.compile(r"file"),
    "expected_sql": re.compile(r"reference_sql|sql_history|historical_sql"),
    "expected_semantic_model": re.compile(r"semantic|search_table|metadata"),
    "expected_metrics": re.compile(r"metric"),
}
_KEYS = {
    "expected_file": ("file", "path", "file_path", "filename", "name"),
    "expected_sql": ("sql",),
    "expected_semantic_model": ("semantic_model_name", "semantic_model", "description"),
    "expected_metrics": ("name", "description"),
}
_APART = re.compile(r"[;,\n]")
_WORDS = re.compile(r"\W+")


def tools_comparison(extra: Mapping[str, Any], told: Trajectory | None) -> dict[str, Any]:
    """The four blocks of the report; where nothing is expected, that is met."""
    actions = told.actions if told is not None else ()
    return {kind: _block(kind, _expected(extra, kind), _found(actions, kind)) for kind in KINDS}


def _expected(extra: Mapping[str, Any], kind: str) -> str:
    """What the gold's own record, or else the question's, has in a field of that kind."""
    records = (extra.get("gold") or {}, extra)
    found = (record.get(name) for record in records for name in _FIELDS[kind])
    return next((text for text in found if isinstance(text, str) and text.strip()), "")


def _block(kind: str, expected: str, actual: list[str]) -> dict[str, Any]:
    if kind != "expected_metrics":
        hits = [text for text in actual if expected and _alike(expected, text)]
        return {
            "expected": expected,
            "actual": actual,
            "matched_actual": hits,
            "match": not expected or bool(hits),
        }
    wanted = [name for one in _APART.split(expected) if (name := one.strip())]
    met = [name for name in wanted if any(_alike(name, text) for text in actual)]
    return {
        "expected": wanted,
        "actual": actual,
        "matched_expected": met,
        "matched_actual": [text for text in actual if any(_alike(one, text) for one in wanted)],
        "missing_expected": [name for name in wanted if name not in met],
        "match": len(met) == len(wanted),
    }


def _alike(expected: str, actual: str) -> bool:
    """Whether one has all words of the other, in one piece: a rate is not in accelerate.

    >>> _alike("Rate", "Accelerate"), _alike("free rate", "Eligible Free  Rate")
    (False, True)
    """
    one, other = _spaced(expected), _spaced(actual)
    return bool(one.strip() and other.strip()) and (one in other or other in one)


def _spaced(text: str) -> str:
    return f" {' '.join(word for word in _WORDS.split(text.lower()) if word)} "


def _found(actions: Sequence[Action], kind: str) -> list[str]:
    """The texts that tools of that kind answered with, each once, in their order."""
    results = (action.result for action in actions if _TOOLS[kind].search(action.name))
    texts = (text for result in results for text in _texts(result, _KEYS[kind]))
    return list(dict.fromkeys(texts))


def _texts(result: object, keys: Iterable[str]) -> Iterator[str]:
    """The values of ``keys`` anywhere in a tool's answer, and the texts of its lists."""
    names = tuple(keys)
    if isinstance(result, Mapping):
        for name, value in result.items():
            if name in names and isinstance(value, str):
                yield value
            elif isinstance(value, Mapping | list):
                yield from _texts(value, names)
    elif isinstance(result, list):
        for one in result:
            if isinstance(one, str):
                yield one
            else:
                yield from _texts(one, names)
