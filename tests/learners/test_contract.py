"""Every learner of the package under the contract of all learners."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from scrapy_stemmer.learners.base import LEARNER_CLASSES, Learner, get_learner
from scrapy_stemmer.learners.literature.layout.learner import LayoutLearner, LayoutOptions
from scrapy_stemmer.learners.literature.repetition.learner import ShingleLearner, ShingleOptions
from scrapy_stemmer.learners.literature.text_mdl.learner import TextHashLearner, TextHashOptions
from scrapy_stemmer.patterns import codec
from tests.learners.contract import LearnerContract
from tests.samplesite import sample

ORIGINAL = LayoutOptions(original=True)
"""With -t 0.8 -P '[^0-9]+', since the original's own defaults find no layout on most of today's sites."""


class TestBuiltInLearners(LearnerContract):
    """Built-in learners with default options. Each line of ``LEARNER_CLASSES`` adds a learner."""

    @pytest.fixture(params=sorted(LEARNER_CLASSES))
    def learner(self, request: pytest.FixtureRequest) -> Learner:
        return get_learner(request.param)()


class TestOtherOptions(LearnerContract):
    """Learners with further options, a line each."""

    @pytest.fixture(
        params=[
            pytest.param(LayoutLearner(ORIGINAL), id="the original's layout"),
            pytest.param(TextHashLearner(TextHashOptions(nearest=True)), id="text_hash, nearest"),
            pytest.param(ShingleLearner(ShingleOptions(width=4)), id="shingle, four words"),
        ]
    )
    def learner(self, request: pytest.FixtureRequest) -> Learner:
        learner: Learner = request.param
        return learner


def test_every_process_learns_the_same() -> None:
    """Python hashes strings differently in each process; no pattern may depend on it."""
    program = "from tests.learners.test_contract import learned_by_all\nprint('\\0'.join(learned_by_all()), end='')\n"
    result = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    there = dict(zip(sorted(LEARNER_CLASSES), result.stdout.split("\0"), strict=True))
    assert there == dict(zip(sorted(LEARNER_CLASSES), learned_by_all(), strict=True))


def learned_by_all() -> list[str]:
    return [codec.dumps(get_learner(name)().learn(sample())) for name in sorted(LEARNER_CLASSES)]
