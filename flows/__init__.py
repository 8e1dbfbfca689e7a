"""Prefect flows and the command line: read, call, write."""

import os

# No telemetry, unless the user asks for it: Prefect reads these when it is imported.
os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
