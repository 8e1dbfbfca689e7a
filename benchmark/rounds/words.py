"""Rates and durations as people read them, in the workbook and on a terminal."""


def percent(share: float) -> str:
    """A share.

    >>> percent(0.5), percent(2 / 3)
    ('50.00%', '66.67%')
    """
    return f"{100 * share:.2f}%"


def duration(seconds: float) -> str:
    """How long something took.

    >>> duration(0.4), duration(330.2), duration(3725)
    ('0s', '5m 30s', '1h 2m 5s')
    """
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    parts = [f"{hours}h"] if hours else []
    parts += [f"{minutes}m"] if hours or minutes else []
    return " ".join([*parts, f"{whole % 60}s"])
