"""Run SQL on trees of databases, over HTTP."""
