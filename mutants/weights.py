"""How often text-to-SQL models err in the way of each class of operators.

Labels of 999 wrong queries that models wrote for BIRD development questions, counted by error type
in the NL2SQL-BUGs data set (2025), summed over the types that a class stands for. They weight the
draw of second-order mutants, nothing else; uniform weights are a setting.
"""

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "SC.SEL": 88,  # DISTINCT
    "SC.AGR": 71,  # aggregate
    "SC.JOI": 3,  # join type
    "SC.ORD": 12,  # ascending or descending
    "SC.LIM": 44,  # clause missing or redundant, a third of 131
    "OR.ROR": 24,  # comparison operator
    "OR.LCR": 134,  # explicit condition missing 118, logical operator 16
}
