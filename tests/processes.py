"""Programs that a test runs in a new process, since what a process has imported stays there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def printed(program: str) -> str:
    """What a program prints, which uses the package of this folder.

    :raises subprocess.CalledProcessError: when it fails.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
