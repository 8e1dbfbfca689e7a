"""What a person can mend, in one line.

* InvestigationError
  x BadDraw     a family or a seed that there is not        (name another)
  x BadExport   a folder that no export can be written to,
                or a build that is not of one                (name another)
"""


class InvestigationError(Exception):
    """What was asked for cannot be had; the message is one line that says what to do."""


class BadDraw(InvestigationError, ValueError):
    """An instance was asked for that there is not: a family or a seed that is none."""


class BadExport(InvestigationError):
    """A folder is in the way of an export, or what was to be read is no export."""
