"""`pairset scores` under Prefect: its flow writes the report, and the command prints that very one."""

from contextlib import nullcontext
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from flows import prefect_home, scoring
from flows.cli import app
from pairset.build import Build
from pairset.scores import report
from tests.flows.helpers import contents


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """What a command line prints."""
    assert app.run([*words]) == 0
    return capsys.readouterr().out.splitlines()


def through_the_flow(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have the command call its flow, though all is scored: the flow's code alone, with no server.

    What the flow gives back each time comes into the list.
    """
    from flows import stage_flows

    answers = iter([False, True])  # to the command, then to the flow
    monkeypatch.setattr(scoring, "is_scored", lambda *_, **__: next(answers))
    monkeypatch.setattr(prefect_home, "prefect_at", nullcontext)
    flow, flown = stage_flows.scores.fn, list[int]()
    monkeypatch.setitem(stage_flows.FLOWS, "scores", lambda *given: flown.append(flow(*given)))
    return flown


def test_the_report_of_a_flow_is_made_once_and_printed(
    sample: Build,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copytree(sample.root, tmp_path / "sample")
    where, copy = ("--data", str(tmp_path)), str(tmp_path / "copy")
    shown(capsys, "tree", "copy", "--out", copy, *where)
    words = ("scores", "--tree", f"copy={copy}", *where)
    expected = shown(capsys, *words, "--direct")
    written = contents(tmp_path / "sample" / "report")

    made: list[dict[str, Any]] = []
    real = report.report

    def counted(*given: Any, **more: Any) -> dict[str, Any]:
        made.append(real(*given, **more))
        return made[-1]

    monkeypatch.setattr(report, "report", counted)
    flown = through_the_flow(monkeypatch)
    assert shown(capsys, *words) == expected
    assert len(made) == 1
    assert len(flown) == 1
    assert contents(tmp_path / "sample" / "report") == written
