"""What holds of every mutant, whichever operator made it; a broken law is an AssertionError."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from mutants.gold import Edit, Gold
from mutants.grammar import GRAMMAR
from mutants.mutate import candidates
from mutants.operator import Operator
from sqltext.clauses import Item, Select
from sqltext.errors import NotAQuery
from sqltext.expressions import Expression, Subquery
from sqltext.forms import forms, forms_of
from sqltext.lexer import Tokens
from sqltext.parse import parse
from sqltext.scope import Scopes, resolve


@dataclass(frozen=True)
class Text:
    """A query over a gold's schema; what the laws ask of it is worked out once."""

    scopes: Scopes

    @cached_property
    def exact(self) -> str:
        return forms_of(self.scopes).exact

    @property
    def tokens(self) -> Tokens:
        return self.scopes.parsed.tokens

    @cached_property
    def words(self) -> list[tuple[int, str]]:
        """Its tokens with their kinds."""
        sql, tokens = self.scopes.parsed.sql, self.tokens
        spans = zip(tokens.kinds, tokens.starts, tokens.ends, strict=True)
        return [(kind, sql[start:end]) for kind, start, end in spans]

    @cached_property
    def unknown(self) -> set[str]:
        """The names of which nothing is known."""
        return {found.name for found in self.scopes.columns.values() if found.kind == "unknown"}

    @cached_property
    def expressions(self) -> set[tuple[int, int]]:
        """The characters of every expression; a query after IN is none, but would be after =."""
        parsed = self.scopes.parsed
        found = (node for node in parsed.nodes if isinstance(node, Expression))
        nodes = (node for node in found if not isinstance(node, Subquery))
        return {(parsed.start(node), parsed.end(node)) for node in nodes}


@dataclass(frozen=True)
class Made:
    """A mutant, and the edit of the gold that made it."""

    gold: Gold
    before: Text
    rule: Operator
    edit: Edit

    @cached_property
    def sql(self) -> str:
        return self.gold.splice(self.edit)

    @cached_property
    def after(self) -> Text:
        return Text(resolve(parse(self.sql), self.gold.schema))


def made(gold: Gold) -> list[Made]:
    """Every mutant that the whole grammar makes of a gold."""
    before = Text(gold.scopes)
    return [Made(gold, before, one.operator, one.edit) for one in candidates(gold, GRAMMAR)]


def span_stands_on_token_borders(mutant: Made) -> None:
    tokens, edit = mutant.before.tokens, mutant.edit
    assert edit.start in tokens.starts
    assert edit.end in tokens.ends
    assert edit.site[0] <= edit.start < edit.end <= edit.site[1]


def rest_of_the_text_is_verbatim(mutant: Made) -> None:
    sql, edit = mutant.gold.parsed.sql, mutant.edit
    assert mutant.sql == sql[: edit.start] + edit.text + sql[edit.end :]
    assert edit.text != sql[edit.start : edit.end]


def other_tokens_stay_tokens(mutant: Made) -> None:
    before, after = mutant.before.words, mutant.after.words
    first = mutant.before.tokens.starts.index(mutant.edit.start)
    behind = len(before) - mutant.before.tokens.ends.index(mutant.edit.end) - 1
    assert after[:first] == before[:first]
    assert after[len(after) - behind :] == before[len(before) - behind :]


def other_expressions_stay_whole(mutant: Made) -> None:
    """What stands beside the span is still an expression, with the same first and last token."""
    edit, grown = mutant.edit, len(mutant.edit.text) - (mutant.edit.end - mutant.edit.start)
    for start, end in mutant.before.expressions:
        if end <= edit.start:
            assert (start, end) in mutant.after.expressions
        elif start >= edit.end:
            assert (start + grown, end + grown) in mutant.after.expressions


def mutant_parses_to_another_query(mutant: Made) -> None:
    assert mutant.after.exact != mutant.before.exact


def names_still_mean_something(mutant: Made) -> None:
    assert mutant.after.unknown <= mutant.before.unknown


def text_binds_as_it_was_meant(mutant: Made) -> None:
    """In parentheses, what was written is the same query: it was not pulled apart."""
    edit, grown = mutant.edit, len(mutant.edit.text) - (mutant.edit.end - mutant.edit.start)
    for start, end in {(edit.start, edit.end), edit.site} & mutant.before.expressions:
        text = mutant.sql[start : end + grown]
        if is_expression(text):
            wrapped = f"{mutant.sql[:start]}({text}){mutant.sql[end + grown :]}"
            assert forms(wrapped, mutant.gold.schema).exact == mutant.after.exact


LAWS: tuple[Callable[[Made], None], ...] = (
    span_stands_on_token_borders,
    rest_of_the_text_is_verbatim,
    other_tokens_stay_tokens,
    other_expressions_stay_whole,
    mutant_parses_to_another_query,
    names_still_mean_something,
    text_binds_as_it_was_meant,
)


@lru_cache(maxsize=4096)
def is_expression(text: str) -> bool:
    """Whether a text is one expression and nothing else."""
    try:
        core = parse(f"SELECT {text}").query.cores[0]
    except NotAQuery:
        return False
    assert isinstance(core, Select)
    items = core.items
    plain = len(items) == 1 and isinstance(items[0], Item) and not items[0].alias
    return plain and not core.quantifier
