"""What the double keeps: files, commits, repositories."""

import base64
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Blob:
    """A file: small ones with their content, large ones by their digest."""

    size: int
    sha256: str = ""
    content: bytes = b""

    @property
    def oid(self) -> str:
        """What the Hub calls the blob: git's id of a small file; a large one by its sha256."""
        if self.sha256:
            return self.sha256
        return hashlib.sha1(b"blob %d\0" % len(self.content) + self.content).hexdigest()

    def entry(self, path: str) -> dict[str, Any]:
        """As the API lists it; a large file's own id is that of its pointer."""
        facts: dict[str, Any] = {"type": "file", "path": path, "size": self.size, "oid": self.oid}
        if self.sha256:
            facts["oid"] = hashlib.sha1(self.sha256.encode()).hexdigest()
            facts["lfs"] = {"oid": self.sha256, "size": self.size, "pointerSize": 130}
        return facts


Files = dict[str, Blob]


@dataclass(frozen=True)
class Commit:
    """A state of a repository."""

    oid: str
    files: Files

    def listed(self, under: str, *, deep: bool) -> list[dict[str, Any]]:
        """What lies below a folder."""
        start = f"{under}/" if under else ""
        paths = [p for p in sorted(self.files) if p.startswith(start)]
        folders = {f"{start}{p.removeprefix(start).split('/')[0]}" for p in paths} - set(paths)
        shown = [p for p in paths if deep or "/" not in p.removeprefix(start)]
        found = [
            {"type": "directory", "path": f, "oid": "0" * 40, "size": 0} for f in sorted(folders)
        ]
        return found + [self.files[p].entry(p) for p in shown]


def _first() -> list[Commit]:
    return [Commit("0" * 40, {".gitattributes": Blob(2, content=b"x\n")})]


@dataclass
class Repo:
    """A dataset: its commits, its tags, and who may see it."""

    name: str
    private: bool
    gated: str | bool = False
    commits: list[Commit] = field(default_factory=_first)
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def head(self) -> Commit:
        """The last commit."""
        return self.commits[-1]

    def at(self, revision: str) -> Commit | None:
        """The commit that a branch, a tag or an id names."""
        oid = self.head.oid if revision == "main" else self.tags.get(revision, revision)
        return next((one for one in self.commits if one.oid == oid), None)

    def add(self, files: Files) -> str:
        """One commit more; its id."""
        text = f"{self.head.oid} {sorted((p, b.oid) for p, b in files.items())}"
        oid = hashlib.sha1(text.encode()).hexdigest()
        self.commits.append(Commit(oid, files))
        return oid


def committed(files: Mapping[str, Blob], operations: Iterable[dict[str, Any]]) -> Files:
    """The files after a commit's operations."""
    found = dict(files)
    for one in operations:
        value = one["value"]
        if one["key"] == "file":
            content = base64.b64decode(value["content"])
            found[value["path"]] = Blob(len(content), content=content)
        elif one["key"] == "lfsFile":
            found[value["path"]] = Blob(value["size"], sha256=value["oid"])
        else:
            assert one["key"] == "deletedFile"
            del found[value["path"]]
    return found
