"""Learners by name."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scrapy_stemmer import LearnerError, Page, UnknownLearner
from scrapy_stemmer.learners import base
from scrapy_stemmer.learners.base import BUILT_IN, Learner, get_learner, learner_names
from scrapy_stemmer.learners.layout.learner import LayoutLearner
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


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_built_in_learners_are_called_so(name: str) -> None:
    assert get_learner(name).name == name
    assert name in learner_names()


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
