"""A real server on a free port of this machine, and sessions of it, frame by frame."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIGTERM
from typing import Any, Self

import uvicorn
from websockets.sync.client import ClientConnection, connect

from investigation.address import Address
from investigation.openenv.app import make_app
from investigation.openenv.serving import FRAME_BYTES

COMMAND = [sys.executable, "-c", "from flows.cli import main; main()", "investigation", "serve"]


@contextmanager
def serving(**settings: Any) -> Iterator[str]:
    """The application under uvicorn in a thread; its URL."""
    config = uvicorn.Config(
        make_app(**settings), log_level="error", ws_max_size=FRAME_BYTES, lifespan="on"
    )
    with Address().bound() as sock:
        server = uvicorn.Server(config)
        started = threading.Event()
        startup = server.startup

        async def telling(sockets: Any = None) -> None:
            await startup(sockets)
            started.set()

        server.startup = telling  # type: ignore[method-assign]
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
        thread.start()
        assert started.wait(30)
        yield f"http://127.0.0.1:{sock.getsockname()[1]}"
        server.should_exit = True
        thread.join(30)


@contextmanager
def serving_command(*words: str, **settings: Any) -> Iterator[tuple[str, int]]:
    """``pairset investigation serve`` as a process of its own: URL and id. It must end well."""
    process = subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **settings
    )
    assert process.stdout
    try:
        yield json.loads(process.stdout.readline())["url"], process.pid
    finally:
        process.terminate()
        process.communicate(timeout=30)
        assert process.returncode in (0, -SIGTERM, 128 + SIGTERM)


class Socket:
    """One session, frame by frame, with no client's help."""

    def __init__(self, url: str, query: str = "", headers: dict[str, str] | None = None) -> None:
        address = url.replace("http://", "ws://") + "/ws" + query
        self.wire: ClientConnection = connect(address, additional_headers=headers, proxy=None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wire.close()

    def raw(self, frame: str | bytes) -> str:
        """What comes back for a frame, as it is."""
        self.wire.send(frame)
        return str(self.wire.recv(timeout=60))

    def send_only(self, frame: str) -> None:
        """Send a frame that nothing comes back for."""
        self.wire.send(frame)

    def frame(self, frame: str | bytes) -> dict[str, Any]:
        """What comes back for a frame, read."""
        answer: dict[str, Any] = json.loads(self.raw(frame))
        return answer

    def send(self, kind: str, /, **data: Any) -> dict[str, Any]:
        """What comes back for a message."""
        message = {"type": kind} | ({"data": data} if kind in ("reset", "step", "mcp") else {})
        return self.frame(json.dumps(message))

    def reset(self, **data: Any) -> dict[str, Any]:
        """The data of the answer to a reset."""
        answer: dict[str, Any] = self.send("reset", **data)["data"]
        return answer

    def step(self, op: str, sql: str | None = None, **more: Any) -> dict[str, Any]:
        """The data of the answer to a step."""
        given = {"op": op} | ({} if sql is None else {"sql": sql}) | more
        answer: dict[str, Any] = self.send("step", **given)["data"]
        return answer
