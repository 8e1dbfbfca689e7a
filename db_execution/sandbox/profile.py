"""How tightly a sandbox holds: the limits of one use of it, as data."""

from dataclasses import dataclass

from db_execution.limits import default


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The bounds that hold for every statement run under this profile.

    Bytes, rows and terms are counted; ``vm_steps`` are SQLite's virtual-machine steps, looked at
    every ``tick`` of them; ``wall_ms`` is milliseconds. ``heap_bytes`` bounds SQLite's own memory
    in the whole process and is set by whoever owns the process (``limit_heap``). An answer of more
    than ``result_bytes`` is refused, or ends there and is said to be truncated where
    ``cut_at_result_bytes`` says so.
    """

    sql_bytes: int = default("sql_bytes")
    sql_characters: int = default("sql_bytes")
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
    cut_at_result_bytes: bool = False
    copy_bytes: int = default("copy_bytes")
    heap_bytes: int = default("heap_bytes")
    vm_steps: int = default("max_vm_steps")
    wall_ms: int = default("timeout_ms")
    tick: int = 10_000
    cache_kib: int = 8_192
    double_quoted_strings: bool = True
    denied_functions: frozenset[str] = frozenset()


GENERAL = Profile()
"""What the service runs strangers' SQL under."""

EPISODE = Profile(
    sql_characters=4_000,
    sql_bytes=16_000,
    nesting=200,
    expansion=500,
    value_bytes=16 * 1024,
    columns=100,
    compound_selects=50,
    expression_depth=100,
    function_arguments=32,
    like_pattern_bytes=100,
    program_steps=25_000,
    rows=100,
    result_bytes=256 * 1024,
    cut_at_result_bytes=True,
    heap_bytes=128 * 1024 * 1024,
    vm_steps=2_000_000,
    wall_ms=1_000,
    tick=200,
    cache_kib=256,
    double_quoted_strings=False,
    denied_functions=frozenset(
        ["changes", "last_insert_rowid", "random", "randomblob", "total_changes", "zeroblob"]
    ),
)
"""What an agent's SQL runs under, on a small database in memory.

One opcode cannot be stopped halfway, so values are short and the budget is looked at often: that
bounds by how much a statement may overshoot its second. A misspelt name in double quotes is an
error, not a text.
"""
