"""The page over HTTP: what is shown as text, who is let in, and that no verdict is lost."""

import re
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from shutil import copytree

import polars as pl
import pytest

from db_execution.errors import BadAddress
from pairset.build import Build
from pairset.verdicts import KINDS, read_verdicts
from review.access import SESSION
from review.errors import NothingToSee
from review.filters import NAMES
from review.index import load
from review.serving import Address
from tests.pairset.sample_build import frame
from tests.review.serve import HOSTILE, Served, served


class _Page(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def _shown(page: str) -> int:
    found = re.search(r"<h1>([\d,]+) of", page)
    assert found is not None
    return int(found[1].replace(",", ""))


def test_texts_of_a_corpus_are_shown_as_text(page: Served) -> None:
    for path in ("/", f"/pair/{page.pair_id()}", f"/pair/{page.pair_id()}?tree=original"):
        answer = page.get(path)
        assert answer.status_code == 200
        found = _Page(answer.text)
        assert [attrs for tag, attrs in found.tags if tag == "script"] == [
            {"src": "/static/keys.js", "defer": None}
        ]
        assert not {"img", "b onclick"} & {tag for tag, _ in found.tags}
        assert not [a for _, attrs in found.tags for a in attrs if a.startswith("on")]
        assert "<script>document.title='owned'</script>" in found.text
        assert not {"\u202e", "\x07"} & set(found.text)
        assert "U+202E" in found.text


def test_what_people_write_is_shown_as_text_too(own: Served) -> None:
    said = own.judge(own.pair_id(), reviewer=HOSTILE[:60], verdict=KINDS[0], note=HOSTILE)
    assert said.status_code == 303
    found = _Page(own.get(f"/pair/{own.pair_id()}").text)
    assert len([tag for tag, _ in found.tags if tag == "script"]) == 1
    assert "<img src=x onerror=alert(1)>" in found.text


def test_every_answer_has_its_guards(page: Served) -> None:
    for path in ("/", "/help", "/static/keys.js", "/pair/none", "/nowhere"):
        headers = page.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_a_request_that_was_addressed_elsewhere_is_turned_away(page: Served) -> None:
    for host, status in (
        ("evil.example", 403), ("127.0.0.1.evil.example:80", 403), ("", 403),
        ("localhost:1", 200), ("LOCALHOST", 200), ("[::1]:9", 200),
    ):  # fmt: skip
        assert page.http.get("/", headers={"Host": host}).status_code == status, host


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_verdict_from_another_page_is_turned_away(own: Served, headers: dict[str, str]) -> None:
    form = {"form": own.desk.known.form, "reviewer": "Ann", "verdict": KINDS[0]}
    answer = own.http.post(f"/pair/{own.pair_id()}", data=form, headers=headers)
    assert answer.status_code == 403
    assert read_verdicts(own.desk.build.root).lines == 0


def test_a_verdict_without_the_forms_secret_is_turned_away(own: Served) -> None:
    assert own.judge(own.pair_id(), verdict=KINDS[0], form="guess").status_code == 403
    assert read_verdicts(own.desk.build.root).lines == 0


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"verdict": "perhaps"}, "one of"),
        ({"reviewer": " "}, "name"),
        ({"note": "x" * 4001}, "4,0"),
    ],
)
def test_a_bad_verdict_is_said_and_not_kept(own: Served, form: dict[str, str], said: str) -> None:
    answer = own.judge(own.pair_id(), **{"verdict": KINDS[1], **form})
    assert answer.status_code == 400
    assert said in answer.text
    assert form.get("note", "") in answer.text
    assert read_verdicts(own.desk.build.root).lines == 0


def test_a_form_that_is_too_long_is_not_read(own: Served) -> None:
    assert own.judge(own.pair_id(), verdict=KINDS[0], note="x" * 70_000).status_code == 413


def test_two_people_at_once_lose_nothing(own: Served) -> None:
    """Two people and two servers: each sees what the other wrote."""
    with served(own.desk.build) as other, ThreadPoolExecutor(6) as pool:
        said = [
            pool.submit(at.judge, own.pair_id(row), reviewer=who, verdict=KINDS[row % 3])
            for row in range(20)
            for who, at in (("Ann", own), ("Bo", other), ("Cy", own))
        ]
        assert {one.result().status_code for one in said} == {303}
        assert read_verdicts(own.desk.build.root).lines == 60
        for at in (own, other):
            assert _shown(at.get("/?verdict=none+yet").text) == own.desk.index.rows - 20
            text = _Page(at.get(f"/pair/{own.pair_id(7)}").text).text
            assert all(f"says {who}" in text for who in ("Ann", "Bo", "Cy"))


def test_reviewers_who_differ_can_be_looked_for(own: Served) -> None:
    own.judge(own.pair_id(3), reviewer="Ann", verdict=KINDS[0])
    own.judge(own.pair_id(3), reviewer="Bo", verdict=KINDS[1])
    found = own.get("/?verdict=reviewers+differ").text
    assert _shown(found) == 1
    assert own.pair_id(3) in found


def test_a_torn_line_is_named_on_the_list(own: Served) -> None:
    own.judge(own.pair_id(), verdict=KINDS[0])
    with (own.desk.build.root / "review" / "verdicts.jsonl").open("ab") as file:
        file.write(b'{"pair_id"')
    assert "line 2: it has no end" in own.get("/").text
    own.judge(own.pair_id(1), verdict=KINDS[0])
    assert "line 2: it is no JSON" in own.get("/").text
    assert _shown(own.get(f"/?verdict={KINDS[0]}").text) == 2


def test_filters_leave_what_the_tables_say(own: Served) -> None:
    build = own.desk.build
    pairs = frame(build, "pairs").join(frame(build, "labels"), on="pair_id")
    pairs = pairs.join(frame(build, "audit").select("pair_id", "provenance_check"), on="pair_id")
    database = pl.concat_str("dataset", "db_id", separator="/")
    first = pairs.row(0, named=True)
    asked = {
        "label": ("tied", pl.col("label") == "tied"),
        "class": ("value_changed", pl.col("mutation_class") == "value_changed"),
        "order": ("2", pl.col("order") == 2),
        "generator": ("mutant_grammar", pl.col("generator") == "mutant_grammar"),
        "database": (f"{first['dataset']}/{first['db_id']}", database == f"{first['dataset']}/{first['db_id']}"),
        "flag": ("gold_empty", pl.col("exec_flags").list.contains("gold_empty")),
        "operator": ("IR.IRH", pl.col("operator").str.split("+").list.contains("IR.IRH")),
        "provenance": ("ok", pl.col("provenance_check") == "ok"),
        "dataset": (first["dataset"], pl.lit(True)),
        "q": ("order by", (pl.col("gold_sql").str.to_lowercase().str.contains("order by")) | (pl.col("neighbor_sql").str.to_lowercase().str.contains("order by"))),
    }  # fmt: skip
    assert set(asked) | {"verdict"} == {*NAMES, "q"}
    for name, (value, rows) in asked.items():
        count = pairs.filter(rows).height
        assert _shown(own.http.get("/", params={name: value}).text) == count, name
    both = pairs.filter(asked["label"][1] & asked["q"][1] & asked["order"][1]).height
    found = own.http.get("/", params={"label": "tied", "q": "ORDER by", "order": "2"}).text
    assert _shown(found) == both > 0
    assert f">tied ({both:,})<" in found


def test_pages_and_neighbours_go_through_all_that_is_left(own: Served) -> None:
    seen = []
    for page in (1, 2, 3):
        text = own.get(f"/?label=tied&page={page}").text
        seen += re.findall(r'data-row href="/pair/([0-9a-f]{64})\?label=tied"', text)
    assert len(seen) == len(set(seen)) == 150
    at = own.get(f"/pair/{seen[0]}?label=tied").text
    assert f'href="/pair/{seen[1]}?label=tied" data-key="j"' in at
    assert "1 of " in at
    last = own.get("/?label=tied&page=999999999").text
    assert 'data-key="]"' not in last
    for nonsense in ("-1", "x", "\u0663", "9" * 40):
        assert own.http.get("/", params={"page": nonsense}).status_code == 200


def test_a_verdict_does_not_lose_ones_place(own: Served) -> None:
    """Under 'none yet' a pair leaves the list as it is judged; the next one is still the next."""
    first, second = own.pair_id(0), own.pair_id(1)
    own.judge(first, verdict=KINDS[0])
    text = own.get(f"/pair/{first}?verdict=none+yet").text
    assert "not among the" in text
    assert f'href="/pair/{second}?verdict=none+yet" data-key="j"' in text


def test_both_answers_are_shown_with_what_differs(own: Served) -> None:
    separated = re.search(r"/pair/([0-9a-f]{64})", own.get("/?label=separated&flag=none").text)
    tied = re.search(r"/pair/([0-9a-f]{64})", own.get("/?label=tied").text)
    assert separated
    assert tied
    apart, same = (own.get(f"{found[0]}?tree=original").text for found in (separated, tied))
    assert "On original: different answers" in apart or "another order" in apart
    assert 'class="differs"' in apart
    assert "On original: the same answer" in same
    assert 'class="differs"' not in same


def test_an_unknown_pair_or_tree_is_one_clear_page(own: Served) -> None:
    for path in (f"/pair/{'0' * 64}", "/pair/x", f"/pair/{own.pair_id()}?tree=none"):
        answer = own.get(path)
        assert answer.status_code == 404
        assert "This build has no" in answer.text


def test_a_build_that_changed_underneath_is_said(own: Served) -> None:
    place = own.desk.build.store.places("pairs")[0]
    own.desk.build.store.remove(*place)
    answer = own.get(f"/pair/{own.pair_id()}")
    assert answer.status_code == 409
    assert "have changed since" in answer.text


def test_an_executor_that_is_not_there_is_said(own: Served, made: Build) -> None:
    gone = Build(made.config, own.desk.build.root, ())
    with served(gone) as page:
        answer = page.get(f"/pair/{page.pair_id()}?tree=original")
        assert answer.status_code == 200
        assert "could not be asked" in answer.text


def test_with_a_token_nothing_is_shown_without_it(own: Served) -> None:
    with served(own.desk.build, token="open sesame") as page:
        pair = f"/pair/{page.pair_id()}"
        turned = page.get(f"{pair}?q=a%26b")
        assert (turned.status_code, turned.headers["location"]) == (
            303,
            f"/enter?to=%2Fpair%2F{page.pair_id()}%3Fq%3Da%2526b",
        )
        assert page.judge(page.pair_id(), verdict=KINDS[0]).status_code == 401
        wrong = page.http.post("/enter", data={"token": "open", "to": pair})
        assert wrong.status_code == 401
        right = page.http.post("/enter", data={"token": "open sesame", "to": "//evil.example/"})
        assert (right.status_code, right.headers["location"]) == (303, "/")
        assert "httponly" in right.headers["set-cookie"].lower()
        assert page.http.cookies[SESSION]
        assert page.get(pair).status_code == 200
        page.http.cookies.clear()
        bearer = {"Authorization": "Bearer open sesame"}
        assert page.http.get(pair, headers=bearer).status_code == 200


def test_beyond_this_machine_only_with_leave_and_a_token() -> None:
    with pytest.raises(BadAddress, match="--allow-remote"):
        Address(host="0.0.0.0").check()
    with pytest.raises(BadAddress, match="PAIRSET_REVIEW_TOKEN"):
        Address(host="0.0.0.0", allow_remote=True).check()
    Address(host="0.0.0.0", allow_remote=True, token="x").check()


def test_a_build_without_pairs_says_how_to_make_them(made: Build, tmp_path: Path) -> None:
    with pytest.raises(NothingToSee, match="pairset run"):
        load(Build(made.config, tmp_path))


def test_a_build_without_labels_can_be_looked_at(made: Build, tmp_path: Path) -> None:
    copytree(made.root, tmp_path / "sample")
    build = Build(made.config, tmp_path / "sample")
    for place in build.store.places("labels"):
        build.store.remove(*place)
    with served(build) as page:
        assert _shown(page.get("/?label=no+label").text) == page.desk.index.rows
        assert page.get(f"/pair/{page.pair_id()}").status_code == 200
