"""What a cache knows of a request's queries, woven into what the workers answer to the rest."""

from collections.abc import Sequence

from db_execution.frames import Answers
from db_execution.service.cache import AnswerCache


class Recall:
    """The answers to some queries in order: kept ones at once, the others as they come.

    Call it with the answers to the next of the ``missing`` queries: it keeps them, and returns them
    with the kept ones that follow.
    """

    def __init__(self, cache: AnswerCache, keys: Sequence[bytes]) -> None:
        self._cache = cache
        self._keys = keys
        self._kept = [cache.get(key) for key in keys]
        self._at = 0
        self.missing = [place for place, kept in enumerate(self._kept) if kept is None]

    def head(self) -> Answers:
        """The kept answers before the first query that is missing."""
        outcomes, lines = bytearray(), list[bytes]()
        self._add_kept(outcomes, lines)
        return Answers(bytes(outcomes), b"\n".join(lines))

    def __call__(self, answers: Answers) -> Answers:
        outcomes, lines = bytearray(), list[bytes]()
        new = list[tuple[bytes, int, bytes]]()
        found = zip(answers.outcomes, answers.once, answers.lines.split(b"\n"), strict=True)
        for outcome, once, line in found:
            if not once:
                new.append((self._keys[self._at], outcome, line))
            outcomes.append(outcome)
            lines.append(line)
            self._at += 1
            self._add_kept(outcomes, lines)
        self._cache.put(new)
        return Answers(bytes(outcomes), b"\n".join(lines))

    def _add_kept(self, outcomes: bytearray, lines: list[bytes]) -> None:
        while self._at < len(self._kept) and (kept := self._kept[self._at]) is not None:
            outcomes.append(kept[0])
            lines.append(kept[1])
            self._at += 1
