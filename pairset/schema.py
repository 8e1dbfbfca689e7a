"""The tables: one declared Arrow schema each, and the columns their rows are sorted by."""

import pyarrow as pa

from pairset.table import STRING, STRINGS, Table, table
from pairset.tree_schema import CATCH_RATES, SCORES, TIED_SET, TREE_DATABASES, TREE_DUELS

__all__ = ["TABLES", "Table"]

SAMPLES = table(
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
SCHEMAS = table(
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

GOLDS = table(
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

PAIRS = table(
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
YIELDS = table(
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

RUNS = table(
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

LABELS = table(
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

# Does the neighbour belong to its gold's question? A mutant does by construction.
AUDIT = table(
    "audit",
    1,
    ("pair_id",),
    pair_id=STRING,
    dataset=STRING,
    db_id=STRING,
    generator=STRING,
    provenance_check=STRING,
    provenance_note=STRING,
    owner_sample_id=STRING,
    owner_distance=pa.int64(),
    closeness_owner=pa.float64(),
    closeness_gold=pa.float64(),
)

# The second verdict, which needs answers: one row a pair that is a reference.
PROVENANCE_SCORES = table(
    "provenance_scores",
    1,
    ("pair_id",),
    pair_id=STRING,
    dataset=STRING,
    db_id=STRING,
    provenance_score=pa.float64(),
    score_owner_sample_id=STRING,
    score_evidence=STRING,
)

# What became of every entry of every list of references, repeats included.
REFERENCE_AUDIT = table(
    "reference_audit",
    1,
    ("corpus_row", "reference_index"),
    dataset=STRING,
    db_id=STRING,
    corpus_row=pa.int64(),
    sample_id=STRING,
    reference_index=pa.int64(),
    pair_id=STRING,
    sql=STRING,
    gate=STRING,
    reason=STRING,
    provenance_check=STRING,
    provenance_note=STRING,
    owner_sample_id=STRING,
    closeness_owner=pa.float64(),
    closeness_gold=pa.float64(),
    provenance_score=pa.float64(),
    score_owner_sample_id=STRING,
    score_evidence=STRING,
    reads_extra_tables=STRINGS,
    ends_corpus_row=pa.int64(),
    ends_sample_id=STRING,
    ends_index=pa.int64(),
)

REMOVED_REFERENCES = table(
    "removed_references",
    1,
    ("corpus_row", "reference_index"),
    dataset=STRING,
    db_id=STRING,
    corpus_row=pa.int64(),
    sample_id=STRING,
    reference_index=pa.int64(),
    sql=STRING,
    gate=STRING,
    reason=STRING,
    offers=STRING,
    ends_sample_id=STRING,
    ends_index=pa.int64(),
)

# Every row that went no further, with the reason that turned it away; one table a stage.
_REFUSED = {
    name: STRING
    for name in (
        "stage", "reason", "dataset", "db_id", "place", "sample_id", "gold_id", "sql", "note",
    )
}  # fmt: skip
_REFUSED_KEY = ("reason", "place", "sample_id", "gold_id", "sql")
REFUSED_SAMPLES = table("refused_samples", 1, _REFUSED_KEY, **_REFUSED)
REFUSED_SCHEMAS = table("refused_schemas", 1, _REFUSED_KEY, **_REFUSED)
REFUSED_GOLDS = table("refused_golds", 1, _REFUSED_KEY, **_REFUSED)
REFUSED_PAIRS = table("refused_pairs", 1, _REFUSED_KEY, **_REFUSED)
REFUSED_RUNS = table("refused_runs", 1, _REFUSED_KEY, **_REFUSED)

TABLES: dict[str, Table] = {
    one.name: one
    for one in (
        SAMPLES, SCHEMAS, GOLDS, PAIRS, YIELDS, AUDIT, RUNS, LABELS,
        PROVENANCE_SCORES, REFERENCE_AUDIT, REMOVED_REFERENCES, TIED_SET,
        TREE_DATABASES, SCORES, CATCH_RATES, TREE_DUELS,
        REFUSED_SAMPLES, REFUSED_SCHEMAS, REFUSED_GOLDS, REFUSED_PAIRS, REFUSED_RUNS,
    )
}  # fmt: skip
