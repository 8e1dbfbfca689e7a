"""Prefect flows and the command line: read, call, write."""
