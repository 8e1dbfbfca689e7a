"""Logs to standard error, one JSON object a line; never a query's text or a value of its answer."""

import json
import logging
import sys
from datetime import UTC, datetime

log = logging.getLogger("db_execution")

_OURS = ("route", "status", "ms", "reason", "url", "pid", "workers", "trees", "signal")


class JsonLines(logging.Formatter):
    """A record as one line: when, what, and the facts given with it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line for ``record``."""
        facts = {name: getattr(record, name) for name in _OURS if hasattr(record, name)}
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": when, "level": record.levelname.lower(), "event": record.getMessage()} | facts
        if record.exc_info and record.exc_info[0]:
            line["reason"] = record.exc_info[0].__name__
        return json.dumps(line, ensure_ascii=False)


def to_standard_error() -> None:
    """Send the service's own records there, and of other libraries' only the warnings."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    log.setLevel(logging.INFO)
