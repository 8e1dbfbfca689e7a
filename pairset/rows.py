"""The rows that a corpus is read into."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sample:
    """One training row: a question, its gold, and the references listed beside it.

    ``references`` keeps every entry of the corpus's list after the gold, in its order, so that an
    index into it is the corpus's own. An entry that is not a text is kept as None, and counted.
    """

    corpus_row: int
    sample_id: str
    dataset: str
    db_id: str
    question: str
    evidence: str
    gold_sql: str
    references: tuple[str | None, ...]
    prompt_sha256: str | None
    split: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A row that went no further: at which stage, for which named reason, and where it stood.

    ``place`` is for a person: a file and a position in it, never a folder of this machine.
    """

    stage: str
    reason: str
    dataset: str
    db_id: str
    place: str
    sample_id: str = ""
    gold_id: str = ""
    sql: str = ""
    note: str = field(default="")
