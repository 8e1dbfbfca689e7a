"""The ten families, each in a file of its own, and the law that all of them keep."""

from investigation.errors import BadDraw
from investigation.families import (
    currency_conversion,
    delivery_streaks,
    inventory_shortages,
    latency_regressions,
    missing_inspections,
    overdue_invoices,
    sales_net_revenue,
    service_failure_rates,
    signup_cohorts,
    treatment_effects,
)
from investigation.families.base import SEEDS, Draft, Drawn, Family, NoInstance
from investigation.instance import Instance

__all__ = [
    "FAMILIES", "SEEDS", "BadDraw", "Draft", "Drawn", "Family", "NoInstance", "draw", "family_of",
]  # fmt: skip

_MODULES = (
    sales_net_revenue,
    inventory_shortages,
    service_failure_rates,
    overdue_invoices,
    treatment_effects,
    signup_cohorts,
    missing_inspections,
    latency_regressions,
    delivery_streaks,
    currency_conversion,
)

FAMILIES: dict[str, Family] = {module.FAMILY.name: module.FAMILY for module in _MODULES}
"""By name, in the order in which they are always told."""


def family_of(name: str) -> Family:
    """The family of that name; raises BadDraw where there is none."""
    found = FAMILIES.get(name) if isinstance(name, str) else None
    if found is None:
        raise BadDraw(f"no family {name!r:.60}; there are: {', '.join(FAMILIES)}")
    return found


def draw(family: str, seed: int) -> Instance:
    """The instance of a family and a seed (0 <= seed < 2**63), always the same one.

    Raises BadDraw for a family or a seed that is none.
    """
    return family_of(family).draw(seed)
