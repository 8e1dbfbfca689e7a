"""The shared cases, through the API of a running service."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest

from db_execution.client import Client
from db_execution.comparator import same_answer
from db_execution.embed import Embedded
from db_execution.protocol import Answer
from tests.db_execution.conftest import batch, query
from tests.shared_data import cases

DIGESTS = ("row_count", "list_digest", "multiset_digest", "set_digest", "close_digest")
EXPECTED: dict[str, Callable[[Answer], bool]] = {
    "runs": lambda answer: answer.status == "ok",
    "refused": lambda answer: answer.status in ("refused", "error"),
    "stopped": lambda answer: answer.status in ("timeout", "too_large", "refused"),
    "runs_or_stopped": lambda answer: True,
    "answered": lambda answer: True,
}
TIMEOUT_MS = 2_000
WORKER_BYTES = 256 * 1024 * 1024


def test_every_digest_vector_byte_for_byte(client: Client) -> None:
    vectors = cases("digest_vectors")
    answers = client.batch(batch(*[vector["sql"] for vector in vectors], want="digest"))
    for vector, answer in zip(vectors, answers, strict=True):
        assert {name: getattr(answer, name) for name in DIGESTS} == {
            name: vector[name] for name in DIGESTS
        }, vector["sql"]


def by_digests(gold: Answer, neighbor: Answer, ordered: bool) -> str:
    kind = "list_digest" if ordered else "multiset_digest"
    return "tied" if getattr(gold, kind) == getattr(neighbor, kind) else "separated"


def test_digests_give_every_case_its_label(client: Client) -> None:
    for case in cases("comparator"):
        gold, neighbor = client.batch(batch(case["gold"], case["neighbor"], want="digest"))
        assert by_digests(gold, neighbor, case["ordered"]) == case["label"], case["id"]
        assert (gold.set_digest == neighbor.set_digest) == case["set_equal"], case["id"]


def test_digests_give_every_case_its_flags(client: Client) -> None:
    for case in cases("comparator"):
        gold, neighbor = client.batch(batch(case["gold"], case["neighbor"], want="digest"))
        assert sorted(flags(gold, neighbor, case["label"])) == case["flags"], case["id"]


def flags(gold: Answer, neighbor: Answer, label: str) -> list[str]:
    """As the labels' flags are defined, worked out from digests alone."""
    separated = label == "separated"
    same_bag = gold.multiset_digest == neighbor.multiset_digest
    close = [one.close_digest or one.multiset_digest for one in (gold, neighbor)]
    facts = {
        "gold_empty": gold.row_count == 0,
        "both_empty": gold.row_count == neighbor.row_count == 0,
        "arity_differs": gold.column_count != neighbor.column_count,
        "order_only": separated and same_bag,
        "multiplicity_only": separated and not same_bag and gold.set_digest == neighbor.set_digest,
        "float_close": separated and not same_bag and close[0] == close[1],
    }
    return [name for name, holds in facts.items() if holds]


def test_rows_give_every_case_its_label(client: Client) -> None:
    for case in cases("comparator"):
        gold, neighbor = client.batch(batch(case["gold"], case["neighbor"]))
        same = same_answer(gold.rows or (), neighbor.rows or (), ordered=case["ordered"])
        assert same == (case["label"] == "tied"), case["id"]


def files_and_bytes(*roots: Path) -> dict[str, str]:
    paths = [path for root in roots for path in root.rglob("*") if path.is_file()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def most_memory(executor: Embedded) -> int:
    """The most any worker that is alive has ever held, in bytes."""
    workers = httpx.get(f"{executor.url}/healthz/ready").json()["workers"]
    statuses = [Path(f"/proc/{pid}/status").read_text() for pid in workers]
    peaks = [
        line for status in statuses for line in status.splitlines() if line.startswith("VmHWM")
    ]
    return max(int(line.split()[1]) * 1024 for line in peaks)


def expected(case: dict[str, Any], mode: str, answer: Answer) -> bool:
    on_a_copy = case["writes"] and mode == "sandbox_rollback"
    return on_a_copy or EXPECTED[case["expect"]](answer)


@pytest.mark.parametrize("mode", ["read_only", "sandbox_rollback"])
def test_hostile_inputs_change_nothing_and_hold_nothing_up(
    client: Client, executor: Embedded, tree: Path, working_folder: Path, mode: str
) -> None:
    before = files_and_bytes(tree)
    for case in cases("hostile_sql"):
        began = monotonic()
        answer = client.execute(query(case["sql"], mode=mode, timeout_ms=TIMEOUT_MS, max_rows=1000))
        assert monotonic() - began < TIMEOUT_MS / 1000 + 1, case["id"]
        assert expected(case, mode, answer), (case["id"], answer)
        assert client.execute(query("SELECT count(*) FROM t")).rows == ((200,),), case["id"]
        assert most_memory(executor) < WORKER_BYTES, case["id"]
    assert before == files_and_bytes(tree)
    assert os.listdir(working_folder) == []
