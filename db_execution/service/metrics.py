"""What the service counts, as Prometheus text."""

from collections import Counter
from collections.abc import Iterator

from db_execution.frames import OUTCOMES
from db_execution.limits import LIMITS


class Metrics:
    """Counters since the start of the service; none of them knows a query or a value."""

    def __init__(self) -> None:
        self.workers_started = 0
        self.workers_killed = 0
        self.workers_lost = 0
        self._answers: Counter[tuple[str, str]] = Counter()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._limits: Counter[str] = Counter()

    def count_answers(self, outcomes: bytes) -> None:
        """So many queries were answered, each with the outcome at that place in ``OUTCOMES``."""
        for place, count in Counter(outcomes).items():
            self._answers[OUTCOMES[place]] += count

    def count_request(self, route: str, status: int) -> None:
        """One HTTP request to ``route`` was answered with ``status``."""
        self._requests[route, status] += 1

    def count_limit(self, name: str) -> None:
        """A limit of the service itself was hit."""
        self._limits[name] += 1

    def limit_hits(self, name: str) -> int:
        """How often the limit of this name was hit."""
        answered = LIMITS[name].answer.partition(": ")
        return self._limits[name] + self._answers[answered[0], answered[2]]

    def text(self, gauges: dict[str, int], others: dict[str, int]) -> str:
        """All of it, with the ``gauges`` of this moment and what ``others`` have counted."""
        return "".join(f"{line}\n" for line in self._lines(gauges, others))

    def _lines(self, gauges: dict[str, int], others: dict[str, int]) -> Iterator[str]:
        yield from _family("answers_total", "counter", "queries answered")
        for (status, error_class), count in sorted(self._answers.items()):
            yield _sample("answers_total", count, status=status, error_class=error_class)
        yield from _family("requests_total", "counter", "HTTP requests answered")
        for (route, code), count in sorted(self._requests.items()):
            yield _sample("requests_total", count, route=route, code=str(code))
        yield from _family("limit_hits_total", "counter", "times a limit was hit")
        for name in LIMITS:
            yield _sample("limit_hits_total", self.limit_hits(name), limit=name)
        names = ("workers_started", "workers_killed", "workers_lost")
        for name, count in ({name: getattr(self, name) for name in names} | others).items():
            yield from _family(f"{name}_total", "counter", name.replace("_", " "))
            yield _sample(f"{name}_total", count)
        for name, value in gauges.items():
            yield from _family(name, "gauge", name.replace("_", " "))
            yield _sample(name, value)


def _family(name: str, kind: str, says: str) -> Iterator[str]:
    yield f"# HELP db_execution_{name} {says}"
    yield f"# TYPE db_execution_{name} {kind}"


def _sample(name: str, value: int, **labels: str) -> str:
    inside = ",".join(f'{label}="{text}"' for label, text in labels.items())
    return f"db_execution_{name}{{{inside}}} {value}" if inside else f"db_execution_{name} {value}"
