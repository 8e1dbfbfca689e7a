"""How tightly a sandbox holds: the limits of one use of it, as data."""

from dataclasses import dataclass

from db_execution.limits import default


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The bounds that hold for every statement run under this profile.

    Bytes, rows and terms are counted; ``vm_steps`` are SQLite's virtual-machine steps, looked at
    every ``tick`` of them; ``wall_ms`` is milliseconds. ``heap_bytes`` bounds SQLite's own memory
    in the whole process and is set by whoever owns the process (``limit_heap``).
    """

    sql_bytes: int = default("sql_bytes")
    nesting: int = default("nesting")
    expansion: int = default("expansion")
    value_bytes: int = default("value_bytes")
    columns: int = default("columns")
    compound_selects: int = default("compound_selects")
    expression_depth: int = 1_000
    function_arguments: int = 1_000
    like_pattern_bytes: int = 50_000
    program_steps: int = 1_000_000
    rows: int = default("max_rows")
    result_bytes: int = default("result_bytes")
    copy_bytes: int = default("copy_bytes")
    heap_bytes: int = default("heap_bytes")
    vm_steps: int = default("max_vm_steps")
    wall_ms: int = default("timeout_ms")
    tick: int = 10_000
    cache_kib: int = 4_096
    double_quoted_strings: bool = True
    denied_functions: frozenset[str] = frozenset()


GENERAL = Profile()
"""What the service runs strangers' SQL under."""
