"""The benchmark of corrections, on an invented site."""

from __future__ import annotations

import pytest

from benchmarks import corrections
from benchmarks.sets import GoldPage, PageSet
from scrapy_stemmer.learners.rules.learner import RulesLearner
from tests.crawl.website import Article


def gold(site: str, number: int, *, is_note_text: bool) -> GoldPage:
    """Return the gold text of an article, with the note amid it only for readers of one site."""
    article = Article(number, 4)
    note = " ".join(Article(number + 500, 4).body)
    html = article.html().replace("</p><p>", f"</p><div class='note'><p>{note}</p></div><p>", 1)
    text = "\n".join([*article.text, *([note] if is_note_text else [])])
    return GoldPage(site, str(number), f"http://{site}/{number}", html, text)


@pytest.fixture
def sites() -> PageSet:
    right = [gold("right.example", number, is_note_text=True) for number in range(14)]
    wrong = [gold("wrong.example", number, is_note_text=False) for number in range(14)]
    few = [gold("few.example", 1, is_note_text=False)]
    return PageSet("sites", (*right, *wrong, *few))


def test_the_worst_site_is_mended_by_the_rule_that_it_lacks(sites: PageSet) -> None:
    (site,) = corrections.worst(sites, 1, RulesLearner())
    assert (site.name, len(site.learned), len(site.tested)) == ("wrong.example", 10, 4)
    found = site.corrected()
    assert found.rules == ("drop .note",)
    assert found.f1[0] < 0.8
    assert found.f1[1:] == (1.0, 1.0)
    assert corrections.report([found]).splitlines()[-1].split()[1:5] == ["mean", "|", f"{100 * found.f1[0]:.2f}", "|"]
