"""Why the page could not be served, in one line.

* ReviewError
  x NothingToSee the build has no pairs yet
"""


class ReviewError(Exception):
    """The page could not be served; the message says what to do."""


class NothingToSee(ReviewError):
    """The build has no pairs."""
