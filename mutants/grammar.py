"""The grammar: every operator, in the order in which they are tried."""

from mutants.operator import Operator
from mutants.operators.aggregates import replace_aggregate, toggle_aggregate_distinct
from mutants.operators.comparisons import replace_relation
from mutants.operators.joins import forget_condition, replace_join
from mutants.operators.logic import drop_condition, swap_connective
from mutants.operators.selects import (
    drop_limit,
    flip_order,
    move_limit,
    skip_first,
    toggle_distinct,
)

GRAMMAR: tuple[Operator, ...] = (
    toggle_distinct,
    replace_join,
    forget_condition,
    replace_aggregate,
    toggle_aggregate_distinct,
    flip_order,
    move_limit,
    skip_first,
    drop_limit,
    replace_relation,
    swap_connective,
    drop_condition,
)
