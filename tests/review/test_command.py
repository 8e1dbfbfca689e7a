"""``pairset review`` as it is typed: it says where it is, asks its own executor, and ends when told."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from db_execution.writer import write_database
from pairset.build import Build
from pairset.verdicts import KINDS, read_verdicts
from tests.review.serve import HOSTILE, Served, served
from tests.shared_data import ROOT

COMMAND = (sys.executable, "-c", "from flows.cli import main; main()", "review")


@contextmanager
def reviewing(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command until the end of the block, and the page's address."""
    with subprocess.Popen(
        [*COMMAND, *words, "--json"], cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            yield process, json.loads(process.stdout.readline())["url"]
        finally:
            process.kill()


def refused(*words: str) -> str:
    """What a command says that ends with 2: one line, and nothing on standard output."""
    ended = subprocess.run([*COMMAND, *words], cwd=ROOT, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (2, "")
    return ended.stderr.strip().splitlines()[-1]


def test_the_command_serves_trees_of_the_config_and_ends_when_told(
    made: Build, tmp_path: Path
) -> None:
    shutil.copytree(made.root, tmp_path / "sample")
    _, dataset, db_id = made.store.places("pairs")[0]
    write_database(tmp_path / "empty" / dataset / db_id / f"{db_id}.sqlite", "CREATE TABLE t(a);")
    config = tmp_path / "config.toml"
    config.write_text(
        f'[trees]\nempty = "{tmp_path}/empty"\n[output]\ndata = "{tmp_path}"\nbuild = "sample"\n'
    )
    with reviewing("--config", str(config)) as (process, url):
        with httpx.Client(base_url=url, trust_env=False, timeout=60) as http:
            pair = http.get("/").text.partition('data-row href="')[2].partition('"')[0]
            answers = [http.get(pair, params={"tree": one}).text for one in ("original", "empty")]
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0
    assert 'class="scroll"' in answers[0]
    assert "no such table" in answers[1]
    children = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert str(tmp_path) not in children


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--data", "{tmp}"), "there are no pairs in"),
        (("--data", "{tmp}", "--host", "0.0.0.0"), "say --allow-remote"),
        (("--data", "{tmp}", "--host", "0.0.0.0", "--allow-remote"), "needs a token"),
        (("--config", "{tmp}/none.toml"), "none.toml"),
    ],
)
def test_what_cannot_be_done_is_one_line(words: Sequence[str], said: str, tmp_path: Path) -> None:
    assert said in refused(*(word.format(tmp=tmp_path) for word in words))
    assert list(tmp_path.iterdir()) == []


def test_an_audit_is_shown_and_chosen_by_where_the_build_has_one(own: Served) -> None:
    build, audited = own.desk.build, own.pair_id(1)
    _, dataset, db_id = build.store.places("pairs")[0]
    path = build.store.path("audit", dataset, db_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    row = {
        "pair_id": audited, "provenance_check": "misaligned_in_corpus", "owner_sample_id": "s-9",
        "provenance_note": HOSTILE, "owner_distance": 3, "closeness_owner": 1.0,
        "closeness_gold": 0.2,
    }  # fmt: skip
    pq.write_table(pa.Table.from_pylist([row]), path)
    with served(build) as page:
        found = page.get(f"/?provenance=misaligned_in_corpus&database={dataset}/{db_id}").text
        assert found.count("data-row") == 1
        assert audited in found
        text = page.get(f"/pair/{audited}").text
        assert "misaligned in corpus: &lt;script&gt;" in text
        assert "owner: s-9, 3 rows away; closeness 1.00 to it, 0.20 to the gold" in text
        assert "not audited" in page.get(f"/pair/{page.pair_id(0)}").text


def test_a_full_disk_is_said_and_the_note_is_still_there(
    own: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as broken:
        broken.setattr("pairset.verdicts._write_all", full)
        answer = own.judge(own.pair_id(), verdict=KINDS[0], note="a long thought")
    assert answer.status_code == 400
    assert "Not saved: No space left on device" in answer.text
    assert "a long thought" in answer.text
    assert read_verdicts(own.desk.build.root).lines == 0
    assert own.judge(own.pair_id(), verdict=KINDS[0]).status_code == 303
