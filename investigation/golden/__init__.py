"""The digests of the instances of seeds 0 to 99: a family that draws otherwise has a new version.

Written anew by ``python -c "from investigation.golden import write; write()"``, which is for a
family whose version was raised, and for nothing else.
"""

import hashlib
import json
from dataclasses import asdict
from functools import cache
from pathlib import Path

from investigation.families import FAMILIES
from investigation.instance import Instance
from pairset.ids import canonical_json

SEEDS = range(100)
_FILE = Path(__file__).with_name("digests.json")


def digest(instance: Instance) -> str:
    """The sha256 of all that an instance is but its seed, as canonical JSON."""
    held = asdict(instance)
    del held["seed"]
    return hashlib.sha256(canonical_json(held)).hexdigest()


@cache
def golden() -> dict[str, dict[str, list[str]]]:
    """By family and version: the digests of the first hundred seeds."""
    found: dict[str, dict[str, list[str]]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return found


def is_golden(instance: Instance) -> bool:
    """Whether an instance of the first hundred seeds is the one that its version has there."""
    versions = golden().get(instance.family, {})
    digests = versions.get(str(FAMILIES[instance.family].version), [])
    return instance.seed < len(digests) and digests[instance.seed] == digest(instance)


def write() -> None:
    """Fix the digests of what the families draw now."""
    fixed = {
        name: {str(family.version): [digest(family.draw(seed)) for seed in SEEDS]}
        for name, family in FAMILIES.items()
    }
    _FILE.write_text(json.dumps(fixed, indent=1) + "\n", encoding="utf-8")
