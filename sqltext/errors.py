"""Why a text is no query we can read."""


class NotAQuery(ValueError):
    """The text is not one SQLite query: ``reason`` names why, ``position`` is a character in it.

    Reasons: ``empty``, ``unterminated``, ``bad_token``, ``syntax``, ``not_a_query``,
    ``two_statements``, ``nested_too_deep``, ``too_wide``, ``too_long``.
    """

    def __init__(self, reason: str, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.reason = reason
        self.position = position
