"""Is it text? What overrules the weights: titles, subtitles, copies."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from scrapy_stemmer.core.evidence.decision import Decision, decide, taken_up_to
from scrapy_stemmer.core.evidence.model import SiteModel
from scrapy_stemmer.core.evidence.outline import TextBlock
from tests.core.evidence.made import TOPICS, prose, reading, site, story
from tests.strategies import markup


def decisions(html: str, model: SiteModel | None = None) -> list[tuple[str, Decision]]:
    model = model or site()
    found = reading(html, model)
    verdict = decide(found, model)
    return [(one.block.text, decision) for one, decision in zip(found.evidence, verdict.decisions, strict=True)]


def kept(html: str, model: SiteModel | None = None) -> list[str]:
    return [text for text, decision in decisions(html, model) if decision.score > 0]


TEXT = [prose("festival", number) for number in range(4)]


def test_of_an_article_its_paragraphs_are_kept() -> None:
    assert kept(story("festival")) == TEXT


@pytest.mark.parametrize(
    "markup",
    [
        "<figure><figcaption>The festival as it was seen from the harbour.</figcaption></figure>",
        '<div class="photo-caption">The festival as it was seen from the harbour.</div>',
        "<p><a href=/other>The mayor speaks of the festival and the harbour</a></p>",
        "<div class=related><p><a href=/other>The mayor speaks of the festival</a></p></div>",
        "<div class=newsletter>Write to us, and get the news each day.</div>",
        "<div class=hidden>All about the festival, its guests and its days.</div>",
    ],
)
def test_what_stands_amid_an_article_and_is_none_of_its_text(markup: str) -> None:
    assert kept(story("festival", inside=markup)) == TEXT


def test_hidden_paragraphs_are_none_of_it_even_where_they_are_as_many() -> None:
    def page(topic: str) -> str:
        appeal = "".join(f"<p>{prose(f'appeal of the {topic}', number)}</p>" for number in range(4))
        return story(topic, inside=f"<div class=hidden>{appeal}</div>")

    assert kept(page("festival"), site([page(topic) for topic in TOPICS])) == TEXT


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<h2>What comes next</h2>", "What comes next"),
        ("<ul><li>Guests came from afar, as they do.</li></ul>", "Guests came from afar, as they do."),
        (
            "<blockquote><p>We had never seen so many guests here.</p></blockquote>",
            "We had never seen so many guests here.",
        ),
    ],
)
def test_what_is_text_of_it(markup: str, text: str) -> None:
    assert kept(story("festival", inside=markup)) == [*TEXT[:2], text, *TEXT[2:]]


def test_scores_are_the_sums_of_their_evidence() -> None:
    html = story("festival", inside=f"<p>{prose('festival', 0)}</p><div class=standfirst>x</div>")
    for _, decision in decisions(html.replace("</h1>", f"</h1><div class=standfirst>{SUBTITLE}</div>")):
        assert decision.score == pytest.approx(sum(value for _, value in decision.terms))
        assert decision.terms == tuple(term for term in (*decision.place_terms, *decision.own_terms) if term[1])


def test_blocks_of_one_place_share_evidence() -> None:
    found = dict(decisions(story("festival")))
    first, second = (found[text] for text in TEXT[1:3])
    assert first.place_terms == second.place_terms
    assert ("running text", 2.0) in first.place_terms
    assert "odds" in dict(first.own_terms)


@given(markup())
def test_scores_of_any_page_are_sums(drawn: tuple[str, str]) -> None:
    for _, decision in decisions(story("festival", inside=drawn[0])):
        assert decision.score == pytest.approx(sum(value for _, value in decision.terms))


def test_the_title_of_an_article_is_not_a_part_of_its_text() -> None:
    (title,) = [decision for text, decision in decisions(story("festival")) if text == "festival news"]
    assert (title.is_title, title.score, title.terms) == (True, -1.0, (("title", -1.0),))


def test_on_open_pages_it_is() -> None:
    found = decisions(story("festival"), replace(site(), article_share=0.0))
    assert [(text, decision.score) for text, decision in found if decision.is_title] == [("festival news", 1.0)]


def test_a_copy_of_a_paragraph_is_not_text_again() -> None:
    html = story("festival", inside=f"<p>{TEXT[0]}</p>")
    copies = [decision for text, decision in decisions(html) if text == TEXT[0]]
    assert [dict(decision.terms).get("copy") for decision in copies] == [None, -3.0]
    assert copies[1].score == pytest.approx(copies[0].score - 3.0, abs=1.0)


def test_short_texts_may_return() -> None:
    html = story("festival", inside="<p>Yes, they said.</p><p>Yes, they said.</p>")
    assert kept(html).count("Yes, they said.") == 2
    assert not any("copy" in dict(decision.terms) for _, decision in decisions(html))


class TestTaken:
    @pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8, 100])
    @pytest.mark.parametrize("step", [1, 8, 1 << 40])
    def test_the_first_block_of_each_hash(self, count: int, step: int) -> None:
        """Also of hashes of the same last bits, and where the table is as full as it gets."""
        taken = taken_up_to(count)
        blocks = [block(step * number) for number in range(count)]
        assert all(taken.first(one) is one for one in blocks)
        assert all(taken.first(block(one.hash)) is one for one in blocks)

    def test_hashes_of_64_bits(self) -> None:
        taken, last = taken_up_to(2), block((1 << 64) - 1)
        assert taken.first(last) is last
        assert taken.first(block((1 << 63) - 1)) is not last
        assert taken.first(block((1 << 64) - 1)) is last


def block(number: int) -> TextBlock:
    """A block of a hash."""
    return TextBlock(0, "text", 4, number, 0, 0, 1, False, False)


SUBTITLE = "How the festival came to be what it is today"


def subtitled(markup: str) -> str:
    return story("festival").replace("</h1>", f"</h1>{markup}")


@pytest.mark.parametrize("tag", ["div", "h2"])
def test_a_subtitle_is_text_where_it_stands_behind_the_title(tag: str) -> None:
    """Even named as a topic in a menu, which speaks against it."""
    html = subtitled(f"<div class='nav-widget share related'><{tag} class=standfirst>{SUBTITLE}</{tag}></div>")
    (found,) = [one for text, one in decisions(html) if text == SUBTITLE]
    assert found.score == 1.0
    assert dict(found.terms)["subtitle"] > 1.0


def test_a_subtitle_of_all_pages_is_none() -> None:
    pages = [story(topic).replace("</h1>", f"</h1><div class=standfirst>{SUBTITLE}</div>") for topic in TOPICS]
    assert SUBTITLE not in kept(pages[0], site(pages))


@pytest.mark.parametrize(
    "html",
    [
        story("festival", extra=f"<div class=standfirst>{SUBTITLE}</div>"),
        subtitled(f"<div>{SUBTITLE}</div>"),
        subtitled(f"<figure><div class=standfirst>{SUBTITLE}</div></figure>"),
        subtitled(f"<div class='standfirst caption'>{SUBTITLE}</div>"),
        subtitled(f"<div class=standfirst><a href=/>{SUBTITLE}</a></div>"),
    ],
)
def test_what_is_no_subtitle(html: str) -> None:
    (found,) = [one for text, one in decisions(html) if text == SUBTITLE]
    assert "subtitle" not in dict(found.terms)


@pytest.mark.parametrize("tag", ["div", "h3", "p class=note"])
def test_a_sentence_of_all_pages_is_template_amid_the_text(tag: str) -> None:
    notice = f"<{tag}>Sign up, and get the news of each day by mail.</{tag.split()[0]}>"
    pages = [story(topic, inside=notice) for topic in TOPICS]
    assert kept(pages[0], site(pages)) == [prose("storm", number) for number in range(4)]


def test_pages_without_text_have_no_decisions() -> None:
    model = site()
    verdict = decide(reading("<body></body>", model), model)
    assert list(verdict.decisions) == []
    assert 0.0 <= verdict.openness <= 1.0
