"""Agents by configuration: ``[agent.NAME]`` of a TOML file, checked before anything is asked."""

import tomllib
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from benchmark.agents.base import Agent, AgentError
from benchmark.agents.command import CommandAgent, words_of
from benchmark.agents.endpoint import EndpointAgent, EndpointTerms
from benchmark.agents.predicted import PredictedAgent
from benchmark.agents.prompt import INSTRUCTIONS
from benchmark.errors import several, shown
from benchmark.files import read_text
from benchmark.tasks import Tasks
from pairset.config.values import Part

KINDS = ("predictions", "command", "endpoint")
_OF_ENDPOINTS = (
    "model", "key_variable", "instructions", "temperature", "max_tokens", "seed", "stream",
    "retries", "price_prompt", "price_completion",
)  # fmt: skip


class AgentSettings(Part):
    """One agent: one of ``predictions``, ``command`` and ``endpoint``, and what goes with it."""

    name: str = ""
    home: Path = Field(default=Path(), strict=False)
    predictions: str = ""
    command: str | list[str] = ""
    endpoint: str = ""
    model: str = ""
    key_variable: str = "OPENAI_API_KEY"
    instructions: str = INSTRUCTIONS
    temperature: float | None = Field(default=0.0, ge=0, le=10)
    max_tokens: int = Field(default=2_048, ge=1)
    seed: int | None = None
    stream: bool = False
    time_limit: float = Field(default=120.0, gt=0, le=86_400)
    retries: int = Field(default=4, ge=0, le=100)
    price_prompt: float | None = Field(default=None, ge=0)
    price_completion: float | None = Field(default=None, ge=0)

    @property
    def kind(self) -> str:
        """Which of the three it is; AgentError where it is none or several."""
        there = [kind for kind in KINDS if getattr(self, kind)]
        if len(there) != 1:
            found = " and ".join(there) or "none of them"
            raise AgentError(f"{self._place}: name one of {', '.join(KINDS)}; found {found}")
        return there[0]

    @property
    def _place(self) -> str:
        return f"[agent.{self.name}]" if self.name else "the agent"


def read_agents(path: Path) -> dict[str, AgentSettings]:
    """The agents that a TOML file has; AgentError names the key that is wrong."""
    try:
        document = tomllib.loads(read_text(path).text)
    except tomllib.TOMLDecodeError as error:
        raise AgentError(f"{path}: not TOML: {error}") from None
    tables = document.get("agent", {})
    if not isinstance(tables, dict) or not tables:
        raise AgentError(f"{path}: it has no agent; expected tables [agent.NAME]")
    home = path.resolve().parent
    return {name: _settings(name, table, home, path) for name, table in tables.items()}


def _settings(name: str, table: object, home: Path, path: Path) -> AgentSettings:
    if not isinstance(table, dict):
        raise AgentError(f"{path}: [agent.{name}] is no table")
    return checked({**table, "name": name, "home": home}, f"{path}: [agent.{name}]")


def checked(fields: dict[str, Any], place: str) -> AgentSettings:
    """The settings with those fields; AgentError names the first that is wrong, never its value."""
    try:
        return AgentSettings.model_validate(fields)
    except ValidationError as error:
        fault: Any = min(
            error.errors(include_url=False), key=lambda one: one["type"] != "extra_forbidden"
        )
    key = ".".join(map(str, fault["loc"][:1]))
    if fault["type"] != "extra_forbidden":
        raise AgentError(f"{place} {key}: {fault['msg']}")
    if "key" in key or "token" in key:
        raise AgentError(
            f"{place} {key}: unknown key; a key stands in the environment, and key_variable names "
            "the variable"
        )
    known = [one for one in AgentSettings.model_fields if one not in ("name", "home")]
    raise AgentError(f"{place} {key}: unknown key; it may be: {', '.join(known)}")


def chosen_agent(path: Path, name: str) -> AgentSettings:
    """One agent of a file."""
    found = read_agents(path)
    if name not in found:
        raise AgentError(f"{path}: no agent {shown(name)}; there are: {several(sorted(found))}")
    return found[name]


def agent_of(settings: AgentSettings, tasks: Tasks, rounds: int = 1) -> Agent:
    """The agent itself, to be closed."""
    match settings.kind:
        case "predictions":
            return PredictedAgent(settings.home / settings.predictions, tasks, rounds)
        case "command":
            told = settings.command
            words = words_of(told) if isinstance(told, str) else list(told)
            return CommandAgent(words, time_limit=settings.time_limit, folder=settings.home)
    if not settings.model:
        raise AgentError("the endpoint needs a model: name it (model, --model)")
    terms = {name: getattr(settings, name) for name in _OF_ENDPOINTS}
    return EndpointAgent(
        EndpointTerms(url=settings.endpoint, time_limit=settings.time_limit, **terms)
    )
