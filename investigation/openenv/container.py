"""The application for a server that somebody else starts, such as uvicorn in a container.

Where it listens is not known here, so a token in PAIRSET_INVESTIGATION_TOKEN is all that keeps
others out, if there is one. The journal goes to standard error.
"""

import os
import sys

from db_execution.sandbox import EPISODE, limit_heap
from investigation.address import TOKEN_VARIABLE
from investigation.journal import to_stream
from investigation.openenv.app import make_app

limit_heap(EPISODE.heap_bytes)
app = make_app(
    journal=to_stream(sys.stderr), token=os.environ.get(TOKEN_VARIABLE) or None, local=False
)
