"""The grammar of function calls, windows and ORDER BY."""

from __future__ import annotations

from abc import abstractmethod

from sqltext.clauses import OrderBy, OrderTerm, Where, Window
from sqltext.expressions import Call, Expression
from sqltext.grammar_expressions import ExpressionGrammar

_FRAMES = ("ROWS", "RANGE", "GROUPS")
_EXCLUDED = (("NO", "OTHERS"), ("CURRENT", "ROW"), ("GROUP",), ("TIES",))
_START, _END = ("UNBOUNDED", "PRECEDING"), ("UNBOUNDED", "FOLLOWING")


class CallGrammar(ExpressionGrammar):
    """Reads what has arguments, an order or a frame."""

    @abstractmethod
    def where(self) -> Where:
        """A WHERE clause, as FILTER has one."""

    def call(self) -> Call:
        """name([DISTINCT] arguments [ORDER BY]) [FILTER (WHERE x)] [OVER window]."""
        first = self.at
        name = self.name()
        self.need("(")
        distinct = self.take("DISTINCT")
        star = not (distinct or self.take("ALL")) and self.take("*")
        arguments = [] if star or self.upper[self.at] == ")" else self.expressions()
        order = self.order_by() if self.upper[self.at] == "ORDER" else None
        self.need(")")
        condition = self._filter()
        window = self._over()
        last = self.at - 1
        return self.done(
            Call(first, last, name, distinct, star, arguments, order, condition, window)
        )

    def _filter(self) -> Where | None:
        if not self.take("FILTER", "("):
            return None
        self.enter()
        condition = self.where()
        self.leave()
        self.need(")")
        return condition

    def _over(self) -> Window | None:
        if self.upper[self.at] != "OVER":
            return None
        first = self.at
        if self.upper[first + 1] != "(" and not self.is_name(first + 1):
            return None
        self.at += 1
        if self.upper[self.at] == "(":
            return self.window_body(first, "")
        base = self.name()
        return self.done(Window(first, self.at - 1, "", base, [], None, [], ""))

    def window_body(self, first: int, name: str) -> Window:
        """([base] [PARTITION BY x] [ORDER BY y] [frame])."""
        self.enter()
        self.need("(")
        base = ""
        if self.is_name(self.at) and self.upper[self.at] not in ("PARTITION", *_FRAMES):
            base = self.name()
        partition = self.expressions() if self.take("PARTITION", "BY") else []
        order = self.order_by() if self.upper[self.at] == "ORDER" else None
        bounds: list[Expression] = []
        frame = self._frame(bounds) if self.upper[self.at] in _FRAMES else ""
        self.need(")")
        self.leave()
        return self.done(Window(first, self.at - 1, name, base, partition, order, bounds, frame))

    def _frame(self, bounds: list[Expression]) -> str:
        words = [self.upper[self.at]]
        self.at += 1
        if self.take("BETWEEN"):
            words += ["BETWEEN", self._bound(_START, bounds)]
            self.need("AND")
            words += ["AND", self._bound(_END, bounds)]
        else:
            words.append(self._bound(_START, bounds))
        if self.take("EXCLUDE"):
            words += ("EXCLUDE", self._excluded())
        return " ".join(words)

    def _excluded(self) -> str:
        for words in _EXCLUDED:
            if self.take(*words):
                return " ".join(words)
        raise self.unexpected("NO OTHERS, CURRENT ROW, GROUP or TIES")

    def _bound(self, unbounded: tuple[str, ...], bounds: list[Expression]) -> str:
        """One end of a frame; a number of rows is put on ``bounds`` and stands as a mark."""
        for words in (unbounded, ("CURRENT", "ROW")):
            if self.upper[self.at] == words[0]:
                self.need(words[0])
                self.need(words[1])
                return " ".join(words)
        bounds.append(self.expression())
        for word in ("PRECEDING", "FOLLOWING"):
            if self.take(word):
                return f"# {word}"
        raise self.unexpected("PRECEDING or FOLLOWING")

    def order_by(self) -> OrderBy:
        """ORDER BY x [ASC | DESC] [NULLS FIRST | LAST], ..."""
        first = self.at
        self.need("ORDER")
        self.need("BY")
        self.enter()
        terms = [self.order_term()]
        while self.take(","):
            terms.append(self.order_term())
        self.leave()
        return self.done(OrderBy(first, self.at - 1, terms))

    def order_term(self) -> OrderTerm:
        """x [ASC | DESC] [NULLS FIRST | LAST]."""
        first = self.at
        value = self.expression()
        direction = nulls = ""
        for word in ("ASC", "DESC"):
            if self.take(word):
                direction = word
        for word in ("FIRST", "LAST"):
            if self.take("NULLS", word):
                nulls = word
        return self.done(OrderTerm(first, self.at - 1, value, direction, nulls))
