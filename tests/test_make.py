"""What `make` says on a machine without a Python that will do."""

import subprocess

from tests.shared_data import ROOT


def test_an_unsuitable_python_is_named() -> None:
    words = ["make", "--always-make", ".venv/ready", "PYTHON=false"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.splitlines()[:2] == [
        "pairset needs Python 3.11, 3.12 or 3.13 with its venv module; tried: false",
        "name another one: make PYTHON=/path/to/python3",
    ]
