"""A local store of chunks, as ``hf_xet`` writes one, read back in the Hub's way: over HTTP.

On the Hub a client writes contents to a store of chunks, and asks that store for the plan of a file:
which chunks of which xorbs, and where these lie. Here the client writes into a folder, and this reads
the folder: shards, which say what files are made of, and xorbs, which hold the chunks. Format and
endpoints are those of the public specification of the Xet protocol.
"""

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

TOKEN, BELOW = "chunks", "/cas"
BLOCK, HEAD = 48, 8  # bytes of an entry of a shard, and of what goes before a chunk
END = b"\xff" * 32
VERIFIED, KNOWN = 1 << 31, 1 << 30  # flags of a file: what follows its terms
PLAIN, LZ4 = 0, 1  # how a chunk is compressed


@dataclass(frozen=True)
class Term:
    """A part of a file: the chunks ``first`` to ``last`` (not with it) of a xorb."""

    xorb: str
    size: int
    first: int
    last: int


@dataclass(frozen=True)
class Stored:
    """A file in the store: its own name there, the digest of its bytes, its parts in order."""

    hash: str
    sha256: str
    terms: tuple[Term, ...]

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(term.size for term in self.terms)


def spelt(digest: bytes) -> str:
    """A digest as the protocol spells it: four numbers of eight bytes, lowest byte first."""
    return "".join(f"{word:016x}" for word in struct.unpack("<4Q", digest))


def _files(shard: bytes) -> Iterator[Stored]:
    """The files that a shard tells of; they follow its head."""
    blocks = (shard[at : at + BLOCK] for at in range(BLOCK, len(shard), BLOCK))
    while (head := next(blocks))[:32] != END:
        flags, count = struct.unpack_from("<II", head, 32)
        entries = [next(blocks) for _ in range(count)]
        terms = tuple(Term(spelt(e[:32]), *struct.unpack_from("<4xIII", e, 32)) for e in entries)
        for _ in range(count if flags & VERIFIED else 0):
            next(blocks)
        sha256 = spelt(next(blocks)[:32]) if flags & KNOWN else ""
        yield Stored(spelt(head[:32]), sha256, terms)


def _number(three: bytes) -> int:
    return int.from_bytes(three, "little")


def _chunks(xorb: bytes) -> Iterator[bytes]:
    """The chunks of a xorb, each with its head, up to what is no chunk."""
    at = 0
    while at < len(xorb) and xorb[at] == 0:
        size = HEAD + _number(xorb[at + 1 : at + 4])
        yield xorb[at : at + size]
        at += size


def _plain(chunk: bytes) -> bytes:
    """A chunk's content."""
    how, size, packed = chunk[4], _number(chunk[5:8]), chunk[HEAD:]
    if how == PLAIN:
        return packed
    assert how == LZ4, "bytes in groups of four; no table of ours gave such a chunk"
    content: bytes = pa.decompress(packed, decompressed_size=size, codec="lz4", asbytes=True)
    return content


class Chunks:
    """The store in a folder; what is written to it meanwhile is seen."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "xet" / "xorbs"

    def files(self) -> list[Stored]:
        """All files."""
        shards = sorted(self.folder.glob("shards/*.mdb"))
        return [file for shard in shards for file in _files(shard.read_bytes())]

    def of_bytes(self, sha256: str) -> Stored | None:
        """The file with these bytes."""
        return next((file for file in self.files() if file.sha256 == sha256), None)

    def of_hash(self, name: str) -> Stored | None:
        """The file of that name."""
        return next((file for file in self.files() if file.hash == name), None)

    def xorb(self, name: str) -> bytes:
        """A xorb, as it lies there."""
        return (self.folder / "xorbs" / f"default.{name}").read_bytes()

    def content(self, file: Stored) -> bytes:
        """A file, put together from its chunks alone."""
        parts = [[*_chunks(self.xorb(t.xorb))][t.first : t.last] for t in file.terms]
        return b"".join(_plain(chunk) for part in parts for chunk in part)

    def place(self, term: Term) -> dict[str, Any]:
        """Where in its xorb a term's chunks lie, in chunks and in bytes; bytes with their last."""
        ends = [0, *accumulate(len(chunk) for chunk in _chunks(self.xorb(term.xorb)))]
        assert len(ends) > term.last
        return {
            "chunks": {"start": term.first, "end": term.last},
            "bytes": {"start": ends[term.first], "end": ends[term.last] - 1},
        }

    def plan(self, terms: list[Term], skipped: int, url: str) -> dict[str, Any]:
        """What a client needs to make these terms (version 2 of the protocol's answer)."""
        xorbs: dict[str, list[dict[str, Any]]] = {}
        for term in dict.fromkeys(terms):
            fetch = {"url": f"{url}/xorbs/{term.xorb}", "ranges": [self.place(term)]}
            xorbs.setdefault(term.xorb, []).append(fetch)
        told = [
            {
                "hash": term.xorb,
                "unpacked_length": term.size,
                "range": {"start": term.first, "end": term.last},
            }
            for term in terms
        ]
        return {"offset_into_first_range": skipped, "terms": told, "xorbs": xorbs}


def asked_range(request: Request, size: int) -> tuple[int, int] | None:
    """First and last byte that are asked for, by default all; None where there is no such byte."""
    found = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("range", "bytes=0-"))
    assert found, request.headers
    first, last = int(found[1]), min(int(found[2] or size), size - 1)
    return (first, last) if first <= last else None


def overlapping(terms: tuple[Term, ...], first: int, last: int) -> tuple[list[Term], int]:
    """The terms that hold these bytes, and how much of the first of them goes before."""
    starts = [0, *accumulate(term.size for term in terms)]
    held = [at for at, t in enumerate(terms) if starts[at] <= last and starts[at] + t.size > first]
    return [terms[at] for at in held], first - starts[held[0]]


class ChunkRoutes:
    """The endpoints of the store: a plan for whoever has its token, ranges of xorbs for all."""

    def __init__(self, store: Callable[[], Chunks]) -> None:
        self.store = store

    def plan(self, request: Request) -> Response:
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return JSONResponse({"error": "no token of this store"}, 401)
        store = self.store()
        file = store.of_hash(request.path_params["name"])
        if file is None:
            return JSONResponse({"error": "no such file"}, 404)
        span = asked_range(request, file.size)
        if span is None:
            return JSONResponse({"error": "the file ends before"}, 416)
        url = str(request.url.replace(path=BELOW, query=""))
        return JSONResponse(store.plan(*overlapping(file.terms, *span), url))

    def xorb(self, request: Request) -> Response:
        """The range that is asked for; the whole of a xorb is nobody's."""
        if "range" not in request.headers:
            return JSONResponse({"error": "say which range"}, 403)
        content = self.store().xorb(request.path_params["name"])
        span = asked_range(request, len(content))
        assert span, "a range that no plan gave"
        first, last = span
        told = {"Content-Range": f"bytes {first}-{last}/{len(content)}"}
        return Response(content[first : last + 1], 206, told)


def chunk_routes(store: Callable[[], Chunks]) -> list[Route]:
    """What is answered for the store of chunks."""
    routes = ChunkRoutes(store)
    return [
        Route(f"{BELOW}/v2/reconstructions/{{name}}", routes.plan),
        Route(f"{BELOW}/xorbs/{{name}}", routes.xorb),
    ]


def xet_headers(name: str, route: str) -> dict[str, str]:
    """What ``resolve`` says beside its redirect: the file's name in the store, and who lets in."""
    return {"X-Xet-Hash": name, "Link": f'<{route}>; rel="xet-auth"'}


def xet_token(store: str, expires: int) -> Response:
    """A token of the store: in headers for the client in Python, in JSON for the one in Rust."""
    told = {"Cas-Url": store, "Access-Token": TOKEN, "Token-Expiration": str(expires)}
    headers = {f"X-Xet-{name}": value for name, value in told.items()}
    body = {"casUrl": store, "accessToken": TOKEN, "exp": expires}
    return JSONResponse(body, headers=headers)
