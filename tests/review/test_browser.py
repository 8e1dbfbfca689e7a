"""The page in a browser: a keyboard is enough, two people at once, and nothing runs off the side."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from pairset.verdicts import KINDS, read_verdicts
from tests.review.serve import Served

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium or google-chrome here")
ARGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
DOWN = (1280, 390)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield started
        started.close()


@contextmanager
def tab(browser: Browser, at: Served, width: int = 1280) -> Iterator[Page]:
    """A person's own browser window; what it says on its console must be nothing."""
    context = browser.new_context(
        base_url=at.url, viewport={"width": width, "height": 900}, service_workers="block"
    )
    found, said = context.new_page(), list[str]()
    found.on("console", lambda message: said.append(message.text))
    found.on("pageerror", lambda error: said.append(str(error)))
    try:
        yield found
        assert said == []
    finally:
        context.close()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def turning(page: Page, key: str) -> None:
    """Press a key that leads to another page, and wait until that is there."""
    with page.expect_navigation():
        page.keyboard.press(key)


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.textContent"))


def test_a_keyboard_is_enough(browser: Browser, own: Served) -> None:
    """Filter, open, look at the answers, judge, go on: no mouse."""
    with tab(browser, own) as page:
        _find_tied(page)
        first = page.url.partition("?")[0]
        turning(page, "s")
        assert "On original: the same answer" in page.inner_text("#h-answers")
        _judge(page)
        turning(page, "j")
        assert page.url.partition("?")[0] != first
        assert page.input_value("#reviewer") == "Ann 1"
        turning(page, "k")
        assert page.url.partition("?")[0] == first
        _look_around(page)
    [verdict] = read_verdicts(own.desk.build.root).last.values()
    assert (verdict.verdict, verdict.note) == (KINDS[1], "a note with the letters j k 2")


def _find_tied(page: Page) -> None:
    page.goto("/")
    press(page, "f")
    assert focused(page) == "f-label"
    page.keyboard.type("tied")
    press(page, "Escape", "/")
    assert focused(page) == "q"
    page.keyboard.type("select")
    turning(page, "Enter")
    assert "label=tied" in page.url
    assert "q=select" in page.url
    press(page, "j", "j", "k")
    turning(page, "Enter")


def _judge(page: Page) -> None:
    press(page, "1")  # without a name there is no verdict: the field is asked for
    assert focused(page) == "reviewer"
    page.keyboard.type("Ann 1")
    press(page, "Escape", "n")
    assert focused(page) == "note"
    page.keyboard.type("a note with the letters j k 2")
    press(page, "Escape")
    turning(page, "2")
    assert page.inner_text("[role=status]").startswith("Saved")
    assert "same meaning says Ann 1: a note with" in page.inner_text(".verdicts")


def _look_around(page: Page) -> None:
    turning(page, "u")
    assert page.locator(".said").count() == 1
    turning(page, "]")
    assert "page=2" in page.url
    turning(page, "[")
    turning(page, "x")
    turning(page, "?")
    assert "Every control" in page.inner_text("main")


def test_t_chooses_the_tree_and_every_control_is_reached_by_tab(
    browser: Browser, own: Served
) -> None:
    with tab(browser, own) as page:
        page.goto(f"/pair/{own.pair_id()}")
        press(page, "t")
        assert focused(page) == "tree"
        press(page, "ArrowDown", "Escape")
        turning(page, "s")
        assert "tree=schema" in page.url
        controls = page.locator("a[href], button, input:not([type=hidden]), select, textarea")
        reached = set()
        page.evaluate("document.activeElement.blur()")
        for _ in range(controls.count() + 12):
            press(page, "Tab")
            reached.add(page.evaluate("document.activeElement.outerHTML.slice(0, 400)"))
            style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert style != "none" or page.evaluate("document.activeElement === document.body")
        assert {
            each.evaluate("e => e.outerHTML.slice(0, 400)") for each in controls.all()
        } <= reached


def test_two_people_reviewing_at_once_lose_nothing(browser: Browser, own: Served) -> None:
    with tab(browser, own) as ann, tab(browser, own) as bo:
        for page, name in ((ann, "Ann"), (bo, "Bo")):
            page.goto(f"/pair/{own.pair_id()}")
            page.fill("#reviewer", name)
            press(page, "Escape")
        for key in ("1", "3", "2"):
            for page in (ann, bo):
                turning(page, key)
                turning(page, "j")
        turning(bo, "k")
        assert bo.locator(".verdicts li").count() == 2
    found = read_verdicts(own.desk.build.root)
    assert found.lines == len(found.last) == 6


def test_hostile_texts_do_nothing(browser: Browser, page: Served) -> None:
    with tab(browser, page) as seen:
        for path in ("/", f"/pair/{page.pair_id()}?tree=original"):
            seen.goto(path)
            assert seen.title() != "owned"
            assert seen.locator("img, main script").count() == 0
            assert "<script>document.title='owned'</script>" in seen.inner_text("main")
            assert re.search(r"U\+202E", seen.inner_text("main"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_its_window(
    browser: Browser, page: Served, scheme: Literal["light", "dark"]
) -> None:
    pair = f"/pair/{page.pair_id()}"
    for width in DOWN:
        with tab(browser, page, width) as seen:
            seen.emulate_media(color_scheme=scheme)
            for path in ("/", "/?label=tied", pair, f"{pair}?tree=original", "/help"):
                seen.goto(path)
                assert seen.evaluate("document.documentElement.scrollWidth") <= width, path
            dark = seen.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (dark == "rgb(20, 22, 26)") == (scheme == "dark")


def test_it_works_without_scripts(browser: Browser, own: Served) -> None:
    context = browser.new_context(base_url=own.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.locator("summary").click()
    page.select_option("#f-label", "separated")
    page.get_by_role("button", name="Show").click()
    page.locator("[data-row]").first.click()
    page.get_by_role("button", name="Show answers").click()
    page.fill("#reviewer", "Cy")
    page.get_by_role("button", name="wrong owner").click()
    assert "wrong owner says Cy" in page.inner_text(".verdicts").replace("\n", " ")
    assert page.locator("#h-answers").count() == 1
    context.close()
