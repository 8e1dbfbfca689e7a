"""``pairset serve``: the chain on a schedule, and every stage when asked, on a Prefect server."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.options import CONFIG, DATA, WORKERS, takes
from flows.cli.outcome import one_line

if TYPE_CHECKING:  # a help text needs none of these
    from pairset.config import Config, Schedule

CRON = typer.Option(
    metavar="LINE", help="When the whole chain is made. (default: every night at two)"
)
TIMEZONE = typer.Option(metavar="ZONE", help="Of the cron line, as Europe/Paris. (default: UTC)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    """What is served, and when it is due."""

    config: Annotated[str | None, CONFIG] = None
    data: Annotated[str | None, DATA] = None
    workers: Annotated[int | None, WORKERS] = None
    cron: Annotated[str | None, CRON] = None
    timezone: Annotated[str | None, TIMEZONE] = None


@takes(Scheduling)
def serve(context: typer.Context, options: Scheduling) -> None:
    """Have the whole chain made on a schedule, and each stage when asked.

    Puts run/nightly, samples/samples, ..., labels/labels on the Prefect server at PREFECT_API_URL,
    and runs what is due until stopped. Start a server with: prefect server start
    """
    with one_line():
        from flows.request import Request
        from flows.runners import demand_runner

        config = Request(options.config, options.data, options.workers).build().config
        demand_runner(config)
        _serve(options, config)


def _serve(options: Scheduling, config: "Config") -> None:
    schedule = _schedule(options, config)  # looked at before Prefect is imported
    from flows.deployments import demand_server, deployments, serve
    from flows.progress import Teller

    served = deployments(_parameters(options), schedule)
    url, teller = demand_server(), Teller()
    teller.say(f"run/nightly is due at '{schedule.cron}' ({schedule.timezone}), on {url}")
    names = " ".join(f"{one.flow_name}/{one.name}" for one in served[1:])
    teller.say(f"start one yourself with: prefect deployment run NAME, for {names}")
    serve(served)


def _schedule(options: Scheduling, config: "Config") -> "Schedule":
    """The config's schedule with what the command line says over it, checked again."""
    from pairset.config import ConfigError, Schedule

    given = {"cron": options.cron, "timezone": options.timezone}
    over = {name: value for name, value in given.items() if value is not None}
    try:
        return Schedule.model_validate(config.schedule.model_dump() | over)
    except ValueError as error:
        raise ConfigError(f"--timezone: no time zone {options.timezone!r}") from error


def _parameters(options: Scheduling) -> dict[str, Any]:
    """What runs are given by default; a path means the same wherever a run is started."""
    given = {
        "config": _absolute(options.config),
        "data": _absolute(options.data),
        "workers": options.workers,
    }
    return {name: value for name, value in given.items() if value is not None}


def _absolute(path: str | None) -> str | None:
    return None if path is None else str(Path(path).absolute())
