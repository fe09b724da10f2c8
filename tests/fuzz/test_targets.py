"""The short form of fuzzing: the corpus with former failures, and some mutated inputs."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz import targets
from tests.fuzz.asan import CORPUS, mutated
from tests.fuzz.targets import TARGETS
from tests.refused import refuse_scripts


def inputs(name: str) -> list[Path]:
    """The files of a target's corpus."""
    return sorted((CORPUS / name).iterdir())


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")
@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus_breaks_no_promise(name: str) -> None:
    for path in inputs(name):
        TARGETS[name](path.read_bytes())


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")
@pytest.mark.parametrize("name", TARGETS)
def test_inputs_made_from_the_corpus_break_no_promise(name: str) -> None:
    random, others = Random(0), [path.read_bytes() for path in inputs(name)]
    for _ in range(20):
        TARGETS[name](mutated(random.choice(others), random, others))


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.binary(max_size=200))
def test_any_bytes_break_no_promise(name: str, data: bytes) -> None:
    TARGETS[name](data)


@pytest.mark.parametrize(
    "html",
    ["<script>a</script>", "<p onclick='a'>b", "<a href=' java\nscript:a'>b", "<img src='data:text/html,a'>"],
)
def test_what_runs_in_a_browser_is_found(html: str) -> None:
    with pytest.raises(AssertionError, match="written HTML runs"):
        refuse_scripts(html)


@pytest.mark.parametrize(("power", "is_found"), [(1, False), (2, True)])
def test_a_time_that_grows_faster_than_the_page_is_found(
    power: int, is_found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "_seconds", lambda html: (len(html) / 10_000) ** power)
    with pytest.raises(AssertionError, match="a tenth of it") if is_found else nullcontext():
        TARGETS["growing"](b"\0a")
