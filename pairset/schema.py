"""The tables: one declared Arrow schema each, and the columns their rows are sorted by."""

import hashlib
from dataclasses import dataclass

import pyarrow as pa

STRING = pa.string()
STRINGS = pa.list_(pa.field("item", STRING, nullable=True))


@dataclass(frozen=True, slots=True)
class Table:
    """A table's name, schema and key; rows are sorted by the key, and the key is unique."""

    name: str
    version: int
    key: tuple[str, ...]
    schema: pa.Schema

    @property
    def identity(self) -> str:
        """Name, version and a digest of the columns: what a file of this table has to say."""
        columns = hashlib.sha256(str(self.schema).encode()).hexdigest()
        return f"{self.name}/{self.version}/{columns[:16]}"


def _table(name: str, version: int, key: tuple[str, ...], **columns: pa.DataType) -> Table:
    return Table(name, version, key, pa.schema(list(columns.items())))


SAMPLES = _table(
    "samples",
    1,
    ("corpus_row",),
    corpus_row=pa.int64(),
    sample_id=STRING,
    dataset=STRING,
    db_id=STRING,
    question=STRING,
    evidence=STRING,
    gold_sql=STRING,
    references=STRINGS,
    prompt_sha256=STRING,
    split=STRING,
)

# A database's tables as the engine reports them: what names resolve against.
SCHEMAS = _table(
    "schemas",
    1,
    ("table",),
    dataset=STRING,
    db_id=STRING,
    tree=STRING,
    table=STRING,
    columns=STRINGS,
    types=STRINGS,
    not_null=pa.list_(pa.bool_()),
    collations=STRINGS,
    keys=pa.list_(STRINGS),
    foreign_keys=STRING,
    database_sha256=STRING,
)

GOLDS = _table(
    "golds",
    1,
    ("gold_id",),
    gold_id=STRING,
    dataset=STRING,
    db_id=STRING,
    gold_sql=STRING,
    corpus_row=pa.int64(),
    source_sample_ids=STRINGS,
    parses=pa.bool_(),
    refusal=STRING,
    ordered=pa.bool_(),
    nondeterministic=pa.bool_(),
    gold_cut=pa.bool_(),
    gold_order_ties=pa.bool_(),
    gold_bare_column=pa.bool_(),
    gold_family=STRING,
    gold_l1=STRING,
    footprint=STRINGS,
)

PAIRS = _table(
    "pairs",
    1,
    ("gold_id", "pair_id"),
    pair_id=STRING,
    gold_id=STRING,
    gold_sql=STRING,
    neighbor_sql=STRING,
    dataset=STRING,
    db_id=STRING,
    question=STRING,
    evidence=STRING,
    prompt_sha256=STRING,
    source_sample_ids=STRINGS,
    generator=STRING,
    reference_index=pa.int64(),
    neighbor_origin=STRING,
    operator=STRING,
    parent_sql=STRING,
    order=pa.int64(),
    edit_start=pa.int64(),
    edit_end=pa.int64(),
    mutation_class=STRING,
    mutation_aspects=STRINGS,
    gold_family=STRING,
    neighbor_family=STRING,
    strategy_family=STRING,
    gold_l1=STRING,
    neighbor_l1=STRING,
    neighbor_nondeterministic=pa.bool_(),
    of_record=pa.bool_(),
)

# What became of every neighbour that a generator offered, counted.
YIELDS = _table(
    "yields",
    1,
    ("generator", "operator", "order", "outcome"),
    dataset=STRING,
    db_id=STRING,
    generator=STRING,
    operator=STRING,
    order=pa.int64(),
    outcome=STRING,
    count=pa.int64(),
)

RUNS = _table(
    "runs",
    1,
    ("query_id",),
    query_id=STRING,
    tree=STRING,
    dataset=STRING,
    db_id=STRING,
    sql=STRING,
    status=STRING,
    error_class=STRING,
    error=STRING,
    row_count=pa.int64(),
    column_count=pa.int64(),
    list_digest=STRING,
    multiset_digest=STRING,
    set_digest=STRING,
    close_digest=STRING,
    flags=STRINGS,
    sqlite_version=STRING,
    database_sha256=STRING,
)

LABELS = _table(
    "labels",
    1,
    ("pair_id",),
    pair_id=STRING,
    tree=STRING,
    dataset=STRING,
    db_id=STRING,
    label=STRING,
    gold_row_count=pa.int64(),
    neighbor_row_count=pa.int64(),
    exec_flags=STRINGS,
)

# The denominator of record: every pair that the original ties, and what the audit said of it.
TIED_SET = _table(
    "tied_set", 1, ("pair_id",),
    **dict.fromkeys(("pair_id", "gold_id", "dataset", "db_id", "provenance_check"), STRING),
)  # fmt: skip

# The next two lie in the folder of the tree that they are about, beside its own runs.
TREE_DATABASES = _table(
    "tree_databases", 1, ("db_id",),
    **dict.fromkeys(
        ("tree", "dataset", "db_id", "status", "note", "database_sha256", "original_sha256"), STRING
    ),
    **dict.fromkeys(
        (
            "rows", "foreign_keys_broken", "null_in_keys", "wrong_types",
            "original_rows", "original_foreign_keys_broken", "original_null_in_keys",
            "original_wrong_types",
        ),
        pa.int64(),
    ),
    breaks=STRINGS,
)  # fmt: skip

SCORES = _table(
    "scores", 1, ("pair_id",),
    **dict.fromkeys(
        (
            "pair_id", "gold_id", "tree", "dataset", "db_id", "generator", "operator",
            "mutation_class", "provenance_check", "original_label", "label", "set_label",
        ),
        STRING,
    ),
    **dict.fromkeys(("order", "gold_row_count", "neighbor_row_count"), pa.int64()),
    exec_flags=STRINGS,
)  # fmt: skip

# The next two are of a whole report, over all databases.
CATCH_RATES = _table(
    "catch_rates", 1, ("tree", "reading", "without", "grouping", "member"),
    **dict.fromkeys(("tree", "reading", "without", "grouping", "member"), STRING),
    **dict.fromkeys(
        (
            "databases", "pairs", "separated", "unknown", "golds", "golds_empty", "golds_failing",
            "neighbors_failing", "not_run", "originally_separated", "lost",
        ),
        pa.int64(),
    ),
    **dict.fromkeys(("catch_rate", "low", "high", "macro_catch_rate"), pa.float64()),
)  # fmt: skip

TREE_DUELS = _table(
    "tree_duels", 1, ("tree", "other", "reading"),
    **dict.fromkeys(("tree", "other", "reading"), STRING),
    **dict.fromkeys(("pairs", "won", "lost", "both", "neither"), pa.int64()),
    p_value=pa.float64(),
)  # fmt: skip

# Every row that went no further, with the reason that turned it away; one table a stage.
_REFUSED = {
    name: STRING
    for name in (
        "stage", "reason", "dataset", "db_id", "place", "sample_id", "gold_id", "sql", "note",
    )
}  # fmt: skip
_REFUSED_KEY = ("reason", "place", "sample_id", "gold_id", "sql")
REFUSED_SAMPLES = _table("refused_samples", 1, _REFUSED_KEY, **_REFUSED)
REFUSED_SCHEMAS = _table("refused_schemas", 1, _REFUSED_KEY, **_REFUSED)
REFUSED_GOLDS = _table("refused_golds", 1, _REFUSED_KEY, **_REFUSED)
REFUSED_PAIRS = _table("refused_pairs", 1, _REFUSED_KEY, **_REFUSED)
REFUSED_RUNS = _table("refused_runs", 1, _REFUSED_KEY, **_REFUSED)

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        SAMPLES, SCHEMAS, GOLDS, PAIRS, YIELDS, RUNS, LABELS, TIED_SET,
        TREE_DATABASES, SCORES, CATCH_RATES, TREE_DUELS,
        REFUSED_SAMPLES, REFUSED_SCHEMAS, REFUSED_GOLDS, REFUSED_PAIRS, REFUSED_RUNS,
    )
}  # fmt: skip
