"""Read a config: the file, the variables over it, then every check."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pairset.config.errors import ConfigError, Place, dotted, one_line, written
from pairset.config.parts import Config
from pairset.config.values import Variable

PREFIX = "PAIRSET_"
# Read elsewhere: where the tests find their data, and the token, which no file should hold.
NOT_OURS = ("PAIRSET_TEST_DATA", "PAIRSET_DB_TOKEN")


def load_config(path: Path | None, environ: Mapping[str, str]) -> Config:
    """The config in ``path``, or that of the embedded sample corpus where there is none.

    ``PAIRSET_EXECUTOR__WORKERS=2`` sets ``workers`` of ``[executor]``, whatever the file says. A
    relative path is relative to the file's folder; without a file, to the current one.
    """
    raw = _read(path) if path else {}
    variables = {_place(name): name for name in sorted(environ) if _is_ours(name)}
    for place, name in variables.items():
        _put(raw, place, name, environ[name])
    base = path.parent if path else Path()
    try:
        return Config.model_validate(raw, context={"base": base})
    except ValidationError as error:
        place, text = one_line(error)
        origin = _origin(written(place), variables) or path or "the config"
        raise ConfigError(f"{origin}: {text}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not TOML: {_placed(str(error), text)}") from None
    except FileNotFoundError:
        raise ConfigError(f"no config file {str(path)!r}") from None
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None


def _placed(message: str, text: str) -> str:
    """The parser says "at end of document"; a person looks for a line."""
    lines = text.split("\n")
    end = f"(at line {len(lines)}, column {len(lines[-1]) + 1})"
    return re.sub(r"\(at end of document\)", end, message)


def _is_ours(name: str) -> bool:
    return name.startswith(PREFIX) and name not in NOT_OURS


def _place(name: str) -> Place:
    parts = name.removeprefix(PREFIX).lower().split("__")
    return tuple(int(part) if part.isdecimal() else part for part in parts)


def _put(raw: dict[str, Any], place: Place, name: str, text: str) -> None:
    """Set ``place`` of ``raw``, making the tables on the way that are not there."""
    node: Any = raw
    for depth, part in enumerate(place):
        last = depth == len(place) - 1
        try:
            if last:
                node[part] = Variable(text)
            elif isinstance(node, dict):
                node = node.setdefault(part, {})
            else:
                node = node[part]
        except (TypeError, IndexError, KeyError):
            raise ConfigError(f"{name}: there is no {dotted(place[: depth + 1])} to set") from None


def _origin(place: Place, variables: Mapping[Place, str]) -> str | None:
    """The variable that set ``place``, or what it is inside of, or something in it."""
    for there, name in variables.items():
        shorter = min(len(there), len(place))
        if there[:shorter] == place[:shorter]:
            return name
    return None
