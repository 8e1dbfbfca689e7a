"""Evaluate an agent's SQL, over rounds."""
