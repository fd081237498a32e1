"""The job: its cores, from start() to stop() or the end of the interpreter."""

from __future__ import annotations

import atexit
import os
import sys
from types import TracebackType
from typing import Optional, Type, Union

from . import _core, _progress


def start(cores: Optional[int] = None, **flags: Union[bool, int, float, str]) -> None:
    """Starts the cores. The first graph does so, too, if no job runs.

    cores: number of threads of this process. The default is the ORUJO_CORES of the environment, as bin/orujo run sets it, or
    one for each CPU that the process may use (its affinity); under mpirun the processes of a machine share them. Further
    keyword arguments are flags of the runtime, such as simd="avx2" or metrics_json="metrics.json". With device="cuda" or
    "auto", pagerank() and bfs() run on a GPU, if the package is built with CUDA. progress=False: long calls show no line
    with their progress. Under mpirun or srun every process calls it.

    Raises RuntimeError if a job runs already or there is no GPU for device="cuda", ValueError for an unknown flag or a wrong
    value, MemoryError if threads or memory do not suffice.

    >>> orujo.stop()
    >>> orujo.start(cores=2, progress=False)
    >>> orujo.cores()
    2
    """
    of_launcher = os.environ.get("ORUJO_CORES")
    if cores is not None:
        flags["cores"] = cores
    elif of_launcher:
        flags["cores"] = of_launcher
    if isinstance(flags.get("progress"), bool):
        flags["progress"] = "on" if flags["progress"] else "off"
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
    _core.show_progress_by(_progress.display())
    _core.start(words)
    if _core.processes() > 1:
        _end_together()


def stop() -> None:
    """Ends the cores and all graphs. Results stay. Another start() may follow, but not under mpirun, because MPI cannot be
    initialised twice. Under mpirun it waits until all processes have called it. The end of the interpreter calls it.

    >>> orujo.stop()
    >>> orujo.started()
    False
    """
    _core.stop()


def started() -> bool:
    """Whether a job runs.

    >>> g = orujo.Graph("path:3")  # starts one
    >>> orujo.started()
    True
    """
    return _core.started()


def cores() -> int:
    """The number of cores of the whole job. Starts one if none runs.

    >>> orujo.cores() >= orujo.processes()
    True
    """
    ensure_started()
    return _core.cores()


def process() -> int:
    """The rank of this process among those that mpirun has started; 0 without it.

    >>> orujo.process()
    0
    """
    ensure_started()
    return _core.process()


def processes() -> int:
    """The number of processes of the job; 1 without mpirun.

    >>> orujo.processes()
    1
    """
    ensure_started()
    return _core.processes()


def ensure_started() -> None:
    if not _core.started():
        start()


def _end_together() -> None:
    """A process that ends by an exception must not wait for the others, which may wait for it. mpirun ends them then."""
    tell = sys.excepthook

    def tell_and_end(kind: Type[BaseException], value: BaseException, trace: Optional[TracebackType]) -> None:
        tell(kind, value, trace)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)

    sys.excepthook = tell_and_end


@atexit.register
def _stop_at_exit() -> None:
    _core.end()
