"""The table of all operators, as `mutants/README.md` has it: ``python -m mutants.document``."""

from collections.abc import Iterable

from mutants.grammar import GRAMMAR
from mutants.operator import Operator

BEGIN = "<!-- operators: written by python -m mutants.document -->"
END = "<!-- end of operators -->"
_HEAD = ("code", "operator", "sees", "what it does, and what it catches", "gold", "a mutant of it")


def table(grammar: Iterable[Operator] = GRAMMAR) -> str:
    """All operators in the order of the grammar, a line each, with the first example of each."""
    rows = [_HEAD, ("---",) * len(_HEAD), *(_row(rule) for rule in grammar)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def document(readme: str) -> str:
    """``readme`` with the table as it is today between the two marks."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def _row(rule: Operator) -> tuple[str, ...]:
    gold, mutant = rule.examples[0]
    sees = ", ".join(kind.__name__ for kind in rule.on)
    does = " ".join(rule.catches.split())
    off = "" if rule.default else " (off unless asked for)"
    return (rule.code, f"`{rule.name}`{off}", sees, does, f"`{gold}`", f"`{mutant.strip()}`")


if __name__ == "__main__":
    print(table())
