"""All that is read off one query, in one call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from sqltext.classify import family
from sqltext.features import Features, Gathered, assembled, gathered
from sqltext.footprint import footprint
from sqltext.nondeterminism import nondeterministic, ordered
from sqltext.parse import Parsed, parse, release
from sqltext.schema import NO_SCHEMA, Schema
from sqltext.scope import Scopes, resolve


class Reading(NamedTuple):
    """What a neighbour is compared by."""

    exact: str
    structural: str
    features: Features
    family: str
    nondeterministic: bool

    @classmethod
    def of(cls, found: Features, structural: str, *, nondeterministic: bool) -> Reading:
        """The reading of a query with those features."""
        return cls(found.exact, structural, found, family(found), nondeterministic)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known about a query from its text and its database's schema."""

    exact: str
    structural: str
    features: Features
    family: str
    nondeterministic: bool
    ordered: bool
    scopes: Scopes
    gathered: Gathered = field(compare=False, repr=False)

    @property
    def footprint(self) -> frozenset[str]:
        """What it touches; read when asked for, as only the audit asks."""
        return footprint(self.scopes)


def read(sql: str, schema: Schema = NO_SCHEMA) -> Reading:
    """What ``sql`` is compared by, and nothing of its tree; raises `sqltext.errors.NotAQuery`."""
    facts = analyse(sql, schema)
    release(facts.scopes.parsed.nodes)
    asks = facts.nondeterministic
    return Reading.of(facts.features, facts.structural, nondeterministic=asks)


def analyse(sql: str, schema: Schema = NO_SCHEMA) -> Facts:
    """The facts of ``sql``; raises `sqltext.errors.NotAQuery`.

    >>> facts = analyse("SELECT a FROM t WHERE b > 5 ORDER BY a")
    >>> facts.family, facts.ordered, facts.structural
    ('where+order', True, 'select a from t as T1 where b > ? order by a')
    """
    return analyse_parsed(parse(sql), schema)


def analyse_parsed(parsed: Parsed, schema: Schema = NO_SCHEMA) -> Facts:
    """The facts of a parsed query."""
    scopes = resolve(parsed, schema)
    read_off = gathered(scopes)
    found = assembled(read_off.contributions.values(), parsed.query, read_off.exact[-1])
    return Facts(
        exact=found.exact,
        structural=read_off.structural[-1],
        features=found,
        family=family(found),
        ordered=ordered(parsed),
        nondeterministic=nondeterministic(scopes),
        scopes=scopes,
        gathered=read_off,
    )
