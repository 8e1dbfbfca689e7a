"""Why a publication could not go on, in one line for the person at the terminal."""


class PublishError(Exception):
    """Nothing was published as complete; the message is one line that says what to do."""
