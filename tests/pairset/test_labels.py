"""Labels and flags, decided from digests as the comparator decides from rows."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from db_execution.client import Client
from db_execution.digest import digests_of
from db_execution.embed import Embedded
from db_execution.endpoints import Endpoint
from db_execution.protocol import Answer, Query
from db_execution.writer import write_database
from pairset.labels import FLAGS, label_pairs
from sqltext.facts import analyse
from tests.shared_data import cases

Row = tuple[Any, ...]
FROM_ANSWERS = {
    "both_empty",
    "gold_empty",
    "arity_differs",
    "order_only",
    "multiplicity_only",
    "float_close",
}
STATIC = ("nondeterministic", "gold_cut", "gold_order_ties", "gold_bare_column")
PAIR = {
    "pair_id": "p",
    "gold_id": "g",
    "dataset": "d",
    "db_id": "b",
    "gold_sql": "gold",
    "neighbor_sql": "neighbor",
}


def run(
    sql: str, rows: Sequence[Row] | None, status: str = "ok", flags: tuple[str, ...] = ()
) -> dict[str, Any]:
    digests = digests_of(rows or [])
    found = digests._asdict() if status == "ok" else {}
    width = len(rows[0]) if rows else 0
    return {
        "sql": sql, "status": status, "flags": list(flags), "column_count": width,
        "row_count": None if rows is None else len(rows),
        **{f"{kind}_digest": found.get(f"{kind}_digest") for kind in ("list", "multiset", "set", "close")},
    }  # fmt: skip


def labelled(
    gold: dict[str, Any], neighbor: dict[str, Any], *, ordered: bool = False, **static: bool
) -> dict[str, Any]:
    pairs = pl.DataFrame([PAIR | {"neighbor_nondeterministic": False}])
    golds = pl.DataFrame(
        [{"gold_id": "g", "ordered": ordered} | dict.fromkeys(STATIC, False) | static]
    )
    return label_pairs(
        pairs, golds, pl.DataFrame([gold, neighbor], infer_schema_length=None)
    ).to_dicts()[0]


def label_of(gold: Sequence[Row], neighbor: Sequence[Row], *, ordered: bool = False) -> str:
    return str(labelled(run("gold", gold), run("neighbor", neighbor), ordered=ordered)["label"])


def flags_of(
    gold: dict[str, Any], neighbor: dict[str, Any], *, ordered: bool = False, **static: bool
) -> list[str]:
    return list(labelled(gold, neighbor, ordered=ordered, **static)["exec_flags"])


AB, BA = [("a",), ("b",)], [("b",), ("a",)]


def test_row_order_counts_only_under_order_by() -> None:
    assert label_of(AB, BA, ordered=False) == "tied"
    assert label_of(AB, BA, ordered=True) == "separated"


def test_a_side_that_did_not_run_is_an_error_never_a_tie() -> None:
    failed = {side: run(side, None, "error") for side in ("gold", "neighbor")}
    assert labelled(failed["gold"], run("neighbor", AB))["label"] == "gold_error"
    assert labelled(run("gold", AB), failed["neighbor"])["label"] == "neighbor_error"
    assert labelled(failed["gold"], failed["neighbor"])["label"] == "both_error"


@pytest.mark.parametrize("status", ["error", "timeout", "too_large", "refused"])
def test_whatever_ended_a_gold_it_is_the_golds_error(status: str) -> None:
    assert labelled(run("gold", None, status), run("neighbor", AB))["label"] == "gold_error"


def test_nothing_is_said_of_the_rows_of_a_side_that_did_not_run() -> None:
    assert flags_of(run("gold", None, "error"), run("neighbor", [])) == []
    assert flags_of(run("gold", []), run("neighbor", None, "error")) == ["gold_empty"]


def test_order_only_and_multiplicity_only_are_of_separated_pairs() -> None:
    assert flags_of(run("gold", AB), run("neighbor", BA), ordered=True) == ["order_only"]
    assert flags_of(run("gold", AB), run("neighbor", [*AB, ("a",)])) == ["multiplicity_only"]
    assert flags_of(run("gold", AB), run("neighbor", BA)) == []


def test_close_reals_are_flagged_also_against_whole_numbers() -> None:
    assert flags_of(run("gold", [(0.1 + 0.2,)]), run("neighbor", [(0.3,)])) == ["float_close"]
    assert flags_of(run("gold", [(1.0000000001,)]), run("neighbor", [(1,)])) == ["float_close"]


def test_what_is_known_of_the_gold_beforehand_is_listed_in_order() -> None:
    static = dict.fromkeys(STATIC, True)
    found = flags_of(
        run("gold", []), run("neighbor", [], flags=("wall_time",)), ordered=True, **static
    )
    assert found == [
        flag for flag in FLAGS if flag in (*STATIC, "both_empty", "gold_empty", "wall_time")
    ]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder: Path = tmp_path_factory.mktemp("trees")
    write_database(folder / "empty" / "empty.sqlite", "CREATE TABLE nothing (a)")
    with Embedded([f"original={folder}"], workers=1, log=folder / "log") as service:  # noqa: SIM117
        with Client((Endpoint(service.url, "original"),)) as found:
            yield found


def answered(client: Client, sql: str) -> dict[str, Any]:
    query = Query(dataset_name="d", db_id="empty", sql=sql, want="digest")
    answer: Answer = client.execute(query)
    return {**answer._asdict(), "flags": list(answer.flags)}


def test_every_case_of_the_comparator_through_the_api(client: Client) -> None:
    for case in cases("comparator"):
        sides = {
            side: {**answered(client, case[side]), "sql": side} for side in ("gold", "neighbor")
        }
        facts = analyse(case["gold"])
        found = labelled(sides["gold"], sides["neighbor"], ordered=facts.ordered)
        said = (found["label"], facts.ordered, sorted(FROM_ANSWERS & set(found["exec_flags"])))
        assert said == (case["label"], case["ordered"], sorted(case["flags"])), case["id"]


def test_every_digest_vector_through_the_api(client: Client) -> None:
    for case in cases("digest_vectors"):
        found = answered(client, case["sql"])
        assert {key: found[key] for key in case if key != "sql"} == {
            k: v for k, v in case.items() if k != "sql"
        }
