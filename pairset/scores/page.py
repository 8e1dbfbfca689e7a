"""The report as one page: no script, nothing fetched, light or dark as the reader's system is."""

import json
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pairset.build import Build
from pairset.files import write_bytes
from pairset.scores import plots
from pairset.scores.report import FOLDER
from pairset.scores.text import lines
from pairset.scores.views import Report, head, tables

PAGE, TEXT, JSON = "scores.html", "scores.txt", "scores.json"


def write_page(build: Build, found: Report) -> Path:
    """Write the report as JSON, text and page into the build; where the page is."""
    folder = build.root / FOLDER
    _write(folder / JSON, json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    _write(folder / TEXT, "\n".join(lines(found)) + "\n")
    _write(folder / PAGE, page(found))
    return folder / PAGE


def page(found: Report) -> str:
    """The page; the same report gives the same bytes."""
    environment = Environment(
        loader=PackageLoader("pairset.scores"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    drawn = [Markup(plots.totals(found)), Markup(plots.classes(found))]
    return environment.get_template("scores.html").render(
        found=found, head=head(found), tables=list(tables(found)), plots=drawn
    )


def _write(path: Path, text: str) -> None:
    write_bytes(path, text.encode("utf-8", "replace"))
