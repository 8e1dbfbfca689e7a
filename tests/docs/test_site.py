"""The site as it is built: whole, on its own, and fit for a phone."""

import functools
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from docs import ROOT
from docs.generate import pages

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]
WIDE, NARROW = (1280, 900), (390, 844)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make site` builds it: a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        started.close()


def test_every_page_is_in_the_site_and_in_its_navigation(site: Path) -> None:
    home = (site / "index.html").read_text()
    for name in pages():
        built = name.removesuffix(".md") + ".html"
        assert (site / built).exists()
        assert f'href="{built}"' in home or name == "index.md"


def test_no_page_asks_another_server_for_anything(site: Path) -> None:
    asked = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"?(?:https?:)?//[^>]*>")
    texts = {path: path.read_text() for path in site.rglob("*.html")}
    assert len(texts) > 25
    assert {path: found for path, text in texts.items() if (found := asked.findall(text))} == {}


def test_a_template_leaves_nothing_behind(site: Path) -> None:
    method = unescape((site / "method.html").read_text())
    assert "{{" not in method
    assert "{%" not in method


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_no_request_leaves_and_no_page_scrolls_sideways(
    size: tuple[int, int], browser: Browser, address: str
) -> None:
    width, height = size
    with browser.new_context(viewport={"width": width, "height": height}) as context:
        page, asked, faults = context.new_page(), list[str](), list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        for name in ("index", "method", "howto/service", "reference/tables", "packages/mutants"):
            page.goto(f"{address}/{name}.html")
            wide = page.evaluate("document.scrollingElement.scrollWidth")
            assert (name, wide) == (name, width)
        assert faults == []
        assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


def test_a_word_is_found_without_leaving(browser: Browser, address: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page, asked = context.new_page(), list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}/index.html?q=neighbor_nondeterministic")
        page.locator(".md-search-result__link[href*='reference/tables.html']").first.wait_for()
        assert all(url.startswith((address, "data:", "blob:")) for url in asked)
