"""What a table is: its name, its declared Arrow schema, and the columns its rows are sorted by."""

import hashlib
from dataclasses import dataclass

import pyarrow as pa

STRING = pa.string()
STRINGS = pa.list_(pa.field("item", STRING, nullable=True))


@dataclass(frozen=True, slots=True)
class Table:
    """A table's name, schema and key; rows are sorted by the key, and the key is unique."""

    name: str
    version: int
    key: tuple[str, ...]
    schema: pa.Schema

    @property
    def identity(self) -> str:
        """Name, version and a digest of the columns: what a file of this table has to say."""
        columns = hashlib.sha256(str(self.schema).encode()).hexdigest()
        return f"{self.name}/{self.version}/{columns[:16]}"


def table(name: str, version: int, key: tuple[str, ...], **columns: pa.DataType) -> Table:
    """A table of those columns, in that order."""
    return Table(name, version, key, pa.schema(list(columns.items())))
