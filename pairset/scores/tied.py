"""The tied set as a whole: how many pairs count, how many are left out and why, and its digest."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pairset.build import Build
from pairset.ids import canonical_json
from pairset.stages.tied import AUDIT, OK


@dataclass(frozen=True, slots=True)
class TiedSet:
    """``pairs`` count; ``left_out`` of the tied pairs do not, by what the audit said of them.

    ``sha256`` is over the canonical JSON of the sorted ids of those that count, so that two builds
    with the same digest score on the same pairs. ``audited`` is whether there was an audit.
    """

    pairs: int
    left_out: dict[str, int]
    audited: bool
    sha256: str


def tied_set(build: Build) -> TiedSet:
    """The tied set of a build; an empty one where none is made."""
    checks: Counter[str] = Counter()
    kept: list[str] = []
    for place in build.store.places("tied_set"):
        columns = build.store.read(*place, columns=["pair_id", "provenance_check"])
        found = list(zip(*(column.to_pylist() for column in columns.columns), strict=True))
        checks.update(check for _, check in found)
        kept += [pair_id for pair_id, check in found if check == OK]
    left_out = {check: count for check, count in sorted(checks.items()) if check != OK}
    audited = next(iter(build.store.places(AUDIT)), None) is not None
    return TiedSet(len(kept), left_out, audited, digest_of(kept))


def digest_of(pair_ids: Iterable[str]) -> str:
    """The digest of a set of pairs, whatever the order they come in."""
    return hashlib.sha256(canonical_json(sorted(pair_ids))).hexdigest()
