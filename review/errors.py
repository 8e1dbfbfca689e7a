"""Why the page could not be served, in one line.

* ReviewError
  x BadAddress   the page must not, or cannot, be served there
  x NothingToSee the build has no pairs yet
"""


class ReviewError(Exception):
    """The page could not be served; the message says what to do."""


class BadAddress(ReviewError):
    """The page must not, or cannot, be served there."""


class NothingToSee(ReviewError):
    """The build has no pairs."""
