"""Settings of Scrapy for the sub-command ``crawl``, whose errors name the setting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from scrapy.settings import BaseSettings, Settings

from scrapy_stemmer.exceptions import SettingError, StemmerError

_T = TypeVar("_T")

UNUSABLE = (ValueError, TypeError, ImportError, NameError, AttributeError)
"""Errors of Scrapy for settings that it can't use."""


class CheckedSettings(Settings):
    """Settings that raise SettingError for a value of another type than asked for."""

    def getbool(self, name: str, default: bool = False) -> bool:
        return self._checked(super().getbool, name, default)

    def getint(self, name: str, default: int = 0) -> int:
        return self._checked(super().getint, name, default)

    def getfloat(self, name: str, default: float = 0.0) -> float:
        return self._checked(super().getfloat, name, default)

    def getdict(self, name: str, default: dict[Any, Any] | None = None) -> dict[Any, Any]:
        return self._checked(super().getdict, name, default)

    def getwithbase(self, name: str) -> BaseSettings:
        return self._checked(super().getwithbase, name)

    def _checked(self, read: Callable[..., _T], name: str, *default: Any) -> _T:
        try:
            return read(name, *default)
        except (TypeError, ValueError) as error:
            raise SettingError(f"The setting {name} can't be {self.get(name)!r}: {error}") from error


@contextmanager
def blaming(settings: BaseSettings) -> Iterator[None]:
    """Raise StemmerError for an error of Scrapy for settings; name the settings whose value the error has."""
    try:
        yield
    except StemmerError:
        raise
    except UNUSABLE as error:
        set_here = (name for name in settings if settings.getpriority(name) and settings[name])
        named = " or ".join(name for name in set_here if repr(settings[name]) in str(error))
        what = f"the setting {named}" if named else "a setting"
        raise StemmerError(
            f"The crawl can't begin, since {what} can't be used ({type(error).__name__}: {error})."
        ) from error
