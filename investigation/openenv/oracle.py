"""The proof that the reward can be earned: ``python -m investigation.openenv.oracle URL``.

Solves a task of every family with the oracle's SQL, which it draws itself from the seed.
"""

import os
import sys
from collections.abc import Sequence

from investigation.address import TOKEN_VARIABLE
from investigation.families import FAMILIES, draw
from investigation.openenv.client import SqlInvestigation
from investigation.openenv.models import SqlAction

SEED = 42
URL = "http://127.0.0.1:8000"


def rewards(url: str, seed: int = SEED) -> dict[str, float]:
    """What the oracle earns, by family, at the server of ``url``."""
    token = os.environ.get(TOKEN_VARIABLE)
    headers = {"Authorization": f"Bearer {token}"} if token else None
    earned = {}
    with SqlInvestigation(base_url=url, headers=headers).sync() as client:
        for family in FAMILIES:
            client.reset(seed=seed, family=family)
            action = SqlAction(op="submit", sql=draw(family, seed).oracle_sql)
            earned[family] = float(client.step(action).reward)
    return earned


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what each family gave; 1 if one gave less than all."""
    given = list(sys.argv[1:] if arguments is None else arguments) or [URL]
    earned = rewards(given[0])
    for family, reward in earned.items():
        print(f"{family} {reward:g}")
    return int(min(earned.values()) < 1.0)


if __name__ == "__main__":
    sys.exit(main())
