"""Which kinds of patterns there are, and that none is imported that isn't used."""

from __future__ import annotations

import pytest

from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.kinds import BUILT_IN, kind_named
from scrapy_stemmer.patterns.record import Record
from tests.processes import printed


@pytest.mark.parametrize("kind", sorted(BUILT_IN))
def test_each_kind_is_found_by_its_name(kind: str) -> None:
    found = kind_named(Record({"kind": kind}))
    assert issubclass(found, Pattern)
    assert found.kind == kind


def test_the_default_learner_does_without_the_packages_of_others() -> None:
    """Numpy takes longer to be imported than all that a crawl with the default learner needs of this package."""
    program = (
        "import sys\n"
        "from scrapy_stemmer import Page, PatternSet, learn\n"
        "from scrapy_stemmer.crawl import addon, collector, desk, pipeline, spidermiddleware\n"
        "patterns = learn([Page(f'http://a.example/{n}', f'<h1>{n}</h1><p>Text of page {n}') for n in range(3)])\n"
        "assert patterns.strip(Page('http://a.example/4', '<h1>4</h1><p>Text of page 4')).matched\n"
        "print('numpy' in sys.modules)\n"
    )
    assert printed(program).split() == ["False"]
