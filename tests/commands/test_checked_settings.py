"""Invalid settings of Scrapy, which are named."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from scrapy.utils.misc import load_object

from scrapy_stemmer import SettingError, StemmerError
from scrapy_stemmer.commands.checked_settings import CheckedSettings, blaming


@pytest.mark.parametrize(
    ("read", "value"),
    [("getint", "abc"), ("getfloat", "1,5"), ("getbool", "perhaps"), ("getdict", "{"), ("getwithbase", "{")],
)
def test_a_value_of_another_type_is_named(read: str, value: Any) -> None:
    settings = CheckedSettings({"DELAY": value}).copy()
    with pytest.raises(SettingError, match="The setting DELAY can't be"):
        getattr(settings, read)("DELAY")


def test_right_values_are_read_as_by_scrapy() -> None:
    settings = CheckedSettings({"A": "3", "B": "1.5", "C": "true", "D": '{"a": 1}'})
    assert (settings.getint("A"), settings.getfloat("B"), settings.getbool("C")) == (3, 1.5, True)
    assert settings.getdict("D") == {"a": 1}
    assert settings.getint("E", 7) == 7


@pytest.mark.parametrize(
    ("name", "value", "use"),
    [
        ("LOG_LEVEL", "FOO", lambda value: logging.Handler().setLevel(value)),
        ("STATS_CLASS", "nope", load_object),
    ],
)
def test_a_value_that_an_error_tells_of_is_named(name: str, value: Any, use: Any) -> None:
    settings = CheckedSettings({name: value, "USER_AGENT": "x", "DOWNLOAD_DELAY": 1})
    with pytest.raises(StemmerError, match=f"the setting {name} can't be used"), blaming(settings):
        use(value)


def test_other_errors_stay() -> None:
    with pytest.raises(OSError, match="full"), blaming(CheckedSettings()):
        raise OSError("full")
    with pytest.raises(StemmerError, match=r"^own$"), blaming(CheckedSettings()):
        raise StemmerError("own")
    with pytest.raises(StemmerError, match=r"a setting can't be used \(TypeError: odd\)"), blaming(CheckedSettings()):
        raise TypeError("odd")
