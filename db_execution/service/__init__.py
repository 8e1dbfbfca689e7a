"""The service: HTTP in front, worker processes behind, fair turns between."""
