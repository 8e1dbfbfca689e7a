"""The values a config may hold: names, folders, files, instants, worker counts, variables."""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainValidator,
    ValidationInfo,
    model_validator,
)
from pydantic.fields import FieldInfo

MAX_WORKERS = 32
QUESTION_FILES = (".csv", ".tsv", ".json", ".jsonl")


@lru_cache(maxsize=1_000)
def unsafe_name(name: str) -> str | None:
    """Why ``name`` cannot name a file or folder of a build, or None where it can.

    >>> unsafe_name("../secret"), unsafe_name("world_1")
    ("it starts with '.'", None)
    """
    if not name.strip():
        return "it is empty"
    if name.startswith("."):
        return "it starts with '.'"
    if bad := next((c for c in name if c in "/\\" or not c.isprintable()), None):
        return f"it holds {bad!r}"
    if len(name.encode("utf-8", "surrogatepass")) > 128:
        return "it is longer than 128 bytes"
    return None


def cores() -> int:
    """How many workers there are by default: this process's cores, never more than 32."""
    if hasattr(os, "sched_getaffinity"):
        return min(MAX_WORKERS, len(os.sched_getaffinity(0)))
    return min(MAX_WORKERS, os.cpu_count() or 1)


class Variable(str):
    """The text of a PAIRSET_* variable, which has no type until the key it sets gives it one."""

    def read(self, field: FieldInfo | None) -> object:
        """A number, truth value, list or table where the key takes one, else the text itself."""
        if field is None or not _takes_toml(field.annotation):
            return str(self)
        try:
            return tomllib.loads(f"value = {self}")["value"]
        except tomllib.TOMLDecodeError:
            return str(self)


def _takes_toml(annotation: object) -> bool:
    kinds = (annotation, get_origin(annotation), *get_args(annotation))
    return any(kind in (int, float, bool, tuple, dict) for kind in kinds)


class Part(BaseModel):
    """A table of the config: unknown keys and wrong types are refused, nothing is coerced."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _read_variables(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        fields = cls.model_fields
        return {
            key: value.read(fields.get(key)) if isinstance(value, Variable) else value
            for key, value in data.items()
        }


def _name(text: str) -> str:
    if why := unsafe_name(text):
        raise ValueError(f"{text[:40]!r} cannot name a folder: {why}")
    return text


def _spelt(pattern: str, like: str) -> Callable[[str], str]:
    """A check that a text is spelt as the Hub spells such names."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text) or ".." in text or "--" in text:
            raise ValueError(f"found {text[:40]!r}; it may be like {like!r}")
        return text

    return check


def _path(value: object, info: ValidationInfo) -> Path:
    if not isinstance(value, str | Path):
        raise ValueError(f"found {value!r}; it may be a path, as text in quotes")
    if "\0" in str(value):
        raise ValueError(f"found {str(value)!r}; no path holds a NUL")
    base: Path = (info.context or {}).get("base", Path())
    return base / os.path.expanduser(value)  # a user who is unknown stays as written


def _folder(value: object, info: ValidationInfo) -> Path:
    if not os.path.isdir(path := _path(value, info)):  # False, not an error, for a name too long
        raise ValueError(f"no folder {str(value)!r}")
    return path


def _file(value: object, info: ValidationInfo) -> Path:
    if not os.path.isfile(path := _path(value, info)):
        raise ValueError(f"no file {str(value)!r}")
    return path


def _question_file(path: Path) -> Path:
    if path.suffix.lower() not in QUESTION_FILES:
        raise ValueError(f"found {path.name!r}; it may be one of: {', '.join(QUESTION_FILES)}")
    return path


def _folders(value: object, info: ValidationInfo) -> Path | dict[str, Path]:
    if isinstance(value, dict):
        return {_name(name): _folder(folder, info) for name, folder in value.items()}
    return _folder(value, info)


def _files(value: object, info: ValidationInfo) -> Path | dict[str, Path]:
    if isinstance(value, dict):
        return {_name(name): _file(file, info) for name, file in value.items()}
    return _file(value, info)


def _instant(value: object) -> object:
    if isinstance(value, datetime):
        value = value.isoformat().replace("+00:00", "Z")
    if isinstance(value, str) and not _has_zone(value):
        raise ValueError(
            f"found {value[:40]!r}; it may be like '2026-01-01T00:00:00Z', zone and all"
        )
    return value


def _has_zone(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ValueError, OSError, KeyError):  # KeyError: there is no zone of that name
        raise ValueError(f"no time zone {text[:40]!r}; it may be like 'Europe/Paris'") from None
    return text


Name = Annotated[str, AfterValidator(_name)]
RepoName = Annotated[
    str, AfterValidator(_spelt(r"(?:\w[\w.-]{0,95}/)?\w[\w.-]{0,94}\w", "owner/name"))
]
LicenseId = Annotated[str, AfterValidator(_spelt(r"[a-z0-9][a-z0-9.-]{1,60}", "cc-by-sa-4.0"))]
TagName = Annotated[str, AfterValidator(_spelt(r"[\w][\w.-]{0,99}", "v1.0"))]
PlainPath = Annotated[Path, BeforeValidator(_path)]
Folder = Annotated[Path, BeforeValidator(_folder)]
File = Annotated[Path, BeforeValidator(_file)]
QuestionFile = Annotated[File, AfterValidator(_question_file)]
Folders = Annotated[Path | dict[str, Path], PlainValidator(_folders)]
Files = Annotated[Path | dict[str, Path], PlainValidator(_files)]
Instant = Annotated[str, BeforeValidator(_instant)]
Zone = Annotated[str, AfterValidator(_zone)]
