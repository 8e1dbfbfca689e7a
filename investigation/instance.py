"""What one task is: its tables, its question, the right answer, and the plausible wrong queries."""

from dataclasses import dataclass

Cell = int | float | str | None
Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """One table of an instance: its CREATE TABLE, its column names, its rows in order."""

    name: str
    ddl: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Trap:
    """A plausible wrong query: what it gets wrong, as a short name, and its text."""

    name: str
    sql: str


@dataclass(frozen=True, slots=True)
class Instance:
    """A task drawn from a seed (0 <= seed < 2**63): more of it than an agent ever sees.

    ``expected`` are the rows of the right answer, as the Python oracle gives them; ``oracle_sql``
    gives the same rows, and no query of ``traps`` does. ``twins`` are careless queries that this
    data need not tell from the oracle; whether they earn the reward is chance. ``columns`` names
    the answer's columns by position; names are not graded.
    """

    family: str
    seed: int
    instruction: str
    tables: tuple[Table, ...]
    columns: tuple[str, ...]
    expected: tuple[Row, ...]
    oracle_sql: str
    traps: tuple[Trap, ...]
    twins: tuple[Trap, ...] = ()
