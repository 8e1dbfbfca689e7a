"""What an agent is asked, and what it answers. That it fails at a task is an answer, too."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from benchmark.errors import BenchmarkError

Reason = Literal[
    "time_limit",  # it did not answer in time
    "exit_status",  # the command ended with another status than 0
    "too_long",  # it said more than is read
    "not_text",  # what it said is no UTF-8 text
    "unanswered",  # the endpoint was too busy, or broken, at every try
    "refused",  # the endpoint will not answer this request
    "malformed",  # the endpoint's answer is no chat completion
    "cut",  # the answer breaks off
]


class AgentError(BenchmarkError):
    """The agent is of no use for any task: nothing is written, and the run can go on later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One task as an agent sees it. ``schema`` is the DDL of its database."""

    task_id: str
    question: str
    db_id: str = ""
    knowledge: str = ""
    schema: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the endpoint counted them; ``cost`` in the currency of the prices, if there are."""

    prompt_tokens: int
    completion_tokens: int
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What an agent made of one question.

    ``answer`` is all it said, ``sql`` the query in it. With a ``reason`` it failed, and ``error``
    says how, on one line. ``tries`` counts how often it was asked.
    """

    sql: str | None = None
    answer: str = ""
    reason: Reason | None = None
    error: str | None = None
    usage: Usage | None = None
    tries: int = 1


class Agent(Protocol):
    """Somebody to ask. Several threads ask at once."""

    @property
    def name(self) -> str:
        """What a person calls it."""

    def identity(self, round_number: int = 0) -> Mapping[str, Any]:
        """What makes its answers those of this agent, without a secret: a change is another."""

    @property
    def reads_schema(self) -> bool:
        """Whether it wants to know the schema."""

    def ask(self, question: Question) -> Reply | None:
        """Its reply; None where it makes no attempt. AgentError where asking on is of no use."""

    def close(self) -> None:
        """Give up what is being asked, and let go of everything. Twice is once."""


def failed(reason: Reason, error: str, **more: Any) -> Reply:
    """A reply that says why there is none."""
    line = " ".join(error.encode(errors="replace").decode().split())
    return Reply(reason=reason, error=line[:500], **more)
