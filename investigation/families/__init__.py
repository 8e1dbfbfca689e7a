"""The ten families, each in a file of its own, and the law that all of them keep."""

from investigation.families import sales_net_revenue
from investigation.families.base import SEEDS, BadDraw, Draft, Family, NoInstance
from investigation.instance import Instance

__all__ = ["FAMILIES", "SEEDS", "BadDraw", "Draft", "Family", "NoInstance", "draw", "family_of"]

FAMILIES: dict[str, Family] = {module.FAMILY.name: module.FAMILY for module in (sales_net_revenue,)}
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
