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

    def __reduce__(self) -> tuple[type["NotAQuery"], tuple[str, str, int]]:
        """Its three parts, so that it may cross from one process to another."""
        return NotAQuery, (self.reason, str(self), self.position)
