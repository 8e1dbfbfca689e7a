"""Publishing to a double of the Hub: the order of things, and what is there afterwards."""

import json

import pytest

from pairset.build import Build
from pairset.config import Publication
from pairset.manifest import write_manifest
from pairset.publish import Bundle, Preparing, PublishError, prepare_build
from pairset.publish.bundle import SUMMARY
from pairset.publish.hub import Hub
from pairset.publish.send import publish, todo
from tests.pairset.publish.builds import REPO, digests, write
from tests.pairset.publish.conftest import HELD, LIBRARY, TERMS, Waited, asking
from tests.pairset.publish.double import READER, Double, Fault

pytestmark = LIBRARY

PUBLIC = Publication(license="cc-by-sa-4.0", public=True, tag="v1")


def changed(build: Build) -> Bundle:
    """What is published once one database of 24 has other pairs."""
    write(build.store, "one", "db_07", 60, salt="other")
    write_manifest(build)
    return prepare_build(build, Preparing(build.root.parent / "out", HELD))


def stored(double: Double) -> dict[str, str]:
    """The digest of every file at the head that is ours."""
    files = double.repos[REPO].head.files
    return {p: b.sha256 or b.oid for p, b in files.items() if p != ".gitattributes"}


def ours(bundle: Bundle) -> dict[str, str]:
    files = (*bundle.files, bundle.summary)
    return {f.path: f.sha256 if f.path.endswith(".parquet") else f.git_id for f in files}


def test_all_files_are_there_with_their_digests(
    double: Double, client: Hub, bundle: Bundle
) -> None:
    found = publish(bundle, client, TERMS)
    assert stored(double) == ours(bundle)
    assert found.files == found.sent == len(bundle.files) + 1
    assert found.sent_bytes == bundle.bytes
    assert double.repos[REPO].tags == {bundle.version: found.commit}
    summary = double.repos[REPO].head.files[SUMMARY].content
    assert digests(summary) == {f.path: f.sha256 for f in bundle.files}


def test_it_stays_private_unless_the_config_says_public(
    double: Double, client: Hub, bundle: Bundle
) -> None:
    assert not publish(bundle, client, TERMS).public
    assert double.repos[REPO].private
    assert publish(bundle, client, PUBLIC).public
    assert not double.repos[REPO].private
    assert double.repos[REPO].gated == "manual"


def test_it_is_private_and_gated_before_data_goes_and_public_last(
    double: Double, client: Hub, bundle: Bundle
) -> None:
    publish(bundle, client, PUBLIC)
    writes = [line for line in double.asked if not line.startswith(("GET", "HEAD"))]
    order = [
        next(at for at, line in enumerate(writes) if part in line)
        for part in ("repos/create", "/settings", "/preupload", "/commit", "/paths-info", "/tag/")
    ]
    assert order == sorted(order)
    assert writes[-1] == f"PUT /api/datasets/{REPO}/settings"
    assert writes.count(writes[-1]) == 2


def test_a_public_repository_is_gated_before_data_goes(
    double: Double, client: Hub, bundle: Bundle
) -> None:
    client.create()
    double.repos[REPO].private = False
    publish(bundle, client, TERMS)
    assert double.repos[REPO].gated == "manual"


def test_a_hub_that_does_not_gate_gets_no_data(double: Double, client: Hub, bundle: Bundle) -> None:
    double.faults.append(Fault("PUT", "/settings", 200, times=9))
    with pytest.raises(PublishError, match="does not gate ann/pairs; nothing was sent"):
        publish(bundle, client, TERMS)
    assert stored(double) == {}
    assert double.sent["lfs"] == 0


def test_summary_is_a_commit_of_its_own_after_all_else(
    double: Double, client: Hub, bundle: Bundle
) -> None:
    publish(bundle, client, TERMS)
    first, data, summary = double.repos[REPO].commits
    assert SUMMARY not in data.files
    assert set(summary.files) - set(data.files) == {SUMMARY}


def test_an_unchanged_build_is_not_sent_again(double: Double, client: Hub, bundle: Bundle) -> None:
    first = publish(bundle, client, TERMS)
    double.asked.clear()
    second = publish(bundle, client, TERMS)
    assert (second.sent, second.commit) == (0, first.commit)
    assert not [line for line in double.asked if "commit" in line or "store" in line]


def test_one_changed_database_sends_less_than_a_fifth(
    double: Double, client: Hub, bundle: Bundle, build: Build
) -> None:
    publish(bundle, client, TERMS)
    before = double.sent.total()
    double.sent.clear()
    again = changed(build)
    found = publish(again, client, TERMS)
    assert stored(double) == ours(again)
    assert 0 < double.sent.total() < before / 5
    assert found.sent < found.files
    assert len(double.repos[REPO].tags) == 2


def test_a_file_that_the_build_no_longer_has_goes_and_what_is_not_ours_stays(
    double: Double, client: Hub, bundle: Bundle
) -> None:
    publish(bundle, client, TERMS)
    repo = double.repos[REPO]
    some = repo.head.files["README.md"]
    repo.add(repo.head.files | {"pairs/old.parquet": some, "notes/own.md": some})
    publish(bundle, client, TERMS)
    assert stored(double) == ours(bundle) | {"notes/own.md": some.oid}


def test_while_new_data_is_not_verified_nothing_calls_it_complete(
    double: Double, client: Hub, bundle: Bundle, build: Build
) -> None:
    publish(bundle, client, TERMS)
    double.faults.append(Fault("POST", "/paths-info", 400))
    with pytest.raises(PublishError, match="HTTP 400"):
        publish(changed(build), client, TERMS)
    assert SUMMARY not in stored(double)
    publish(changed(build), client, TERMS)
    assert SUMMARY in stored(double)


def test_a_file_that_arrived_otherwise_is_noticed(
    double: Double, client: Hub, bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Hub.look_at

    def spoilt(self: Hub, paths: list[str], revision: str) -> object:
        found = real(self, paths, revision)
        path = next(p for p in found.files if p.endswith(".parquet"))
        files = {**found.files, path: (found.files[path][0], "0" * 64)}
        return type(found)(found.head, files)

    monkeypatch.setattr(Hub, "look_at", spoilt)
    with pytest.raises(PublishError, match="1 of .* are not what was sent"):
        publish(bundle, client, TERMS)
    assert SUMMARY not in stored(double)


def test_a_file_that_reads_back_otherwise_is_noticed(
    double: Double, client: Hub, bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Double, "content", lambda self, sha: b"x" * len(self.store.get(sha, b"")))
    with pytest.raises(PublishError, match=r"reads back as|the connection to the Hub broke"):
        publish(bundle, client, TERMS)
    assert SUMMARY not in stored(double)


def test_a_tag_is_never_moved(double: Double, client: Hub, bundle: Bundle, build: Build) -> None:
    publish(bundle, client, PUBLIC)
    publish(bundle, client, PUBLIC)
    before = stored(double)
    with pytest.raises(PublishError, match="has a tag 'v1' already, for other content"):
        publish(changed(build), client, PUBLIC)
    assert stored(double) == before


def test_a_bare_name_is_of_who_asks(double: Double, waited: Waited, bundle: Bundle) -> None:
    assert publish(bundle, asking(double, waited, repo="pairs"), TERMS).repo == REPO


def test_what_would_go_is_told_without_touching_anything(
    double: Double, client: Hub, bundle: Bundle, build: Build
) -> None:
    everything = todo(bundle, None)
    assert (len(everything.new), everything.other, everything.gone) == (
        len(bundle.files) + 1,
        (),
        (),
    )
    publish(bundle, client, TERMS)
    double.asked.clear()
    would = todo(changed(build), client.look())
    assert {f.path for f in would.other} > {SUMMARY, "manifest.json"}
    assert would.same
    assert {line.split()[0] for line in double.asked} == {"GET"}


def test_a_reader_is_let_in_by_hand_alone(
    double: Double, waited: Waited, client: Hub, bundle: Bundle
) -> None:
    publish(bundle, client, PUBLIC)
    reader, file = asking(double, waited, READER), bundle.files[0]
    with pytest.raises(PublishError):
        reader.read_back(file, "main")
    double.accepted.add("rob")
    reader.read_back(file, "main")


def test_the_summary_says_what_is_in_every_shard(bundle: Bundle) -> None:
    summary = json.loads(bundle.summary.source.read_text())
    shards = summary["shards"]
    assert {p.split("/")[0] for p in shards} == {"pairs", "runs", "labels"}
    rows = sum(one["rows"] for path, one in shards.items() if path.startswith("pairs/"))
    assert rows == summary["rows"]["pairs"] == sum(summary["labels"].values())
    assert summary["complete"] is True
