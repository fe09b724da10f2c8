"""The build backend: that of setuptools, which asks for a C compiler where the system has none."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Mapping

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = Mapping[str, str | list[str] | None]

COMPILERS = ("cc", "gcc", "clang")


def compiler() -> str | None:
    """Return the command that compiles C; ``None`` on a system without a compiler."""
    configured = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if shutil.which(shlex.split(configured)[0]):
        return configured
    return next(filter(shutil.which, COMPILERS), None)


def get_requires_for_build_wheel(config_settings: Settings | None = None) -> list[str]:
    """Return the requirements of building a wheel."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_compilers()]


def get_requires_for_build_editable(config_settings: Settings | None = None) -> list[str]:
    """Return the requirements of an editable installation."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *_compilers()]


def _compilers() -> list[str]:
    """Return the package of a C compiler on a system without one; Windows says by itself what is missing."""
    if sys.platform == "win32" or compiler() is not None:
        return []
    print("There is no C compiler here: the package ziglang is asked for, which is one.", flush=True)  # noqa: T201
    return ["ziglang"]
