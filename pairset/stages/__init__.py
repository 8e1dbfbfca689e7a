"""The stages, in the order in which each reads what the ones before it made."""

from pairset.build import Stage
from pairset.stages.golds import GoldsStage
from pairset.stages.labels import LabelsStage
from pairset.stages.pairs import PairsStage
from pairset.stages.runs import RunsStage
from pairset.stages.samples import SamplesStage
from pairset.stages.schemas import SchemasStage
from pairset.stages.tied import TiedStage

STAGES: tuple[Stage, ...] = (
    SamplesStage(),
    SchemasStage(),
    GoldsStage(),
    PairsStage(),
    RunsStage(),
    LabelsStage(),
    TiedStage(),
)

__all__ = ["STAGES"]
