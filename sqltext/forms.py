"""The exact and the structural form of a query (DESIGN section 4).

Two texts with one exact form are the same query: names in lower case, table aliases replaced by
T1, T2... by scope, the members of AND and OR sorted, parentheses only where the shape needs them,
numbers canonical. The structural form has a mark for every literal value besides. Neither says that
two queries mean the same: nothing that changes NULL logic or affinity is touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sqltext import form_clauses as clauses
from sqltext import form_expressions as expressions
from sqltext.expressions import Node
from sqltext.form_printer import Printer
from sqltext.parse import parse
from sqltext.schema import NO_SCHEMA, Schema
from sqltext.scope import Scopes, resolve

PRINT: dict[type[Node], Callable[[Any, Printer], str]] = {
    **expressions.PRINT,
    **clauses.PRINT,
}


@dataclass(frozen=True, slots=True)
class Forms:
    """The two forms of one query."""

    exact: str
    structural: str


@dataclass(frozen=True, slots=True)
class PrintedForms:
    """The two forms of every node, by its place among the nodes; the query's own come last."""

    exact: list[str]
    structural: list[str]


def forms(sql: str, schema: Schema = NO_SCHEMA) -> Forms:
    """Both forms of ``sql``; raises `sqltext.errors.NotAQuery`.

    >>> forms("SELECT T.a FROM u AS T WHERE (T.b = 01.50) AND T.a > 'x'").exact
    "select T1.a from u as T1 where T1.a > 'x' and T1.b = 1.5"
    >>> forms("select a from T where (a=2)").structural
    'select a from t as T1 where a = ?'
    """
    return forms_of(resolve(parse(sql), schema))


def forms_of(scopes: Scopes) -> Forms:
    """Both forms of a resolved query."""
    printed = print_forms(scopes)
    return Forms(printed.exact[-1], printed.structural[-1])


def print_forms(scopes: Scopes) -> PrintedForms:
    """Both forms of every node."""
    exact = print_nodes(scopes.parsed.nodes, Printer(scopes, abstract=False))
    structural = print_nodes(scopes.parsed.nodes, Printer(scopes, abstract=True))
    return PrintedForms(exact, structural)


def print_nodes(nodes: Iterable[Node], printer: Printer) -> list[str]:
    """The form of every node, by its place among the nodes; children are printed before parents."""
    printed = printer.printed
    add, how = printed.append, PRINT
    for node in nodes:
        add(how[type(node)](node, printer))
    return printed
