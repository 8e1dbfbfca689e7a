"""What MkDocs calls: the pages are made anew before each build, and the navigation from them."""

from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from docs import PAGES, ROOT
from docs.generate import MADE, write
from docs.markdown import title
from docs.repository import copied

Navigation = list[Any]

TITLES = {
    "packages/pairset-config.md": "Config",
    "packages/pairset-corpus.md": "Corpora",
    "packages/mutants.md": "Operators",
    "packages/investigation.md": "Families",
    "reference/manifest.md": "The sample build",
    "reference/data.md": "Where tables lie",
}
"""Pages of the repository that the reference shows, under the names of what is looked for there."""

GUIDES = (
    "build",
    "corpus",
    "trees",
    "references",
    "service",
    "cluster",
    "schedule",
    "review",
    "publish",
    "benchmark",
    "investigation",
)
"""The how-tos, in the order in which they are needed."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Show the pages that were made, under a navigation that names every one of them."""
    write(MADE)
    config.docs_dir = str(MADE)
    config.nav = navigation()
    return config


def on_serve(server: Any, **_: Any) -> Any:
    """While somebody writes: a changed page of the repository is shown at once."""
    for name in copied():
        server.watch(str(ROOT / name))
    server.watch(str(PAGES))
    return server


def navigation() -> Navigation:
    """Every page of the site, once."""
    packages = [target for name, target in copied().items() if target.startswith("packages/")]
    reference = [{"Commands": "reference/commands.md"}, {"Stages": "reference/stages.md"}]
    reference += [{"Tables": "reference/tables.md"}]
    return [
        {"Home": "index.md"},
        {"Method": [{"From question to label": "method.md"}, {"What a tie proves": "ties.md"}]},
        {"How to": [{_title(name): f"howto/{name}.md"} for name in GUIDES]},
        {"Reference": [*reference, *({words: target} for target, words in TITLES.items())]},
        {"Packages": [{_name(target): target} for target in packages if target not in TITLES]},
    ]


def _title(guide: str) -> str:
    return title((PAGES / "howto" / f"{guide}.md").read_text(encoding="utf-8"))


def _name(target: str) -> str:
    return target.removeprefix("packages/").removesuffix(".md").replace("-", "/")
