"""What `pairset serve` puts on a Prefect server: the chain every night, each stage when asked."""

from typing import Any, Literal

import httpx
from prefect import Flow, settings
from prefect.client.schemas.schedules import CronSchedule
from prefect.deployments.runner import RunnerDeployment
from prefect.flows import serve as serve_all
from prefect.types.entrypoint import EntrypointType
from prefect.utilities.callables import ParameterSchema
from pydantic import ValidationError

from flows.errors import NoSchedule
from flows.planning import RUN
from flows.stage_flows import FLOWS
from pairset.config import Schedule

NIGHTLY = "nightly"
PATIENCE_S = 10.0


class Closed(ParameterSchema):
    """The parameters that a flow takes, and no others."""

    additionalProperties: Literal[False]


def demand_server() -> str:
    """The address of the user's Prefect server; raises `NoSchedule` where none answers."""
    url: str | None = settings.PREFECT_API_URL.value()
    how = (
        "start one with: prefect server start, and set "
        "PREFECT_API_URL=http://127.0.0.1:4200/api where you call pairset serve"
    )
    if not url:
        raise NoSchedule(f"there is no Prefect server to put a schedule on; {how}")
    try:
        httpx.get(f"{url}/health", timeout=PATIENCE_S).raise_for_status()
    except httpx.HTTPError as error:
        raise NoSchedule(f"no Prefect server answers at {url} ({_why(error)}); {how}") from None
    return url


def schedule_of(schedule: Schedule) -> CronSchedule:
    """The schedule in Prefect's terms; raises `NoSchedule` where the cron line is no good."""
    try:
        return CronSchedule(cron=schedule.cron, timezone=schedule.timezone)
    except ValidationError:
        raise NoSchedule(
            f"schedule.cron: found {schedule.cron!r}; it may be a cron line of five fields, such "
            "as '0 2 * * *' for every night at two"
        ) from None


def deployments(parameters: dict[str, Any], schedule: Schedule) -> list[RunnerDeployment]:
    """``run/nightly`` with the schedule, and ``labels/labels`` and the like without one.

    ``parameters`` are those of a run that is given none.
    """
    nightly = _deployment(FLOWS[RUN], NIGHTLY, parameters, [schedule_of(schedule)])
    stages = [flow for name, flow in FLOWS.items() if name != RUN]
    return [nightly, *(_deployment(flow, flow.name, parameters, []) for flow in stages)]


def serve(served: list[RunnerDeployment]) -> None:
    """Put them on the server and run what is due, each run in a process, until stopped."""
    serve_all(*served, print_starting_message=False)


def _deployment(
    flow: Flow[..., int], name: str, parameters: dict[str, Any], schedules: list[CronSchedule]
) -> RunnerDeployment:
    made = flow.to_deployment(
        name,
        parameters=parameters,
        schedules=schedules,
        description=flow.description,
        tags=["pairset"],
        entrypoint_type=EntrypointType.MODULE_PATH,  # found wherever serve is called from
    )
    assert isinstance(made, RunnerDeployment)
    # Prefect has no public way to say it: a parameter that no flow has is refused by the server.
    schema = Closed(**flow.parameters.model_dump(), additionalProperties=False)
    made._parameter_openapi_schema = schema
    return made


def _why(error: httpx.HTTPError) -> str:
    return str(error) or type(error).__name__
