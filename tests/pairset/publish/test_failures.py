"""What the Hub refuses, and what breaks in the middle: one line, and nothing half-published."""

import re
from dataclasses import replace

import pytest

from pairset.config import Publication
from pairset.publish import Bundle, PublishError
from pairset.publish.bundle import SUMMARY
from pairset.publish.hub import Hub
from pairset.publish.send import publish
from tests.pairset.publish.builds import REPO
from tests.pairset.publish.conftest import LIBRARY, TERMS, Waited, asking
from tests.pairset.publish.double import STRANGER, WRITER, Double, Fault
from tests.pairset.publish.test_send import ours, stored

pytestmark = LIBRARY

FULL = [
    Fault("PUT", "/store/", 507, 9, 2, message="Insufficient Storage"),
    Fault("POST", "/objects/batch", 507, 9, message="Insufficient Storage"),
    Fault("POST", "/commit/", 507, 9, message="Insufficient Storage"),
    Fault("PUT", "/store/", 403, 9, 2, message="Private repository storage limit reached"),
    Fault("POST", "/objects/batch", 403, 9, message="Private repository storage limit reached"),
    Fault("POST", "/commit/", 403, 9, message="Private repository storage limit reached"),
]
BUSY = [
    Fault(method, path, status, 2, headers={"Retry-After": "7"})
    for status in (429, 503)
    for method, path in [
        ("POST", "/repos/create"),
        ("PUT", "/settings"),
        ("POST", "/preupload"),
        ("POST", "/commit/"),
        ("POST", "/tag/"),
    ]
]


def named(fault: Fault) -> str:
    return f"{fault.status} {fault.path}"


def says(error: pytest.ExceptionInfo[PublishError], double: Double) -> str:
    """The message: one line, no token, no address; and nothing is called complete."""
    text = str(error.value)
    assert "\n" not in text
    assert not re.search(r"hf_\w|https?://", text)
    assert REPO not in double.repos or SUMMARY not in stored(double)
    return text


def test_a_wrong_token_is_one_line(double: Double, waited: Waited, bundle: Bundle) -> None:
    with pytest.raises(PublishError) as error:
        publish(bundle, asking(double, waited, "hf_wrong"), TERMS)
    assert "does not know this token (HTTP 401)" in says(error, double)
    assert double.repos == {}


def test_a_token_that_may_not_write_is_one_line(
    double: Double, waited: Waited, client: Hub, bundle: Bundle
) -> None:
    with pytest.raises(PublishError) as error:
        publish(bundle, asking(double, waited, STRANGER), TERMS)
    assert "may not write to ann/pairs (HTTP 403)" in says(error, double)
    client.create()
    double.repos[REPO].private = False
    with pytest.raises(PublishError) as error:
        publish(bundle, asking(double, waited, STRANGER), TERMS)
    assert "may not write to ann/pairs (HTTP 403)" in says(error, double)


def test_a_missing_repository_is_one_line(double: Double, client: Hub, bundle: Bundle) -> None:
    with pytest.raises(PublishError) as error:
        publish(bundle, client, Publication(create=False))
    assert "no dataset ann/pairs on the Hub that this token may see" in says(error, double)


def test_a_bad_name_is_one_line(double: Double, waited: Waited, bundle: Bundle) -> None:
    with pytest.raises(PublishError, match="is no name of a dataset"):
        publish(bundle, asking(double, waited, repo="a/b/c"), TERMS)


@pytest.mark.parametrize("fault", FULL, ids=named)
def test_a_full_quota_is_one_line(
    double: Double, client: Hub, bundle: Bundle, fault: Fault
) -> None:
    double.faults.append(replace(fault))
    with pytest.raises(PublishError) as error:
        publish(bundle, client, TERMS)
    line = says(error, double)
    assert "the storage of ann on the Hub is full" in line
    assert fault.message in line
    double.faults.clear()
    publish(bundle, client, TERMS)
    assert stored(double) == ours(bundle)


@pytest.mark.parametrize("fault", BUSY, ids=named)
def test_a_busy_hub_is_waited_for_as_long_as_it_says(
    double: Double, client: Hub, bundle: Bundle, waited: Waited, fault: Fault
) -> None:
    double.faults.append(replace(fault))
    publish(bundle, client, TERMS)
    assert stored(double) == ours(bundle)
    assert len([pause for pause in waited.pauses if 7 <= pause <= 8]) == 2


@pytest.mark.parametrize(("status", "word"), [(429, "asks to wait"), (503, "does not answer")])
def test_a_hub_that_stays_busy_is_one_line_and_the_next_run_goes_on(
    double: Double, client: Hub, bundle: Bundle, status: int, word: str
) -> None:
    double.faults.append(Fault("PUT", "/store/", status, times=99, skip=4))
    with pytest.raises(PublishError) as error:
        publish(bundle, client, TERMS)
    assert f"{word}" in says(error, double)
    assert "is not sent again" in str(error.value)
    assert_goes_on(double, client, bundle)


def test_a_connection_that_is_cut_for_good_is_one_line_and_the_next_run_goes_on(
    double: Double, client: Hub, bundle: Bundle
) -> None:
    double.faults.append(Fault("PUT", "/store/", times=99, skip=4))
    with pytest.raises(PublishError) as error:
        publish(bundle, client, TERMS)
    assert "the connection to the Hub broke" in says(error, double)
    assert_goes_on(double, client, bundle)


def assert_goes_on(double: Double, client: Hub, bundle: Bundle) -> None:
    """The next run sends the large files that are not there, and no other."""
    had = set(double.store)
    assert len(had) == 4
    double.faults.clear()
    double.asked.clear()
    publish(bundle, client, TERMS)
    put = {line.split("/")[-1] for line in double.asked if line.startswith("PUT /store/")}
    assert put == set(double.store) - had
    assert stored(double) == ours(bundle)


@pytest.mark.parametrize("times", [1, 2])
def test_a_connection_cut_in_the_middle_is_taken_up_again(
    double: Double, client: Hub, bundle: Bundle, times: int
) -> None:
    double.faults.append(Fault("PUT", "/store/", times=times, skip=3))
    publish(bundle, client, TERMS)
    assert stored(double) == ours(bundle)


@pytest.mark.parametrize("skip", [0, 1])
def test_a_commit_whose_answer_got_lost_is_not_made_twice(
    double: Double, client: Hub, bundle: Bundle, skip: int
) -> None:
    double.faults.append(Fault("POST", "/commit/", after=True, skip=skip))
    publish(bundle, client, TERMS)
    assert stored(double) == ours(bundle)
    assert len(double.repos[REPO].commits) == 3


@pytest.mark.parametrize("skip", [0, 1])
def test_a_commit_that_never_arrived_is_made_again(
    double: Double, client: Hub, bundle: Bundle, skip: int
) -> None:
    double.faults.append(Fault("POST", "/commit/", skip=skip))
    publish(bundle, client, TERMS)
    assert stored(double) == ours(bundle)
    assert len(double.repos[REPO].commits) == 3


@pytest.mark.parametrize("lost", [False, True])
def test_what_someone_else_pushed_meanwhile_stays(
    double: Double, client: Hub, bundle: Bundle, monkeypatch: pytest.MonkeyPatch, lost: bool
) -> None:
    real = Hub.send

    def send(self: Hub, file: object) -> object:
        repo = double.repos[REPO]
        if len(repo.commits) == 1:
            repo.add(repo.head.files | {"theirs.md": repo.head.files[".gitattributes"]})
        return real(self, file)  # type: ignore[arg-type]

    monkeypatch.setattr(Hub, "send", send)
    if lost:
        double.faults.append(Fault("POST", "/commit/", 503))
    with pytest.raises(PublishError) as error:
        publish(bundle, client, TERMS)
    assert "someone else pushed to ann/pairs meanwhile" in says(error, double)
    assert set(stored(double)) == {"theirs.md"}


def test_no_token_is_one_line(
    double: Double, waited: Waited, bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.hf_api.get_token", lambda: None)
    with pytest.raises(PublishError, match="no token: set HF_TOKEN"):
        publish(bundle, Hub(REPO, endpoint=double.url), TERMS)


def test_a_hub_that_is_not_there_is_one_line(waited: Waited, bundle: Bundle) -> None:
    nobody = Hub(REPO, endpoint="http://127.0.0.1:9", token=WRITER, sleep=waited.sleep)
    with pytest.raises(PublishError, match="the connection to the Hub broke"):
        publish(bundle, nobody, TERMS)


def test_a_bug_of_ours_keeps_its_traceback(
    double: Double, client: Hub, bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(client.api, "list_repo_tree", broken)
    with pytest.raises(KeyError):
        publish(bundle, client, TERMS)


def test_what_the_hub_says_is_told_without_tokens_and_addresses(
    double: Double, client: Hub, bundle: Bundle
) -> None:
    message = f"no: Bearer xyz {WRITER} at https://store/x?signature=1"
    double.faults.append(Fault("POST", "/commit/", 418, message=message))
    with pytest.raises(PublishError) as error:
        publish(bundle, client, TERMS)
    assert "the Hub refuses for ann/pairs: HTTP 418, no: ... ... at ..." in says(error, double)
