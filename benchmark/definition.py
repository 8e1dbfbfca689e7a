"""What a benchmark is: where its questions, golds and databases lie, and the names of their fields.

A definition is a table ``[benchmark.NAME]`` of a TOML file, or ``agent.benchmark.NAME`` of a YAML
file, as the tool that these names come from has it.
"""

import difflib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, ValidationError, field_validator

from benchmark.errors import BenchmarkError, shown
from benchmark.files import read_text
from pairset.config.values import Part

NAME = re.compile(r"[A-Za-z0-9_-]+")
TEXT = "a text in quotes"


class Definition(Part):
    """One benchmark. Paths are relative to ``benchmark_path``, that to the file's folder.

    An empty ``question_id_key`` means that a question's position, counted from 0, is its id, and
    golds lie in the same order. Without ``gold_result_path`` the gold SQL is executed.
    ``id_alias`` is a second way to write the id of a task, such as ``"dev-{:05d}"`` for task 7.
    """

    name: str = Field(description=TEXT)
    home: Path = Field(default=Path(), strict=False, description="a folder")
    benchmark_path: str = Field(default="", description=TEXT)
    question_file: str = Field(min_length=1, description=TEXT)
    question_id_key: str = Field(default="", description=TEXT)
    question_key: str = Field(default="question", min_length=1, description=TEXT)
    db_key: str = Field(default="", description=TEXT)
    ext_knowledge_key: str = Field(default="", description=TEXT)
    use_tables_key: str = Field(default="", description=TEXT)
    gold_sql_path: str = Field(default="", description=TEXT)
    gold_sql_key: str = Field(default="", description=TEXT)
    gold_result_path: str = Field(default="", description=TEXT)
    gold_result_key: str = Field(default="", description=TEXT)
    difficulty_key: str = Field(default="", description=TEXT)
    id_alias: str = Field(default="", description=TEXT)
    db_id: str = Field(default="", description=TEXT)
    databases: str = Field(default="", description=TEXT)
    trees: dict[str, str] = Field(default={}, description="a table: name = folder")

    @field_validator("name")
    @classmethod
    def _plain(cls, name: str) -> str:
        if not NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no benchmark name: letters, digits, _ and - alone")
        return name

    @field_validator("id_alias")
    @classmethod
    def _formats(cls, text: str) -> str:
        try:
            if not text or text.format(7) != text:
                return text
        except (ValueError, IndexError, KeyError):
            pass
        raise ValueError(f"{text!r} is no pattern for a number, such as 'dev-{{:05d}}'")

    @property
    def root(self) -> Path:
        """The folder that the other paths are relative to."""
        return self.home / Path(self.benchmark_path or self.name).expanduser()

    @property
    def question_path(self) -> Path:
        """The question file."""
        return self.root / self.question_file

    @property
    def gold_sql_source(self) -> Path | None:
        """Where the gold SQL lies; the question file where nothing else is named."""
        if self.gold_sql_path:
            return self.root / self.gold_sql_path
        return self.question_path if self.gold_sql_key else None

    @property
    def gold_result_source(self) -> Path | None:
        """Where the gold results lie; None where the golds are executed."""
        if not self.gold_result_path:
            return self.question_path if self.gold_result_key else None
        path = self.root / self.gold_result_path
        return path if path.is_dir() or self.gold_result_key else None

    @property
    def database_folder(self) -> Path | None:
        """Where the databases lie, as ``<db_id>/<db_id>.sqlite``."""
        return self.root / Path(self.databases).expanduser() if self.databases else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said about the definition."""
        if self.gold_result_path and self.gold_result_source is None:
            return ("gold_result_key is empty, so the gold SQL is executed",)
        return ()


def read_definitions(path: Path) -> dict[str, Definition]:
    """The benchmarks that a TOML or YAML file defines; BenchmarkError in one line."""
    tables, home = _tables(path)
    if not tables:
        raise BenchmarkError(f"{path}: it defines no benchmark; expected tables [benchmark.NAME]")
    return {
        name: defined({**_table(name, table, path), "name": name, "home": home}, str(path))
        for name, table in tables.items()
    }


def defined(fields: Mapping[str, Any], origin: str) -> Definition:
    """The definition with those fields; BenchmarkError names the key that is wrong."""
    try:
        return Definition.model_validate(dict(fields))
    except ValidationError as error:
        raise BenchmarkError(f"{origin}: {_first(error, str(fields['name']))}") from None


def _first(error: ValidationError, name: str) -> str:
    """The first fault; a key that is unknown before one that is missing, as it may be that one."""
    faults: list[Any] = error.errors(include_url=False)
    fault = min(faults, key=lambda one: one["type"] != "extra_forbidden")
    key = str(fault["loc"][0])
    place = f"[benchmark.{name}] {'.'.join(map(str, fault['loc']))}"
    if fault["type"] == "extra_forbidden":
        known = [one for one in Definition.model_fields if one not in ("name", "home")]
        near = [f"did you mean {one!r}? " for one in difflib.get_close_matches(key, known, n=1)]
        return f"{place}: unknown key; {''.join(near)}it may be: {', '.join(known)}"
    if fault["type"] == "missing":
        return f"{place}: missing"
    if fault["type"] == "value_error":
        return f"{place}: {fault['ctx']['error']}"
    field = Definition.model_fields.get(key)
    return f"{place}: found {shown(fault['input'])}; it may be {field and field.description}"


def _tables(path: Path) -> tuple[dict[str, Any], Path]:
    """The benchmarks of a file, and the folder that theirs are relative to."""
    text, home = read_text(path).text, path.resolve().parent
    if path.suffix.lower() in (".yml", ".yaml"):
        document = _yaml(text, path)
        document = document.get("agent", document)
        home = _agent_home(document, home)
    else:
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise BenchmarkError(f"{path}: not TOML: {error}") from None
    found = document.get("benchmark", {}) if isinstance(document, dict) else {}
    return found if isinstance(found, dict) else {}, home


def _agent_home(document: object, folder: Path) -> Path:
    """Where an agent keeps its benchmarks: ``benchmark`` in its home, if the file names one."""
    home = document.get("home") if isinstance(document, dict) else None
    if not isinstance(home, str):
        return folder
    there = folder / Path(home).expanduser() / "benchmark"
    return there if there.is_dir() else folder


def _yaml(text: str, path: Path) -> dict[str, Any]:
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BenchmarkError(f"{path}: not YAML: {error}") from None
    return document if isinstance(document, dict) else {}


def _table(name: str, table: object, path: Path) -> dict[str, Any]:
    """The fields of one benchmark; a key that a YAML file leaves empty is one that is not there."""
    if not isinstance(table, dict):
        raise BenchmarkError(f"{path}: [benchmark.{name}] is no table")
    return {str(key): value for key, value in table.items() if value is not None}
