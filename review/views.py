"""What the templates are given, and how they are filled in."""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from pairset.verdicts import KINDS, MAX_NOTE, MAX_REVIEWER, Verdict
from review.filters import NAMES, PAGE, Filters
from review.finder import Options
from review.marks import Marked, marks
from review.pairs import Pair
from review.visible import cell_kind, cell_text, marked, plain, visible


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list."""

    href: str
    question: str
    gold_sql: str
    neighbor_sql: str
    facts: dict[str, str]
    state: str

    @property
    def marked(self) -> Marked:
        """Both queries, with what differs."""
        return marks(self.gold_sql, self.neighbor_sql)


@dataclass(frozen=True, slots=True)
class ListView:
    """A page of the list."""

    filters: Filters
    options: dict[str, Options]
    rows: list[Row]
    total: int
    of: int
    page: int
    pages: int

    def choices(self, name: str) -> Options:
        """The options of a filter; the chosen one is there even where it would leave nothing."""
        options, chosen = self.options[name], self.filters.get(name)
        if chosen and chosen not in dict(options):
            return [*options, (chosen, 0)]
        return options

    def page_at(self, page: int) -> str:
        """The address of another page of the same list."""
        return f"/{self.filters.query(**{PAGE: page})}"


@dataclass(frozen=True, slots=True)
class PairView:
    """A pair among those that the filters leave; ``place`` is None where it is none of them."""

    pair: Pair
    filters: Filters
    verdicts: list[Verdict]
    previous: str | None
    following: str | None
    place: int | None
    total: int
    page: int
    marked: Marked = field(init=False)

    def __post_init__(self) -> None:
        row = self.pair.pair
        found = marks(row["gold_sql"], row["neighbor_sql"], self.pair.edit)
        object.__setattr__(self, "marked", found)

    def at(self, pair_id: str, **more: str) -> str:
        """The address of a pair under the same filters."""
        return f"/pair/{pair_id}{self.filters.query(**more)}"

    @property
    def here(self) -> str:
        """The address of this pair, without its answers."""
        return self.at(self.pair.pair["pair_id"])

    @property
    def back(self) -> str:
        """The page of the list that this pair is on."""
        return f"/{self.filters.query(**({PAGE: self.page} if self.page > 1 else {}))}"

    def said_by(self, reviewer: str) -> Verdict | None:
        """The verdict of that person, if there is one."""
        return next((one for one in self.verdicts if one.reviewer == reviewer), None)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("review"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters.update(
        visible=visible, plain=plain, marked=marked, cell_text=cell_text, cell_kind=cell_kind
    )
    environment.globals.update(
        KINDS=KINDS, NAMES=NAMES, MAX_NOTE=MAX_NOTE, MAX_REVIEWER=MAX_REVIEWER, zip=zip
    )
    return environment


def rendered(name: str, **values: Any) -> str:
    """A template filled in; what it names and was not given is an error."""
    return _environment().get_template(name).render(**values)
