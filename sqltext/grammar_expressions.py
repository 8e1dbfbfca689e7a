"""The grammar of expressions, by precedence (https://sqlite.org/lang_expr.html, section 2)."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from sqltext.clauses import Query, TableSource
from sqltext.cursor import CALL_WORDS, NOW_WORDS, Cursor
from sqltext.expressions import (
    Between,
    Binary,
    Call,
    Case,
    Cast,
    Collate,
    Column,
    Comparison,
    Exists,
    Expression,
    In,
    Like,
    Literal,
    Logical,
    Not,
    NullTest,
    Parameter,
    Paren,
    Row,
    Subquery,
    Unary,
    When,
)
from sqltext.lexer import BLOB, NUMBER, OPERATOR, PARAMETER, STRING
from sqltext.precedence import AFTER_NOT, AND, COMPARED, EQUAL, NOT, POWER, SPELLING

_KEYWORD_LITERALS = {
    "NULL": "null",
    "TRUE": "bool",
    "FALSE": "bool",
    **dict.fromkeys(NOW_WORDS, "now"),
}
_REGISTER = re.compile(r"#[0-9]")  # SQLite keeps these for itself
_LITERAL_KINDS = {NUMBER: "number", STRING: "string", BLOB: "blob"}
QUERY_WORDS = ("SELECT", "VALUES", "WITH")


class ExpressionGrammar(Cursor, ABC):
    """Reads expressions; chains of operators are read in a loop, so only nesting is recursive."""

    @abstractmethod
    def query(self) -> Query:
        """A whole query; the grammar of queries says how."""

    @abstractmethod
    def call(self) -> Call:
        """A function's call."""

    def expressions(self) -> list[Expression]:
        """One or more, with commas between."""
        found = [self.expression()]
        while self.take(","):
            found.append(self.expression())
        return found

    def expression(self, power: int = 0) -> Expression:
        """What binds tighter than ``power``."""
        self.enter()
        left = self._operand()
        while True:
            op = self.upper[self.at]
            binding = POWER.get(op, 0)
            if binding <= power or (op == "NOT" and self.upper[self.at + 1] not in AFTER_NOT):
                break
            left = self._operation(left, op, binding)
        self.leave()
        return left

    def _operation(self, left: Expression, op: str, binding: int) -> Expression:
        if op in ("AND", "OR"):
            self.at += 1
            right = self.expression(binding)
            return self.done(Logical(left.first, self.at - 1, op, left, right))
        if binding == EQUAL and op not in ("=", "==", "<>", "!="):
            return self._word_operation(left, op)
        self.at += 1
        if op == "COLLATE":
            collation = self.plain_name()
            return self.done(Collate(left.first, self.at - 1, left, collation))
        right = self.expression(binding)
        if binding in (EQUAL, COMPARED):
            op = SPELLING.get(op, op)
            return self.done(Comparison(left.first, self.at - 1, op, left, right))
        return self.done(Binary(left.first, self.at - 1, op, left, right))

    def _word_operation(self, left: Expression, op: str) -> Expression:
        """IS, ISNULL, NOTNULL, and what may have a NOT before it: IN, BETWEEN, LIKE, NOT NULL."""
        self.at += 1
        if op == "IS":
            return self._is(left)
        if op in ("ISNULL", "NOTNULL"):
            return self.done(NullTest(left.first, self.at - 1, op == "NOTNULL", left))
        negated = op == "NOT"
        if negated:
            op = self.upper[self.at]
            self.at += 1
        if op == "NULL":
            return self.done(NullTest(left.first, self.at - 1, True, left))
        if op == "IN":
            return self._in(left, negated)
        return self._between(left, negated) if op == "BETWEEN" else self._like(left, op, negated)

    def _is(self, left: Expression) -> Expression:
        negated = self.take("NOT")
        distinct = self.take("DISTINCT", "FROM")
        null_at = self.at
        right = self.expression(EQUAL)
        last = self.at - 1
        if not distinct and self.upper[null_at] == "NULL" and last == null_at:
            return self.done(NullTest(left.first, last, negated, left))
        op = "IS NOT" if negated else "IS"
        op += " DISTINCT FROM" if distinct else ""
        return self.done(Comparison(left.first, last, op, left, right))

    def _like(self, left: Expression, op: str, negated: bool) -> Like:
        pattern = self.expression(EQUAL)
        escape = self.expression(EQUAL) if self.take("ESCAPE") else None
        return self.done(Like(left.first, self.at - 1, op, negated, left, pattern, escape))

    def _between(self, left: Expression, negated: bool) -> Between:
        low = self.expression(AND)
        self.need("AND")
        high = self.expression(EQUAL)
        return self.done(Between(left.first, self.at - 1, negated, left, low, high))

    def _in(self, left: Expression, negated: bool) -> In:
        items: list[Expression] = []
        query: Query | None = None
        table: TableSource | None = None
        if not self.take("("):
            table = self._in_table()
        else:
            if self.upper[self.at] in QUERY_WORDS:
                query = self.query()
            elif self.upper[self.at] != ")":
                items = self.expressions()
            self.need(")")
        return self.done(In(left.first, self.at - 1, negated, left, items, query, table))

    def _in_table(self) -> TableSource:
        first = self.at
        names = self.table_name()
        arguments = self.arguments() if self.upper[self.at] == "(" else None
        return self.done(TableSource(first, self.at - 1, names, arguments, "", ""))

    def table_name(self) -> tuple[str, ...]:
        """[schema.]table."""
        name = self.name()
        return (name, self.name()) if self.take(".") else (name,)

    def arguments(self) -> list[Expression]:
        """What stands in the parentheses of a table function."""
        self.need("(")
        arguments = [] if self.upper[self.at] == ")" else self.expressions()
        self.need(")")
        return arguments

    def _operand(self) -> Expression:
        at = self.at
        kind, upper = self.kinds[at], self.upper[at]
        if kind == OPERATOR:
            if upper in ("-", "+", "~"):
                return self._unary(upper)
            if upper == "(":
                return self._paren()
            raise self.unexpected("an expression")
        if kind in _LITERAL_KINDS and self.upper[at + 1] != ".":
            self.at += 1
            return self.done(Literal(at, at, _LITERAL_KINDS[kind], self.text(at)))
        if kind == PARAMETER and not _REGISTER.match(self.text(at)):
            self.at += 1
            return self.done(Parameter(at, at, self.text(at)))
        return self._word(upper)

    def _word(self, upper: str) -> Expression:
        """What begins with a word or a quoted name."""
        at = self.at
        if upper == "NOT":
            self.at += 1
            operand = self.expression(NOT)
            return self.done(Not(at, self.at - 1, operand))
        if upper == "CASE":
            return self._case()
        follows = self.upper[at + 1]
        if upper in NOW_WORDS or (upper in _KEYWORD_LITERALS and follows not in ("(", ".")):
            self.at += 1
            return self.done(Literal(at, at, _KEYWORD_LITERALS.get(upper, "now"), self.text(at)))
        if upper in CALL_WORDS:
            return self._called(upper)
        return self.call() if follows == "(" else self._column()

    def _called(self, upper: str) -> Expression:
        """What looks like a call and has a grammar of its own; RAISE is for triggers alone."""
        if self.upper[self.at + 1] != "(" or upper == "RAISE":
            raise self.unexpected("an expression")
        return self._cast() if upper == "CAST" else self._exists()

    def _column(self) -> Column:
        first = self.at
        names = [self.name()]
        while len(names) < 3 and self.take("."):
            names.append(self.name())
        mark = self.sql[self.tokens.starts[self.at - 1]]
        return self.done(Column(first, self.at - 1, tuple(names), mark if mark in "\"`['" else ""))

    def _unary(self, op: str) -> Unary:
        first = self.at
        self.at += 1
        self.enter()
        operand = self._operand()
        self.leave()
        return self.done(Unary(first, self.at - 1, op, operand))

    def _paren(self) -> Expression:
        first = self.at
        self.at += 1
        if self.upper[self.at] in QUERY_WORDS:
            query = self.query()
            self.need(")")
            return self.done(Subquery(first, self.at - 1, query))
        items = self.expressions()
        self.need(")")
        if len(items) == 1:
            return self.done(Paren(first, self.at - 1, items[0]))
        return self.done(Row(first, self.at - 1, items))

    def _exists(self) -> Exists:
        first = self.at
        self.at += 2
        query = self.query()
        self.need(")")
        return self.done(Exists(first, self.at - 1, query))

    def _case(self) -> Case:
        first = self.at
        self.at += 1
        operand = None if self.upper[self.at] == "WHEN" else self.expression()
        whens = [self._when()]
        while self.upper[self.at] == "WHEN":
            whens.append(self._when())
        default = self.expression() if self.take("ELSE") else None
        self.need("END")
        return self.done(Case(first, self.at - 1, operand, whens, default))

    def _when(self) -> When:
        first = self.at
        self.need("WHEN")
        condition = self.expression()
        self.need("THEN")
        result = self.expression()
        return self.done(When(first, self.at - 1, condition, result))

    def _cast(self) -> Cast:
        first = self.at
        self.at += 2
        operand = self.expression()
        self.need("AS")
        type_name = self._type_name()
        self.need(")")
        return self.done(Cast(first, self.at - 1, operand, type_name))

    def _type_name(self) -> str:
        words: list[str] = []
        while self.is_plain_name(self.at):
            words.append(self.name().upper())
        name = " ".join(words)
        if name and self.take("("):
            sizes = [self._signed_number()]
            if self.take(","):
                sizes.append(self._signed_number())
            self.need(")")
            name += f"({','.join(sizes)})"
        return name

    def _signed_number(self) -> str:
        sign = self.upper[self.at] if self.upper[self.at] in ("+", "-") else ""
        self.at += len(sign)
        if self.kinds[self.at] != NUMBER:
            raise self.unexpected("a number")
        self.at += 1
        return sign + self.text(self.at - 1)
