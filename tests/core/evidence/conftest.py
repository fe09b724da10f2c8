"""What tests of the evidence learner share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scrapy_stemmer.core.evidence import walk


@pytest.fixture(scope="module", params=["compiled", "python"])
def both_walks(request: pytest.FixtureRequest) -> Iterator[None]:
    """Trees are walked by the compiled walk, where there is one, and by that in Python."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "python":
            patch.setattr(walk, "_walk", None)
        elif walk._walk is None:
            pytest.skip("there was no C compiler")
        yield
