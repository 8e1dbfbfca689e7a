"""The manifest: every count and digest of a build, as MANIFEST.md to read and manifest.json to use.

Both are made from the tables and verdicts alone: the same ones give the same bytes, on any machine.
`schema.json` beside this file is the JSON Schema of manifest.json.
"""

import json
from pathlib import Path
from typing import Any

from pairset.build import Build
from pairset.files import write_text
from pairset.manifest.collect import collect, state
from pairset.manifest.compare import changes
from pairset.manifest.render import render

JSON, PAGE = "manifest.json", "MANIFEST.md"


def write_manifest(build: Build, *, against: Path | None = None) -> dict[str, Any]:
    """Write both files into the build's folder, the page last; what the manifest says.

    With ``against``, the folder or manifest of another build, also what changed since that one.
    """
    manifest = collect(build)
    if against is not None:
        manifest["changes"] = changes(build, manifest, against)
    text = json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    write_text(build.root / JSON, text)
    write_text(build.root / PAGE, render(manifest))
    return manifest


def read_manifest(build: Build) -> dict[str, Any] | None:
    """What the manifest of a build says, or None where there is none."""
    try:
        found = json.loads((build.root / JSON).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def is_current(build: Build) -> bool:
    """Whether the manifest says what today's tables say."""
    found = read_manifest(build)
    page = build.root / PAGE
    return found is not None and page.exists() and found.get("state") == state(build)
