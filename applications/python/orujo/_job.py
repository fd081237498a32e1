"""The job: its cores, from start() to stop() or the end of the interpreter."""

from __future__ import annotations

import atexit
import os
import sys
from typing import Optional, Union

from . import _core


def start(cores: Optional[int] = None, **flags: Union[bool, int, float, str]) -> None:
    """Starts the cores; the first graph does it, too, if nobody has.

    cores: threads of this process; without it as many as CPUs that the process may use (its affinity), which under mpirun
    the processes of a machine share. Further keyword arguments are flags of the runtime, such as simd="avx2" or
    metrics_json="metrics.json". With device="cuda" or "auto", pagerank() and bfs() run on a GPU, if the package is built with
    CUDA. Under mpirun or srun every process calls it.

    Raises RuntimeError where a job has been started already or there is no GPU for device="cuda", ValueError for an unknown flag or a wrong value, MemoryError
    where there are no threads or memory.
    """
    if cores is not None:
        flags["cores"] = cores
    words = []
    for name, value in flags.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if "\0" in text:
            raise ValueError(f"{name}={text!r}: embedded null character")
        words.append(os.fsencode(f"--{name}={text}"))
    device = str(flags.get("device", ""))
    missing = _core.why_no_gpu() if device == "cuda" or device.startswith("cuda:") else None
    if missing:
        raise RuntimeError(f"device={device!r}: {missing}; use device='cpu' or 'auto'")
    _core.start(words)
    if _core.processes() > 1:
        _end_together()


def stop() -> None:
    """Ends the cores; graphs are gone with them. Another start() is possible, but not under mpirun, as MPI cannot be
    initialised twice. Under mpirun it waits until all processes have called it. The end of the interpreter calls it."""
    _core.stop()


def started() -> bool:
    """Whether there is a job."""
    return _core.started()


def cores() -> int:
    """The cores of the whole job."""
    ensure_started()
    return _core.cores()


def process() -> int:
    """This process among those that mpirun has started; 0 without it."""
    ensure_started()
    return _core.process()


def processes() -> int:
    """How many processes the job has; 1 without mpirun."""
    ensure_started()
    return _core.processes()


def ensure_started() -> None:
    if not _core.started():
        start()


def _end_together() -> None:
    """A process that ends by an exception must not wait for the others, who may wait for it: mpirun ends them then."""
    tell = sys.excepthook

    def tell_and_end(kind, value, trace) -> None:
        tell(kind, value, trace)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)

    sys.excepthook = tell_and_end


@atexit.register
def _stop_at_exit() -> None:
    _core.end()
