"""Learning from pages of any number of sites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.learners.literature.layout.learner import LayoutLearner, LayoutOptions
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site.paths import Selector
from scrapy_stemmer.learners.rules.site.rules import Rule
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.patterns.base import Pattern
from tests.samplesite import FOOTER, SITE, page, sample


class Recorder(Learner):
    """A learner that remembers its arguments."""

    name = "recorder"

    def __init__(self) -> None:
        self.calls: list[tuple[list[str], int]] = []

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        self.calls.append(([page.url for page in pages], seed))
        return []


def test_each_site_is_learned_by_itself() -> None:
    recorder = Recorder()
    urls = ["http://b.com/1", "http://www.a.com/1", "https://b.com/2", "http://a.com/2"]
    assert learn((Page(url, "") for url in urls), learner=recorder, seed=7) == PatternSet()
    assert recorder.calls == [(["http://www.a.com/1", "http://a.com/2"], 7), (["http://b.com/1", "https://b.com/2"], 7)]


def test_a_learner_by_name_has_its_default_options() -> None:
    assert learn(sample(), "layout") == learn(sample(), LayoutLearner())
    assert learn(sample(), LayoutLearner(LayoutOptions(original=True))) != learn(sample(), "layout")


def test_corrections_of_earlier_patterns_are_kept() -> None:
    earlier = learn(sample(3))
    (pattern,) = earlier.patterns
    assert isinstance(pattern, RulesPattern)
    mine = Rule("keep", Selector.parse(".foot"), is_users=True)
    corrected = PatternSet([replace(pattern, rules=(*pattern.rules, mine))])
    again = learn(sample(), corrections=corrected)
    assert FOOTER not in learn(sample()).strip(page(20)).text
    assert FOOTER in again.strip(page(20)).text
    assert FOOTER in learn(sample(5), corrections=again).strip(page(20)).text
    assert learn(sample(), corrections=earlier) == learn(sample())
    assert learn(sample(), "layout", corrections=corrected) == learn(sample(), "layout")


class Damaged(Page):
    """An unreadable page, as from a damaged file."""

    def __post_init__(self) -> None:
        """Read nothing."""

    @property
    def html(self) -> str:  # type: ignore[override]
        raise OSError("damaged")

    @html.setter
    def html(self, _: object) -> None:
        """There is nothing to keep."""


def test_a_page_that_cant_be_read_costs_itself_not_its_site(caplog: pytest.LogCaptureFixture) -> None:
    pages, damaged = sample(), Damaged(f"http://{SITE}/damaged", "")
    assert learn([*pages, damaged]) == learn(pages)
    assert f"http://{SITE}/damaged is not learned from: OSError: damaged" in caplog.text
    with pytest.raises(OSError, match="damaged"):
        learn([damaged])


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["regex_tree", "shingle", "dom_hash"])
def test_a_page_that_would_take_a_learner_too_long_is_left_to_the_scorer(learner: str) -> None:
    html = page(1).html
    assert isinstance(html, str | bytes)
    text = html if isinstance(html, str) else html.decode()
    large = Page(f"http://{SITE}/large", text + "<br>" * 60_001)
    patterns = learn(sample(), learner)
    assert learn([*sample(), large], learner) == patterns
    assert patterns.strip(page(1)).pattern is not None
    stripped = patterns.strip(large)
    assert (stripped.pattern, stripped.reason) == (None, None)
    assert patterns.strip(replace(large, html=parse(large.html))).pattern is None


def test_of_fewer_pages_that_count_than_a_sample_has_at_least_nothing_is_learned() -> None:
    """Two of three pages are walls, and a single article cannot show returning text."""
    wall = "<title>Just a moment...</title><p>Checking your browser before accessing the site. Ray ID: {}</p>"
    article = f"<title>Rain</title><h1>Rain</h1><p>{'The river rose in the night. ' * 20}</p>"
    pages = [Page("https://a.example/1", article)]
    pages += [Page(f"https://a.example/{number}", wall.format(f"8f{number}b")) for number in (2, 3)]
    assert len(learn(pages)) == 1
    assert len(learn(pages, min_sample=3)) == 0
    assert len(learn(pages, min_sample=1)) == 1


BROKEN_URLS = ["http://[", "http://a]b/", "http://a\u2100b/", "http://a:x/", "http://[::g]/", "//["]


@pytest.mark.parametrize("learner", ["rules", "layout", "shingle", "dom_hash"])
@pytest.mark.parametrize("url", BROKEN_URLS)
@pytest.mark.parametrize("numbers", [range(4), [7] * 4], ids=["articles", "copies"])
def test_pages_with_a_url_that_cannot_be_parsed_are_learned(learner: str, url: str, numbers: Sequence[int]) -> None:
    article = (
        f"<title>T{{}}</title><link rel=canonical href='{url}'><h1>T{{}}</h1><p>By <a href='{url}'>Ann Alder</a>"
        f"<p>{'The river rose in the night. ' * 20}<a href='{url}/more'>More</a></p>"
    )
    pages = [Page(url, article.format(number, number), anchors=("T7",)) for number in numbers]
    page = learn([*pages, *sample()], learner).strip(pages[0])
    assert page.markdown.endswith(f"# T{numbers[0]}") or "The river rose" in page.markdown
    assert page.fields is not None
