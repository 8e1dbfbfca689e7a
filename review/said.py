"""The verdicts of a build beside its pairs: what each pair is, now, by what all reviewers said."""

import threading
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from pairset.verdicts import KINDS, Unread, Verdict, Verdicts, add_verdict, verdicts_path
from review.facets import Facet, fixed
from review.index import Index

NONE_YET, DIFFER = "none yet", "reviewers differ"
STATES = (NONE_YET, *KINDS, DIFFER)


class Said:
    """Verdicts as they are on the disk: what another process adds is seen at the next look."""

    def __init__(self, root: Path, index: Index) -> None:
        self._verdicts = Verdicts(verdicts_path(root))
        self._index = index
        self._of_pair: dict[str, dict[str, Verdict]] = defaultdict(dict)
        self._lock = threading.Lock()
        self.facet: Facet = fixed("verdict", np.zeros(index.rows, dtype=np.uint8), STATES)
        self.look()

    def look(self) -> None:
        """Read what was added since the last look."""
        with self._lock:
            added = self._verdicts.read()
            for verdict in added:
                self._of_pair[verdict.pair_id][verdict.reviewer] = verdict
            for pair_id in {verdict.pair_id for verdict in added}:
                self._set(pair_id)

    def add(self, pair_id: str, reviewer: str, verdict: str, note: str) -> None:
        """Keep a verdict: it is on the disk when this returns. BadVerdict where it is none."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        add_verdict(self._verdicts.path, Verdict(pair_id, reviewer, verdict, note, at))
        self.look()

    def of(self, pair_id: str) -> list[Verdict]:
        """The verdicts that count of a pair, one a reviewer, by their names."""
        with self._lock:
            found = self._of_pair.get(pair_id, {})
            return [found[reviewer] for reviewer in sorted(found)]

    def unread(self) -> list[Unread]:
        """The lines of the file that are no verdict."""
        torn = self._verdicts.torn()
        return [*self._verdicts.unread, *([torn] if torn else [])]

    def _set(self, pair_id: str) -> None:
        state = STATES.index(_state(self._of_pair[pair_id].values()))
        row = self._index.row_of(pair_id)
        if row is not None:  # else it is of a pair that the build no longer has
            self.facet.codes[row] = state


def _state(verdicts: Iterable[Verdict]) -> str:
    kinds = {verdict.verdict for verdict in verdicts}
    return DIFFER if len(kinds) > 1 else kinds.pop() if kinds else NONE_YET
