"""Small corpora of every layout, made on disk for one test."""

import json
from pathlib import Path
from typing import Any

from pairset.config import Config, CorpusConfig

ROW: dict[str, Any] = {"db_id": "d", "question": "How many?", "gold": "SELECT count(*) FROM t"}
KEYS = {"question_key": "question", "db_key": "db_id", "gold_key": "gold", "split": "train"}


def spec(layout: str, **keys: Any) -> CorpusConfig:
    """A corpus as a config gives it."""
    return config({"layout": layout, "name": layout, **keys}).corpora[0]


def config(*corpora: dict[str, Any]) -> Config:
    """A config that holds nothing but corpora."""
    return Config.model_validate({"corpora": list(corpora)})


def write(path: Path, value: object) -> Path:
    """``value`` as JSON, in folders that are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def tasks(path: Path, *rows: object, **keys: Any) -> CorpusConfig:
    """A JSON question file of ``rows``."""
    return spec("tasks", file=str(write(path / "tasks.json", rows)), **(KEYS | keys))


def row(**changes: Any) -> dict[str, Any]:
    """A row that nothing is wrong with, but for ``changes``."""
    return ROW | changes


def spider(path: Path, **splits: list[dict[str, Any]]) -> CorpusConfig:
    """Spider's folder with a file a split."""
    for split, rows in splits.items():
        write(path / f"{split}.json", rows)
    return spec("spider", path=str(path), splits=list(splits))


def database(folder: Path, db_id: str) -> None:
    """A file where a database would be."""
    (folder / db_id).mkdir(parents=True)
    (folder / db_id / f"{db_id}.sqlite").touch()
