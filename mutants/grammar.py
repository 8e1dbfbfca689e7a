"""The grammar: every operator, in the order in which they are tried.

`DEFAULT` leaves out what models are hardly ever wrong about.
"""

from mutants.operator import Operator
from mutants.operators.aggregates import (
    count_column,
    replace_aggregate,
    toggle_aggregate_distinct,
)
from mutants.operators.arithmetic import (
    keep_one_operand,
    replace_arithmetic,
    shift_number,
    take_absolute,
)
from mutants.operators.clauses import drop_group_key, drop_having, drop_where
from mutants.operators.comparisons import replace_relation
from mutants.operators.joins import forget_condition, replace_join
from mutants.operators.logic import drop_condition, settle_condition, swap_connective
from mutants.operators.model_errors.conditions import drop_join_condition, join_on_another_key
from mutants.operators.model_errors.content import take_stored_value
from mutants.operators.model_errors.expressions import (
    change_date_format,
    count_the_rest,
    drop_cast,
    swap_branches,
    swap_iif,
)
from mutants.operators.model_errors.joins import add_join, drop_first_table, drop_join
from mutants.operators.model_errors.tables import swap_table
from mutants.operators.nulls import (
    ask_for_null,
    flip_identity,
    flip_null_test,
    let_null_in,
    stand_in_for_null,
)
from mutants.operators.orders import (
    drop_limit,
    drop_order_key,
    flip_order,
    forget_order,
    move_limit,
    skip_first,
)
from mutants.operators.patterns import like_to_equal, move_pattern, negate_like
from mutants.operators.ranges import drop_bound, exclude_bound, negate_between
from mutants.operators.references import replace_column, take_hidden_column
from mutants.operators.selects import add_item, drop_item, swap_items, toggle_distinct
from mutants.operators.sets import drop_arm, replace_set_operation, swap_arms
from mutants.operators.subqueries import (
    accept_any,
    compare_with_one,
    negate_existence,
    negate_membership,
)
from mutants.operators.values import replace_constant, replace_parameter

# fmt: off
GRAMMAR: tuple[Operator, ...] = (
    toggle_distinct,
    replace_join, forget_condition,
    negate_membership, compare_with_one, accept_any, negate_existence,
    drop_group_key,
    replace_aggregate, toggle_aggregate_distinct, count_column,
    replace_set_operation, drop_arm, swap_arms,
    flip_order, drop_order_key,
    move_limit, skip_first, drop_limit, forget_order,
    drop_having,
    drop_where,
    drop_item, swap_items, add_item,
    replace_relation,
    swap_connective, drop_condition, settle_condition,
    shift_number,
    take_absolute,
    replace_arithmetic, keep_one_operand,
    exclude_bound, drop_bound, negate_between,
    move_pattern, like_to_equal, negate_like,
    flip_null_test, flip_identity,
    let_null_in,
    ask_for_null,
    stand_in_for_null,
    replace_column,
    take_hidden_column,
    replace_constant,
    replace_parameter,
    take_stored_value,
    join_on_another_key, drop_join_condition,
    drop_join, drop_first_table,
    add_join,
    swap_table,
    drop_cast,
    swap_branches, swap_iif, count_the_rest,
    change_date_format,
)
# fmt: on

DEFAULT: tuple[Operator, ...] = tuple(rule for rule in GRAMMAR if rule.default)
