"""The gold rewritten in one place, so that its answer shows what it hangs on.

Every variant is the gold's own text with one stretch replaced. It asks for the same thing as far as
the gold says what it asks for: ties broken in another way, a bare column taken from another row.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from db_execution.identifiers import quoted
from sqltext.clauses import Item, OrderTerm, Query, Select
from sqltext.expressions import Call, Column, Expression
from sqltext.lexer import fold
from sqltext.rows import below, position
from sqltext.scope import Scopes
from sqltext.terms import is_aggregate

Edit = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold that parses: its text, and what its names stand for."""

    sql: str
    scopes: Scopes

    def text(self, node: Expression | OrderTerm | Item) -> str:
        """The author's own text of a node."""
        parsed = self.scopes.parsed
        return self.sql[parsed.start(node) : parsed.end(node)]

    def edited(self, edits: Iterable[Edit]) -> str:
        """The text with those stretches replaced."""
        text = self.sql
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def replaced(self, node: Expression | OrderTerm, new: str) -> Edit:
        """The edit that puts ``new`` in the place of a node."""
        return (self.scopes.parsed.start(node), self.scopes.parsed.end(node), new)

    @property
    def query(self) -> Query:
        """The outermost query."""
        return self.scopes.parsed.query

    @property
    def queries(self) -> list[Query]:
        """Every query, inner ones first."""
        return [node for node in self.scopes.parsed.nodes if isinstance(node, Query)]


def ties_broken(gold: Gold, query: Query) -> tuple[str, str] | None:
    """The gold with what ``query`` leaves open in its order decided, in one way and in the other.

    None where its columns cannot be counted. Rows that are the same in every column may stand in
    any order: nobody can tell.
    """
    names = gold.scopes.outputs[query]
    if not names:
        return None
    up, down = (
        ", ".join(f"{at} {way}" for at in range(1, len(names) + 1)) for way in ("ASC", "DESC")
    )
    place, before = _after_order(gold, query)
    return gold.edited([(place, place, before + up)]), gold.edited([(place, place, before + down)])


def _after_order(gold: Gold, query: Query) -> tuple[int, str]:
    """Where further terms of an order go, and what goes before them."""
    parsed = gold.scopes.parsed
    if query.order is not None:
        return parsed.end(query.order), ", "
    return parsed.end(query.cores[-1]), " ORDER BY "


def bare_columns_taken(gold: Gold, select: Select) -> tuple[str, str] | None:
    """The gold with each column that stands beside an aggregate taken as its least, and greatest.

    Columns that the groups fix are the same either way. None where there is nothing to take, or
    where a lone min() or max() says which row the others come from.
    """
    calls = [node for node in _own(select) if isinstance(node, Call) and is_aggregate(node)]
    if select.group is None and not calls:
        return None
    if any(fold(call.name) in ("min", "max") for call in calls):
        return None
    nodes = list(_bare(gold, select))
    if not nodes:
        return None
    least, greatest = (
        gold.edited(gold.replaced(node, f"{name}({gold.text(node)})") for node in nodes)
        for name in ("min", "max")
    )
    return least, greatest


def _own(select: Select) -> Iterator[object]:
    """The nodes of a SELECT's items and order, those of inner queries left out."""
    query = select.parent
    terms = query.order.terms if isinstance(query, Query) and query.order is not None else []
    for top in (*select.items, *terms):
        inner = {id(node) for one in below(top) if isinstance(one, Query) for node in below(one)}
        yield from (node for node in below(top) if id(node) not in inner)


def _bare(gold: Gold, select: Select) -> Iterator[Expression]:
    """Columns that a grouped SELECT shows or orders by, outside of aggregates and of its keys."""
    grouped = select.group.keys if select.group is not None else []
    keys, numbers = {_spelled(gold, key) for key in grouped}, set(map(position, grouped))
    items = [one for at, one in enumerate(select.items) if at not in numbers]
    query = select.parent
    terms = query.order.terms if isinstance(query, Query) and query.order is not None else []
    values = [one.value for one in (*items, *terms) if isinstance(one, Item | OrderTerm)]
    for value in values:
        is_column = isinstance(value, Column) and gold.scopes.columns[value].kind == "column"
        if is_column and _spelled(gold, value) not in keys:
            yield value


def _spelled(gold: Gold, key: Expression) -> str:
    """A column by the source that it belongs to, whatever it is called by."""
    if isinstance(key, Column):
        found = gold.scopes.columns[key]
        source = found.source.number if found.source is not None else ""
        return f"{source}.{fold(found.name)}"
    return fold(gold.text(key))


def nulls_last(gold: Gold, query: Query) -> str | None:
    """The gold with its NULLs at the end of an ascending order; None where it has none such."""
    if query.order is None:
        return None
    terms = [
        term for term in query.order.terms
        if term.direction.upper() != "DESC" and not term.nulls
    ]  # fmt: skip
    if not terms:
        return None
    edits = (
        gold.replaced(term, f"({gold.text(term.value)}) IS NULL, {gold.text(term)}")
        for term in terms
    )
    return gold.edited(edits)


def as_numbers(gold: Gold, column: Column) -> str:
    """The gold with one column read as a number."""
    return gold.edited([gold.replaced(column, f"CAST({gold.text(column)} AS REAL)")])


def summed_in_order(gold: Gold) -> tuple[str, str] | None:
    """The gold with every sum and average taken from the least up, and from the greatest down."""
    edits: tuple[list[Edit], list[Edit]] = ([], [])
    for node in gold.scopes.parsed.nodes:
        if isinstance(node, Call) and _can_be_ordered(node):
            inner = gold.text(node.arguments[0])
            for way, found in zip(("ASC", "DESC"), edits, strict=True):
                found.append(gold.replaced(node.arguments[0], f"{inner} ORDER BY {inner} {way}"))
    return (gold.edited(edits[0]), gold.edited(edits[1])) if edits[0] else None


def _can_be_ordered(call: Call) -> bool:
    plain = call.window is None and call.order is None and not call.distinct and not call.star
    return plain and fold(call.name) in ("sum", "avg", "total") and len(call.arguments) == 1


def turned_round(gold: Gold) -> str | None:
    """The gold with the first term of its order turned round."""
    if gold.query.order is None:
        return None
    term = gold.query.order.terms[0]
    way = "ASC" if term.direction.upper() == "DESC" else "DESC"
    return gold.edited([gold.replaced(term, f"{gold.text(term.value)} {way}")])


def without_duplicates(gold: Gold) -> str | None:
    """The rows of the gold, each once; None where it says itself what happens to duplicates."""
    core = gold.query.cores[0]
    if len(gold.query.cores) > 1 or not isinstance(core, Select):
        return None
    if core.quantifier or core.group is not None:
        return None
    return f"SELECT DISTINCT * FROM (\n{gold.sql.rstrip().rstrip(';')}\n)"


def all_texts_are_numbers(gold: Gold, column: Column) -> str | None:
    """A query that says 1 where all values of a table's column are texts that spell numbers."""
    found = gold.scopes.columns[column]
    table = found.source.table if found.source is not None else None
    if found.kind != "column" or table is None or found.name not in table.folded:
        return None
    name = quoted(table.columns[table.folded[found.name]])
    spells = f"typeof({name}) = 'text' AND {name} GLOB '*[0-9]*' AND {name} NOT GLOB '*[^0-9.+-]*'"
    where = f"FROM {quoted(table.name)} WHERE {name} IS NOT NULL"
    return f"SELECT count(*) > 0 AND sum({spells}) = count(*) {where}"
