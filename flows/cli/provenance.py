"""What belongs to which question: the audit's counts, and the proofs over a corpus."""

import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import typer

from flows.cli.options import Common, takes
from flows.cli.outcome import WRONG, one_line

if TYPE_CHECKING:  # a help text needs none of these
    from pairset.build import Build
    from provenance.extraction import Proof

SHOWN = 20
EXTRACTION = "finding every reference again in the files of the corpus"


def audit_facts(build: "Build") -> dict[str, Any]:
    """The counts of the audit; draws its picture beside them."""
    import polars as pl

    from pairset.manifest.audit import AUDIT_COLUMNS, COUNTED, audit_counts
    from pairset.manifest.collect import read_columns
    from provenance.picture import PICTURE, draw_distances

    audit = read_columns(build, "audit", AUDIT_COLUMNS)
    counted = audit_counts(audit)
    references = audit.filter(pl.col("generator") == "finer_sql_enrichment").height
    sums = {name: sum(row[name] for row in counted["by_generator"]) for name in COUNTED}
    draw_distances(counted["by_distance"], build.root / PICTURE)
    return {**sums, "references": references, "audit": counted}


def show_audit(facts: dict[str, Any], build: "Build") -> None:
    """The counts as tables, the worst databases first."""
    from flows.cli import report
    from pairset.manifest.audit import HEADS, bands, cells
    from provenance.picture import PICTURE

    counted = facts["audit"]
    report.gap()
    rows = [cells(row, "dataset", "generator") for row in counted["by_generator"]]
    report.as_columns(["dataset", "generator", *HEADS], rows)
    worst = [row for row in counted["by_database"] if row["pairs"] > row["ok"]]
    if worst:
        report.gap()
        rows = [cells(row, "dataset", "db_id") for row in worst[:SHOWN]]
        report.as_columns(["dataset", "db_id", *HEADS], rows)
        _say_more(len(worst) - SHOWN, "databases; all of them are in the manifest")
    if counted["by_distance"]:
        report.gap()
        report.as_columns(["owner, in rows of the corpus", "pairs"], bands(counted["by_distance"]))
        report.where(build.root / PICTURE)


def references_facts(build: "Build") -> dict[str, Any]:
    """What became of the references, and how the two verdicts on them agree."""
    import polars as pl

    from pairset.manifest.collect import counts, read_columns
    from provenance.score.blocks import LIKELY

    columns = ("dataset", "gate", "ends_corpus_row", "provenance_check", "provenance_score")
    audit = read_columns(build, "reference_audit", columns).with_columns(
        likely_elsewhere=pl.col("provenance_score") >= LIKELY
    )
    is_kept, ends = pl.col("gate").is_null(), pl.col("ends_corpus_row").is_not_null()
    return {
        "references": audit.height,
        "references_kept": audit.filter(is_kept).height,
        "references_reattached": audit.filter(ends & ~is_kept).height,
        "removed": audit.filter(~is_kept).height,
        "removed_by_gate": counts(audit.filter(~is_kept), "dataset", "gate"),
        "verdicts": counts(audit, "provenance_check", "likely_elsewhere"),
    }


def show_references(facts: dict[str, Any], build: "Build") -> None:
    """The same as tables."""
    from flows.cli import report

    numbers = {name.replace("_", " "): n for name, n in facts.items() if isinstance(n, int)}
    report.gap()
    report.as_lines(numbers)
    if facts["removed_by_gate"]:
        report.gap()
        rows = [list(row.values()) for row in facts["removed_by_gate"]]
        report.as_columns(["dataset", "gate", "removed"], rows)
    if facts["verdicts"]:
        report.gap()
        rows = [
            [
                r["provenance_check"] or "no query",
                "yes" if r["likely_elsewhere"] else "no",
                r["rows"],
            ]
            for r in facts["verdicts"]
        ]
        report.as_columns(["definition of record", "score 0.5 or more", "references"], rows)


def _say_more(count: int, what: str) -> None:
    if count > 0:
        print(f"... and {count} more {what}", file=sys.stderr)


@takes(Common)
def verify_extraction(context: typer.Context, options: Common) -> None:
    """Find every reference pair again in the corpus files.

    By code of its own: each pair stands verbatim at the place it names, each id is the digest of
    its row, and no reference is lost. Ends with 1 if the builder was wrong.
    """
    began = time.monotonic()
    with one_line():
        proof = _prove(context, options)
        _report_proof(proof, options, time.monotonic() - began)
    if not proof.holds:
        raise typer.Exit(WRONG)


def _prove(context: typer.Context, options: Common) -> "Proof":
    from flows.parts import of_pairset
    from flows.planning import demand
    from flows.progress import Teller
    from flows.request import Request
    from provenance.extraction import verify_extraction as verify

    request = Request(options.config, options.data)
    build, parts = request.build(), context.obj or of_pairset()
    demand(parts.before("audit"), "verify-extraction", build, request)
    with Teller().waiting(EXTRACTION):
        enrichment = build.config.generators.enrichment
        return verify(build.root, build.config.corpora, enrichment=enrichment)


def _report_proof(proof: "Proof", options: Common, seconds: float) -> None:
    from flows.cli import report

    failed = proof.builder_error
    facts = {
        "pairs": proof.pairs,
        "references_of_pairs": proof.references,
        "references_of_the_corpus": proof.listed,
        "builder_error": failed,
    }
    if options.json:
        reasons = dict(sorted(Counter(one.reason for one in proof.errors).items()))
        judged = {"total": proof.pairs, "passed": proof.pairs - failed, "failed": failed}
        more = {"reasons": reasons, "seconds": round(seconds, 2)}
        report.as_json({"command": "verify-extraction", **facts, **judged, **more})
    else:
        report.as_lines({name.replace("_", " "): count for name, count in facts.items()})
    for one in proof.errors[:SHOWN]:
        what = f"pair {one.pair_id}" if one.pair_id else "no pair"
        print(f"{one.dataset}/{one.db_id}: {what}: {one.reason}: {one.note}", file=sys.stderr)
    _say_more(len(proof.errors) - SHOWN, "of these")
