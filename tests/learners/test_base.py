"""Learners by name."""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import Sequence
from dataclasses import fields
from threading import Event
from typing import Any

import pytest

from scrapy_stemmer import LearnerError, Page, UnknownLearner, learn
from scrapy_stemmer.learners import base
from scrapy_stemmer.learners.base import (
    LEARNER_CLASSES,
    AskedTeacher,
    Learner,
    get_learner,
    learner_names,
    make_learner,
    option_names,
    options_of,
)
from scrapy_stemmer.learners.literature.layout.learner import LayoutLearner, LayoutOptions
from scrapy_stemmer.learners.literature.repetition.learner import DomHashOptions, ShingleOptions
from scrapy_stemmer.learners.literature.visual.learner import VisualOptions
from scrapy_stemmer.learners.rules.learner import RulesLearner
from scrapy_stemmer.patterns.base import Pattern


class Nothing(Learner):
    """Learns nothing."""

    name = "nothing"

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        return []


NOT_A_LEARNER = 7


@pytest.mark.parametrize(
    ("name", "learner"),
    [
        pytest.param("layout", LayoutLearner, id="built in"),
        pytest.param(f"{__name__}:Nothing", Nothing, id="import path"),
        pytest.param(f"{__name__}.Nothing", Nothing, id="import path with points only"),
    ],
)
def test_get_learner(name: str, learner: type[Learner]) -> None:
    assert get_learner(name) is learner


def test_learners_of_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "theirs"
        value = f"{__name__}:Nothing"

    monkeypatch.setattr(base, "entry_points", lambda group, name="theirs": [Point()] if name == "theirs" else [])
    assert get_learner("theirs") is Nothing
    assert "theirs" in learner_names()


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        pytest.param("magic", UnknownLearner, r"There is no learner 'magic'\. Use one of .*layout", id="unknown"),
        pytest.param("", UnknownLearner, "There is no learner ''", id="empty"),
        pytest.param("no.such:Module", UnknownLearner, "can't be imported", id="no such module"),
        pytest.param(f"{__name__}:Missing", UnknownLearner, "can't be imported", id="no such class"),
        pytest.param("no..such", UnknownLearner, "can't be imported", id="no import path"),
        pytest.param(f"{__name__}:NOT_A_LEARNER", LearnerError, "not a subclass of Learner", id="no class"),
        pytest.param("collections:Counter", LearnerError, "not a subclass of Learner", id="no learner"),
    ],
)
def test_names_that_lead_nowhere(name: str, error: type[LearnerError], message: str) -> None:
    with pytest.raises(error, match=message):
        get_learner(name)


# Options of learners from settings: accepted and refused

WITH_OPTIONS = sorted(name for name in LEARNER_CLASSES if get_learner(name).options_class is not None)


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_each_option_can_be_given_its_default(name: str) -> None:
    learner = get_learner(name)
    assert learner.options_class is not None
    defaults = learner.options_class()
    given = {field.name: getattr(defaults, field.name) for field in fields(defaults)}
    assert option_names(learner) == list(given)
    made: Any = make_learner(learner, given)
    assert made.options == defaults


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        pytest.param(DomHashOptions, {"min_pages": 5}, DomHashOptions(min_pages=5), id="a whole number"),
        pytest.param(ShingleOptions, {"min_share": 1}, ShingleOptions(min_share=1.0), id="whole where fractions go"),
    ],
)
def test_values(kind: type, given: dict[str, Any], expected: object) -> None:
    assert options_of(kind, given) == expected


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        (DomHashOptions, {"min_page": 2}, r"no option 'min_page'. Did you mean 'min_pages'\? Options are 'def"),
        (DomHashOptions, {"zzz": 2}, "no option 'zzz'. Options are 'default_charset', 'min_pages', 'min_share'."),
        (LayoutOptions, {"mangle": 3}, "mangle must be a text, not a whole number"),
        (LayoutOptions, {"strict": 1}, "strict must be true or false, not a whole number"),
        (DomHashOptions, {"min_pages": "3"}, "min_pages must be a whole number, not a text"),
        (DomHashOptions, {"min_pages": True}, "min_pages must be a whole number, not true or false"),
        (DomHashOptions, {"min_pages": 2.5}, "min_pages must be a whole number, not a number"),
        (ShingleOptions, {"min_share": float("nan")}, "min_share must be a finite number, not nan"),
        (ShingleOptions, {"min_share": 10**400}, "min_share must be a finite number, not inf"),
        (LayoutOptions, {"cluster_threshold": 97}, "cluster_threshold must be between 0 and 1, not 97"),
        (LayoutOptions, {"mangle": "("}, "mangle must be a regular expression"),
        (VisualOptions, {"min_rendered": -1}, "min_rendered must be between 0 and 1"),
        (ShingleOptions, {"width": 0}, "width must be at least 1, not 0"),
        (DomHashOptions, {"min_pages": 0}, "min_pages must be at least 1, not 0"),
    ],
)
def test_wrong_options(kind: type, given: dict[str, Any], message: str) -> None:
    with pytest.raises(LearnerError, match=message):
        options_of(kind, given)


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(LearnerError, match=r"'min_page'.*min_share must be a number"):
        options_of(DomHashOptions, {"min_page": 2, "min_share": "half"})


def test_a_learner_without_options() -> None:
    assert isinstance(make_learner(RulesLearner, {}), RulesLearner)
    with pytest.raises(LearnerError, match="'rules' takes no options, but 'width' is given"):
        make_learner(RulesLearner, {"width": 3})


# Teachers: asked without risk, by whatever sort of function they are


def echo(url: str, html: str) -> str:
    return url + html


def fails(url: str, html: str) -> str:
    raise RuntimeError("no more credit")


def test_a_teacher_gives_the_answer_of_its_function() -> None:
    asked = AskedTeacher(echo)
    assert asked("u", "h") == "uh"
    assert AskedTeacher(lambda *_: None)("u", "h") is None
    assert asked.taken() == []


def test_a_coroutine_is_waited_for() -> None:
    async def later(url: str, html: str) -> str:
        return url

    assert AskedTeacher(later)("u", "h") == "u"


@pytest.mark.parametrize(("teacher", "error"), [(fails, "no more credit"), (lambda *_: 7, "text or None, not int")])
def test_an_error_is_kept_and_logged_and_is_no_text(teacher: Any, error: str, caplog: pytest.LogCaptureFixture) -> None:
    asked = AskedTeacher(teacher)
    with caplog.at_level(logging.ERROR):
        assert asked("http://a.example/1", "") == ""
    (told,) = asked.taken()
    assert error in str(told)
    assert f"asking the teacher about http://a.example/1: {type(told).__name__}" in caplog.text
    assert asked.taken() == []


def test_a_teacher_that_hangs_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "TEACHER_SECONDS", 0.05)
    ended = Event()
    asked = AskedTeacher(lambda *_: str(ended.wait()))
    assert asked("u", "h") == ""
    (error,) = asked.taken()
    assert str(error) == "no answer within 0.05 seconds"
    ended.set()


@pytest.mark.parametrize("error", [SystemExit, GeneratorExit, BaseException, asyncio.CancelledError])
def test_nothing_that_it_raises_ends_the_process(error: type[BaseException]) -> None:
    def gives_up(url: str, html: str) -> str:
        raise error("no model")

    asked = AskedTeacher(gives_up)
    assert asked("u", "h") == ""
    assert [str(told) for told in asked.taken()] == [f"it raised {error.__name__}: no model"]


def test_a_teacher_can_be_sent_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(AskedTeacher(echo)))("u", "h") == "uh"


@pytest.mark.parametrize("name", sorted(set(LEARNER_CLASSES) - {"rules"}))
def test_other_learners_say_that_they_have_no_use_for_one(name: str) -> None:
    with pytest.raises(LearnerError, match=f"'{name}' can't make use of a teacher; 'rules' can"):
        get_learner(name)().taught_by(echo)
    with pytest.raises(LearnerError, match=name):
        learn([Page("http://a.example/", "")], name, teacher=echo)
