"""What a trajectory file tells of one task: its nodes, its tool calls, how it ended."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

FAILED = ("pending", "failed", "error")


@dataclass(frozen=True, slots=True)
class Action:
    """One tool call: the tool's last name in lower case, and what it answered."""

    name: str
    result: Any


@dataclass(frozen=True, slots=True)
class Trajectory:
    """How one task went. ``status`` is its own, or ``missing``, ``error``, ``invalid``."""

    status: str
    completion_time: float | str | None = None
    node_types: Mapping[str, int] = field(default_factory=dict)
    outputs: int = 0
    outputs_ok: int = 0
    errors: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return sum(self.node_types.values())

    @property
    def tool_calls(self) -> dict[str, int]:
        """How often each tool was called."""
        return dict(Counter(action.name for action in self.actions))

    @property
    def failed(self) -> bool:
        """Whether the agent itself says that it has no answer."""
        return self.outputs > 0 and self.outputs_ok == 0


def read_trajectory(path: Path) -> Trajectory:
    """The trajectory in a YAML file; one that cannot be read is told of, not raised."""
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=_loader())
    except FileNotFoundError:
        return Trajectory("missing", errors=(f"no trajectory file {path.name}",))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        said = str(error).partition("\n")[0]
        return Trajectory("error", errors=(f"cannot read the trajectory {path.name}: {said}",))
    workflow = document.get("workflow") if isinstance(document, dict) else None
    if not isinstance(workflow, dict) or not workflow:
        return Trajectory("invalid", errors=(f"{path.name} holds no workflow",))
    return _of(workflow)


def _loader() -> Any:
    """The safe loader, in C where the library has it."""
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _of(workflow: dict[str, Any]) -> Trajectory:
    nodes = list(_nodes(workflow))
    outputs = [node for node in nodes if node.get("type") == "output"]
    errors = [error for node in outputs if (error := _error(node)) is not None]
    time = workflow.get("completion_time")
    return Trajectory(
        status=str(workflow.get("status", "unknown")),
        completion_time=time if isinstance(time, int | float | str) else None,
        node_types=dict(Counter(str(node.get("type", "unknown")) for node in nodes)),
        outputs=len(outputs),
        outputs_ok=len(outputs) - len(errors),
        errors=tuple(errors),
        actions=tuple(action for node in nodes for action in _actions(node)),
    )


def _nodes(workflow: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The nodes of a list or of a mapping, or the workflow itself where it is one node."""
    nodes = workflow.get("nodes")
    found = list(nodes.values()) if isinstance(nodes, dict) else nodes
    if isinstance(found, list) and found:
        yield from (node for node in found if isinstance(node, dict) and node)
    elif workflow.get("type"):
        yield workflow


def _result(node: dict[str, Any]) -> dict[str, Any]:
    result = node.get("result")
    return result if isinstance(result, dict) else {}


def _error(node: dict[str, Any]) -> str | None:
    """What an output node says of its failure; None where it has an answer."""
    result = _result(node)
    status = str(result.get("status", "unknown")).lower()
    if result.get("success") and status not in FAILED:
        return None
    said = result.get("error") or f"its status is {status}"
    return f"node {node.get('id', 'unknown')}: {said}"


def _actions(node: dict[str, Any]) -> Iterator[Action]:
    history = _result(node).get("action_history")
    for entry in history if isinstance(history, list) else ():
        if isinstance(entry, dict) and str(entry.get("role", "")).lower() == "tool":
            asked = entry.get("input")
            name = asked.get("function_name") if isinstance(asked, dict) else None
            if name:
                yield Action(str(name).lower().rpartition(".")[2], _payload(entry.get("output")))


def _payload(output: object) -> Any:
    """What a tool answered: its raw result, else its result, else all of it."""
    if not isinstance(output, dict):
        return output
    raw = output.get("raw_output")
    if isinstance(raw, dict) and "result" in raw:
        return raw["result"]
    return output.get("result", output)
