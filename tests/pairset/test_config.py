"""A config is either right or refused in one line that says what to write instead."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pairset.config
from pairset.config import Config, ConfigError, FinerCorpus, SpiderCorpus, cores, load_config
from pairset.config.values import unsafe_name

SPIDER = '[[corpora]]\nname = "Spider"\nlayout = "spider"\npath = "spider"\n'
TASKS = (
    '[[corpora]]\nname = "t"\nlayout = "tasks"\nfile = "t.json"\nsplit = "train"\n'
    'question_key = "q"\ndb_key = "d"\ngold_key = "g"\n'
)
FINER = '[[corpora]]\nname = "f"\nlayout = "finer"\npath = "spider"\n'
AT = "corpora[0]"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "spider").mkdir()
    (tmp_path / "t.json").write_text("[]")
    (tmp_path / "t.xls").write_text("")
    return tmp_path


def load(home: Path, text: str, **variables: str) -> Config:
    (home / "pairset.toml").write_text(text)
    return load_config(home / "pairset.toml", variables)


def refusal(home: Path, text: str, **variables: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load(home, text, **variables)
    return str(caught.value).replace(f"{home}/", "")


BAD = {
    "worker = 2": "unknown key 'worker' in the config; did you mean 'workers'? it may be: corpora, workers, generators, executor, trees, output, publication, schedule",
    "[executor]\nworker = 1": "unknown key 'worker' in [executor]; did you mean 'workers'? it may be: workers, endpoints, timeout_s, max_vm_steps, clock, seed, cache, cache_mib, runner, cluster",
    "[generators.mutants]\ncapp = 1": "unknown key 'capp' in [generators.mutants]; did you mean 'cap'? it may be: enabled, cap, second_order, weights",
    "[generators.mutants]\nweights = 'even'": "generators.mutants.weights: found 'even' (text); it may be 'observed' or 'uniform'",
    "[generators.mutants]\nweights = 1": "generators.mutants.weights: found 1 (a whole number); it may be 'observed' or 'uniform'",
    SPIDER + "pth = 1": f"unknown key 'pth' in {AT}; did you mean 'path'? it may be: layout, name, on_missing, allow_evaluation_data, path, splits, databases, schemas",
    SPIDER + "split = 'train'": f"unknown key 'split' in {AT}; did you mean 'splits'? it may be: layout, name, on_missing, allow_evaluation_data, path, splits, databases, schemas",
    SPIDER.replace("path", "pat"): f"unknown key 'pat' in {AT}; did you mean 'path'? it may be: layout, name, on_missing, allow_evaluation_data, path, splits, databases, schemas",
    TASKS + "reference_key = 'r'": f"unknown key 'reference_key' in {AT}; did you mean 'references_key'? it may be: layout, name, on_missing, allow_evaluation_data, file, split, question_key, db_key, gold_key, id_key, evidence_key, references_key, databases, schemas",
    SPIDER.replace('path = "spider"', ""): f"{AT}.path: missing; it may be a folder, as text in quotes",
    SPIDER.replace('"spider"\npath', '"spidr"\npath'): f"{AT}.layout: found 'spidr' (text); did you mean 'spider'? it may be: spider, bird, finer, tasks, sample",
    '[[corpora]]\nname = "x"': f"{AT}.layout: missing; it may be: spider, bird, finer, tasks, sample",
    SPIDER.replace('path = "spider"', 'path = "nowhere"'): f"{AT}.path: no folder 'nowhere'",
    SPIDER.replace('path = "spider"', "path = '~nobody-here/x'"): f"{AT}.path: no folder '~nobody-here/x'",
    SPIDER.replace('path = "spider"', f"path = '{'x' * 300}'"): f"{AT}.path: no folder '{'x' * 300}'",
    "[output]\ndata = \"a\\u0000\"": "output.data: found 'a\\x00'; no path holds a NUL",
    SPIDER.replace('path = "spider"', "path = 3"): f"{AT}.path: found 3; it may be a path, as text in quotes",
    SPIDER + "schemas = 'no.json'": f"{AT}.schemas: no file 'no.json'",
    SPIDER + "on_missing = 'sto'": f"{AT}.on_missing: found 'sto' (text); it may be 'stop' or 'skip'",
    SPIDER + "splits = 'train'": f"{AT}.splits: found 'train' (text); it may be a list of split names, each of which has a <split>.json",
    SPIDER + "splits = ['../x']": f"{AT}.splits[0]: '../x' cannot name a folder: it starts with '.'",
    SPIDER + SPIDER: "corpora: corpora[0] and [1] are both named 'spider'",
    FINER + "databases = {bird = 'no'}": f"{AT}.databases: no folder 'no'",
    TASKS.replace('"t.json"', '"no.json"'): f"{AT}.file: no file 'no.json'",
    TASKS.replace('"t.json"', '"t.xls"'): f"{AT}.file: found 't.xls'; it may be one of: .csv, .tsv, .json, .jsonl",
    TASKS.replace("split", "#"): f"{AT}.split: missing; it may be the split these rows are, as text in quotes",
    "corpora = []": "corpora: found [] (a list); it may be one or more tables [[corpora]]",
    "corpora = 'x'": "corpora: found 'x' (text); it may be one or more tables [[corpora]]",
    "workers = 33": "workers: found 33 (a whole number); it may be a whole number from 1 to 32",
    "workers = 'two'": "workers: found 'two' (text); it may be a whole number from 1 to 32",
    "workers = true": "workers: found True (true or false); it may be a whole number from 1 to 32",
    "[executor]\nclock = 'noon'": "executor.clock: found 'noon'; it may be like '2026-01-01T00:00:00Z', zone and all",
    "[executor]\nclock = 2026-01-01": "executor.clock: found 2026-01-01 (a date); it may be an instant, as text in quotes",
    "[executor]\ntimeout_s = 9999": "executor.timeout_s: found 9999 (a whole number); it may be seconds, from 1 to 3600",
    "generators = 3": "generators: found 3 (a whole number); it may be a table",
    "[generators]\nenrichment = 'yes'": "generators.enrichment: found 'yes' (text); it may be true or false",
    "[trees]\ncore = 'no'": "trees.core: no folder 'no'",
    "[trees]\noriginal = 'spider'": "trees: 'original' is a tree of every build; choose another name",
    "[trees]\n'a/b' = 'spider'": "trees: 'a/b' cannot name a folder: it holds '/'",
    "[output]\nbuild = ''": "output.build: '' cannot name a folder: it is empty",
    "a = ": "not TOML: Invalid value (at line 1, column 5)",
    "a = 1\nb = [1,": "not TOML: Invalid value (at line 2, column 8)",
    "a = 1\na = 2": "not TOML: Cannot overwrite a value (at line 2, column 6)",
}  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_a_bad_config_is_refused_in_one_line(home: Path, text: str) -> None:
    assert refusal(home, text) == f"pairset.toml: {BAD[text]}"


def test_without_a_config_the_sample_corpus_is_built() -> None:
    config = load_config(None, {})
    assert [corpus.layout for corpus in config.corpora] == ["sample"]
    assert (config.output.data, config.output.build) == (Path("data"), "sample")
    assert config.workers == config.executor.workers == cores() <= 32


def test_the_sample_corpus_by_itself_is_the_sample_whatever_it_is_called(home: Path) -> None:
    named = '[[corpora]]\nlayout = "sample"\nname = "mine"\n'
    plain, config = load_config(None, {}), load(home, named)
    assert config.corpora[0].name == "mine"
    assert config.output.build == "sample"
    assert config.executor.max_vm_steps == plain.executor.max_vm_steps < 10**9
    spider = load(home, named + SPIDER)
    assert (spider.output.build, spider.executor.max_vm_steps) == ("main", 3 * 10**9)


def test_a_file_may_set_one_key_and_keep_the_sample_corpus(home: Path) -> None:
    config = load(home, "workers = 1")
    assert (config.output.build, config.executor.workers) == ("sample", 1)
    assert (config.generators.mutants.cap, config.executor.max_vm_steps) == (72, 5_000_000)


def test_a_relative_path_is_relative_to_the_config_file(home: Path) -> None:
    config = load(home, SPIDER)
    assert isinstance(config.corpora[0], SpiderCorpus)
    assert config.corpora[0].path == home / "spider"
    assert (config.output.data, config.output.build) == (home / "data", "main")


def test_a_dataset_is_the_corpus_name_in_lower_case(home: Path) -> None:
    assert load(home, SPIDER).corpora[0].dataset == "spider"


def test_the_databases_of_a_finer_corpus_may_lie_apart(home: Path) -> None:
    corpus = load(home, FINER + "databases = {bird = 'spider'}").corpora[0]
    assert isinstance(corpus, FinerCorpus)
    assert corpus.databases == {"bird": home / "spider"}


def test_a_toml_instant_is_read_as_its_text(home: Path) -> None:
    assert (
        load(home, "[executor]\nclock = 2025-06-01T12:00:00Z").executor.clock
        == "2025-06-01T12:00:00Z"
    )


def test_a_variable_wins_over_the_file(home: Path) -> None:
    config = load(home, "workers = 2", PAIRSET_WORKERS="3", PAIRSET_EXECUTOR__WORKERS="1")
    assert (config.workers, config.executor.workers) == (3, 1)


def test_a_variable_is_read_as_the_kind_its_key_takes(home: Path) -> None:
    config = load(home, SPIDER, PAIRSET_OUTPUT__BUILD="2024", PAIRSET_TREES__CORE="spider",
                  PAIRSET_CORPORA__0__SPLITS='["a"]', PAIRSET_GENERATORS__ENRICHMENT="false")  # fmt: skip
    assert (config.output.build, config.generators.enrichment) == ("2024", False)
    assert isinstance(config.corpora[0], SpiderCorpus)
    assert (config.corpora[0].splits, config.trees) == (("a",), {"core": home / "spider"})


def test_the_variable_of_the_tests_is_no_key(home: Path) -> None:
    assert load(home, "", PAIRSET_TEST_DATA="anywhere", HOME="x").corpora


@pytest.mark.parametrize(
    ("variable", "value", "line"),
    [
        ("WORKERS", "two", "workers: found 'two' (text); it may be a whole number from 1 to 32"),
        ("WORKER", "2", "unknown key 'worker' in the config; did you mean 'workers'? it may be: corpora, workers, generators, executor, trees, output, publication, schedule"),
        ("CORPORA__0__PATH", "no", "corpora[0].path: no folder 'no'"),
        ("CORPORA__1__PATH", "no", "there is no corpora[1] to set"),
        ("WORKERS__X", "1", "workers: found {'x': '1'} (a table); it may be a whole number from 1 to 32"),
        ("EXECUTOR", "x", "executor: found 'x' (text); it may be a table"),
    ],
)  # fmt: skip
def test_a_bad_variable_is_named(home: Path, variable: str, value: str, line: str) -> None:
    name = f"PAIRSET_{variable}"
    assert refusal(home, SPIDER, **{name: value}) == f"{name}: {line}"


def test_a_missing_config_is_named(home: Path) -> None:
    with pytest.raises(ConfigError, match=r"^no config file '.*other\.toml'$"):
        load_config(home / "other.toml", {})
    with pytest.raises(ConfigError, match="^cannot read .*: Is a directory$"):
        load_config(home, {})


def test_bytes_that_are_no_text_are_named(home: Path) -> None:
    (home / "pairset.toml").write_bytes(b"workers = 1 # \xff")
    with pytest.raises(ConfigError, match=r"not UTF-8 text \(byte 14\)"):
        load_config(home / "pairset.toml", {})


def test_a_config_cannot_be_changed(home: Path) -> None:
    with pytest.raises(ValueError, match="frozen"):
        load(home, "").workers = 3


KEYS = st.sampled_from(["WORKERS", "WORKER", "EXECUTOR", "CORPORA__0__X", "TREES__X\nY", "É"])
VALUES = st.text() | st.sampled_from(
    ["[1]", "~0", "x" * 300, "{a = 1}", "1e999", "[{layout = 3}]", "a\nb"]
)


def refused(variables: dict[str, str]) -> str:
    try:
        load_config(None, variables)
    except ConfigError as error:
        return str(error)
    return ""


@settings(deadline=None)  # the first config of a process takes long where the machine is busy
@given(st.dictionaries(KEYS.map(lambda key: f"PAIRSET_{key}"), VALUES))
def test_whatever_is_set_is_taken_or_refused_in_one_line(variables: dict[str, str]) -> None:
    assert "\n" not in refused(variables)


@given(st.text())
def test_a_safe_name_is_one_part_of_a_path(name: str) -> None:
    if unsafe_name(name) is None:
        assert Path("data", name).parts == ("data", name)
        assert len(name.encode()) <= 128


README = (Path(pairset.config.__file__).parent / "README.md").read_text()


def test_the_config_in_the_readme_has_every_key(home: Path) -> None:
    (home / "trees" / "core").mkdir(parents=True)
    (home / "endpoints.json").touch()
    text = README.partition("```toml\n")[2].partition("```")[0]
    config = load(home, text)
    assert set(tomllib.loads(text)) == Config.model_fields.keys()
    for part in (config.generators, config.generators.mutants, config.executor, config.output):
        assert part.model_fields_set == type(part).model_fields.keys()


def test_the_rules_in_the_readme_name_tests_of_this_file() -> None:
    named = re.findall(r"`(test_\w+)`", README)
    assert [name for name in named if name not in globals()] == []


def test_the_lines_in_the_readme_are_what_is_said(home: Path) -> None:
    said = [
        refusal(home, "[executor]\nworker = 1"),
        refusal(home, SPIDER.replace('path = "spider"', 'path = "spidr"')),
        refusal(home, "workers = 'two'"),
        refusal(home, "", PAIRSET_WORKERS="33"),
    ]
    assert "\n".join(said) in README
