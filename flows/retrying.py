"""An outage is worth another try: a flow run that a deployment started is retried by Prefect.

Prefect has one number of retries a flow, whatever made it fail. A wrong config does not mend
itself, so the number is set on the run only when its failure is one that waiting may mend.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import FlowRun
from prefect.context import FlowRunContext

from flows.errors import Busy
from flows.jobs import NOT_NOW
from pairset.config import Schedule

MENDS = (*NOT_NOW, Busy)


@contextmanager
def outages_retried(schedule: Schedule) -> Iterator[None]:
    """Have Prefect retry this flow run after an outage, as often as ``schedule`` says.

    The run starts anew with an executor of its own, and finds made what was made. A person at the
    terminal is told at once instead.
    """
    try:
        yield
    except Exception as error:
        if (started := _started_by_deployment()) is not None:
            _retry(started, schedule.retries if isinstance(error, MENDS) else 0, schedule)
        raise


def _started_by_deployment() -> FlowRun | None:
    context = FlowRunContext.get()
    flow_run = None if context is None else context.flow_run
    return flow_run if flow_run is not None and flow_run.deployment_id is not None else None


def _retry(flow_run: FlowRun, retries: int, schedule: Schedule) -> None:
    """Say how often the run may be retried; a mistake that follows an outage is not."""
    policy = flow_run.empirical_policy.model_copy(
        update={"retries": retries, "retry_delay": round(schedule.retry_delay_s)}
    )
    with get_client(sync_client=True) as client:
        client.update_flow_run(flow_run.id, empirical_policy=policy)
