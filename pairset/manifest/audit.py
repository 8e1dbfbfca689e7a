"""What the audit found, counted and put on the page, or for whoever asks for the audit alone."""

from typing import Any

import polars as pl

from pairset.manifest.markdown import table

AUDIT_COLUMNS = ("dataset", "db_id", "generator", "provenance_check", "owner_distance")
COUNTED = ("pairs", "ok", "misaligned_in_corpus", "builder_error")
"""All pairs, then those of each verdict."""

HEADS = ("pairs", "ok", "misaligned", "builder error", "share")
"""What the counted columns are called on a page, with the misaligned share."""

_BANDS = (
    (-(10**9), -21, "more than 20 before"),
    (-20, -11, "11 to 20 before"),
    (-10, -1, "1 to 10 before"),
    *((at, at, f"{at} after") for at in range(1, 11)),
    (11, 20, "11 to 20 after"),
    (21, 10**9, "more than 20 after"),
)

Counts = list[dict[str, Any]]


def audit_counts(audit: pl.DataFrame) -> dict[str, Counts]:
    """Verdicts by generator and by database (of references, the worst first), and the distances.

    A distance is how many rows of the corpus further on the owner sits; before is negative.
    """
    references = audit.filter(pl.col("generator") == "finer_sql_enrichment")
    worst = ("misaligned_in_corpus", "builder_error", "dataset", "db_id")
    by_database = _verdicts(references, "dataset", "db_id")
    misaligned = audit.filter(pl.col("provenance_check") == "misaligned_in_corpus")
    by_distance = misaligned.group_by("owner_distance").agg(rows=pl.len()).sort("owner_distance")
    return {
        "by_generator": _verdicts(audit, "dataset", "generator").to_dicts(),
        "by_database": by_database.sort(worst, descending=[True, True, False, False]).to_dicts(),
        "by_distance": by_distance.to_dicts(),
    }


def share(row: dict[str, Any]) -> str:
    """The misaligned among all pairs of a row, in percent."""
    return f"{100 * row['misaligned_in_corpus'] / row['pairs']:.1f} %" if row["pairs"] else ""


def cells(row: dict[str, Any], *names: str) -> list[Any]:
    """A row of a page: what it is about, the counts, the share."""
    return [*(row[name] for name in names), *(row[name] for name in COUNTED), share(row)]


def bands(by_distance: Counts) -> list[tuple[str, int]]:
    """The distances gathered for a page: each of the ten rows after, where blocks come from."""
    found = ((what, _within(by_distance, low, high)) for low, high, what in _BANDS)
    return [(what, rows) for what, rows in found if rows]


def _within(by_distance: Counts, low: int, high: int) -> int:
    return sum(row["rows"] for row in by_distance if low <= row["owner_distance"] <= high)


def _verdicts(audit: pl.DataFrame, *by: str) -> pl.DataFrame:
    counted = {check: (pl.col("provenance_check") == check).sum() for check in COUNTED[1:]}
    return audit.group_by(*by).agg(pairs=pl.len(), **counted).sort(*by)


def audit_section(manifest: dict[str, Any]) -> str:
    """The verdicts of the audit, and where the owners of misaligned references sit."""
    counted = manifest["audit"]
    by_generator = (cells(r, "dataset", "generator") for r in counted["by_generator"])
    parts = [
        "## Audit",
        "A pair is misaligned when another gold of its database is a better owner of it.",
        table(("dataset", "generator", *HEADS), by_generator),
    ]
    worst = [r for r in counted["by_database"] if r["pairs"] > r["ok"]]
    if worst:
        body = (cells(r, "dataset", "db_id") for r in worst)
        parts += ["By database, the worst first:", table(("dataset", "db_id", *HEADS), body)]
    if counted["by_distance"]:
        far = table(("owner, in rows of the corpus", "pairs"), bands(counted["by_distance"]))
        parts += ["How far away the owner sits:", far]
    return "\n\n".join(parts)
