"""The interface, described in OpenAPI."""

from typing import Any

DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "db_execution", "version": "1"},
    "paths": {},
}
