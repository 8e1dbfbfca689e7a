"""Publishing: in an order that never shows what is not gated, nor calls complete what is not.

1. create, private          5. verify every digest, read a sample back
2. gate, and make sure      6. summary.json, which says complete: a commit of its own
3. bring the contents       7. tag
4. one commit of all        8. public, where the config says so

The commit of all takes an earlier summary away, so while it is not verified nothing calls it
complete. A run that broke starts over and finds what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from pairset.config import Publication
from pairset.publish.bundle import CARD, SUMMARY, Bundle, File
from pairset.publish.errors import PublishError
from pairset.publish.hub import WAITS, Hub, There
from pairset.publish.refusals import is_expected, is_passing, told

OURS = (".gitattributes", ".gitignore")
"""What a repository has besides, and keeps."""


@dataclass(frozen=True, slots=True)
class Todo:
    """What a publication would change: files that are new or other, those alike, those to go."""

    new: tuple[File, ...]
    other: tuple[File, ...]
    same: tuple[File, ...]
    gone: tuple[str, ...]

    @property
    def send(self) -> tuple[File, ...]:
        """What has to be there and is not."""
        return (*self.new, *self.other)

    @property
    def is_nothing(self) -> bool:
        """Whether the repository holds just this already."""
        return not self.send and not self.gone


@dataclass(frozen=True, slots=True)
class Published:
    """What was done: the commit that holds it, its tag, files sent, and files that were there."""

    repo: str
    commit: str
    tag: str
    public: bool
    files: int
    sent: int
    sent_bytes: int
    removed: int


def todo(bundle: Bundle, there: There | None) -> Todo:
    """What is to be done where ``there`` is what a repository holds; None: there is none."""
    held = {} if there is None else there.files
    files = (*bundle.files, bundle.summary)
    same = tuple(f for f in files if there is not None and there.holds(f))
    known = {f.path for f in same}
    return Todo(
        new=tuple(f for f in files if f.path not in held),
        other=tuple(f for f in files if f.path in held and f.path not in known),
        same=same,
        gone=tuple(sorted(_stale(bundle, held))),
    )


def publish(
    bundle: Bundle,
    hub: Hub,
    terms: Publication,
    *,
    after: Callable[[int], None] = lambda size: None,
) -> Published:
    """Publish ``bundle``; raises `PublishError`, and then nothing new is called complete.

    ``after`` is called with the size of each file that was sent or was there.
    """
    hub.settle()
    if terms.create:
        hub.create()
    hub.gate()
    there = hub.look()
    name = terms.tag or bundle.version
    _demand_free(name, bundle, there, hub)
    first = todo(bundle, there)
    data = _without_summary(first)
    for file in data.same:
        after(file.bytes)
    if not data.is_nothing:
        there = _commit(hub, _Change("data", data, SUMMARY in there.files), there, bundle, after)
    if not todo(bundle, there).is_nothing:
        _verify(hub, bundle.files, there.head)
        _read_back(hub, bundle, there.head)
        there = _commit(hub, _Change("summary", todo(bundle, there), False), there, bundle, after)
    _verify(hub, (*bundle.files, bundle.summary), there.head)
    if name not in hub.tags():
        hub.tag(name, there.head)
    if terms.public and hub.is_private():
        hub.show()
    return Published(
        hub.repo, there.head, name, not hub.is_private(), len(bundle.files) + 1,
        len(first.send), sum(f.bytes for f in first.send), len(first.gone),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Change:
    """One commit: what it is called, what it does, and whether it takes an old summary away."""

    name: str
    todo: Todo
    unsay: bool


def _commit(
    hub: Hub, change: _Change, there: There, bundle: Bundle, after: Callable[[int], None]
) -> There:
    """Send the contents, then commit on top of ``there``; what is there then.

    An answer that got lost is no failure: the repository is looked at before another try.
    """
    additions = []
    for file in change.todo.send:
        additions.append(hub.send(file))
        after(file.bytes)
    gone = [*change.todo.gone, *([SUMMARY] if change.unsay else [])]
    message = f"{bundle.kind} {bundle.version}: {change.name}"
    for wait in (*WAITS, None):
        try:
            hub.commit(message, there.head, additions, gone)
            return hub.look()
        except Exception as error:
            if isinstance(error, PublishError) or not is_expected(error):
                raise
            if wait is None or not is_passing(error):
                raise told(error, hub.repo) from None
            hub.wait(error, wait)
            now = hub.look()
            if now.head != there.head:  # it arrived, or somebody else's did
                return _arrived(hub, change, now, bundle)
    raise AssertionError


def _arrived(hub: Hub, change: _Change, now: There, bundle: Bundle) -> There:
    left = todo(bundle, now)
    if not (left if change.name == "summary" else _without_summary(left)).is_nothing:
        raise PublishError(
            f"someone else pushed to {hub.repo} meanwhile: nothing of theirs was overwritten, and "
            "nothing is published as complete; look at it, then run again"
        )
    return now


def _without_summary(whole: Todo) -> Todo:
    def data(files: tuple[File, ...]) -> tuple[File, ...]:
        return tuple(f for f in files if f.path != SUMMARY)

    return Todo(data(whole.new), data(whole.other), data(whole.same), whole.gone)


def _stale(bundle: Bundle, held: Iterable[str]) -> set[str]:
    """Files of the folders that the bundle fills which it lacks; what lies elsewhere stays."""
    kept = {f.path for f in bundle.files} | {SUMMARY, CARD, *OURS}
    folders = {PurePosixPath(f.path).parts[0] for f in bundle.files if "/" in f.path}
    return {p for p in held if p not in kept and PurePosixPath(p).parts[0] in folders}


def _demand_free(name: str, bundle: Bundle, there: There, hub: Hub) -> None:
    """Raise where the tag that was asked for names something else already."""
    named = hub.tags().get(name)
    if named is None or name == bundle.version:
        return
    if named != there.head or not todo(bundle, there).is_nothing:
        raise PublishError(
            f"{hub.repo} has a tag {name!r} already, for other content; name another "
            "(publication.tag), a tag is never moved"
        )


def _verify(hub: Hub, files: tuple[File, ...], revision: str) -> None:
    """Raise unless the Hub names the digest of each file as ours."""
    there = hub.look_at([f.path for f in files], revision)
    wrong = [f.path for f in files if not there.holds(f)]
    if wrong:
        raise PublishError(
            f"{len(wrong)} of {len(files)} files of {hub.repo} are not what was sent, the first is "
            f"{wrong[0]}; nothing is published as complete; run again"
        )


def _read_back(hub: Hub, bundle: Bundle, revision: str) -> None:
    """Fetch the card and the smallest file of each folder, as a reader would."""
    smallest: dict[str, File] = {}
    for file in sorted(bundle.files, key=lambda f: (f.bytes, f.path)):
        smallest.setdefault(str(PurePosixPath(file.path).parent), file)
    for file in smallest.values():
        hub.read_back(file, revision)
