"""Where workers come from: a process with everything loaded, which forks one whenever it is asked.

A worker that starts from nothing takes a tenth of a second of processor time, and it is asked for
when there is none to spare.
"""

import contextlib
import gc
import json
import os
import signal
import socket
import struct
import sys
from typing import Any

from db_execution.sandbox import Profile
from db_execution.worker import work

PID = struct.Struct("!I")
ASKED = b"w"


def main() -> None:
    """``python -m db_execution.nursery SOCKET_NUMBER SETTINGS``; started by the service."""
    settings = json.loads(sys.argv[2])
    denied = frozenset(settings["profile"].pop("denied_functions"))
    profile = Profile(**settings["profile"], denied_functions=denied)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever ends is not waited for
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for good: it was not heard while this loaded
    gc.freeze()  # what is loaded is shared, and stays so
    with socket.socket(fileno=int(sys.argv[1])) as control, contextlib.suppress(ConnectionError):
        _serve(control, profile, settings)


def _serve(control: socket.socket, profile: Profile, settings: dict[str, Any]) -> None:
    """A worker for each socket that is handed over, until the service is gone."""
    while True:
        asked, handles, _, _ = socket.recv_fds(control, len(ASKED), 1)
        if not asked:
            return
        pid = os.fork()
        if pid == 0:
            _be_a_worker(control, handles[0], profile, settings["worker_bytes"])
        os.close(handles[0])
        control.sendall(PID.pack(pid))


def _be_a_worker(control: socket.socket, handle: int, profile: Profile, worker_bytes: int) -> None:
    try:
        control.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        work(socket.socket(fileno=handle), profile, worker_bytes=worker_bytes)
    except ConnectionError:
        pass  # the service is gone
    except Exception:
        import traceback  # here alone: nobody should wait for it

        traceback.print_exc()
    finally:
        os._exit(1)


if __name__ == "__main__":
    main()
