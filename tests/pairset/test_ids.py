"""Ids are digests of canonical JSON, and stay what they are."""

import hashlib

from pairset import ids


def test_a_pair_id_is_the_digest_of_its_own_fields() -> None:
    fields = b'["spider","geo","SELECT \'\xc3\xa9\'","SELECT 1"]'
    assert (
        ids.pair_id("spider", "geo", "SELECT 'é'", "SELECT 1") == hashlib.sha256(fields).hexdigest()
    )


def test_the_ids_of_a_golds_pairs_are_those_of_each_pair() -> None:
    gold = 'SELECT \'é"\' FROM "t" -- \\ \ud800'
    of_gold = ids.PairIds("spider", "geo]", gold)
    for neighbor in ("SELECT 1", "", 'SELECT "a" \n', "SELECT '\ud800'", gold):
        assert of_gold.of(neighbor) == ids.pair_id("spider", "geo]", gold, neighbor)


def test_a_golds_query_has_the_golds_id() -> None:
    assert ids.query_id("d", "b", "SELECT 1") == ids.gold_id("d", "b", "SELECT 1")


def test_keys_are_sorted_and_nothing_is_escaped() -> None:
    assert ids.canonical_json({"b": "ü/", "a": [1.5, True]}) == '{"a":[1.5,true],"b":"ü/"}'.encode()


def test_a_lone_surrogate_has_an_id() -> None:
    assert len(ids.gold_id("d", "b", "SELECT '\ud800'")) == 64
