"""The grammar of queries: select cores, compounds, sources, clauses."""

from __future__ import annotations

from sqltext.clauses import (
    Compound,
    Cte,
    From,
    GroupBy,
    Having,
    Item,
    Join,
    Limit,
    NestedSource,
    On,
    OrderBy,
    Query,
    QuerySource,
    Select,
    Star,
    TableSource,
    Values,
    Where,
    Window,
    With,
)
from sqltext.cursor import JOIN_WORDS
from sqltext.errors import NotAQuery
from sqltext.expressions import Node, Row
from sqltext.grammar_calls import CallGrammar
from sqltext.grammar_expressions import QUERY_WORDS
from sqltext.lexer import unquote

_OUTER = frozenset({"LEFT", "RIGHT", "FULL", "OUTER"})
_COMPOUND = frozenset({"UNION", "INTERSECT", "EXCEPT"})


class Grammar(CallGrammar):
    """Reads one statement that is a query."""

    def statement(self) -> Query:
        """The one query of the text, with an optional semicolon."""
        if len(self.kinds) == 1:
            raise NotAQuery("empty", "no statement in the text")
        if self.upper[0] not in QUERY_WORDS:
            raise NotAQuery("not_a_query", f"expected a query, found {self.text(0)}")
        query = self.query()
        last = len(self.kinds) - 1
        if self.at < last and self.take(";") and self.at < last:
            while self.take(";"):
                pass
            if self.at < last:
                at = self.here()
                raise NotAQuery("two_statements", f"another statement at {at}", at)
        self.end()
        return query

    def end(self) -> None:
        """Nothing may be left."""
        if self.at < len(self.kinds) - 1:
            raise self.unexpected("the end of the query")

    def query(self) -> Query:
        """[WITH] core (compound core)* [ORDER BY] [LIMIT]."""
        self.enter()
        first = self.at
        with_ = self._with() if self.upper[first] == "WITH" else None
        cores: list[Node] = [self._core()]
        operators: list[Compound] = []
        while self.upper[self.at] in _COMPOUND:
            operators.append(self._compound())
            cores.append(self._core())
        order, limit = self._tail(cores[-1])
        self.leave()
        return self.done(Query(first, self.at - 1, with_, cores, operators, order, limit))

    def _tail(self, core: Node) -> tuple[OrderBy | None, Limit | None]:
        """[ORDER BY] [LIMIT]; SQLite has none after VALUES."""
        if isinstance(core, Values):
            return None, None
        order = self.order_by() if self.upper[self.at] == "ORDER" else None
        return order, self.limit() if self.upper[self.at] == "LIMIT" else None

    def _with(self) -> With:
        first = self.at
        self.need("WITH")
        recursive = self.take("RECURSIVE")
        ctes = [self._cte()]
        while self.take(","):
            ctes.append(self._cte())
        return self.done(With(first, self.at - 1, recursive, ctes))

    def _cte(self) -> Cte:
        first = self.at
        name = self.name()
        columns = self._names() if self.upper[self.at] == "(" else ()
        self.need("AS")
        hint = ""
        if self.take("MATERIALIZED"):
            hint = "MATERIALIZED"
        elif self.take("NOT", "MATERIALIZED"):
            hint = "NOT MATERIALIZED"
        self.need("(")
        query = self.query()
        self.need(")")
        return self.done(Cte(first, self.at - 1, name, columns, hint, query))

    def _names(self) -> tuple[str, ...]:
        self.need("(")
        names = [self.name()]
        while self.take(","):
            names.append(self.name())
        self.need(")")
        return tuple(names)

    def _compound(self) -> Compound:
        first = self.at
        self.at += 1
        op = self.upper[first]
        if op == "UNION" and self.take("ALL"):
            op = "UNION ALL"
        return self.done(Compound(first, self.at - 1, op))

    def _core(self) -> Node:
        if self.upper[self.at] == "VALUES":
            return self._values()
        return self._select()

    def _values(self) -> Values:
        first = self.at
        self.need("VALUES")
        rows = [self._row()]
        while self.take(","):
            rows.append(self._row())
        return self.done(Values(first, self.at - 1, rows))

    def _row(self) -> Row:
        first = self.at
        self.need("(")
        items = self.expressions()
        self.need(")")
        return self.done(Row(first, self.at - 1, items))

    def _select(self) -> Select:
        first = self.at
        self.need("SELECT")
        quantifier = ""
        if self.upper[self.at] in ("DISTINCT", "ALL"):
            quantifier = self.upper[self.at]
            self.at += 1
        items = self.items()
        source = self._from() if self.upper[self.at] == "FROM" else None
        where = self.where() if self.upper[self.at] == "WHERE" else None
        group = self._group_by() if self.upper[self.at] == "GROUP" else None
        having = self._having() if self.upper[self.at] == "HAVING" else None
        windows = self._windows() if self.upper[self.at] == "WINDOW" else []
        last = self.at - 1
        return self.done(
            Select(first, last, quantifier, items, source, where, group, having, windows)
        )

    def items(self) -> list[Node]:
        """What stands between SELECT and FROM."""
        items = [self._item()]
        while self.take(","):
            items.append(self._item())
        return items

    def _item(self) -> Node:
        first = self.at
        if self.take("*"):
            return self.done(Star(first, first, ""))
        if self.upper[first + 1 : first + 3] == [".", "*"] and self.is_name(first):
            self.at += 3
            return self.done(Star(first, self.at - 1, unquote(self.text(first))))
        value = self.expression()
        alias = self.alias()
        return self.done(Item(first, self.at - 1, value, alias))

    def _from(self) -> From:
        first = self.at
        self.need("FROM")
        source, joins = self._source(), self._joins()
        return self.done(From(first, self.at - 1, source, joins))

    def _joins(self) -> list[Join]:
        joins: list[Join] = []
        while self.upper[self.at] in (",", "JOIN") or self.upper[self.at] in JOIN_WORDS:
            joins.append(self.join())
        return joins

    def join(self) -> Join:
        """operator source [ON x | USING (names)]."""
        first = self.at
        op = ","
        if not self.take(","):
            while self.upper[self.at] in JOIN_WORDS:
                self.at += 1
            op = self._join_type(first)
            self.need("JOIN")
        op_last = self.at - 1
        source = self._source()
        on: On | None = None
        using: tuple[str, ...] = ()
        if self.upper[self.at] == "ON":
            on = self._on()
        elif self.take("USING"):
            using = self._names()
        return self.done(Join(first, self.at - 1, op, op_last, source, on, using))

    def _join_type(self, first: int) -> str:
        """The words before JOIN, in any order that says one thing (select.c, sqlite3JoinType)."""
        words = self.upper[first : self.at]
        outer = set(words) & _OUTER
        if len(words) > 3 or outer == {"OUTER"} or (outer and {"INNER", "CROSS"} & set(words)):
            raise NotAQuery("syntax", f"unknown join type {' '.join(words)}", self.here())
        return " ".join([*words, "JOIN"])

    def _on(self) -> On:
        first = self.at
        self.need("ON")
        condition = self.expression()
        return self.done(On(first, self.at - 1, condition))

    def _source(self) -> Node:
        if self.upper[self.at] != "(":
            return self._table_source()
        first = self.at
        self.at += 1
        self.enter()
        if self.upper[self.at] in QUERY_WORDS:
            query = self.query()
            self.need(")")
            alias = self.alias()
            node: Node = QuerySource(first, self.at - 1, query, alias)
        else:
            source, joins = self._source(), self._joins()
            self.need(")")
            alias = self.alias()
            node = NestedSource(first, self.at - 1, source, joins, alias)
        self.leave()
        return self.done(node)

    def _table_source(self) -> TableSource:
        """[schema.]table [(arguments)] [alias] [index hint]."""
        first = self.at
        names = self.table_name()
        arguments = self.arguments() if self.upper[self.at] == "(" else None
        alias = self.alias()
        hint = ""
        if self.take("NOT", "INDEXED"):
            hint = "NOT INDEXED"
        elif self.take("INDEXED", "BY"):
            hint = f"INDEXED BY {self.name()}"
        return self.done(TableSource(first, self.at - 1, names, arguments, alias, hint))

    def where(self) -> Where:
        """WHERE x."""
        first = self.at
        self.need("WHERE")
        condition = self.expression()
        return self.done(Where(first, self.at - 1, condition))

    def _group_by(self) -> GroupBy:
        first = self.at
        self.need("GROUP")
        self.need("BY")
        keys = self.expressions()
        return self.done(GroupBy(first, self.at - 1, keys))

    def _having(self) -> Having:
        first = self.at
        self.need("HAVING")
        condition = self.expression()
        return self.done(Having(first, self.at - 1, condition))

    def _windows(self) -> list[Window]:
        self.need("WINDOW")
        windows = [self._named_window()]
        while self.take(","):
            windows.append(self._named_window())
        return windows

    def _named_window(self) -> Window:
        first, name = self.at, self.name()
        self.need("AS")
        return self.window_body(first, name)

    def limit(self) -> Limit:
        """LIMIT count [OFFSET offset], or LIMIT offset, count."""
        first = self.at
        self.need("LIMIT")
        count = self.expression()
        offset = None
        comma = self.take(",")
        if comma or self.take("OFFSET"):
            offset = self.expression()
        if comma and offset is not None:
            count, offset = offset, count
        return self.done(Limit(first, self.at - 1, count, offset, comma))
