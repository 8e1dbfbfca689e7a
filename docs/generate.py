"""The pages of the site as Markdown: ``python -m docs.generate`` puts them into a folder.

What a page shows of the code (commands, stages, tables) is made from the code, what it shows of a
package is the package's own page, and its figures are those of ``figures.json``.
"""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from docs import PAGES, ROOT, commands, figures, repository, stages, tables
from docs.markdown import introduction, section

MADE = ROOT / "build" / "pages"

GENERATED = {
    "reference/commands.md": commands.page,
    "reference/stages.md": stages.page,
    "reference/tables.md": tables.page,
}


def pages() -> dict[str, str]:
    """Every page of the site, by its place in it."""
    shown = {target: name for name, target in repository.copied().items() if name != "README.md"}
    return {
        **{target: repository.page(name) for target, name in shown.items()},
        **{target: make() for target, make in GENERATED.items()},
        **written(figures.load()),
    }


def written(known: Mapping[str, Any]) -> dict[str, str]:
    """The pages that are written by hand, with the figures in them; an unknown one is an error."""
    environment = Environment(
        loader=FileSystemLoader(PAGES),
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= figures.FILTERS
    found = sorted(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.md"))
    return {
        name: environment.get_template(name).render(figures=known, **_parts(name)) for name in found
    }


def _parts(target: str) -> dict[str, Any]:
    """What a page may take from other pages: their introduction, or what is under a heading."""

    def part(name: str, heading: str = "") -> str:
        text = repository.text_of(name)
        found = section(text, heading) if heading else introduction(text)
        return repository.with_links(found, name, target)

    return {"part": part}


def write(folder: Path) -> None:
    """Put all pages into ``folder``; what a page no longer has goes away."""
    made = pages()
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    shutil.copytree(PAGES.parent / "assets", folder / "assets")


def main() -> None:
    """Write the pages and say where they are."""
    write(MADE)
    print(MADE.relative_to(ROOT), file=sys.stderr)


if __name__ == "__main__":
    main()
