"""Digests that name rows: sha256, lower-case hex, over canonical JSON (DESIGN section 3)."""

import hashlib
import json
from collections.abc import Sequence

_text_of = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def canonical_json(value: object) -> bytes:
    """UTF-8, no blanks, keys sorted, nothing escaped that need not be.

    A lone surrogate, which JSON text may carry, keeps its bytes.

    >>> canonical_json({"b": "é", "a": [1, None]}).decode()
    '{"a":[1,null],"b":"é"}'
    """
    return _text_of(value).encode("utf-8", "surrogatepass")


def digest(parts: Sequence[str]) -> str:
    """The sha256 of the canonical JSON of ``parts``."""
    return hashlib.sha256(canonical_json(list(parts))).hexdigest()


def gold_id(dataset: str, db_id: str, gold_sql: str) -> str:
    """What names a gold."""
    return digest([dataset, db_id, gold_sql])


def pair_id(dataset: str, db_id: str, gold_sql: str, neighbor_sql: str) -> str:
    """What names a pair: a digest of its own fields, stable across builds."""
    return digest([dataset, db_id, gold_sql, neighbor_sql])


class PairIds:
    """The ids of one gold's pairs; what they begin with is digested once."""

    def __init__(self, dataset: str, db_id: str, gold_sql: str) -> None:
        begin = canonical_json([dataset, db_id, gold_sql]).removesuffix(b"]")
        self._begun = hashlib.sha256(begin + b",")

    def of(self, neighbor_sql: str) -> str:
        """The `pair_id` of the gold and that neighbour."""
        whole = self._begun.copy()
        whole.update(canonical_json(neighbor_sql) + b"]")
        return whole.hexdigest()


def query_id(dataset: str, db_id: str, sql: str) -> str:
    """What names a query of a database; a gold's is its ``gold_id``."""
    return digest([dataset, db_id, sql])
