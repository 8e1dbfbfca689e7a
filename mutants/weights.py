"""How often text-to-SQL models err in the way of each class of operators.

The NL2SQL-BUGs data set (2025) labels the errors of 999 wrong queries that models wrote for BIRD
development questions, 1,888 labels in all. A class weighs the labels of the error types that it
stands for; types that several classes share are shared out evenly, and what has no type of its own
weighs as little as the rarest. They weight the draw of second-order mutants, nothing else; uniform
weights are a setting (``weights`` of ``[generators.mutants]``).
"""

from collections.abc import Mapping

_RAREST = 3  # join type

WEIGHTS: Mapping[str, float] = {
    "SC.SEL": 88,  # DISTINCT
    "SC.JOI": 3,  # join type
    "SC.SUB": 46,  # subquery
    "SC.GRU": 33,  # clause missing or redundant, 131 over four classes
    "SC.AGR": 71,  # aggregate
    "SC.UNI": _RAREST,
    "SC.ORD": 45,  # clause as for SC.GRU, ascending or descending 12
    "SC.LIM": 33,  # clause, as for SC.GRU
    "SC.HAV": 33,  # clause, as for SC.GRU
    "SC.WHR": 81,  # explicit condition missing, mismatched or redundant, 242 over three classes
    "SC.PRJ": 113,  # attribute missing 60, redundant 53
    "OR.ROR": 105,  # condition as for SC.WHR, comparison operator 24
    "OR.LCR": 97,  # condition as for SC.WHR, logical operator 16
    "OR.UOI": 60,  # value mismatch, 238 over four classes
    "OR.ABS": _RAREST,
    "OR.AOR": 20,  # date, string, conversion and mathematical functions, 61 over three classes
    "OR.BTW": _RAREST,
    "OR.LKE": 60,  # value mismatch, as for OR.UOI
    "NL.NLF": _RAREST,
    "NL.NLI": _RAREST,
    "NL.NLO": _RAREST,
    "NL.NLS": _RAREST,
    "IR.IRC": 180,  # attribute mismatch, 360 over two classes
    "IR.IRH": 180,  # attribute mismatch, as for IR.IRC
    "IR.IRT": 60,  # value mismatch, as for OR.UOI
    "IR.IRP": _RAREST,
    "X.VAL": 60,  # value mismatch, as for OR.UOI
    "X.ONC": 79,  # join condition
    "X.JTD": 66,  # table missing
    "X.JTA": 119,  # table redundant
    "X.TBS": 96,  # table mismatch
    "X.CST": 20,  # functions, as for OR.AOR
    "X.CAS": 43,  # conditional functions
    "X.DTF": 20,  # functions, as for OR.AOR
}

UNIFORM: Mapping[str, float] = dict.fromkeys(WEIGHTS, 1.0)
"""Every class as likely as any other."""

NAMED: Mapping[str, Mapping[str, float]] = {"observed": WEIGHTS, "uniform": UNIFORM}
"""The weights by the name that a config calls them by."""
