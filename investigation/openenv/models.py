"""What goes over the wire: an action, an observation, the state. Both sides import this."""

from typing import Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from investigation.actions import Op


class SqlAction(Action):  # type: ignore[misc]
    """Ask a ``query``, ``submit`` one as the answer, or ``finish`` without one."""

    op: Op = Field(description="query shows its rows; submit ends the episode; finish gives up")
    sql: str | None = Field(default=None, description="one SELECT, of at most 4,000 characters")

    @model_validator(mode="after")
    def _has_its_sql(self) -> "SqlAction":
        # A ValueError here would come back as an object that the server cannot write as JSON.
        if self.op != "finish" and self.sql is None:
            raise PydanticCustomError("sql_missing", "query and submit need 'sql', a text")
        return self


class SqlObservation(Observation):  # type: ignore[misc]
    """What an agent sees. ``instruction`` and ``db_schema`` come with a reset alone."""

    instruction: str = Field(default="", description="the question")
    db_schema: str = Field(default="", description="CREATE TABLE statements, and row counts")
    columns: list[str] = Field(default_factory=list, description="names, by position")
    rows: list[list[Any]] = Field(default_factory=list, description="the rows of one's own query")
    truncated: bool = Field(default=False, description="not all of the rows are shown")
    error: str | None = Field(default=None, description="why the query gave no rows")
    error_kind: str | None = Field(default=None, description="syntax, refused, limit or over")
    actions_left: int = Field(default=0, ge=0)


class SqlState(State):  # type: ignore[misc]
    """Where an episode stands. It never holds the seed, and nothing of the answer."""

    model_config = ConfigDict(extra="forbid")

    family: str | None = None
    actions_left: int = Field(default=0, ge=0)
    done: bool = True
