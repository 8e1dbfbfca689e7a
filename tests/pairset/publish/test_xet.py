"""What goes to a store of chunks, and comes back: the real client writes, the real client reads.

The client writes into a folder, which is measured. It reads over HTTP, as it does from the Hub: it asks
for a token, for the plan of each file, and for the ranges of xorbs that the plan names.
``load_dataset`` does not stream by chunks: it asks the Hub for ranges of files. The double has no other
copy of a file than its chunks, and puts it together from them by itself.
"""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pyarrow as pa
import pytest
from huggingface_hub import constants

from pairset.build import Build
from pairset.content import content_digest
from pairset.manifest import write_manifest
from pairset.publish import Bundle, Preparing, PublishError, prepare_build
from pairset.publish.bundle import SUMMARY
from pairset.publish.hub import Hub
from pairset.publish.rows import SCHEMAS
from pairset.publish.send import publish
from tests.pairset.publish.builds import REPO, built, write
from tests.pairset.publish.chunks import BELOW, TOKEN, Stored, overlapping
from tests.pairset.publish.conftest import TERMS, Waited, asking
from tests.pairset.publish.double import READER, STRANGER, WRITER, Double, Fault, hub
from tests.pairset.publish.test_command import python, rows_of
from tests.pairset.publish.test_send import ours, stored

PLANS = f"{BELOW}/v2/reconstructions"
ONE_FILE_A_TABLE = 64_000_000
READ = """
import hashlib, json, sys
from huggingface_hub import hf_hub_download
def digest(revision, path):
    got = hf_hub_download(sys.argv[1], path, revision=revision, repo_type="dataset")
    return hashlib.sha256(open(got, "rb").read()).hexdigest()
print(json.dumps([digest(*one) for one in json.loads(sys.argv[2])]))
"""
STREAM = """
import pyarrow as pa, sys
from datasets import load_dataset
for name in sys.argv[2:]:
    parts = load_dataset(sys.argv[1], name, split="train", streaming=True).with_format("arrow")
    table = pa.concat_tables(parts.iter(5000))
    with pa.OSFile(f"{name}.arrow", "wb") as file, pa.ipc.new_file(file, table.schema) as out:
        out.write_table(table)
"""


@dataclass(frozen=True)
class Twice:
    """A build that was published, changed in one database, and published again."""

    double: Double
    build: Build
    bundles: tuple[Bundle, Bundle]

    def asked(self, path: str) -> list[str]:
        """What was asked for below that path."""
        return [line for line in self.double.asked if f" {path}" in line]

    def files(self, bundle: Bundle) -> dict[str, Stored]:
        """Its large files in the store of chunks, by path."""
        large = {f.path: f.sha256 for f in bundle.files if f.path.endswith(".parquet")}
        found = {path: self.double.chunks.of_bytes(sha256) for path, sha256 in large.items()}
        return {path: file for path, file in found.items() if file}


def chunks(double: Double) -> int:
    """Bytes in the store of chunks."""
    assert double.cas is not None
    return sum(path.stat().st_size for path in double.cas.rglob("*") if path.is_file())


def published_twice(double: Double, root: Path) -> Twice:
    """Publish, change a database, publish; then only chunks are left of the files."""
    how = Preparing(root / "out", ONE_FILE_A_TABLE)
    client = Hub(REPO, endpoint=double.url, token=WRITER)
    build = built(root / "main", 700)
    first = prepare_build(build, how)
    publish(first, client, TERMS)
    write(build.store, "one", "db_07", 720, salt="other")
    write_manifest(build)
    second = prepare_build(build, how)
    publish(second, client, TERMS)
    assert stored(double) == ours(second)
    shutil.rmtree(root / "out")
    double.repos[REPO].private = False
    double.accepted.add("rob")
    return Twice(double, build, (first, second))


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twice]:
    """Look, do not change."""
    root = tmp_path_factory.mktemp("twice")
    with hub() as double, pytest.MonkeyPatch.context() as patch:
        patch.setattr(constants, "HF_HUB_DISABLE_XET", False)
        double.cas = root / "cas"
        double.cas.mkdir()
        yield published_twice(double, root)
    assert double.exposed == [], "data could be seen that is not gated"


def test_files_of_a_changed_build_share_chunks_with_those_before(twice: Twice) -> None:
    first, second = (twice.files(bundle) for bundle in twice.bundles)
    assert set(first) == set(second) == {f"{name}/one-00000-of-00001.parquet" for name in SCHEMAS}
    shared = {t.xorb for f in first.values() for t in f.terms}
    again = [t for file in second.values() for t in file.terms if t.xorb in shared]
    assert len(again) > 3
    assert any(term.first > 0 for term in again)
    assert twice.double.sent["lfs"] == 0


def test_a_reader_with_xet_puts_every_file_together_from_chunks(
    twice: Twice, tmp_path: Path
) -> None:
    wanted = [
        (bundle.version, f.path, f.sha256)
        for bundle in twice.bundles
        for f in bundle.files
        if f.path.endswith(".parquet")
    ]
    twice.double.asked.clear()
    paths = json.dumps([[version, path] for version, path, _ in wanted])
    read = python(twice.double, tmp_path, READER, "-c", READ, REPO, paths, chunks=True)
    assert read.returncode == 0, read.stderr
    assert json.loads(read.stdout) == [sha256 for _, _, sha256 in wanted]
    hashes = {f.hash for bundle in twice.bundles for f in twice.files(bundle).values()}
    assert {line.rpartition("/")[2] for line in twice.asked(PLANS)} == hashes
    assert len(twice.asked(f"{BELOW}/xorbs/")) > len(hashes)
    assert twice.asked("/cdn/") == []


def test_rows_that_are_streamed_are_equal(twice: Twice, tmp_path: Path) -> None:
    twice.double.asked.clear()
    words = ("-c", STREAM, REPO, *SCHEMAS)
    read = python(twice.double, tmp_path, READER, *words, chunks=True)
    assert read.returncode == 0, read.stderr
    for name, schema in SCHEMAS.items():
        found = pa.ipc.open_file(tmp_path / f"{name}.arrow").read_all()
        assert content_digest(found.cast(schema)) == content_digest(rows_of(twice.build, name))
    assert twice.asked("/cdn/")


def test_a_part_of_a_file_is_planned_from_the_terms_that_hold_it(twice: Twice) -> None:
    file = max(twice.files(twice.bundles[1]).values(), key=lambda file: len(file.terms))
    first, second = file.terms[:2]
    assert overlapping(file.terms, 0, file.size - 1) == ([*file.terms], 0)
    assert overlapping(file.terms, 5, first.size - 1) == ([first], 5)
    assert overlapping(file.terms, first.size - 1, first.size) == ([first, second], first.size - 1)
    assert overlapping(file.terms, first.size + 3, first.size + 3) == ([second], 3)


def test_the_store_of_chunks_lets_nobody_in_without_its_token(twice: Twice) -> None:
    file = next(iter(twice.files(twice.bundles[0]).values()))
    url, hub_url = f"{twice.double.url}{PLANS}", twice.double.url
    ours = {"Authorization": f"Bearer {TOKEN}"}
    assert httpx.get(f"{url}/{file.hash}").status_code == 401
    assert httpx.get(f"{url}/{file.hash}", headers=ours).status_code == 200
    assert httpx.get(f"{url}/{'0' * 64}", headers=ours).status_code == 404
    after = ours | {"Range": f"bytes={file.size}-"}
    assert httpx.get(f"{url}/{file.hash}", headers=after).status_code == 416
    xorb = f"{hub_url}{BELOW}/xorbs/{file.terms[0].xorb}"
    assert httpx.get(xorb).status_code == 403
    token = f"{hub_url}/api/datasets/{REPO}/xet-read-token/main"
    stranger = {"Authorization": f"Bearer {STRANGER}"}
    assert httpx.get(token, headers=stranger).status_code == 403


@pytest.fixture
def chunked(double: Double, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Double:
    """A double that takes chunks."""
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", False)
    double.cas = tmp_path / "cas"
    double.cas.mkdir()
    return double


def test_one_changed_database_sends_less_than_a_fifth_of_the_chunks(
    chunked: Double, waited: Waited, tmp_path: Path
) -> None:
    client: Hub = asking(chunked, waited)
    how = Preparing(tmp_path / "out", 800_000)
    build = built(tmp_path / "main", 700)
    first = prepare_build(build, how)
    publish(first, client, TERMS)
    before = chunks(chunked)
    assert before > first.bytes / 2
    assert chunked.sent["lfs"] == 0
    write(build.store, "one", "db_07", 720, salt="other")
    write_manifest(build)
    second = prepare_build(build, how)
    had = {f.sha256 for f in first.files}
    other = sum(f.bytes for f in second.files if f.sha256 not in had)
    publish(second, client, TERMS)
    assert stored(chunked) == ours(second)
    sent = chunks(chunked) - before
    assert 0 < sent < before / 5
    assert sent < other  # a part of the files that changed


def test_chunks_that_cannot_be_read_back_are_one_line_and_nothing_is_called_complete(
    chunked: Double, waited: Waited, bundle: Bundle
) -> None:
    chunked.faults.append(Fault("GET", PLANS, 403, times=99))
    with pytest.raises(PublishError, match="the connection to the Hub broke") as error:
        publish(bundle, asking(chunked, waited), TERMS)
    assert "403" in str(error.value)
    assert "://" not in str(error.value)
    assert SUMMARY not in stored(chunked)
    chunked.faults.clear()
    publish(bundle, asking(chunked, waited), TERMS)
    assert stored(chunked) == ours(bundle)
