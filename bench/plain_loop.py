"""The loop that a mutation tool over a general SQL parser would write: the peer of `bench.build`.

For every edit: copy the expression, replace a node, print the query, parse it again, normalise it.
With sqlglot's compiled build, on the same golds and the same kinds of edits.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from time import process_time

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

_RELATIONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_AGGREGATES = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)


def pairs_per_second(golds: Iterable[str]) -> tuple[int, float]:
    """How many mutants the loop makes of ``golds``, and at what rate on one core."""
    began = process_time()
    made = sum(len(set(mutants(gold))) for gold in golds)
    return made, made / (process_time() - began)


def mutants(gold: str) -> Iterator[str]:
    """The id of every mutant that parses and is not the gold."""
    try:
        query = sqlglot.parse_one(gold, dialect="sqlite")
        own = _normal(query)
    except SqlglotError:
        return
    for at, node in enumerate(query.walk()):
        for new in _edits(node):
            yield from _mutant(gold, query, at, new, own)


def _mutant(gold: str, query: exp.Expr, at: int, new: exp.Expr, own: str) -> Iterator[str]:
    copied = query.copy()
    target = next(node for place, node in enumerate(copied.walk()) if place == at)
    target.replace(new)
    sql = copied.sql(dialect="sqlite")
    try:
        normal = _normal(sqlglot.parse_one(sql, dialect="sqlite"))
    except SqlglotError:
        return
    if normal != own:
        yield hashlib.sha256(json.dumps(["d", "b", gold, sql]).encode()).hexdigest()


def _edits(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node, _RELATIONS):
        for relation in _RELATIONS:
            if not isinstance(node, relation):
                yield relation(this=node.this.copy(), expression=node.expression.copy())
        yield exp.false()
        yield exp.true()
    elif isinstance(node, exp.And | exp.Or):
        yield node.this.copy()
        yield node.expression.copy()
    elif isinstance(node, _AGGREGATES) and node.this is not None:
        for aggregate in _AGGREGATES:
            if not isinstance(node, aggregate):
                yield aggregate(this=node.this.copy())


def _normal(query: exp.Expr) -> str:
    """Names in lower case; literal values stay, as they decide what is a duplicate."""
    return str(normalize_identifiers(query.copy(), dialect="sqlite").sql(dialect="sqlite"))
