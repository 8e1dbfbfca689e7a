"""Where the test data lies, if it is there: one setting, ``PAIRSET_TEST_DATA``."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEST_DATA = Path(os.environ.get("PAIRSET_TEST_DATA", ROOT.parent / "shared"))


def shared(*parts: str) -> Path:
    """A file or folder of the test data; the test that asks is skipped where it is absent."""
    path = TEST_DATA.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"no {'/'.join(parts)} under PAIRSET_TEST_DATA ({TEST_DATA.name}/)")
    return path


def cases(name: str) -> list[dict[str, Any]]:
    """The lines of ``cases/<name>.jsonl``."""
    return [json.loads(line) for line in shared("cases", f"{name}.jsonl").read_text().splitlines()]
