"""A digest over the rows of a table, whatever wrote them.

Another version of the Parquet writer gives other bytes for the same rows; this digest stays. It is
the sha256 over the columns in schema order: each column's name and type, which cells are null, and
the values as they are (integers, lengths and REALs as 8 bytes little-endian, texts as their bytes).
"""

import hashlib
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_Hash = Any  # hashlib has no public name for its hash objects


def content_digest(table: pa.Table) -> str:
    """The digest of ``table``'s rows in their order; chunks and unused buffers do not count."""
    state = hashlib.sha256()
    state.update(table.num_rows.to_bytes(8, "little"))
    for name, column in zip(table.column_names, table.columns, strict=True):
        state.update(f"{name}\0{column.type}\0".encode())
        _feed(state, pa.concat_arrays(column.chunks) if column.chunks else _empty(column.type))
    return state.hexdigest()


def _empty(kind: pa.DataType) -> pa.Array:
    return pa.array([], kind)


def _feed(state: _Hash, array: pa.Array) -> None:
    """Null mask, then values; a null's value is left out or zero."""
    state.update(_bytes(pc.cast(pc.is_valid(array), pa.int8())))
    if pa.types.is_list(array.type):
        _feed_lengths(state, pc.list_value_length(array))
        _feed(state, array.flatten())
    elif pa.types.is_string(array.type):
        _feed_lengths(state, pc.binary_length(array))
        state.update(_text(array))
    elif pa.types.is_float64(array.type):
        state.update(_bytes(pc.fill_null(array, 0.0)))
    else:
        state.update(
            _bytes(pc.cast(pc.fill_null(array, array.type.to_pandas_dtype()(0)), pa.int64()))
        )


def _feed_lengths(state: _Hash, lengths: pa.Array) -> None:
    state.update(_bytes(pc.cast(pc.fill_null(lengths, 0), pa.int64())))


def _bytes(array: pa.Array) -> memoryview:
    """The value buffer of a fixed-width array, from its offset on."""
    width = array.type.bit_width // 8
    data = array.buffers()[1]
    if data is None:
        return memoryview(b"")
    return memoryview(data)[array.offset * width : (array.offset + len(array)) * width]


def _text(array: pa.Array) -> memoryview:
    """All the bytes of a text array, one after the other; nulls hold none once filled."""
    filled = pc.fill_null(array, "")
    _, offsets, data = filled.buffers()
    if data is None:
        return memoryview(b"")
    ends = memoryview(offsets).cast("i")
    return memoryview(data)[ends[filled.offset] : ends[filled.offset + len(filled)]]
