"""The compiled part, orujo._core. There are two: with MPI, for processes that a launcher has started, and without, so that a
single process needs no MPI library."""

from __future__ import annotations

import importlib
import os
import sys


def launched() -> bool:
    """True if mpirun, mpiexec or srun has started this process as a part of a job (system/transport/launch.cpp)."""
    variables = ("OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE", "PMI_RANK")
    return any(os.environ.get(name, "").isdigit() for name in variables)


def load() -> None:
    """Imports orujo._core, the right one. To be called before anything that imports it."""
    if not launched():
        return
    try:
        sys.modules["orujo._core"] = importlib.import_module("orujo.with_mpi._core")
    except ImportError as error:
        raise ImportError(f"a launcher has started this process, but MPI cannot be loaded: {error}; install Open MPI") from None
