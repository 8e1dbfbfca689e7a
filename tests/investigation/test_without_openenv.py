"""The core needs nothing of OpenEnv; the server says in a line what it lacks."""

import subprocess
import sys

BLOCKED = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("openenv", "fastapi"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
"""
CORE = """
import importlib, pkgutil, investigation
for module in pkgutil.walk_packages(investigation.__path__, "investigation."):
    if not module.name.startswith("investigation.openenv"):
        importlib.import_module(module.name)
from investigation.actions import Action
from investigation.environment import Environment
environment = Environment()
environment.reset()
print(environment.step(Action("query", "SELECT 42")).rows)
print(sorted(name for name in sys.modules if name.split(".")[0] in ("openenv", "fastapi")))
"""
SERVE = """
from flows.cli import main
main(["investigation", "serve"])
"""


def run(text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCKED + text], capture_output=True, text=True, timeout=120
    )


def test_an_episode_is_played_without_it() -> None:
    done = run(CORE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["([42],)", "[]"]


def test_the_server_says_what_it_lacks() -> None:
    done = run(SERVE)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert "pip install 'pairset[openenv]'" in line
