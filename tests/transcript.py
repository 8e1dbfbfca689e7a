"""The transcript in README.md: what its commands print, read and written.

``python -m tests.transcript`` puts what the commands print today in its place.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.shared_data import ROOT

README = ROOT / "README.md"
BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
SECONDS = re.compile(r"\d+\.\d s\b")
COMMAND = "import sys; from flows.cli import main; main(sys.argv[1:])"


def shown() -> str:
    """The transcript as the page has it."""
    found = BLOCK.search(README.read_text())
    assert found is not None
    return found[0]


def printed(transcript: str, folder: Path) -> str:
    """The same commands, with what they print in ``folder``."""
    lines = [line for line in transcript.splitlines() if line.startswith("$ ")]
    return "".join(f"{line}\n{_output(line, folder)}" for line in lines)


def without_seconds(text: str) -> str:
    """A transcript but for how long things took."""
    return SECONDS.sub("N s", text)


def _output(line: str, folder: Path) -> str:
    """What a command prints. `make run` sets up, then is `pairset run`; a pager prints nothing."""
    words = line.split("#")[0].removeprefix("$ ").split()
    if words == ["make", "run"]:
        words = ["pairset", "run"]
    if Path(words[0]).name != "pairset":
        return ""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *words[1:]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    return done.stdout


def main() -> None:
    """Write the page anew."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = printed(shown(), Path(folder))
    README.write_text(BLOCK.sub(lambda _: fresh, README.read_text(), count=1))


if __name__ == "__main__":
    main()
