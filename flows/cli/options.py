"""The options that commands share, each declared once."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

CONFIG = typer.Option(
    metavar="FILE", help="The build's config (TOML). Without one: the sample corpus."
)
DATA = typer.Option(metavar="DIR", help="Where the tables go, as DIR/<build>. (default: data)")
JSON = typer.Option("--json", help="Print one JSON object on one line, and nothing else.")
WORKERS = typer.Option(min=1, max=32, metavar="N", help="Processes. (default: one a core)")
DIRECT = typer.Option("--direct", help="Do the same without Prefect; the tables are the same.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """What every command about a build takes."""

    config: Annotated[str | None, CONFIG] = None
    data: Annotated[str | None, DATA] = None
    json: Annotated[bool, JSON] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Working(Common):
    """What a command that makes something takes besides."""

    workers: Annotated[int | None, WORKERS] = None
    direct: Annotated[bool, DIRECT] = False


T = TypeVar("T")


def takes(options: type[T]) -> Callable[[Callable[[typer.Context, T], None]], Callable[..., None]]:
    """Give a command the options that a dataclass declares; it is called with one of those.

    Typer reads a command's options off its signature, so the signature is made from the fields.
    """
    hints = get_type_hints(options, include_extras=True)
    keyword = inspect.Parameter.KEYWORD_ONLY
    declared = [
        inspect.Parameter(one.name, keyword, default=_default(one), annotation=hints[one.name])
        for one in fields(options)  # type: ignore[arg-type]
    ]
    context = inspect.Parameter("context", keyword, annotation=typer.Context)

    def decorate(command: Callable[[typer.Context, T], None]) -> Callable[..., None]:
        def called(context: typer.Context, **given: Any) -> None:
            command(context, options(**given))

        called.__doc__ = command.__doc__
        called.__annotations__ = {"context": typer.Context, **hints}
        called.__signature__ = inspect.Signature([context, *declared])  # type: ignore[attr-defined]
        return called

    return decorate


def _default(one: "Field[Any]") -> object:
    return inspect.Parameter.empty if one.default is MISSING else one.default
