"""The operator's journal, a JSON object a line. It holds seeds: it is not for agents."""

import json
import threading
from datetime import UTC, datetime
from typing import IO, Any

from investigation.environment import Journal


def to_stream(stream: IO[str]) -> Journal:
    """A journal that writes lines to ``stream``, whole ones, from any thread.

    Raises whatever the stream raises: what the operator asked to keep is not lost in silence.
    """
    lock = threading.Lock()

    def tell(facts: dict[str, Any]) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"at": at} | facts) + "\n"
        with lock:
            stream.write(line)
            stream.flush()

    return tell
