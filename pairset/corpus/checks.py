"""What turns a row away: one function a fault, in the order in which they are asked."""

import hashlib
from collections.abc import Callable
from pathlib import PurePath

from pairset.config import unsafe_name
from pairset.corpus.common import MISSING, STAGE, RawRow, shown
from pairset.rows import Refusal, Sample

Known = Callable[[str], frozenset[str] | None]  # the db_ids of a dataset, None where undeclared
Seen = dict[tuple[str, str], tuple[type, str]]  # dataset and sample id: the id's type, its place


FIELDS = (
    "sample_id", "dataset", "db_id", "question", "evidence", "gold", "references", "prompt",
)  # fmt: skip


class Row:
    """A raw row beside what its corpus knows.

    ``values`` are its fields under our names: MISSING where the row lacks the column, no entry
    where the layout has none.
    """

    def __init__(self, raw: RawRow, default_dataset: str, known: Known, seen: Seen) -> None:
        self.raw, self.default_dataset, self.known, self.seen = raw, default_dataset, known, seen
        self.record = raw.record if isinstance(raw.record, dict) else {}
        names = {name: getattr(raw.columns, name) for name in FIELDS}
        self.values: dict[str, object] = {
            name: self.record.get(column, MISSING) for name, column in names.items() if column
        }

    @property
    def dataset(self) -> str:
        """The row's own dataset, or that of its corpus."""
        return str(self.values.get("dataset", self.default_dataset))

    @property
    def sample_id(self) -> str:
        """The corpus's own id, or one made of the file's name and the position in it."""
        own = self.values.get("sample_id", MISSING)
        return f"{PurePath(self.raw.file).stem}-{self.raw.position}" if own is MISSING else str(own)

    @property
    def db_id(self) -> str:
        """The database's id."""
        return str(self.values["db_id"])


def not_an_object(row: Row) -> str | None:
    """A row of a JSON file is no object."""
    return None if isinstance(row.raw.record, dict) else f"found {shown(row.raw.record)}"


def missing_key(row: Row) -> str | None:
    """A key that other rows have is not there."""
    missing = [column for column in row.raw.columns.required if column not in row.record]
    there = ", ".join(shown(key) for key in row.record) or "none"
    return f"no key {missing[0]!r}; there are: {there}" if missing else None


def null_gold(row: Row) -> str | None:
    """The gold is null, or the list that it heads is empty."""
    return "there is no gold" if row.values["gold"] is None else None


def _text(name: str, row: Row) -> str | None:
    value = row.values[name]
    return None if isinstance(value, str) else f"expected text; found {shown(value)}"


def gold_not_text(row: Row) -> str | None:
    """The gold is a number, a list or the like."""
    return _text("gold", row)


def empty_gold(row: Row) -> str | None:
    """The gold is blank."""
    return None if str(row.values["gold"]).strip() else "the gold is blank"


def question_not_text(row: Row) -> str | None:
    """The question is null, a number or the like; an empty text is a question."""
    return _text("question", row)


def evidence_not_text(row: Row) -> str | None:
    """The evidence is neither text nor null nor absent."""
    return None if _evidence(row) is not None else _text("evidence", row)


def references_not_a_list(row: Row) -> str | None:
    """The references are neither a list nor null nor absent."""
    value = row.values.get("references", MISSING)
    return None if value in (None, MISSING) or isinstance(value, list) else f"found {shown(value)}"


def prompt_not_text(row: Row) -> str | None:
    """The prompt is neither text nor null nor absent."""
    value = row.values.get("prompt", MISSING)
    return None if value in (None, MISSING) else _text("prompt", row)


def db_id_not_text(row: Row) -> str | None:
    """The db_id is null, a number or the like."""
    return _text("db_id", row)


def unsafe_db_id(row: Row) -> str | None:
    """The db_id cannot name a file."""
    return _unsafe(row.db_id)


def unsafe_dataset(row: Row) -> str | None:
    """The row's own dataset name is no text, or cannot name a folder."""
    if "dataset" not in row.values:
        return None
    return _text("dataset", row) or _unsafe(row.dataset)


def _unsafe(name: str) -> str | None:
    why = unsafe_name(name)
    return f"{shown(name)} cannot name a file: {why}" if why else None


def unknown_db_id(row: Row) -> str | None:
    """The db_id is in neither the databases nor the schemas that the corpus declares."""
    known = row.known(row.dataset)
    if known is None or row.db_id in known:
        return None
    return f"{shown(row.db_id)} is in neither the databases nor the schemas"


def not_unicode(row: Row) -> str | None:
    """A lone surrogate, which JSON can spell, stands in a text that the tables are to hold."""
    for name in ("gold", "question", "evidence", "prompt"):
        value = row.values.get(name)
        if isinstance(value, str) and not is_unicode(value):
            return f"a lone surrogate in the {name}"
    return None


def sample_id_wrong_type(row: Row) -> str | None:
    """The sample id is neither a whole number nor a text that says something."""
    value = row.values.get("sample_id", MISSING)
    whole = isinstance(value, int) and not isinstance(value, bool)
    text = isinstance(value, str) and bool(value.strip()) and is_unicode(value)
    return None if value is MISSING or whole or text else f"found {shown(value)}"


def sample_id_number_and_text(row: Row) -> str | None:
    """The id is that of an earlier row but for one being a number, the other a text."""
    kind, place = row.seen.get((row.dataset, row.sample_id), (_id_type(row), ""))
    if kind is _id_type(row):
        return None
    return f"{shown(row.values.get('sample_id'))} and the id of {place} read the same"


def duplicate_sample_id(row: Row) -> str | None:
    """The id is that of an earlier row of the same dataset."""
    earlier = row.seen.get((row.dataset, row.sample_id))
    return f"{shown(row.sample_id)} is the id of {earlier[1]} too" if earlier else None


def _id_type(row: Row) -> type:
    return type(row.values.get("sample_id", MISSING))


CHECKS: tuple[Callable[[Row], str | None], ...] = (
    not_an_object,
    missing_key,
    null_gold,
    gold_not_text,
    empty_gold,
    question_not_text,
    evidence_not_text,
    references_not_a_list,
    prompt_not_text,
    not_unicode,
    unsafe_dataset,
    db_id_not_text,
    unsafe_db_id,
    unknown_db_id,
    sample_id_wrong_type,
    sample_id_number_and_text,
    duplicate_sample_id,
)


def is_unicode(text: str) -> bool:
    """False for a text with a lone surrogate in it, which no UTF-8 file can hold."""
    return _writable(text) == text


def checked(row: Row, corpus_row: int) -> Sample | Refusal:
    """The sample that ``row`` is, or the first check that turns it away."""
    for check in CHECKS:
        if (note := check(row)) is not None:
            return _refusal(row, check.__name__, note)
    row.seen[row.dataset, row.sample_id] = (_id_type(row), row.raw.place)
    prompt = row.values.get("prompt", MISSING)
    return Sample(
        corpus_row=corpus_row,
        sample_id=row.sample_id,
        dataset=row.dataset,
        db_id=row.db_id,
        question=str(row.values["question"]),
        evidence=_evidence(row) or "",
        gold_sql=str(row.values["gold"]),
        references=_references(row),
        prompt_sha256=_sha256(prompt) if isinstance(prompt, str) else None,
        split=row.raw.split,
    )


def _refusal(row: Row, reason: str, note: str) -> Refusal:
    """What is kept of a row that goes no further; only what can name a file stays a name."""
    named = {
        name: value if isinstance(value, str) and not unsafe_name(value) else ""
        for name, value in row.values.items()
        if name in ("dataset", "db_id")
    }
    gold, own = row.values.get("gold"), row.values.get("sample_id", MISSING)
    return Refusal(
        stage=STAGE,
        reason=reason,
        dataset=named.get("dataset") or row.default_dataset,
        db_id=named.get("db_id", ""),
        place=row.raw.place,
        sample_id=_writable(row.sample_id) if own is MISSING or isinstance(own, int | str) else "",
        sql=_writable(gold) if isinstance(gold, str) else "",
        note=note,
    )


def _writable(text: str) -> str:
    """``text`` with any lone surrogate spelt out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _evidence(row: Row) -> str | None:
    """The evidence, "" where there is none, None where it is no text."""
    value = row.values.get("evidence", MISSING)
    if value is None or value is MISSING:
        return ""
    return value if isinstance(value, str) else None


def _references(row: Row) -> tuple[str | None, ...]:
    entries = row.values.get("references")
    if not isinstance(entries, list):
        return ()
    return tuple(one if isinstance(one, str) and is_unicode(one) else None for one in entries)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
