"""Modules of the example project, imported from its folder as a user would."""

from __future__ import annotations

import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2] / "example_project"
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))
