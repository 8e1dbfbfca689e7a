"""Why a build could not go on, in one line for the person at the terminal.

* FlowError
  x Busy        another process works in that build      (wait for it)
  x NotYet      an earlier stage has pieces to make      (make it first)
  x BadFolder   the folder for the tables is no use      (name another)
  x WorkerDied  a worker process was killed              (run again: it goes on where it stopped)
  x NoPrefect   Prefect's server did not start           (or go without it: --direct)
  x NoRunner    the task runner of the config is no use  (install it, or name what it needs)
  x NoSchedule  there is no server to put a schedule on  (start one)
"""


class FlowError(Exception):
    """The work stopped, and not for a bug; the message is one line that says what to do."""


class Busy(FlowError):
    """Another process works in the same build."""


class NotYet(FlowError):
    """A stage was asked for whose earlier stages are not made."""


class BadFolder(FlowError):
    """The folder for the tables cannot be made or written."""


class WorkerDied(FlowError):
    """A worker process ended in the middle of a piece."""


class NoPrefect(FlowError):
    """The Prefect server that a run brings along did not start."""


class NoRunner(FlowError):
    """The config names a task runner that is not installed, or that lacks what it needs."""


class NoSchedule(FlowError):
    """A schedule cannot be put on a Prefect server: there is none, or the cron line is no good."""
