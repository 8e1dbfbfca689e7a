"""The packages' own pages, shown as they are; their links lead to pages of the site."""

import posixpath
import re

from docs import ROOT
from docs.markdown import FENCE

SHOWN = {"MANIFEST.md": "reference/manifest.md", "data/README.md": "reference/data.md"}
"""Pages of the repository that are shown besides those of its packages."""

LINK = re.compile(r"\[([^\]\n]+)\]\(([^)\s]+)\)")
CODE = re.compile(r"`[^`\n]*`")


def copied() -> dict[str, str]:
    """Every page of the repository that the site shows, and where the site has it.

    ``README.md`` itself is told by the home page, so links to it lead there.
    """
    found = sorted(ROOT.glob("*/README.md")) + sorted(ROOT.glob("*/*/README.md"))
    names = [
        path.relative_to(ROOT).as_posix()
        for path in found
        if (path.parent / "__init__.py").exists()
    ]
    packages = {name: f"packages/{_flat(name)}.md" for name in names}
    return {"README.md": "index.md"} | packages | SHOWN


def _flat(name: str) -> str:
    return "-".join(name.split("/")[:-1])


def text_of(name: str) -> str:
    """A page of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def page(name: str) -> str:
    """A page of the repository as the site shows it."""
    return with_links(text_of(name), name, copied()[name])


def with_links(text: str, source: str, target: str) -> str:
    """The text of ``source`` with its links made fit for the page ``target`` of the site.

    A link to a page that the site shows leads there. One to another file of the repository is
    shown as that file's path: the site has no files of code. Raises ValueError where it leads to
    nothing. Blocks and words of code are left as they are.
    """
    kept = [found.span() for pattern in (FENCE, CODE) for found in pattern.finditer(text)]

    def led(found: re.Match[str]) -> str:
        if any(start < found.start() < end for start, end in kept):
            return found[0]
        return _led(found, source, target)

    return LINK.sub(led, text)


def _led(found: re.Match[str], source: str, target: str) -> str:
    words, (address, _, anchor) = found[1], found[2].partition("#")
    if not address or re.match(r"[a-z]+:", address):
        return found[0]
    name = posixpath.normpath(posixpath.join(posixpath.dirname(source), address))
    if not (ROOT / name).exists():
        raise ValueError(f"{source}: a link to {address}, which is not there")
    shown = copied().get(name) or copied().get(f"{name}/README.md")
    if shown is None:
        return f"`{name}`" if words.strip("`") in (address, name) else f"{words} (`{name}`)"
    here = posixpath.relpath(shown, posixpath.dirname(target) or ".")
    return f"[{words}]({here}{'#' if anchor else ''}{anchor})"
