"""Which kinds of patterns there are, and that none is imported that isn't used."""

from __future__ import annotations

import pytest

from scrapy_stemmer import PatternFileError
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.kinds import BUILT_IN, GONE, kind_named
from scrapy_stemmer.patterns.record import Record
from tests.processes import printed


@pytest.mark.parametrize("kind", sorted(BUILT_IN))
def test_each_kind_is_found_by_its_name(kind: str) -> None:
    found = kind_named(Record({"kind": kind}))
    assert issubclass(found, Pattern)
    assert found.kind == kind


def test_no_kind_is_imported_that_isn_t_used() -> None:
    program = (
        "import sys\n"
        "from scrapy_stemmer.patterns.kinds import BUILT_IN, kind_named\n"
        "from scrapy_stemmer.patterns.record import Record\n"
        "kind_named(Record({'kind': 'rules'}))\n"
        "print(*(kind for kind, place in BUILT_IN.items() if place.split(':')[0] in sys.modules))\n"
    )
    assert printed(program).split() == ["rules"]


def test_what_is_said_of_a_kind_of_an_earlier_version() -> None:
    with pytest.raises(PatternFileError, match="learn the site again") as caught:
        kind_named(Record({"kind": "evidence"}))
    assert caught.value.field == "kind"
    assert not set(GONE) & set(BUILT_IN)
