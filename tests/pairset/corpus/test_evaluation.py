"""Training data only, unless the config says otherwise."""

from pathlib import Path
from typing import Any

import pytest

from pairset.config import CorpusConfig
from pairset.corpus import CorpusError, read_corpus
from pairset.corpus.evaluation import is_evaluation
from tests.pairset.corpus.made import KEYS, row, spec, tasks, write
from tests.pairset.corpus.test_finer import finer
from tests.pairset.corpus.test_released import BIRD, SPIDER


def spider_of(folder: Path, split: str, **keys: Any) -> CorpusConfig:
    write(folder / f"{split}.json", [SPIDER])
    return spec("spider", path=str(folder), splits=[split], **keys)


def bird_of(folder: Path, split: str, **keys: Any) -> CorpusConfig:
    write(folder / f"{split}.json", [BIRD])
    return spec("bird", path=str(folder), splits=[split], **keys)


def tasks_of(folder: Path, split: str, **keys: Any) -> CorpusConfig:
    return tasks(folder, row(), split=split, **keys)


def file_of(folder: Path, split: str, **keys: Any) -> CorpusConfig:
    file = write(folder / f"{split}.json", [row()])
    return spec("tasks", file=str(file), **KEYS, **keys)


def finer_of(folder: Path, split: str, **keys: Any) -> CorpusConfig:
    return finer(folder, split=split, **keys)


@pytest.mark.parametrize("of", [spider_of, bird_of, tasks_of, file_of, finer_of])
@pytest.mark.parametrize("split", ["dev", "test", "validation"])
def test_evaluation_data_is_read_only_where_it_is_allowed(
    tmp_path: Path, of: Any, split: str
) -> None:
    with pytest.raises(CorpusError, match=f"'{split}' is evaluation data.*allow_evaluation_data"):
        read_corpus(of(tmp_path, split, on_missing="skip"))
    assert read_corpus(of(tmp_path, split, allow_evaluation_data=True)).samples


@pytest.mark.parametrize("name", ["Dev", "mini-dev", "test_gold", "bird.validation", "dev2"])
def test_a_name_is_judged_by_its_words(name: str) -> None:
    assert is_evaluation(name)


@pytest.mark.parametrize("name", ["train", "train_spider", "latest", "devices", "contest"])
def test_a_word_inside_a_word_is_another_word(name: str) -> None:
    assert not is_evaluation(name)
