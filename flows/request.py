"""What a person asks for, in texts and numbers that Prefect can carry, and the build it means."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from flows.errors import BadFolder
from pairset.build import Build
from pairset.config import load_config


@dataclass(frozen=True, slots=True)
class Request:
    """A config file, a folder for the tables, a count of workers; None is what the config says."""

    config: str | None = None
    data: str | None = None
    workers: int | None = None

    def build(self) -> Build:
        """The build that is asked for; raises where config or folder is no good."""
        asked = {} if self.workers is None else {"PAIRSET_WORKERS": str(self.workers)}
        path = None if self.config is None else Path(self.config)
        config = load_config(path, {**os.environ, **asked})
        if self.data is not None:  # relative to where the command is typed, not to the config
            output = config.output.model_copy(update={"data": Path(self.data)})
            config = config.model_copy(update={"output": output})
        root = config.output.data / config.output.build
        for folder in (config.output.data, root):
            if folder.exists() and not folder.is_dir():
                raise BadFolder(f"the tables go in a folder, and {folder} is none")
        return Build(config, root)

    def command(self, name: str) -> str:
        """The command that makes ``name`` in the same build, as it would be typed."""
        options = (("--config", self.config), ("--data", self.data))
        words = [word for option, value in options if value for word in (option, value)]
        return shlex.join(["pairset", name, *words])


def logs(build: Build) -> Path:
    """Where a build's logs go: beside the builds, where no digest covers them."""
    return build.root.parent / "logs" / build.root.name
