"""What a service is started with."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from db_execution.limits import default
from db_execution.sandbox.profile import GENERAL, Profile
from db_execution.trees import TreeSpec

MOST_WORKERS = 32
CACHE_MIB = 64
LEAST_CACHE_MIB, MOST_CACHE_MIB = 1, 1_048_576


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Trees, workers, access and limits of one service.

    ``workers`` is how many queries run at once. ``spares`` are started beside them when every
    worker is held by a long query, for waiting requests that may take ``spare_ms`` at most.
    ``cache`` is a folder for answers that are asked again; without one no file is written.
    Where it is ``quiet``, what went wrong inside a worker is not told on standard error.
    """

    trees: tuple[TreeSpec, ...]
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    spares: int = 8
    spare_ms: int = 10_000
    token: str | None = None
    cache: Path | None = None
    cache_mib: int = CACHE_MIB
    profile: Profile = GENERAL
    worker_bytes: int = default("worker_bytes")
    body_bytes: int = default("body_bytes")
    batch_queries: int = default("batch_queries")
    waiting: int = default("waiting")
    in_flight: int = default("in_flight")
    quiet: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.workers <= MOST_WORKERS:
            raise ValueError(f"workers: expected 1 to {MOST_WORKERS}, got {self.workers}")
        if not LEAST_CACHE_MIB <= self.cache_mib <= MOST_CACHE_MIB:
            raise ValueError(f"cache-mib: expected 1 to {MOST_CACHE_MIB}, got {self.cache_mib}")

    def limited(self, limits: Mapping[str, int]) -> "Settings":
        """These settings with other limits, each under its name in ``LIMITS``."""
        of_profile: dict[str, Any] = {
            n: value for n, value in limits.items() if hasattr(GENERAL, n)
        }
        others: dict[str, Any] = {n: value for n, value in limits.items() if n not in of_profile}
        return replace(self, profile=replace(self.profile, **of_profile), **others)
