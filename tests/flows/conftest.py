"""One Prefect server for all tests that need one: it takes ten seconds to start."""

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from flows.prefect_home import OWN, QUIET, server_at


@pytest.fixture(scope="session")
def prefect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The variables by which a process finds the server."""
    home = tmp_path_factory.mktemp("prefect")
    own = {**QUIET, **OWN, "PREFECT_HOME": str(home)}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in own.items():  # whoever tests may have a server and a home of their own
            patch.setenv(name, value)
        patch.delenv("PREFECT_API_URL", raising=False)
        server = ExitStack()
        environ = {**os.environ, "PREFECT_API_URL": server.enter_context(server_at(home))}
    with server:
        yield environ
