"""What a pair's two runs say of it: its label, and the flags beside the label (DESIGN section 5).

A flag never changes a label. `label_pairs` is the one place that decides.
"""

import polars as pl

FLAGS = (
    "both_empty", "gold_empty", "arity_differs", "nondeterministic", "wall_time", "gold_cut",
    "gold_order_ties", "gold_bare_column", "order_only", "multiplicity_only", "float_close",
)  # fmt: skip
"""Every flag of a label, in the order in which they are listed."""

UNSTABLE = (
    "both_empty", "nondeterministic", "gold_cut", "gold_order_ties", "gold_bare_column",
    "float_close",
)  # fmt: skip
"""The flags whose pairs a reader may want to leave out; reports show the record without, too."""

_PAIR = (
    "pair_id", "gold_id", "dataset", "db_id", "gold_sql", "neighbor_sql",
    "neighbor_nondeterministic",
)  # fmt: skip
_STATIC = ("nondeterministic", "gold_cut", "gold_order_ties", "gold_bare_column")
_ANSWER = (
    "status", "row_count", "column_count", "list_digest", "multiset_digest", "set_digest",
    "close_digest", "flags",
)  # fmt: skip


def label_pairs(pairs: pl.DataFrame, golds: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    """The label of every pair whose two queries were run.

    The answers are the same as lists when the gold's outermost query has an ORDER BY, and as
    multisets otherwise. A pair that did not run is labelled with the error, never dropped, so the
    tied count stays the denominator of record.

    ``pairs``, ``golds`` and ``runs`` are tables of those names, of one database and one tree.
    """
    static = golds.select("gold_id", "ordered", *_STATIC)
    both = pairs.select(*_PAIR).join(
        static, on="gold_id", how="left", validate="m:1", maintain_order="left"
    )
    for side in ("gold", "neighbor"):
        answers = runs.select("sql", *_ANSWER).rename({c: f"{side}_{c}" for c in ("sql", *_ANSWER)})
        both = both.join(
            answers, on=f"{side}_sql", how="inner", validate="m:1", maintain_order="left"
        )
    return both.with_columns(label=_label()).select(
        "pair_id",
        "dataset",
        "db_id",
        "label",
        "gold_row_count",
        "neighbor_row_count",
        exec_flags=_flags(),
    )


def _ok(side: str) -> pl.Expr:
    return pl.col(f"{side}_status") == "ok"


def _same(kind: str) -> pl.Expr:
    """Whether both sides have that digest, and it is one."""
    return (pl.col(f"gold_{kind}_digest") == pl.col(f"neighbor_{kind}_digest")).fill_null(False)


def _label() -> pl.Expr:
    same = pl.when(pl.col("ordered")).then(_same("list")).otherwise(_same("multiset"))
    return (
        pl.when(~_ok("gold") & ~_ok("neighbor")).then(pl.lit("both_error"))
        .when(~_ok("gold")).then(pl.lit("gold_error"))
        .when(~_ok("neighbor")).then(pl.lit("neighbor_error"))
        .when(same).then(pl.lit("tied"))
        .otherwise(pl.lit("separated"))
    )  # fmt: skip


def _close() -> pl.Expr:
    """Equal once REALs are printed at 9 digits; a side without one stands by its multiset."""
    sides = [
        pl.coalesce(f"{side}_close_digest", f"{side}_multiset_digest")
        for side in ("gold", "neighbor")
    ]
    return sides[0] == sides[1]


def _flags() -> pl.Expr:
    separated = pl.col("label") == "separated"
    gold_empty = _ok("gold") & (pl.col("gold_row_count") == 0)
    wall_time = [
        pl.col(f"{side}_flags").list.contains("wall_time") for side in ("gold", "neighbor")
    ]
    conditions = {
        "both_empty": gold_empty & _ok("neighbor") & (pl.col("neighbor_row_count") == 0),
        "gold_empty": gold_empty,
        "arity_differs": _ok("gold") & _ok("neighbor")
        & (pl.col("gold_column_count") != pl.col("neighbor_column_count")),
        "nondeterministic": pl.col("nondeterministic") | pl.col("neighbor_nondeterministic"),
        "wall_time": wall_time[0] | wall_time[1],
        "gold_cut": pl.col("gold_cut"),
        "gold_order_ties": pl.col("gold_order_ties"),
        "gold_bare_column": pl.col("gold_bare_column"),
        "order_only": separated & _same("multiset"),
        "multiplicity_only": separated & ~_same("multiset") & _same("set"),
        "float_close": separated & ~_same("multiset") & _close(),
    }  # fmt: skip
    named = [pl.when(conditions[flag].fill_null(False)).then(pl.lit(flag)) for flag in FLAGS]
    return pl.concat_list(named).list.drop_nulls()
