"""The tables of scored trees: the tied set, what each tree gave, the report over all of them."""

import pyarrow as pa

from pairset.table import STRING, STRINGS, table

# The denominator of record: every pair that the original ties, and what the audit said of it.
TIED_SET = table(
    "tied_set", 1, ("pair_id",),
    **dict.fromkeys(("pair_id", "gold_id", "dataset", "db_id", "provenance_check"), STRING),
)  # fmt: skip

# The next two lie in the folder of the tree that they are about, beside its own runs.
TREE_DATABASES = table(
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

SCORES = table(
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
CATCH_RATES = table(
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

TREE_DUELS = table(
    "tree_duels", 1, ("tree", "other", "reading"),
    **dict.fromkeys(("tree", "other", "reading"), STRING),
    **dict.fromkeys(("pairs", "won", "lost", "both", "neither"), pa.int64()),
    p_value=pa.float64(),
)  # fmt: skip
