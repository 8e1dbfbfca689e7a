"""Every limit of the service: its default, its maximum, and what is answered when it is hit."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound, in ``unit``, whose hit is answered as ``answer`` and counted under its name."""

    name: str
    default: int
    maximum: int
    unit: str
    answer: str


MIB = 1024 * 1024

LIMITS: dict[str, Limit] = {
    limit.name: limit
    for limit in (
        # What a request may set.
        Limit("timeout_ms", 120_000, 600_000, "ms", "timeout: wall_time"),
        Limit("max_vm_steps", 3_000_000_000, 30_000_000_000, "VM steps", "timeout: vm_steps"),
        Limit("max_rows", 10_000, 50_000, "rows", "ok, with truncated = true"),
        # What the service is started with.
        Limit("sql_bytes", 100_000, 1_000_000, "bytes", "refused: sql_bytes"),
        Limit("nesting", 1_000, 2_000, "open parentheses", "refused: nesting"),
        Limit("expansion", 10_000, 1_000_000, "copies of one CTE", "refused: expansion"),
        Limit("value_bytes", 10_000_000, 100_000_000, "bytes", "too_large: value_bytes"),
        Limit("columns", 2_000, 2_000, "columns", "error: too_complex"),
        Limit("compound_selects", 500, 500, "terms", "error: too_complex"),
        Limit("result_bytes", 16 * MIB, 64 * MIB, "bytes", "too_large: result_bytes"),
        Limit("heap_bytes", 96 * MIB, 4096 * MIB, "bytes", "too_large: memory"),
        Limit("worker_bytes", 240 * MIB, 8192 * MIB, "bytes", "too_large: memory"),
        Limit("copy_bytes", 48 * MIB, 2048 * MIB, "bytes", "too_large: copy_bytes"),
        Limit("body_bytes", 8 * MIB, 256 * MIB, "bytes", "HTTP 413"),
        Limit("batch_queries", 10_000, 100_000, "queries", "HTTP 422"),
        Limit("waiting", 256, 10_000, "requests", "HTTP 429"),
        Limit("in_flight", 1_000, 100_000, "requests", "HTTP 429"),
    )
}


OF_REQUESTS = frozenset(("timeout_ms", "max_vm_steps", "max_rows"))
"""The limits that a request sets; the others are the service's."""


def parse_limit(text: str) -> tuple[str, int]:
    """The service's limit in ``NAME=VALUE``; ValueError says which there are and how far they go.

    >>> parse_limit("waiting=10")
    ('waiting', 10)
    """
    name, _, value = text.partition("=")
    if name not in LIMITS or name in OF_REQUESTS:
        names = ", ".join(sorted(set(LIMITS) - OF_REQUESTS))
        raise ValueError(f"no limit {name!r} of the service; it has {names}")
    most = LIMITS[name].maximum
    if not value.isdecimal() or not 1 <= int(value) <= most:
        raise ValueError(f"{name}: expected a whole number from 1 to {most}, got {value!r}")
    return name, int(value)


def default(name: str) -> int:
    """What the limit is when nobody sets it."""
    return LIMITS[name].default
