"""What the processes of a bench have used, as the kernel counts it."""

from collections.abc import Iterable
from pathlib import Path

CLOCK_TICKS = 100


def cpu_seconds(pids: Iterable[int]) -> float:
    """Processor seconds of some processes so far, in hundredths."""
    return sum(map(_cpu, pids))


def peak_mib(pid: int) -> int:
    """The most memory that a process has held, in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS
