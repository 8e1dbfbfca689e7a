"""Another instance that asks the same question of other data.

A constant answer is legal, and is right on the one instance it was read off. SQL that reasons is
right on the sibling too.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from investigation.instance import Instance
from investigation.tasks import World

TRIES = 50
"""How many seeds are looked at for one whose question differs from this one's in words alone."""

_TEXT = re.compile(r"--[^\n]*|/\*.*?\*/|\"(?:[^\"]|\"\")*\"|(?P<text>'(?:[^']|'')*')", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sibling:
    """An instance, and what its question has for each quoted word of the other's."""

    instance: Instance
    words: Mapping[str, str]

    def translated(self, sql: str) -> str:
        """``sql`` with the words of the other question replaced by those of this one."""
        return _TEXT.sub(lambda found: self.words.get(found["text"], found[0]), sql)


def sibling(instance: Instance, world: World) -> Sibling | None:
    """The first fitting instance of the seeds that follow from this one's; None if there is none.

    Statuses and dates differ between instances, so they are paired off by where they stand in the
    two oracle queries, which must be the same but for them.
    """
    for attempt in range(TRIES):
        other = world.draw(instance.family, sibling_seed(instance, attempt))
        words = _paired(instance.oracle_sql, other.oracle_sql)
        if words is not None and other.expected != instance.expected:
            return Sibling(other, words)
    return None


def sibling_seed(instance: Instance, attempt: int) -> int:
    """A seed that is a function of the instance's alone, below 2**63."""
    text = f"{instance.family}/{instance.seed}/sibling/{attempt}"
    return int.from_bytes(sha256(text.encode()).digest()[:8]) >> 1


def _paired(ours: str, theirs: str) -> dict[str, str] | None:
    """What ``theirs`` has for each text of ``ours``; None where they differ in more than that."""
    if _TEXT.sub("''", ours) != _TEXT.sub("''", theirs):
        return None
    pairs = set(zip(_texts(ours), _texts(theirs), strict=True))
    words = dict(pairs)
    return words if len(words) == len(pairs) == len(set(words.values())) else None


def _texts(sql: str) -> list[str]:
    return [found["text"] for found in _TEXT.finditer(sql) if found["text"]]
