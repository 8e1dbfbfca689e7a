"""The figures of the site: read off the manifest of a real build, kept in ``figures.json``.

``python -m docs.figures data/main/manifest.json`` puts those of that build in their place; where
trees were scored on it (``pairset scores``), the figures of that report come with them. There is no
date and no name of a machine among them, so the same build gives the same file.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from docs import ROOT
from pairset.labels import FLAGS

FIGURES = ROOT / "docs" / "figures.json"
LABELS = ("tied", "separated", "gold_error", "neighbor_error", "both_error")
Rows = Iterable[Mapping[str, Any]]


def load() -> dict[str, Any]:
    """The figures that the pages are given."""
    found: dict[str, Any] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return found


def of_manifest(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of a build, from its manifest."""
    labels = manifest["labels"]
    return {
        "corpora": [_corpus(row, labels["all"]) for row in manifest["corpora"]],
        "total": _total(manifest),
        "labels": _labels(labels["all"]),
        "of_record": _labels(manifest["pairs"]["of_record"]),
        "without": {
            name.removeprefix("without_"): _labels(rows)
            for name, rows in labels.items()
            if name != "all"
        },
        "classes": _shares(manifest["pairs"]["by_class"], "mutation_class"),
        "operators": _shares(manifest["pairs"]["by_operator"], "operator"),
        "flags": _flags(manifest["flags"]),
        "orders": _sums(manifest["pairs"]["by_generator"], "order"),
        "runs": _sums(manifest["runs"], "status"),
        "refused": _sums(manifest["refused"], "reason"),
        "max_vm_steps": manifest["settings"]["executor"]["max_vm_steps"],
        "cap": manifest["settings"]["generators"]["mutants"]["cap"],
        "sqlite": ", ".join(manifest["versions"]["sqlite"]),
    }


def _corpus(row: Mapping[str, Any], labels: Rows) -> dict[str, Any]:
    names = ("dataset", "samples", "golds", "golds_parsed", "databases", "references")
    own = [one for one in labels if one["dataset"] == row["dataset"]]
    return {name: row[name] for name in names} | _labels(own)


def _total(manifest: Mapping[str, Any]) -> dict[str, int]:
    names = ("samples", "golds", "golds_parsed", "databases", "references")
    made = _sums(manifest["pairs"]["by_generator"], "generator")
    sums = {name: sum(row[name] for row in manifest["corpora"]) for name in names}
    ran = [row for row in manifest["golds"] if row["status"] is not None]
    return sums | {
        "pairs": sum(made.values()),
        "mutants": made.get("mutant_grammar", 0),
        "reference_pairs": made.get("finer_sql_enrichment", 0),
        "runs": sum(row["rows"] for row in manifest["runs"]),
        "golds_run": sum(row["rows"] for row in ran),
        "golds_failing": sum(row["rows"] for row in ran if row["status"] != "ok"),
    }


def _labels(rows: Rows) -> dict[str, Any]:
    """Pairs by label; ``unlabelled`` are those whose database is missing."""
    found = Counter[str]()
    for row in rows:
        found[row["label"] or "unlabelled"] += row["rows"]
    counts = {name: found[name] for name in (*LABELS, "unlabelled")}
    return counts | {"tied_share": _share(found["tied"], found["separated"])}


def _share(part: int, rest: int) -> float:
    return round(part / (part + rest), 6) if part + rest else 0.0


def _flags(rows: Rows) -> dict[str, dict[str, int]]:
    """Pairs by flag and label; a flag that no pair has is there with zeros."""
    found = _by(rows, "flag")
    return {flag: dict.fromkeys(LABELS, 0) | found.get(flag, {}) for flag in FLAGS}


def _by(rows: Rows, name: str) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for row in rows:
        found.setdefault(row[name], Counter())[row["label"] or "unlabelled"] += row["rows"]
    return {kind: dict(labels) for kind, labels in found.items()}


def _sums(rows: Rows, name: str) -> dict[str, int]:
    found = Counter[str]()
    for row in rows:
        found[str(row[name])] += row["rows"]
    return dict(sorted(found.items()))


def _shares(rows: Rows, name: str) -> list[dict[str, Any]]:
    """Tied and separated pairs of each kind, the one with the largest tied share first."""
    found = [
        {"name": kind, "tied": tied, "separated": apart, "tied_share": _share(tied, apart)}
        for kind, labels in _by(rows, name).items()
        if (tied := labels.get("tied", 0)) + (apart := labels.get("separated", 0))
    ]
    return sorted(found, key=lambda one: (-float(one["tied_share"]), one["name"]))


def of_scores(scores: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each scored tree separates of the tied set, by the canonical reading and by sets."""
    names = ("tree", "reading", "pairs", "separated", "catch_rate", "low", "high", "databases")
    return [
        {name: row[name] for name in names}
        for row in scores["catch_rates"]
        if row["grouping"] == "total" and not row["without"]
    ]


def gathered(manifest: Path) -> dict[str, Any]:
    """All figures: from the manifest, and from the report of scores beside it."""
    report = manifest.parent / "report" / "scores.json"
    scores = of_scores(_read(report)) if report.exists() else []
    return of_manifest(_read(manifest)) | {"scores": scores}


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def number(value: int) -> str:
    """A count, with thousands apart."""
    return f"{int(value):,}"


def percent(value: float) -> str:
    """A share in percent, with one digit behind the point; the blank does not break a line."""
    return f"{100 * float(value):.1f}\N{NO-BREAK SPACE}%"


FILTERS: dict[str, Callable[[Any], str]] = {"number": number, "percent": percent}


def main(words: Sequence[str]) -> None:
    """Write ``figures.json`` anew."""
    if len(words) != 1:
        sys.exit("usage: python -m docs.figures MANIFEST_JSON")
    figures = gathered(Path(words[0]))
    FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
