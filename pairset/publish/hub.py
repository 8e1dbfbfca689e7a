"""One dataset repository on the Hub: looked at, written to, and read back."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from logging import ERROR
from pathlib import Path
from typing import TypeVar

from huggingface_hub import (
    CommitOperationAdd,
    CommitOperationDelete,
    HfApi,
    RepoFile,
    logging,
)
from huggingface_hub.errors import RepositoryNotFoundError
from huggingface_hub.utils.tqdm import disable_progress_bars

from pairset.files import file_digest
from pairset.publish.bundle import File
from pairset.publish.errors import PublishError
from pairset.publish.refusals import asked_to_wait, is_expected, is_passing, told

T = TypeVar("T")
KIND = "dataset"
WAITS = (1.0, 2.0, 4.0, 8.0)
"""Seconds before another try, where the Hub does not say how long."""
_GIT = 40  # digits of a digest of git's own
LONGEST_WAIT = 300.0


@dataclass(frozen=True, slots=True)
class There:
    """What a repository holds: its last commit, and of every file its size and digest.

    The digest is a sha256 where the file is large, else git's own id; `holds` compares with either.
    """

    head: str
    files: Mapping[str, tuple[int, str]]

    def holds(self, file: File) -> bool:
        """Whether that very content is there at that path."""
        size, digest = self.files.get(file.path, (-1, ""))
        if size != file.bytes:
            return False
        return digest == (file.git_id if len(digest) == _GIT else file.sha256)


@dataclass(slots=True)
class Hub:
    """The repository, asked with the token of HF_TOKEN or of the Hub's own token file.

    ``endpoint`` and ``token`` are for tests; ``say`` is told what is waited for. Every method
    raises `PublishError`, whose text never holds the token.
    """

    repo: str
    endpoint: str | None = None
    token: str | None = None
    say: Callable[[str], None] = lambda line: None
    sleep: Callable[[float], None] = time.sleep
    api: HfApi = field(init=False)

    def __post_init__(self) -> None:
        disable_progress_bars()
        logging.set_verbosity(ERROR)  # its warnings name signed addresses
        self.api = HfApi(endpoint=self.endpoint, token=self.token, library_name="pairset")

    def settle(self) -> None:
        """Know who asks, and so whose repository a bare name means."""
        who = str(self._asked(self.api.whoami)["name"])
        if "/" not in self.repo:
            self.repo = f"{who}/{self.repo}"

    def create(self) -> None:
        """Make it if it is not there yet: private until all is in it."""
        self._asked(
            lambda: self.api.create_repo(
                self.repo, repo_type=KIND, visibility="private", exist_ok=True
            )
        )

    def gate(self) -> None:
        """Let nobody in without a person's word; raises where the Hub does not say so itself."""
        if self._gated() != "manual":
            self._asked(
                lambda: self.api.update_repo_settings(self.repo, repo_type=KIND, gated="manual")
            )
        if self._gated() != "manual":
            raise PublishError(f"the Hub does not gate {self.repo}; nothing was sent")

    def show(self) -> None:
        """Make it public; who may read it is still decided by hand."""
        self._asked(
            lambda: self.api.update_repo_settings(self.repo, repo_type=KIND, visibility="public")
        )

    def is_private(self) -> bool:
        """Whether only its owner sees it."""
        return bool(self._asked(lambda: self.api.dataset_info(self.repo)).private)

    def look(self) -> There:
        """What is there now."""
        head = self._asked(lambda: self.api.dataset_info(self.repo)).sha
        if head is None:
            raise PublishError(f"the Hub names no commit of {self.repo}")
        tree = self._asked(
            lambda: list(
                self.api.list_repo_tree(self.repo, repo_type=KIND, revision=head, recursive=True)
            )
        )
        return There(head, _digests(one for one in tree if isinstance(one, RepoFile)))

    def look_if_there(self) -> There | None:
        """What is there now, or None where there is no such repository that the token may see."""
        if "/" not in self.repo:
            self.settle()
        try:
            return self.look()
        except PublishError as error:
            if isinstance(error.__context__, RepositoryNotFoundError):
                return None
            raise

    def look_at(self, paths: Sequence[str], revision: str) -> There:
        """What is there at those paths, asked path by path."""
        found: dict[str, tuple[int, str]] = {}
        for start in range(0, len(paths), 100):
            some = list(paths[start : start + 100])
            infos = self._asked(
                lambda some=some: self.api.get_paths_info(  # type: ignore[misc]
                    self.repo, some, repo_type=KIND, revision=revision
                )
            )
            found |= _digests(one for one in infos if isinstance(one, RepoFile))
        return There(revision, found)

    def tags(self) -> dict[str, str]:
        """Every tag with the commit that it names."""
        refs = self._asked(lambda: self.api.list_repo_refs(self.repo, repo_type=KIND))
        return {one.name: one.target_commit for one in refs.tags}

    def tag(self, name: str, revision: str) -> None:
        """Name a commit."""
        self._asked(
            lambda: self.api.create_tag(
                self.repo, repo_type=KIND, tag=name, revision=revision, exist_ok=True
            )
        )

    def send(self, file: File) -> CommitOperationAdd:
        """Bring a file's content to the Hub's store, unless it is there; no commit names it yet.

        A small file goes with its commit instead. The library tries again by itself.
        """
        addition = CommitOperationAdd(path_in_repo=file.path, path_or_fileobj=str(file.source))
        addition.upload_info.sha256 = bytes.fromhex(file.sha256)
        try:
            self.api.preupload_lfs_files(
                self.repo, [addition], repo_type=KIND, revision="main", free_memory=False
            )
        except Exception as error:  # also what the library wraps in errors of its own
            if not (is_expected(error) or isinstance(error, RuntimeError | ValueError)):
                raise
            raise told(error, self.repo) from None
        return addition

    def commit(
        self,
        message: str,
        parent: str,
        additions: Sequence[CommitOperationAdd],
        gone: Sequence[str],
    ) -> str:
        """One commit on top of ``parent`` and nothing else; its id. It is tried once.

        Raises what the library raises, for the caller to look whether it arrived.
        """
        deletions = [CommitOperationDelete(path_in_repo=path) for path in gone]
        made = self.api.create_commit(
            self.repo,
            [*deletions, *additions],
            repo_type=KIND,
            commit_message=message,
            parent_commit=parent,
            revision="main",
        )
        return str(made.oid)

    def read_back(self, file: File, revision: str) -> None:
        """Fetch a file as a reader would; raises unless it is what was sent."""
        with tempfile.TemporaryDirectory(prefix="pairset-") as folder:
            try:
                path = self._asked(
                    lambda: self.api.hf_hub_download(
                        self.repo, file.path, repo_type=KIND, revision=revision, local_dir=folder
                    )
                )
            except RuntimeError as error:  # of a store of chunks, after some tries of its own
                raise told(error, self.repo) from None
            found = file_digest(Path(path))
        if found != file.sha256:
            raise PublishError(
                f"{file.path} of {self.repo} reads back as {found}, and {file.sha256} was sent"
            )

    def wait(self, error: BaseException, otherwise: float) -> None:
        """Wait as long as the Hub asks, or so long."""
        pause = min(asked_to_wait(error) or otherwise, LONGEST_WAIT)
        self.say(f"the Hub is busy; trying again in {pause:.0f} s")
        self.sleep(pause)

    def _gated(self) -> object:
        return self._asked(lambda: self.api.dataset_info(self.repo)).gated

    def _asked(self, call: Callable[[], T]) -> T:
        """What ``call`` gives, tried again while the Hub is busy."""
        for wait in (*WAITS, None):
            try:
                return call()
            except Exception as error:
                if not is_expected(error):
                    raise
                if wait is None or not is_passing(error):
                    raise told(error, self.repo) from None
                self.wait(error, wait)
        raise AssertionError


def _digests(files: Iterable[RepoFile]) -> dict[str, tuple[int, str]]:
    return {
        one.path: (one.size, one.blob_id if one.lfs is None else one.lfs.sha256) for one in files
    }
