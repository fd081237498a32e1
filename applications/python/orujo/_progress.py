"""The progress of long calls, on a line of a notebook. On a terminal the job writes it to stderr by itself."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Callable, Optional


def display() -> Optional[Callable[[str], None]]:
    """A function that shows a line in the output of the current cell; None outside of notebooks."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    handle: Any = None

    def show(line: str) -> None:
        nonlocal handle
        content = {"text/plain": line}
        if handle is None:
            handle = importlib.import_module("IPython.display").display(content, raw=True, display_id=True)
        else:
            handle.update(content, raw=True)
        if not line:
            handle = None  # the next call has a cell of its own

    return show
