"""What an operator is: one function from a node to what could stand in its place, with examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mutants.gold import Edit, Gold
from sqltext.expressions import Node

Edits = Callable[[Any, Gold], Iterator[Edit]]


@dataclass(frozen=True, slots=True)
class Operator:
    """``code`` is its name in the literature, ``name`` the function's; ``on`` the nodes it sees.

    ``examples`` are pairs of a query and one of its mutants. They specify, document and test it.
    ``default`` says whether it is used unless a setting says otherwise.
    """

    code: str
    name: str
    on: tuple[type[Node], ...]
    edits: Edits
    examples: tuple[tuple[str, str], ...]
    default: bool = True

    @property
    def catches(self) -> str:
        """Its documentation: what it does, and which databases it catches."""
        return self.edits.__doc__ or ""


def operator(
    code: str, *on: type[Node], examples: Mapping[str, str], default: bool = True
) -> Callable[[Edits], Operator]:
    """Make a function an operator on nodes of those types."""

    def attach(edits: Edits) -> Operator:
        return Operator(code, edits.__name__, on, edits, tuple(examples.items()), default)

    return attach
