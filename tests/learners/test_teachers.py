"""Teachers: asked without risk, by whatever sort of function they are."""

from __future__ import annotations

import logging
import pickle
from typing import Any

import pytest

from scrapy_stemmer import LearnerError, Page, learn
from scrapy_stemmer.learners.base import BUILT_IN, get_learner
from scrapy_stemmer.learners.teachers import AskedTeacher


def echo(url: str, html: str) -> str:
    return url + html


def fails(url: str, html: str) -> str:
    raise RuntimeError("no more credit")


def test_it_gives_what_the_function_gives() -> None:
    asked = AskedTeacher(echo)
    assert asked("u", "h") == "uh"
    assert AskedTeacher(lambda *_: None)("u", "h") is None
    assert asked.taken() == (1, [])
    assert asked.taken() == (0, [])


def test_a_coroutine_is_waited_for() -> None:
    async def later(url: str, html: str) -> str:
        return url

    assert AskedTeacher(later)("u", "h") == "u"


@pytest.mark.parametrize(("teacher", "error"), [(fails, "no more credit"), (lambda *_: 7, "text or None, not int")])
def test_an_error_is_kept_and_logged_and_is_no_text(teacher: Any, error: str, caplog: pytest.LogCaptureFixture) -> None:
    asked = AskedTeacher(teacher)
    with caplog.at_level(logging.ERROR):
        assert asked("http://a.example/1", "") == ""
    count, errors = asked.taken()
    assert (count, len(errors)) == (1, 1)
    assert error in str(errors[0])
    assert f"asking the teacher about http://a.example/1: {type(errors[0]).__name__}" in caplog.text


def test_it_goes_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(AskedTeacher(echo)))("u", "h") == "uh"


@pytest.mark.parametrize("name", sorted(set(BUILT_IN) - {"rules"}))
def test_other_learners_say_that_they_have_no_use_for_one(name: str) -> None:
    with pytest.raises(LearnerError, match=f"'{name}' can't make use of a teacher; 'rules' can"):
        get_learner(name)().taught_by(echo)
    with pytest.raises(LearnerError, match=name):
        learn([Page("http://a.example/", "")], name, teacher=echo)
