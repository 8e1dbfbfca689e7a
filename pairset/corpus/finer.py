"""The FINER-SQL layout: a Hugging Face dataset saved to disk, read by what it declares.

Beside the declared files such a folder gathers ``cache-*.arrow`` files, left by whoever mapped a
function over it. They are not the dataset, and are never opened.
"""

from pathlib import Path
from typing import Any

from pairset.config import FinerCorpus
from pairset.corpus.common import (
    BadFile,
    Columns,
    CorpusError,
    Found,
    Inputs,
    RawRow,
    guarded,
    parsed_json,
    shown,
)
from pairset.corpus.evaluation import refuse_evaluation
from pairset.corpus.prompts import evidence_in

GOLD, REFERENCES = "groundtruth_sqls[0]", "groundtruth_sqls[1:]"
COLUMNS = Columns(
    sample_id="sample_id",
    dataset="dataset_name",
    db_id="db_id",
    question="question",
    evidence="evidence",
    gold=GOLD,
    references=REFERENCES,
    prompt="prompt_raw",
    optional=frozenset({"evidence", "prompt_raw"}),
)
STORED = ("sample_id", "dataset_name", "db_id", "question", "groundtruth_sqls")


def rows(spec: FinerCorpus, inputs: Inputs) -> Found:
    """The rows of the dataset, in its order."""
    yield from guarded(_rows_of(spec, inputs))


def _rows_of(spec: FinerCorpus, inputs: Inputs) -> Found:
    state = _state(spec.path, inputs)
    split = _split(spec, state)
    refuse_evaluation(spec, (split,))
    for name in ("dataset_info.json", *_declared(state)):
        inputs.add(spec.path / name, name)
    records = _records(spec.path)
    if not records:
        raise BadFile("no_rows", "state.json", "the dataset is empty")
    for position, record in enumerate(records):
        yield RawRow(spec.path.name, position, record, COLUMNS, split)


def _state(path: Path, inputs: Inputs) -> dict[str, Any]:
    if (path / "dataset_dict.json").is_file():
        splits = ", ".join(sorted(one.parent.name for one in path.glob("*/state.json")))
        note = f"a dictionary of datasets; let path be one of its folders: {splits}"
        raise BadFile("wrong_type", "dataset_dict.json", note)
    state = parsed_json(inputs.text(path / "state.json", "state.json"), "state.json")
    if not isinstance(state, dict):
        raise BadFile("wrong_type", "state.json", f"expected an object; found {shown(state)}")
    return state


def _split(spec: FinerCorpus, state: dict[str, Any]) -> str:
    """The dataset's own split, or the one that the config declares where it has none."""
    own = state.get("_split")
    if own is None and spec.split is None:
        raise CorpusError(f"{spec.name}: the dataset names no split; say which it is with 'split'")
    if own is not None and spec.split not in (None, own):
        raise CorpusError(f"{spec.name}: split is {spec.split!r}, but the dataset's own is {own!r}")
    return str(own or spec.split)


def _declared(state: dict[str, Any]) -> list[str]:
    try:
        names = [str(entry["filename"]) for entry in state["_data_files"]]
    except (KeyError, TypeError):
        note = "no list of files under '_data_files'"
        raise BadFile("wrong_type", "state.json", note) from None
    if outside := [name for name in names if Path(name).name != name]:
        raise BadFile("wrong_type", "state.json", f"{shown(outside[0])} is no file of this folder")
    return names


def _records(path: Path) -> list[dict[str, object]]:
    import datasets  # a second of imports that the other layouts do without
    import pyarrow as pa

    try:
        # In memory: a map over a dataset that is not writes its cache beside the input.
        loaded = datasets.load_from_disk(str(path), keep_in_memory=True)
        names = _checked_columns(loaded.data.schema)
        stored = loaded.select_columns(names).data.table.to_pylist()
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError) as error:
        first = str(error).partition("\n")[0]
        raise BadFile("broken_arrow", "state.json", f"cannot be loaded: {first}") from None
    return [_record(row) for row in stored]


def _checked_columns(schema: Any) -> list[str]:
    """The columns to read, all that must be there among them."""
    there = schema.names
    if missing := [name for name in STORED if name not in there]:
        note = f"no column {missing[0]!r}; there are: {', '.join(map(shown, there))}"
        raise BadFile("unknown_column", "dataset_info.json", note)
    if not str(golds := schema.field("groundtruth_sqls").type).startswith(("list", "large_list")):
        note = f"expected groundtruth_sqls to be a list; found {golds}"
        raise BadFile("wrong_type", "dataset_info.json", note)
    return [name for name in (*STORED, "prompt_raw") if name in there]


def _record(row: dict[str, Any]) -> dict[str, object]:
    """The stored row under the names of ``COLUMNS``."""
    golds = row.pop("groundtruth_sqls") or [None]
    prompt = row.get("prompt_raw")
    evidence = evidence_in(prompt) if isinstance(prompt, str) else ""
    return row | {"evidence": evidence, GOLD: golds[0], REFERENCES: golds[1:]}
