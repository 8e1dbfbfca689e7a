"""Who answers questions with SQL: a predictions file, a command, or a model behind an endpoint."""

from benchmark.agents.base import Agent, AgentError, Question, Reply, Usage
from benchmark.agents.command import CommandAgent
from benchmark.agents.endpoint import EndpointAgent
from benchmark.agents.predicted import PredictedAgent
from benchmark.agents.settings import AgentSettings, agent_of, read_agents

__all__ = [
    "Agent",
    "AgentError",
    "AgentSettings",
    "CommandAgent",
    "EndpointAgent",
    "PredictedAgent",
    "Question",
    "Reply",
    "Usage",
    "agent_of",
    "read_agents",
]
