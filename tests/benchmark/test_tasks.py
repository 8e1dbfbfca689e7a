"""Questions and golds as they lie, and one clear line for each that is not as it must be."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark.builtin import built_in
from benchmark.definition import read_definitions
from benchmark.errors import BenchmarkError
from benchmark.ids import listed, natural
from benchmark.tasks import read_tasks
from tests.benchmark.made import QUESTIONS, definition, question_file
from tests.shared_data import shared

PLAIN = [(one["id"], one["question"], one["sql"]) for one in QUESTIONS]


def refused(folder: Path, rows: list[dict[str, Any]], **fields: Any) -> str:
    question_file(folder / "q.json", rows)
    with pytest.raises(BenchmarkError) as caught:
        read_tasks(definition(folder, **fields))
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "jsonl"])
def test_a_question_file_of_any_kind_gives_the_same_tasks(tmp_path: Path, suffix: str) -> None:
    question_file(tmp_path / f"q.{suffix}")
    found = read_tasks(definition(tmp_path, f"q.{suffix}"))
    assert [(one.task_id, one.question, one.gold_sql) for one in found.tasks] == PLAIN


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "jsonl"])
def test_golds_in_one_file_of_any_kind_are_found_by_id(tmp_path: Path, suffix: str) -> None:
    question_file(
        tmp_path / "q.json", [{k: v for k, v in one.items() if k != "sql"} for one in QUESTIONS]
    )
    question_file(tmp_path / f"gold.{suffix}", QUESTIONS[::-1])
    found = read_tasks(definition(tmp_path, gold_sql_path=f"gold.{suffix}"))
    assert [one.gold_sql for one in found.tasks] == [one["sql"] for one in QUESTIONS]


def test_golds_in_a_mapping_of_ids_to_texts_or_objects_are_found(tmp_path: Path) -> None:
    question_file(tmp_path / "q.json")
    for value in (
        {one["id"]: one["sql"] for one in QUESTIONS},
        {one["id"]: {"sql": one["sql"]} for one in QUESTIONS},
    ):
        (tmp_path / "gold.json").write_text(json.dumps(value))
        found = read_tasks(definition(tmp_path, gold_sql_path="gold.json"))
        assert [one.gold_sql for one in found.tasks] == [one["sql"] for one in QUESTIONS]


def test_golds_in_a_file_a_task_are_found_and_need_no_results(tmp_path: Path) -> None:
    question_file(tmp_path / "q.json")
    (tmp_path / "sql").mkdir()
    (tmp_path / "sql" / "1.sql").write_text("SELECT 7")
    first, second = read_tasks(definition(tmp_path, gold_sql_path="sql")).tasks
    assert first.gold_sql == "SELECT 7"
    assert second.gold_problem == "SQL not found for task_id=2"


def test_gold_results_lie_in_a_field_or_in_a_file_a_task(tmp_path: Path) -> None:
    rows = [one | {"answer": "n\n1\n"} for one in QUESTIONS]
    question_file(tmp_path / "q.csv", rows)
    one = read_tasks(definition(tmp_path, "q.csv", gold_result_key="answer")).tasks[0]
    assert one.gold_result == "n\n1\n"
    (tmp_path / "results").mkdir()
    for name in ("1_a", "1_b", "2"):
        (tmp_path / "results" / f"{name}.csv").write_text(name)
    found = read_tasks(definition(tmp_path, "q.csv", gold_result_path="results"))
    assert [one.gold_results for one in found.tasks] == [("1_a", "1_b"), ("2",)]


def test_a_result_file_whose_field_is_not_named_is_said_not_to_be_used(tmp_path: Path) -> None:
    question_file(tmp_path / "q.csv")
    found = read_tasks(definition(tmp_path, "q.csv", gold_result_path="q.csv"))
    assert found.notes == ("gold_result_key is empty, so the gold SQL is executed",)
    assert found.tasks[0].gold_results == ()


def test_golds_by_position_must_be_as_many_as_the_questions(tmp_path: Path) -> None:
    question_file(tmp_path / "q.json")
    (tmp_path / "gold.sql").write_text("SELECT 1\tshop\nSELECT 2\tshop\n")
    found = read_tasks(definition(tmp_path, question_id_key="", gold_sql_path="gold.sql"))
    assert [(one.task_id, one.gold_sql) for one in found.tasks] == [
        ("0", "SELECT 1"),
        ("1", "SELECT 2"),
    ]
    (tmp_path / "gold.sql").write_text("SELECT 1\tshop\n")
    assert "1 golds for 2 questions" in refused(
        tmp_path, QUESTIONS, question_id_key="", gold_sql_path="gold.sql"
    )
    assert "by their position" in refused(tmp_path, QUESTIONS, gold_sql_path="gold.sql")


def test_a_key_that_no_record_has_is_named_beside_those_that_are_there(tmp_path: Path) -> None:
    said = refused(tmp_path, QUESTIONS, question_key="text")
    assert said.endswith(
        "no key 'text' (question_key); the file has: 'id', 'question', 'db', 'sql'"
    )


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (["1", "1"], "record 2: the id 1 stands there twice"),
        ([1, "1"], "record 2: the id 1 stands there twice"),
        (["1", ""], "record 2: there is no id"),
        (["1", None], "record 2: the id is None; expected a text or a whole number"),
        (["1", 2.5], "record 2: the id is 2.5; expected a text or a whole number"),
        (["1", True], "record 2: the id is True; expected a text or a whole number"),
        (["../../secret", "1"], "record 1: '../../secret' cannot be an id: it starts with '.'"),
        (["task/42", "1"], "record 1: 'task/42' cannot be an id: it holds '/'"),
        (["task\\42", "1"], "record 1: 'task\\\\42' cannot be an id: it holds '\\\\'"),
        (["C:drive", "1"], "record 1: 'C:drive' cannot be an id: it holds ':'"),
        ([".", "1"], "record 1: '.' cannot be an id: it starts with '.'"),
        (["a,b", "1"], "record 1: 'a,b' cannot be an id: it holds ','"),
    ],
)  # fmt: skip
def test_an_id_that_cannot_be_one_is_refused_in_one_line(
    tmp_path: Path, ids: list[object], said: str
) -> None:
    assert (
        refused(tmp_path, [one | {"id": name} for one, name in zip(QUESTIONS, ids, strict=True)])
        == f"q.json, {said}"
    )


def test_numbers_and_texts_as_ids_are_read_as_texts_and_told_of(tmp_path: Path) -> None:
    question_file(tmp_path / "q.json", [QUESTIONS[0] | {"id": "q2"}, QUESTIONS[1] | {"id": 1}])
    found = read_tasks(definition(tmp_path))
    assert [one.task_id for one in found.tasks] == ["1", "q2"]
    assert found.notes == ("q.json: ids are numbers and texts; all were read as texts",)


def test_ids_are_in_natural_order() -> None:
    assert sorted(["bq10", "q2", "bq9", "2", "10"], key=natural) == ["2", "10", "bq9", "bq10", "q2"]


def test_a_list_of_ids_has_blanks_or_commas_and_each_id_once() -> None:
    assert listed(["1,2", ", ,", "2 3", ""]) == ("1", "2", "3")


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = question_file(tmp_path / "q.csv")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    found = read_tasks(definition(tmp_path, "q.csv"))
    assert [one.task_id for one in found.tasks] == ["1", "2"]
    assert found.notes == ("q.csv: a byte-order mark was passed over",)


def test_a_gold_that_stands_twice_is_refused(tmp_path: Path) -> None:
    question_file(tmp_path / "gold.json", [QUESTIONS[0], QUESTIONS[0]])
    assert (
        refused(tmp_path, QUESTIONS, gold_sql_path="gold.json")
        == "gold.json, record 2: the id 1 stands there twice"
    )


def test_a_definition_is_read_from_toml_and_from_yaml(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(
        '[benchmark.mine]\nquestion_file = "q.json"\nquestion_id_key = "id"\ngold_sql_key = "sql"\n'
    )
    (tmp_path / "agent.yml").write_text(
        "agent:\n  home: x\n  benchmark:\n    mine:\n      question_file: q.json\n      question_id_key: id\n      gold_sql_key: sql\n      gold_result_key:\n"
    )
    question_file(tmp_path / "mine" / "q.json")
    question_file(tmp_path / "x" / "benchmark" / "mine" / "q.json")
    for name in ("b.toml", "agent.yml"):
        assert len(read_tasks(read_definitions(tmp_path / name)["mine"]).tasks) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[benchmark.mine]\nquestion_fle = "q"', "[benchmark.mine] question_fle: unknown key; did you mean 'question_file'?"),
        ("[benchmark.mine]\nquestion_file = 3", "[benchmark.mine] question_file: found 3; it may be a text in quotes"),
        ('[benchmark.mine]\nquestion_key = "q"', "[benchmark.mine] question_file: missing"),
        ('[benchmark."a/b"]\nquestion_file = "q"', "'a/b' is no benchmark name"),
        ('[benchmark.mine]\nquestion_file = "q"\nid_alias = "dev"', "'dev' is no pattern for a number"),
        ("x = 1", "it defines no benchmark"),
        ("x =", "not TOML"),
    ],
)  # fmt: skip
def test_a_bad_definition_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "b.toml").write_text(text)
    with pytest.raises(BenchmarkError) as caught:
        read_definitions(tmp_path / "b.toml")
    assert said in str(caught.value)


def test_the_built_in_benchmarks_are_read_as_they_are_released() -> None:
    spider = read_tasks(built_in("spider_dev", shared("corpora", "spider")))
    assert (len(spider.tasks), spider.tasks[7].alias) == (1034, "spider-dev-00007")
    bird = read_tasks(built_in("bird_dev", shared("corpora", "bird", "dev")))
    assert (len(bird.tasks), bird.tasks[0].task_id, bird.tasks[0].difficulty) == (
        129,
        "717",
        "simple",
    )


def test_spider_2_is_read_as_it_is_released(tmp_path: Path) -> None:
    gold = tmp_path / "evaluation_suite" / "gold"
    question_file(
        tmp_path / "spider2-snow.jsonl",
        [{"instance_id": "sf_bq1", "instruction": "How many?", "db_id": "X"}],
    )
    for name, text in (
        ("sql/sf_bq1.sql", "SELECT 1"),
        ("exec_result/sf_bq1_a.csv", "n\n1\n"),
        ("exec_result/sf_bq1_b.csv", "m\n1\n"),
    ):
        (gold / name).parent.mkdir(parents=True, exist_ok=True)
        (gold / name).write_text(text)
    [task] = read_tasks(built_in("spider2", tmp_path)).tasks
    assert (task.gold_sql, task.gold_results, task.db_id) == ("SELECT 1", ("n\n1\n", "m\n1\n"), "X")
