"""What kind of error an engine's message tells of. SQLite gives most of them one code."""

import re

_PATTERNS = (
    ("no_such_table", r"no such (table|view): |no tables specified"),
    ("no_such_column", r"no such column: |has no column named|cannot join using column"),
    ("ambiguous_column", r"ambiguous column name"),
    ("no_such_function", r"no such function: "),
    ("wrong_arguments", r"wrong number of arguments|must have exactly one argument"),
    ("misuse_of_aggregate", r"misuse of (aggregate|window)|may not be used as a window function"),
    (
        "column_count",
        r"same number of (result columns|terms)|sub-select returns|row value misused"
        r"|has \d+ (values|columns)|ORDER BY term",
    ),
    ("syntax_error", r"syntax error|unrecognized token|incomplete input"),
    ("too_complex", r"too (many|large|deep|complex)|at most \d+|stack overflow"),
    ("malformed_json", r"malformed JSON|bad JSON path"),
    ("integer_overflow", r"integer overflow"),
)
_COMPILED = tuple((name, re.compile(pattern)) for name, pattern in _PATTERNS)


def class_of(message: str) -> str:
    """The error class of a message, or ``other``.

    >>> class_of("no such column: wage")
    'no_such_column'
    """
    return next((name for name, pattern in _COMPILED if pattern.search(message)), "other")
