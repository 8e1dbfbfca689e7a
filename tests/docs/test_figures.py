"""The figures of the site are the manifest's, and add up."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate

from docs import ROOT
from docs.figures import FIGURES, gathered, load, main, number, of_manifest, percent
from pairset.labels import FLAGS

SCHEMA = json.loads((ROOT / "pairset" / "manifest" / "schema.json").read_text())


def _row(label: str | None, rows: int, **more: Any) -> dict[str, Any]:
    return {**more, "label": label, "rows": rows}


def _mutants(label: str | None, rows: int) -> dict[str, Any]:
    return _row(label, rows, dataset="shop", generator="mutant_grammar")


# Ten pairs of two databases, one of which is missing.
MANIFEST: dict[str, Any] = {
    "corpora": [
        {
            **{"dataset": "shop", "samples": 4, "databases": 2, "references": 1, "golds": 3},
            **{"golds_parsed": 2, "gold_cut": 0, "gold_order_ties": 0, "gold_bare_column": 0},
        }
    ],
    "pairs": {
        "by_generator": [
            {"dataset": "shop", "generator": "finer_sql_enrichment", "order": None, "rows": 1},
            {"dataset": "shop", "generator": "mutant_grammar", "order": 1, "rows": 7},
            {"dataset": "shop", "generator": "mutant_grammar", "order": 2, "rows": 2},
        ],
        "by_operator": [
            _row("tied", 1, operator="SC.SEL"),
            _row("separated", 3, operator="SC.SEL"),
            _row("tied", 2, operator="OR.LCR"),
            _row(None, 1, operator="OR.ROR"),
        ],
        "by_class": [
            _row("tied", 1, mutation_class="distinct_changed", dataset="shop"),
            _row("tied", 2, mutation_class="distinct_changed", dataset="other"),
            _row("separated", 5, mutation_class="distinct_changed", dataset="shop"),
        ],
        "of_record": [_mutants("tied", 2), _mutants("separated", 2)],
    },
    "labels": {
        "all": [_mutants("tied", 3), _mutants("separated", 5), _mutants(None, 2)],
        "without_both_empty": [
            _row("tied", 1, dataset="shop"),
            _row("separated", 5, dataset="shop"),
        ],
    },
    "flags": [_row("tied", 2, flag="both_empty")],
    "golds": [
        {"dataset": "shop", "status": "ok", "error_class": None, "rows": 1},
        {"dataset": "shop", "status": "error", "error_class": "other", "rows": 1},
        {"dataset": "shop", "status": None, "error_class": None, "rows": 1},
    ],
    "runs": [
        {"dataset": "shop", "status": "ok", "error_class": None, "rows": 8},
        {"dataset": "shop", "status": "error", "error_class": "other", "rows": 1},
        {"dataset": "shop", "status": "error", "error_class": "corrupt_database", "rows": 1},
    ],
    "refused": [{"dataset": "shop", "reason": "missing_database", "rows": 1, "stage": "runs"}],
    "settings": {
        "executor": {"max_vm_steps": 1000},
        "generators": {"mutants": {"cap": 9}},
    },
    "versions": {"sqlite": ["3.54.1"]},
}


@pytest.mark.parametrize("name", ["corpora", "pairs", "flags", "golds", "runs", "refused"])
def test_the_manifest_of_these_tests_is_one_as_the_schema_says(name: str) -> None:
    definitions = {key: SCHEMA[key] for key in ("$defs", "definitions") if key in SCHEMA}
    validate(MANIFEST[name], {**SCHEMA["properties"][name], **definitions})


def test_figures_are_the_manifests() -> None:
    found = of_manifest(MANIFEST)
    assert found["total"] == {
        **{"samples": 4, "golds": 3, "golds_parsed": 2, "databases": 2, "references": 1},
        **{"pairs": 10, "mutants": 9, "reference_pairs": 1},
        **{"runs": 10, "golds_run": 2, "golds_failing": 1},
    }
    assert found["labels"] == {
        **{"tied": 3, "separated": 5, "gold_error": 0, "neighbor_error": 0, "both_error": 0},
        **{"unlabelled": 2, "tied_share": 0.375},
    }
    assert found["of_record"]["tied_share"] == 0.5
    assert found["classes"] == [
        {"name": "distinct_changed", "tied": 3, "separated": 5, "tied_share": 0.375}
    ]
    assert found["without"]["both_empty"]["tied_share"] == pytest.approx(1 / 6, abs=1e-6)
    assert found["runs"] == {"error": 2, "ok": 8}
    assert (found["cap"], found["max_vm_steps"]) == (9, 1000)


def test_the_most_tied_comes_first_and_what_never_ran_has_no_share() -> None:
    shares = [(one["name"], one["tied_share"]) for one in of_manifest(MANIFEST)["operators"]]
    assert shares == [("OR.LCR", 1.0), ("SC.SEL", 0.25)]


def test_a_flag_that_no_pair_has_is_there_with_zeros() -> None:
    found = of_manifest(MANIFEST)["flags"]
    assert list(found) == list(FLAGS)
    assert (found["both_empty"]["tied"], found["float_close"]["separated"]) == (2, 0)


def test_scores_beside_the_manifest_come_with_it(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST))
    assert gathered(tmp_path / "manifest.json")["scores"] == []
    rate = {"tree": "a", "reading": "set", "pairs": 3, "separated": 1, "catch_rate": 0.3}
    rate |= {"low": 0.1, "high": 0.5, "databases": 2, "grouping": "total", "without": ""}
    other = rate | {"without": "both_empty"}
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "scores.json").write_text(json.dumps({"catch_rates": [rate, other]}))
    [found] = gathered(tmp_path / "manifest.json")["scores"]
    assert (found["tree"], found["separated"], found["high"]) == ("a", 1, 0.5)


def test_without_a_manifest_it_says_how_it_is_called() -> None:
    with pytest.raises(SystemExit, match="usage: python -m docs.figures"):
        main([])


def test_the_kept_figures_add_up() -> None:
    kept = load()
    labels, total = kept["labels"], kept["total"]
    names = [name for name in labels if name != "tied_share"]
    assert sum(labels[name] for name in names) == total["pairs"]
    assert total["mutants"] + total["reference_pairs"] == total["pairs"]
    for name in ("tied", "separated"):
        assert sum(one[name] for one in kept["classes"]) == labels[name]
        assert sum(one[name] for one in kept["corpora"]) == labels[name]
        assert all(one[name] <= labels[name] for one in kept["without"].values())
    assert sum(kept["runs"].values()) == total["runs"]
    assert all(one["pairs"] <= labels["tied"] for one in kept["scores"])


def test_the_kept_figures_name_no_day() -> None:
    assert "20" not in {word[:2] for word in FIGURES.read_text().split('"') if "-" in word[:5]}


def test_a_figure_is_written_for_people() -> None:
    assert (number(958055), percent(0.30911)) == ("958,055", "30.9\N{NO-BREAK SPACE}%")
