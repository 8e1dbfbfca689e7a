"""Laws over every pair of the sample's build."""

import polars as pl
import pytest

from pairset import ids
from pairset.build import Build
from pairset.schema import TABLES
from pairset.stages import STAGES
from pairset.stages.schemas import schema_of
from pairset.work import pending, stale
from sqltext.forms import forms
from tests.pairset.sample_build import frame


@pytest.fixture(scope="module")
def pairs(sample: Build) -> pl.DataFrame:
    return frame(sample, "pairs")


def test_every_pair_id_is_the_digest_of_the_rows_own_fields(pairs: pl.DataFrame) -> None:
    for row in pairs.to_dicts():
        fields = (row["dataset"], row["db_id"], row["gold_sql"], row["neighbor_sql"])
        assert row["pair_id"] == ids.pair_id(*fields)
        assert row["gold_id"] == ids.gold_id(*fields[:3])
    assert pairs["pair_id"].is_unique().all()


def test_a_mutant_of_one_edit_is_the_golds_text_with_that_span_replaced(
    pairs: pl.DataFrame,
) -> None:
    singles = pairs.filter(pl.col("order") == 1).to_dicts()
    assert len(singles) > 500
    for row in singles:
        gold, mutant = row["gold_sql"], row["neighbor_sql"]
        after = gold[row["edit_end"] :]
        assert mutant.startswith(gold[: row["edit_start"]])
        assert mutant.endswith(after)
        assert row["parent_sql"] == gold


def test_a_second_order_mutant_names_both_edits_and_the_query_between(pairs: pl.DataFrame) -> None:
    for row in pairs.filter(pl.col("order") == 2).to_dicts():
        one, other = row["operator"].split("+")
        assert one != other
        assert row["parent_sql"] not in (row["gold_sql"], row["neighbor_sql"])
        assert row["edit_start"] is None


def test_what_no_operator_made_has_no_edit(pairs: pl.DataFrame) -> None:
    references = pairs.filter(pl.col("generator") == "finer_sql_enrichment")
    for column in ("operator", "parent_sql", "order", "edit_start", "edit_end"):
        assert references[column].null_count() == references.height
    mutants = pairs.filter(pl.col("generator") == "mutant_grammar")
    assert set(mutants["reference_index"]) == {-1}


def test_one_exact_form_appears_once_a_gold_and_is_never_the_golds(
    sample: Build, pairs: pl.DataFrame
) -> None:
    for (db_id, _), group in pairs.group_by("db_id", "gold_id"):
        schema = schema_of(sample.store.read("schemas", "sample", str(db_id)))
        exact = [forms(sql, schema).exact for sql in group["neighbor_sql"]]
        assert len(set(exact)) == len(exact)
        assert forms(group["gold_sql"][0], schema).exact not in exact


def test_a_value_that_the_database_holds_stands_for_another(pairs: pl.DataFrame) -> None:
    stored = pairs.filter(pl.col("operator") == "X.VAL")
    assert stored.height > 50
    assert set(stored["mutation_class"]) == {"value_changed"}


def test_one_neighbour_of_each_other_structural_form_is_of_record(pairs: pl.DataFrame) -> None:
    for _, group in pairs.group_by("gold_id"):
        other = group.filter(pl.col("neighbor_l1") != pl.col("gold_l1"))
        assert group.filter("of_record").height == other["neighbor_l1"].n_unique()
        assert not group.filter(pl.col("neighbor_l1") == pl.col("gold_l1"))["of_record"].any()


def test_a_reference_is_of_record_before_any_mutant(pairs: pl.DataFrame) -> None:
    for _, group in pairs.group_by("gold_id", "neighbor_l1"):
        if "finer_sql_enrichment" in group["generator"]:
            assert set(group.filter("of_record")["generator"]) <= {"finer_sql_enrichment"}


def test_the_class_is_the_first_of_the_aspects(pairs: pl.DataFrame) -> None:
    assert (pairs["mutation_class"] == pairs["mutation_aspects"].list.first()).all()


def test_every_reference_is_a_pair_or_refused_by_name(sample: Build, pairs: pl.DataFrame) -> None:
    listed = frame(sample, "samples")["references"].list.len().sum()
    kept = pairs.filter(pl.col("generator") == "finer_sql_enrichment").height
    refused = frame(sample, "refused_pairs")
    assert kept + refused.height == listed
    assert set(refused["reason"]) == {
        "reference_is_no_text", "reference_does_not_parse", "same_query_as_gold",
    }  # fmt: skip


def test_every_mutant_that_was_offered_is_counted(sample: Build, pairs: pl.DataFrame) -> None:
    yields = frame(sample, "yields")
    kept = yields.filter(pl.col("outcome") == "kept")
    assert kept["count"].sum() == pairs.height
    assert (yields["count"] > 0).all()


def test_every_table_is_sorted_by_its_key_and_the_key_is_unique(sample: Build) -> None:
    for name, table in TABLES.items():
        for place in sample.store.places(name):
            keys = [
                tuple(row.values())
                for row in sample.store.read(*place).select(list(table.key)).to_pylist()
            ]
            assert len(set(keys)) == len(keys)
            if not any(None in key for key in keys):
                assert keys == sorted(keys)


def test_a_finished_build_has_nothing_to_make_and_nothing_to_sweep(sample: Build) -> None:
    for stage in STAGES:
        assert pending(stage, sample) == []
        assert stale(stage, sample) == []
