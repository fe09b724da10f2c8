"""Count of work that no load of the machine changes: lines of Python run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps_of(call: Callable[[], object]) -> int:
    """Return the number of lines that a call runs, each turn of a loop again; native code counts as nothing."""
    steps = 0

    def trace(_: FrameType, event: str, __: Any) -> Any:
        nonlocal steps
        steps += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return steps
