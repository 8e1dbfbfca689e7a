"""A small double of the Hub on loopback: datasets, LFS, Xet tokens, and failures on request.

It speaks what the clients call, and no more. What it was sent is counted in bytes, by endpoint.
"""

import hashlib
import json
import re
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from db_execution import listening
from tests.pairset.publish.chunks import BELOW, Chunks, chunk_routes, xet_headers, xet_token
from tests.pairset.publish.commits import Blob, Repo, committed

WRITER, READER, STRANGER = "hf_writer", "hf_reader", "hf_stranger"
NAMES = {WRITER: "ann", READER: "rob", STRANGER: "eve"}
LARGE = re.compile(r".*\.(parquet|arrow|sqlite)")


@dataclass
class Fault:
    """What happens to the next requests that match, instead of an answer or after it."""

    method: str
    path: str
    status: int = 0  # 0: the connection is cut
    times: int = 1
    skip: int = 0
    after: bool = False  # the request is served, and only its answer is lost
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "no"

    def takes(self, method: str, path: str) -> bool:
        """Whether this request meets it; it is used up by that."""
        if self.method != method or not re.search(self.path, path) or self.times <= 0:
            return False
        self.skip -= 1
        if self.skip >= 0:
            return False
        self.times -= 1
        return True


class Double:
    """The state of the double: repositories, stored contents, faults, what was asked and sent."""

    def __init__(self) -> None:
        self.repos: dict[str, Repo] = {}
        self.store: dict[str, bytes] = {}
        self.accepted: set[str] = set()
        self.faults: list[Fault] = []
        self.asked: list[str] = []
        self.exposed: list[str] = []
        self.sent: Counter[str] = Counter()
        self.cas: Path | None = None  # the folder of a store of chunks
        self.url = ""

    @property
    def chunks(self) -> Chunks:
        """The store of chunks; nothing is in it where there is none."""
        return Chunks(self.cas or Path("no store"))

    def content(self, sha256: str) -> bytes | None:
        """A large file's bytes."""
        if sha256 in self.store:
            return self.store[sha256]
        found = self.chunks.of_bytes(sha256)
        return self.chunks.content(found) if found else None

    def has(self, sha256: str) -> bool:
        """Whether a large file's bytes were sent."""
        return sha256 in self.store or self.chunks.of_bytes(sha256) is not None

    def watch(self) -> None:
        """Note every moment at which data could be seen that is not gated."""
        for name, repo in self.repos.items():
            data = [p for p in repo.head.files if p != ".gitattributes"]
            if data and not repo.private and repo.gated != "manual":
                self.exposed.append(name)


def who(request: Request) -> str | None:
    """Whose token came along."""
    return NAMES.get(request.headers.get("authorization", "").removeprefix("Bearer "))


def refused(status: int, message: str, code: str = "") -> Response:
    headers = {"X-Error-Message": message} | ({"X-Error-Code": code} if code else {})
    return JSONResponse({"error": message}, status, headers)


class Guard:
    """Counts, then fails on request, and refuses tokens that it does not know."""

    def __init__(self, app: ASGIApp, double: Double) -> None:
        self.app, self.double = app, double

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        method, path = scope["method"], scope["path"]
        self.double.asked.append(f"{method} {path}")
        fault = next((f for f in self.double.faults if f.takes(method, path)), None)
        token = dict(scope["headers"]).get(b"authorization", b"").decode().removeprefix("Bearer ")
        known = path.startswith(BELOW) or token in NAMES  # that store has a token of its own

        async def counted() -> Any:
            message = await receive()
            kind = "lfs" if path.startswith("/store/") else "api"
            self.double.sent[kind] += len(message.get("body", b""))
            return message

        if token and not known:
            refusal = refused(401, "Invalid credentials in Authorization header")
            await refusal(scope, counted, send)
        elif fault is None:
            await self.app(scope, counted, send)
        elif fault.status:
            answer = JSONResponse({"error": fault.message}, fault.status, fault.headers)
            await answer(scope, counted, send)
        else:
            if fault.after:
                await self.app(scope, counted, _nowhere)
            else:
                await counted()
            await _cut(send)
        self.double.watch()


async def _nowhere(message: Any) -> None:
    """An answer that nobody gets."""


async def _cut(send: Send) -> None:
    """Promise ten bytes, give one, and end: the server closes the connection."""
    head = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"10")]}
    await send(head)
    await send({"type": "http.response.body", "body": b"x", "more_body": True})


class Routes:
    """The endpoints, over one double."""

    def __init__(self, double: Double) -> None:
        self.double = double

    def all(self) -> list[Route]:
        repo = "/api/datasets/{owner}/{name}"
        files = "/datasets/{owner}/{name}"
        return [
            Route("/api/whoami-v2", self.whoami),
            Route("/api/validate-yaml", self.validate, methods=["POST"]),
            Route("/api/repos/create", self.create, methods=["POST"]),
            Route(f"{repo}/settings", self.settings, methods=["PUT"]),
            Route(f"{repo}/refs", self.refs),
            Route(f"{repo}/tag/{{rev}}", self.tag, methods=["POST"]),
            Route(f"{repo}/preupload/{{rev}}", self.preupload, methods=["POST"]),
            Route(f"{repo}/commit/{{rev}}", self.commit, methods=["POST"]),
            Route(f"{repo}/paths-info/{{rev}}", self.paths_info, methods=["POST"]),
            Route(f"{repo}/tree/{{rev}}", self.tree),
            Route(f"{repo}/tree/{{rev}}/{{path:path}}", self.tree),
            Route(f"{repo}/xet-write-token/{{rev}}", self.xet_write),
            Route(f"{repo}/xet-read-token/{{rev}}", self.xet_read),
            Route(f"{repo}/revision/{{rev}}", self.info),
            Route(repo, self.info),
            Route(f"{files}.git/info/lfs/objects/batch", self.batch, methods=["POST"]),
            Route(f"{files}/resolve/{{rev}}/{{path:path}}", self.resolve, methods=["GET", "HEAD"]),
            Route("/store/{sha}", self.put, methods=["PUT"]),
            Route("/cdn/{sha}", self.cdn, methods=["GET", "HEAD"]),
            *chunk_routes(lambda: self.double.chunks),
        ]

    def repo_of(self, request: Request, *, write: bool = False, read: bool = False) -> Any:
        """The repository that is asked for, or the refusal."""
        owner, name = request.path_params["owner"], request.path_params["name"]
        repo, asker = self.double.repos.get(f"{owner}/{name}"), who(request)
        if repo is None or (repo.private and asker != owner):
            return refused(404, "Repository not found", "RepoNotFound")
        if write and asker != owner:
            return refused(403, "you may not write here")
        if read and repo.gated and asker != owner and asker not in self.double.accepted:
            return refused(403, "Access to this dataset is restricted", "GatedRepo")
        return repo

    async def whoami(self, request: Request) -> Response:
        name = who(request)
        if name is None:
            return refused(401, "Invalid username or password.")
        return JSONResponse({"type": "user", "name": name, "orgs": []})

    async def validate(self, request: Request) -> Response:
        return JSONResponse({"errors": [], "warnings": []})

    async def create(self, request: Request) -> Response:
        body = await request.json()
        owner = body["organization"] or who(request)
        if owner != who(request):
            return refused(403, "You don't have the rights to create a dataset there")
        name = f"{owner}/{body['name']}"
        answer = {"url": f"{self.double.url}/datasets/{name}", "name": name, "id": name}
        if name in self.double.repos:
            return JSONResponse(answer | {"error": "You already created this dataset"}, 409)
        self.double.repos[name] = Repo(name, body.get("visibility") == "private")
        return JSONResponse(answer)

    async def settings(self, request: Request) -> Response:
        repo = self.repo_of(request, write=True)
        if isinstance(repo, Response):
            return repo
        body = await request.json()
        repo.gated = body.get("gated", repo.gated)
        if "visibility" in body:
            repo.private = body["visibility"] == "private"
        return JSONResponse({})

    async def info(self, request: Request) -> Response:
        repo = self.repo_of(request)
        if isinstance(repo, Response):
            return repo
        commit = repo.at(request.path_params.get("rev", "main"))
        if commit is None:
            return refused(404, "no such revision", "RevisionNotFound")
        siblings = [{"rfilename": path} for path in sorted(commit.files)]
        facts = {"id": repo.name, "sha": commit.oid, "private": repo.private, "gated": repo.gated}
        return JSONResponse({**facts, "siblings": siblings, "tags": [], "disabled": False})

    async def refs(self, request: Request) -> Response:
        repo = self.repo_of(request)
        if isinstance(repo, Response):
            return repo
        tags = [
            {"name": n, "ref": f"refs/tags/{n}", "targetCommit": oid}
            for n, oid in repo.tags.items()
        ]
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": repo.head.oid}
        return JSONResponse({"branches": [main], "converts": [], "tags": tags})

    async def tag(self, request: Request) -> Response:
        repo = self.repo_of(request, write=True)
        if isinstance(repo, Response):
            return repo
        name = (await request.json())["tag"]
        if name in repo.tags:
            return JSONResponse({"error": "the tag exists"}, 409)
        repo.tags[name] = repo.at(request.path_params["rev"]).oid
        return JSONResponse({})

    async def preupload(self, request: Request) -> Response:
        repo = self.repo_of(request, write=True)
        if isinstance(repo, Response):
            return repo
        files = [
            {
                "path": one["path"],
                "uploadMode": "lfs" if LARGE.fullmatch(one["path"]) else "regular",
                "shouldIgnore": False,
                "oid": repo.head.files[one["path"]].oid if one["path"] in repo.head.files else None,
            }
            for one in (await request.json())["files"]
        ]
        return JSONResponse({"files": files})

    async def batch(self, request: Request) -> Response:
        repo = self.repo_of(request, write=True)
        if isinstance(repo, Response):
            return repo
        objects: list[dict[str, Any]] = []
        for one in (await request.json())["objects"]:
            href = f"{self.double.url}/store/{one['oid']}"
            action = {"actions": {"upload": {"href": href}}}
            there = one["oid"] in self.double.store
            objects.append({"oid": one["oid"], "size": one["size"], **({} if there else action)})
        return JSONResponse({"transfer": "basic", "objects": objects})

    async def put(self, request: Request) -> Response:
        body, sha = await request.body(), request.path_params["sha"]
        if hashlib.sha256(body).hexdigest() != sha:
            return refused(400, "other bytes than were promised")
        self.double.store[sha] = body
        return Response(headers={"ETag": f'"{sha}"'})

    async def xet_write(self, request: Request) -> Response:
        repo = self.repo_of(request, write=True)
        if isinstance(repo, Response):
            return repo
        return xet_token(f"local://{self.double.cas}", int(time.time()) + 3600)

    async def xet_read(self, request: Request) -> Response:
        repo = self.repo_of(request, read=True)
        if isinstance(repo, Response):
            return repo
        return xet_token(self.double.url + BELOW, int(time.time()) + 3600)

    async def commit(self, request: Request) -> Response:
        repo = self.repo_of(request, write=True)
        if isinstance(repo, Response):
            return repo
        lines = [json.loads(line) for line in (await request.body()).splitlines()]
        parent = lines[0]["value"].get("parentCommit")
        if parent is not None and parent != repo.head.oid:
            return refused(412, "A commit has happened since. Please refresh and try again.")
        files = committed(repo.head.files, lines[1:])
        lost = [b.sha256 for b in files.values() if b.sha256 and not self.double.has(b.sha256)]
        if lost:
            return refused(400, f"the content {lost[0]} was never sent")
        oid = repo.add(files)
        url = f"{self.double.url}/datasets/{repo.name}/commit/{oid}"
        return JSONResponse({"success": True, "commitOid": oid, "commitUrl": url})

    async def paths_info(self, request: Request) -> Response:
        repo = self.repo_of(request)
        if isinstance(repo, Response):
            return repo
        form = await request.form()
        files = repo.at(request.path_params["rev"]).files
        wanted = [str(path) for path in form.getlist("paths")]
        return JSONResponse([files[p].entry(p) for p in wanted if p in files])

    async def tree(self, request: Request) -> Response:
        repo = self.repo_of(request)
        if isinstance(repo, Response):
            return repo
        commit, under = repo.at(request.path_params["rev"]), request.path_params.get("path", "")
        deep = request.query_params.get("recursive", "").lower() in ("1", "true")
        entries = commit.listed(under, deep=deep)
        if under and not entries:
            return refused(404, "no such folder", "EntryNotFound")
        return JSONResponse(entries)

    async def resolve(self, request: Request) -> Response:
        repo = self.repo_of(request, read=True)
        if isinstance(repo, Response):
            return repo
        commit, path = repo.at(request.path_params["rev"]), request.path_params["path"]
        if commit is None:
            return refused(404, "no such revision", "RevisionNotFound")
        headers = {"X-Repo-Commit": commit.oid, "Accept-Ranges": "bytes"}
        if path not in commit.files:
            answer = refused(404, "no such file", "EntryNotFound")
            answer.headers.update(headers)
            return answer
        blob: Blob = commit.files[path]
        if blob.sha256:  # to another host, as the Hub does: a client must not follow it on HEAD
            base = self.double.url.replace("127.0.0.1", "localhost")
            linked = {"X-Linked-Size": str(blob.size), "X-Linked-Etag": f'"{blob.sha256}"'}
            where = {"Location": f"{base}/cdn/{blob.sha256}", "ETag": f'"{blob.sha256}"'}
            route = f"/api/datasets/{repo.name}/xet-read-token/{commit.oid}"
            chunked = self.double.chunks.of_bytes(blob.sha256)
            xet = xet_headers(chunked.hash, f"{self.double.url}{route}") if chunked else {}
            return Response(status_code=302, headers=headers | linked | where | xet)
        return _ranged(request, blob.content, headers | {"ETag": f'"{blob.oid}"'})

    async def cdn(self, request: Request) -> Response:
        content = self.double.content(request.path_params["sha"])
        if content is None:
            return refused(404, "no such content")
        return _ranged(request, content, {"ETag": f'"{request.path_params["sha"]}"'})


def _ranged(request: Request, content: bytes, headers: dict[str, str]) -> Response:
    found = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("range", ""))
    status, part = 200, content
    if found:
        first, last = int(found[1]), int(found[2] or len(content) - 1)
        part, status = content[first : last + 1], 206
        span = f"bytes {first}-{first + len(part) - 1}/{len(content)}"
        headers = headers | {"Content-Range": span}
    headers = headers | {"Content-Length": str(len(part))}

    async def body() -> AsyncIterator[bytes]:
        yield b"" if request.method == "HEAD" else part

    return StreamingResponse(body(), status, headers)


class Door:
    """What answers at the address: the double of the test that is running."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.app: ASGIApp = Guard(Starlette(), Double())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)

    def opened(self) -> Double:
        """A double with nothing in it, which answers from now on."""
        double = Double()
        double.url = self.url
        self.app = Guard(Starlette(routes=Routes(double).all()), double)
        return double


@contextmanager
def door() -> Iterator[Door]:
    """A server on a free port of loopback."""
    with listening.bound("127.0.0.1", 0) as listener:
        found = Door(listening.url_of("127.0.0.1", listener))
        config = uvicorn.Config(found, log_level="critical", lifespan="off", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.005)
        yield found
        server.should_exit = True
        thread.join()


@contextmanager
def hub() -> Iterator[Double]:
    """A double with a server of its own."""
    with door() as found:
        yield found.opened()
