"""Why provenance could not be looked into, in one line for the person at the terminal."""


class ProvenanceError(Exception):
    """What was asked cannot be done; the message says what to do about it."""
