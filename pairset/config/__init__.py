"""What a build is told: one TOML file and PAIRSET_* variables, checked before anything runs."""

from pairset.config.corpora import (
    LAYOUTS,
    AnyCorpus,
    BirdCorpus,
    CorpusConfig,
    FinerCorpus,
    SampleCorpus,
    SpiderCorpus,
    TasksCorpus,
)
from pairset.config.errors import ConfigError
from pairset.config.load import load_config
from pairset.config.parts import (
    Config,
    Executor,
    Generators,
    Mutants,
    Output,
    Publication,
    Schedule,
)
from pairset.config.values import MAX_WORKERS, cores, unsafe_name

__all__ = [
    "LAYOUTS",
    "MAX_WORKERS",
    "AnyCorpus",
    "BirdCorpus",
    "Config",
    "ConfigError",
    "CorpusConfig",
    "Executor",
    "FinerCorpus",
    "Generators",
    "Mutants",
    "Output",
    "Publication",
    "SampleCorpus",
    "Schedule",
    "SpiderCorpus",
    "TasksCorpus",
    "cores",
    "load_config",
    "unsafe_name",
]
