"""Running an agent: what a task leaves, how a run goes on, whose a folder is."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.agents import AgentError, CommandAgent, Reply, Usage
from benchmark.agents.base import failed
from benchmark.asking import Asker
from benchmark.csvtext import Table, csv_key, parse_csv
from benchmark.errors import BenchmarkError
from benchmark.evaluate import Settings, evaluate
from benchmark.runfolder import find_run, read_run
from benchmark.running import Running, run_agent
from benchmark.running_csv import csv_text
from benchmark.running_folder import identity_of, marker, opened, remove
from benchmark.running_work import run_name, slug
from db_execution.cells import Cell, RawText
from tests.benchmark.asked import Scripted, boom, own, ran, tasks_of
from tests.benchmark.judging import task
from tests.shared_data import ROOT

NAMES = "SELECT name FROM shop"
FIELDS = {
    "finished", "instance_id", "database_name", "gen_sql", "result", "gen_sql_final", "sql_result",
    "row_count", "sql_result_final", "instruction",
}  # fmt: skip


def record(folder: Path, name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / f"{name}.json").read_text())
    return found


def test_a_task_leaves_its_query_its_result_its_record_and_its_trajectory(
    asker: Asker, tmp_path: Path
) -> None:
    usage = Usage(prompt_tokens=9, completion_tokens=2, cost=0.5)
    agent = Scripted({"1": Reply(sql=NAMES, answer="it is ...", usage=usage, tries=2)})
    counts = ran(asker, tmp_path, agent)
    assert (tmp_path / "1.sql").read_text() == NAMES
    assert (tmp_path / "1.csv").read_text() == "name\nAnker\nBoje\nDamm\n"
    told = record(tmp_path, "1")
    assert told.keys() >= FIELDS
    assert (told["finished"], told["row_count"], told["tries"]) == (True, 3, 2)
    attempt = read_run(find_run(tmp_path), ["1", "2", "3"]).attempts["1"]
    assert attempt.trajectory is not None
    assert attempt.trajectory.node_types == {"start": 1, "agent": 1, "execute_sql": 1, "output": 1}
    assert (counts.total, counts.answered, counts.skipped) == (3, 1, 2)
    assert counts.usage == {"tasks": 1, "prompt_tokens": 9, "completion_tokens": 2, "cost": 0.5}


def test_an_agent_sees_the_ddl_of_the_database_and_only_the_tables_it_may(
    asker: Asker, tmp_path: Path
) -> None:
    agent = Scripted({})
    ran(asker, tmp_path, agent, tasks_of(task("1"), task("2", tables=("main.SALE",))), workers=2)
    seen = {one.task_id: one.schema for one in agent.asked}
    assert seen["1"].startswith("CREATE TABLE shop (id INTEGER PRIMARY KEY")
    assert "CREATE VIEW kiel" in seen["1"]
    assert seen["2"] == "CREATE TABLE sale (shop_id INTEGER, day TEXT, amount REAL);"


def test_failures_of_the_agent_and_of_its_sql_are_told_apart(asker: Asker, tmp_path: Path) -> None:
    agent = Scripted(
        {"1": failed("time_limit", "no answer\nwithin 1 s"), "2": "SELECT x", "3": None}
    )
    counts = ran(asker, tmp_path, agent)
    assert (counts.failed, counts.answered, counts.silent, counts.sql_errors) == (1, 1, 1, 1)
    assert counts.reasons == {"time_limit": 1}
    first, second, third = (record(tmp_path, name) for name in "123")
    assert (first["finished"], first["error"]) == (False, "time_limit: no answer within 1 s")
    assert (second["finished"], second["sql_error"]) == (True, "no such column: x")
    assert (third["finished"], third["gen_sql"]) == (True, None)
    assert sorted(path.name for path in tmp_path.glob("[0-9]*.[sc]*")) == ["2.sql"]


def test_every_task_is_in_one_count(asker: Asker, tmp_path: Path) -> None:
    every = tasks_of(*(task(str(at)) for at in range(12)))
    says = {str(at): [NAMES, None, failed("cut", "x")][at % 3] for at in range(10)}
    one = ran(asker, tmp_path, Scripted(says), every, workers=4)
    assert one.answered + one.silent + one.failed + one.skipped == one.total == 12


def test_what_is_done_is_not_asked_again(asker: Asker, tmp_path: Path) -> None:
    ran(asker, tmp_path, Scripted({"1": NAMES, "3": failed("cut", "x")}))
    agent = Scripted({"1": "SELECT 9", "2": "SELECT 2", "3": "SELECT 3"})
    counts = ran(asker, tmp_path, agent)
    assert [one.task_id for one in agent.asked] == ["2"]
    assert (counts.asked_now, counts.answered, counts.failed) == (1, 2, 1)
    assert (tmp_path / "1.sql").read_text() == NAMES
    again = ran(asker, tmp_path, Scripted({"3": "SELECT 3"}), again=True)
    assert (again.asked_now, again.answered, again.failed) == (1, 3, 0)


@pytest.mark.parametrize("lost", ["1.json", "1.sql", "1.csv", "trajectory", "half"])
def test_what_is_half_written_is_asked_again_and_counts_for_nothing(
    asker: Asker, tmp_path: Path, lost: str
) -> None:
    ran(asker, tmp_path, Scripted({"1": NAMES, "2": NAMES}))
    if lost == "half":
        (tmp_path / "1.json").write_text((tmp_path / "1.json").read_text()[:90])
    elif lost == "trajectory":
        next((tmp_path / lost).glob("1_*.yaml")).unlink()
    else:
        (tmp_path / lost).unlink()
    assert set(own(tmp_path).read(tasks_of(), "r").attempts) == {"2"}
    agent = Scripted({"1": "SELECT 5", "2": "SELECT 6"})
    ran(asker, tmp_path, agent)
    assert [one.task_id for one in agent.asked] == ["1", "3"]
    assert own(tmp_path).read(tasks_of(), "r").attempts["1"].sql == "SELECT 5"
    assert len(list((tmp_path / "trajectory").glob("1_*.yaml"))) == 1


def test_an_agent_of_no_use_ends_the_run_which_goes_on_later(asker: Asker, tmp_path: Path) -> None:
    agent = Scripted({"1": NAMES, "2": boom, "3": NAMES})
    with pytest.raises(AgentError, match="the key is wrong"):
        ran(asker, tmp_path, agent)
    assert agent.closed.is_set()
    assert "2" not in own(tmp_path).done()
    assert ran(asker, tmp_path, Scripted(dict.fromkeys("123", NAMES))).answered == 3


def test_a_run_that_is_told_to_end_does_so_and_writes_nothing_of_what_it_was_at(
    asker: Asker, tmp_path: Path
) -> None:
    def told(done: int, total: int) -> None:
        raise KeyboardInterrupt

    agent, every = CommandAgent(["sleep", "60"]), tasks_of()
    with opened(tmp_path, identity_of(every, agent.identity())) as own_folder:
        running = Running(executor=asker.executor, workers=2, tell=told)
        with pytest.raises(KeyboardInterrupt):
            run_agent(agent, every, own_folder, running)
    assert own(tmp_path).begun() == set()


@pytest.mark.parametrize("what", ["agent", "questions", "benchmark", "round"])
def test_a_folder_of_another_run_is_never_gone_on_with(
    asker: Asker, tmp_path: Path, what: str
) -> None:
    agent, other = Scripted({"1": NAMES}), Scripted({}, version=2)
    ran(asker, tmp_path, agent)
    every = tasks_of(task("1", question="another?")) if what == "questions" else tasks_of()
    told = identity_of(every, (other if what == "agent" else agent).identity(), what == "round")
    if what == "benchmark":
        path = tmp_path / ".run.json"
        path.write_text(path.read_text().replace('"benchmark": "test"', '"benchmark": "other"'))
    with pytest.raises(BenchmarkError, match=f"with another {what}: name"), opened(tmp_path, told):
        pass


def test_a_gold_that_was_mended_makes_no_other_run(asker: Asker, tmp_path: Path) -> None:
    ran(asker, tmp_path, Scripted({}), tasks_of(task("1", gold="SELECT 1")))
    ran(asker, tmp_path, Scripted({}), tasks_of(task("1", gold="SELECT 2")))


def test_a_folder_with_files_of_something_else_is_left_alone(asker: Asker, tmp_path: Path) -> None:
    (tmp_path / "1.sql").write_text("SELECT 'mine'")
    with pytest.raises(BenchmarkError, match=r"files of something else \(1.sql\)"):
        ran(asker, tmp_path, Scripted({"1": NAMES}))
    assert not remove(tmp_path)
    assert (tmp_path / "1.sql").read_text() == "SELECT 'mine'"


def test_two_processes_do_not_work_in_one_folder(asker: Asker, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.benchmark.asked import *\n"
        "agent = Scripted({})\n"
        "with opened(Path(sys.argv[1]), identity_of(tasks_of(), agent.identity())):\n"
        "    print('in', flush=True); sys.stdin.read()"
    )
    words = [sys.executable, "-c", script, str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(words, cwd=ROOT, text=True, **pipes) as other:  # type: ignore[call-overload]
        assert other.stdout.readline() == "in\n"
        with pytest.raises(BenchmarkError, match=f"process {other.pid} is at work in"):
            ran(asker, tmp_path, Scripted({}))
        other.kill()
    assert ran(asker, tmp_path, Scripted({"1": NAMES})).answered == 1


def test_a_run_of_ours_can_be_taken_away_whole(asker: Asker, tmp_path: Path) -> None:
    ran(asker, tmp_path / "r", Scripted({"1": NAMES}))
    assert marker(tmp_path / "r") is not None
    assert remove(tmp_path / "r")
    assert not (tmp_path / "r").exists()


def test_leftovers_of_a_killed_writer_are_taken_away(asker: Asker, tmp_path: Path) -> None:
    ran(asker, tmp_path, Scripted({}))
    (tmp_path / ".1.json.77.partial").write_text("{")
    ran(asker, tmp_path, Scripted({}))
    assert list(tmp_path.glob("*.partial")) + list(tmp_path.glob(".*.partial")) == []


def test_sql_that_is_no_text_is_no_sql(asker: Asker, tmp_path: Path) -> None:
    ran(asker, tmp_path, Scripted({"1": "SELECT '\ud800'"}))
    assert record(tmp_path, "1")["reason"] == "not_text"


def test_an_answer_with_more_rows_than_are_kept_leaves_no_csv(asker: Asker, tmp_path: Path) -> None:
    """Half a result would be evaluated as if it were the whole."""
    many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50001) SELECT i FROM n"
    ran(asker, tmp_path, Scripted({"1": many}))
    assert not (tmp_path / "1.csv").exists()
    assert record(tmp_path, "1")["sql_error"] == "more rows than are kept"


@pytest.mark.parametrize("sql", [NAMES, "SELECT * FROM odd", "SELECT * FROM sale", "SELECT name, name FROM shop", "SELECT '' AS t", "SELECT NULL", "SELECT 9e999, -0.0, 1e300, x'00ff'", "SELECT 'a' || char(13, 10, 0) || '\"b\"'", "SELECT 1 WHERE 0"])  # fmt: skip
def test_a_result_that_was_left_gets_the_verdict_of_the_query(
    asker: Asker, tmp_path: Path, sql: str
) -> None:
    every = tasks_of(task("1", gold=sql))
    ran(asker, tmp_path, Scripted({"1": sql}), every)
    run = own(tmp_path).read(every, "r")
    for executed in (True, False):
        [found] = evaluate(every, [run], asker, Settings(executed=executed))
        assert found.outcomes[0].status == "Matched", executed


CELLS: st.SearchStrategy[Cell] = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.text(), st.binary(),
    st.just(RawText(b"a\xff")),
)  # fmt: skip


@given(st.lists(st.tuples(CELLS, CELLS)), st.tuples(st.text(), st.text()))
def test_a_csv_is_read_back_as_what_a_csv_can_say(
    rows: list[tuple[Cell, Cell]], names: tuple[str, str]
) -> None:
    text = csv_text(["n" + one for one in names], rows)
    read = parse_csv(text)
    assert read == Table(("n" + names[0], "n" + names[1]), read.rows, is_csv=True)
    said = [tuple(map(csv_key, row)) for row in read.rows]
    assert said == [tuple(map(csv_key, row)) for row in rows]
    assert len(list(csv.reader(io.StringIO(text, newline="")))) == len(rows) + 1


def test_a_runs_name_is_the_time_unless_one_is_given() -> None:
    assert run_name("nightly") == "nightly"
    assert find_run_name(run_name(""))
    with pytest.raises(BenchmarkError, match="cannot name a run"):
        run_name(f"..{os.sep}secret")
    assert slug("../x") == "_x"


def find_run_name(name: str) -> bool:
    """Whether an evaluation takes it for the name of a run."""
    from benchmark.runfolder import RUN_NAME

    return RUN_NAME.fullmatch(name) is not None
