"""What goes to a store of chunks: the real client writes into a folder, which is measured."""

from pathlib import Path

import pytest
from huggingface_hub import constants

from pairset.manifest import write_manifest
from pairset.publish import Preparing, prepare_build
from pairset.publish.hub import Hub
from pairset.publish.send import publish
from tests.pairset.publish.builds import built, write
from tests.pairset.publish.conftest import TERMS, Waited, asking
from tests.pairset.publish.double import Double
from tests.pairset.publish.test_send import ours, stored


def chunks(double: Double) -> int:
    """Bytes in the store of chunks."""
    assert double.cas is not None
    return sum(path.stat().st_size for path in double.cas.rglob("*") if path.is_file())


@pytest.fixture
def chunked(double: Double, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Double:
    """A double that takes chunks."""
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", False)
    double.cas, double.elsewhere = tmp_path / "cas", tmp_path / "out"
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
