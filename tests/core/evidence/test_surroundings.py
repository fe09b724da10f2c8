"""What the blocks of a page are seen against."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.evidence import surroundings as module
from scrapy_stemmer.core.evidence.model import Reading, SiteModel
from scrapy_stemmer.core.evidence.names import Hint
from scrapy_stemmer.core.evidence.outline import Shape
from scrapy_stemmer.core.evidence.places import Places, Within
from scrapy_stemmer.core.evidence.reading import SiteReader
from scrapy_stemmer.core.evidence.region import region_mass
from scrapy_stemmer.core.evidence.surroundings import (
    LONE_TEXT,
    Standing,
    Standings,
    Surroundings,
    blocks_within,
    is_lone_article,
    openness_of_links,
    page_openness,
    standings_of,
    surroundings_of,
    title_index,
)
from tests.core.evidence.made import ARTICLE, FOOTER, MENU, TOPICS, path_of, prose, reading, site, story
from tests.strategies import markup


def seen(html: str, model: SiteModel | None = None) -> tuple[Reading, Surroundings]:
    model = model or site()
    found = reading(html, model)
    return found, surroundings_of(found, model)


def standings(found: Reading, around: Surroundings) -> dict[str, Standing]:
    """By text of the block."""
    return {one.block.text: around.standings.of(one.place) for one in found.evidence}


def test_an_article() -> None:
    found, around = seen(story("festival"))
    assert [found.paths.text(path) for path in around.regions] == ["body/div.story"]
    assert [found.paths.text(path) for path in around.dominant] == ["body/div.story/p"]
    assert around.standings.parents == set(around.regions)
    texts = [one.block.text for one in found.evidence]
    assert (texts[around.first], texts[around.last]) == (prose("festival", 0), prose("festival", 3))
    assert around.title is not None
    assert texts[around.title] == "festival news"
    assert around.openness == 0.0


def test_how_blocks_stand_to_the_region() -> None:
    found, around = seen(story("festival", inside="<aside class=promo><a href=/>Read this</a></aside>"))
    by_text = standings(found, around)
    text, aside, menu = by_text[prose("festival", 0)], by_text["Read this"], by_text["Home Sport"]
    assert (text.inside, text.is_running, text.hints, text.within) == (True, True, 0, 0)
    assert (aside.inside, aside.is_running, aside.is_sibling) == (True, False, True)
    assert (aside.hints, aside.within) == (Hint.RELATED, Within.ASIDE)
    assert (menu.inside, menu.within, menu.link, menu.static) == (False, Within.NAV, 1.0, 1.0)


def test_what_is_around_the_region_does_not_count_in_it() -> None:
    """All of the page may stand in an element with a name such as ``header-layout``."""
    pages = [story(topic).replace("<body>", "<body><form class=sidebar>") for topic in ("a", "b", "c")]
    found, around = seen(pages[0], site(pages))
    text = standings(found, around)[prose("a", 0)]
    assert (text.inside, text.hints, text.within) == (True, 0, 0)


def test_names_that_most_of_the_region_is_under_tell_nothing() -> None:
    pages = [story(topic).replace("<p>", "<p class=card>") for topic in ("a", "b", "c")]
    found, around = seen(pages[0], site(pages))
    assert standings(found, around)[prose("a", 0)].hints == Hint.RELATED
    assert not around.telling & Hint.RELATED
    assert around.telling & Hint.CAPTION


def test_names_that_few_of_it_is_under_do() -> None:
    found, around = seen(story("festival", inside=f"<div class=card><p>{prose('rain', 0)}</p></div>"))
    assert standings(found, around)[prose("rain", 0)].hints & around.telling == Hint.RELATED


def test_hints_tell_each_by_itself() -> None:
    """Most is under cards, of which few are comments."""
    card = "<div class='card comments'><p>{}</p></div>"
    page = story("festival", inside=card.format(prose("rain", 0))).replace("<p>", "<p class=card>")
    _, around = seen(page)
    assert not around.telling & Hint.RELATED
    assert around.telling & Hint.COMMENT


def test_text_of_all_pages_does_not_count_for_it() -> None:
    """However much of it is under a name, the page's own is not."""
    box = "".join(f"<div class=card>{prose('weather', number)}</div>" for number in range(9))
    pages = [story(topic, inside=box) for topic in TOPICS]
    assert seen(pages[0], site(pages))[1].telling & Hint.RELATED


def test_the_title_is_the_best_main_heading() -> None:
    found = reading("<title>Rain fell</title><p>x</p><h1>Example News</h1><h2>Rain fell</h2><h1>Rain fell</h1>")
    assert title_index(found, frozenset()) == 3
    assert title_index(reading("<title>Rain fell</title><p>x</p>"), frozenset()) == -1


def test_of_equal_headings_the_first_is_the_title() -> None:
    found = reading("<title>Rain</title><p>x</p><h1>Rain</h1><h1>Rain</h1>")
    assert title_index(found, frozenset()) == 1


@pytest.mark.parametrize(("title", "index"), [("Snow fell", -1), ("Rain, and Example News of it", 0)])
def test_a_heading_of_several_pages_is_the_title_where_the_head_has_its_words(title: str, index: int) -> None:
    found = reading(f"<title>{title}</title><h1>Example News</h1><p>x</p>")
    assert title_index(found, frozenset({"Example News"})) == index
    assert title_index(found, frozenset()) == 0


def test_where_some_pages_are_articles_each_page_says_what_it_is() -> None:
    mixed = replace(site(), article_share=0.5)
    article = story("festival")
    assert page_openness(reading(article, mixed), mixed) == 0.0
    assert page_openness(reading(article.replace("og:type", "x"), mixed), mixed) == 1.0
    assert page_openness(reading(article.replace("og:type", "x"), site()), site()) == 0.0


class TestRegion:
    def region(self, html: str, model: SiteModel | None = None) -> str:
        found, around = seen(html, model)
        assert len(around.regions) == 1
        return found.paths.text(around.regions[0])

    def test_where_the_best_voted_element_holds_little_of_a_page_it_is_the_next_one(self) -> None:
        """Such as a page of another kind, whose ``div.story`` is but a lead."""
        text = "".join(f"<p>{prose('festival', number)}</p>" for number in range(8))
        page = f"<body>{MENU}<div class=story><p>{prose('lead', 0)}</p></div><x-y>{text}</x-y>{FOOTER}</body>"
        assert self.region(page) == "body"

    def test_where_it_is_missing_too(self) -> None:
        html = story("festival").replace("<div class=story>", "<div class=story></div><div class=other>")
        assert self.region(html) == "body"

    def test_the_name_of_all_of_an_article_does_not_speak_against_its_region(self) -> None:
        def post(topic: str) -> str:
            replies = f"<section><x-y>{prose(topic + ' reply', 0)}</x-y></section>"
            return f"<div class=newsletter-post>{story(topic)}</div>{replies}"

        pages = [post(topic) for topic in ("a", "b", "c")]
        assert self.region(post("d"), site(pages)).endswith("div.story")

    def test_on_open_sites_it_grows_to_all_parts_of_the_text(self) -> None:
        def parts(topic: str) -> str:
            texts = [
                f"<div class=part{n}><p>{prose(topic, 2 * n)}</p><p>{prose(topic, 2 * n + 1)}</p></div>"
                for n in range(3)
            ]
            return f"<body>{MENU}<main>{''.join(texts)}</main>{FOOTER}</body>"

        model = site([parts(topic) for topic in ("a", "b", "c")])
        assert model.openness == 1.0
        assert self.region(parts("d"), model) == "body/main"


def product(topic: str) -> str:
    """A page with two parts of text that stand apart, and a shop between them that all pages have."""
    parts = [f"<p>{prose(topic, n)}</p><p>{prose(topic, n + 1)}</p>" for n in (0, 2)]
    between = f"<section class=shop>{''.join(f'<p>{prose(chr(97 + n), 0)}</p>' for n in range(9))}</section>"
    return f"<body>{MENU}<div class=a>{parts[0] * 2}</div>{between}<div class=b>{parts[1]}</div>{FOOTER}</body>"


PRODUCTS = [product(topic) for topic in TOPICS[:3]]


class TestSeveralRegions:
    """Parts of an open page that stand apart."""

    def test_each_is_a_region(self) -> None:
        found, around = seen(product("festival"), site(PRODUCTS))
        assert [found.paths.text(path) for path in around.regions] == ["body/div.a", "body/div.b"]

    def test_what_is_in_any_of_them_is_inside(self) -> None:
        found, around = seen(product("festival"), site(PRODUCTS))
        inside = {text for text, standing in standings(found, around).items() if standing.inside}
        assert inside == {prose("festival", number) for number in range(4)}
        assert {one.block.text for one in blocks_within(found, around.regions)} == inside
        assert len(blocks_within(found, around.regions[1:])) == 2

    def test_an_article_has_one(self) -> None:
        model = replace(site(PRODUCTS), article_share=1.0, dominance=1.0)
        assert len(seen(product("festival"), model)[1].regions) == 1


def test_on_a_site_of_articles_a_page_of_links_is_open() -> None:
    links = "".join(f"<p><a href=/{topic}>{prose(topic, 0)}</a></p>" for topic in ("ferry", "forest", "tunnel"))
    page = story("festival").replace("</h1>", "</h1>" + links)
    text = "".join(f"<p>{prose('festival', number)}</p>" for number in range(4))
    assert seen(page.replace(text, ""))[1].openness == 1.0
    assert seen(story("festival"))[1].openness == 0.0


def linked_story(topic: str, tag: str = "p") -> str:
    """A story with more links than text, and with its text in such elements."""
    links = "".join(f"<li><a href=/>{prose(f'{topic} {n}', 9)}</a></li>" for n in range(36))
    html = story(topic, inside=f"<ul>{links}</ul>" + "".join(f"<p>{prose(topic + ' fair', n)}</p>" for n in range(4)))
    return html.replace("<p>", f"<{tag}>").replace("</p>", f"</{tag}>")


class TestLoneArticles:
    """Of the only page of a sample it isn't known whether its links return."""

    def is_lone(self, html: str, model: SiteModel) -> bool:
        found, around = seen(html, model)
        lone = is_lone_article(found, model, blocks_within(found, around.regions))
        assert (around.openness == 0.0) is lone
        return lone

    def test_its_links_make_no_list_of_it(self) -> None:
        assert self.is_lone(linked_story("storm"), site([linked_story("storm")]))

    def test_another_page_is_judged_by_its_links(self) -> None:
        assert not self.is_lone(linked_story("ferry"), site([linked_story("storm")]))

    def test_where_another_page_is_known_it_is_too(self) -> None:
        assert not self.is_lone(linked_story("storm"), site([linked_story("storm"), linked_story("ferry")]))

    def test_without_paragraphs_it_is_too(self) -> None:
        html = linked_story("storm", "div")
        assert not self.is_lone(html, site([html]))

    @pytest.mark.parametrize(("count", "lone"), [(3, False), (5, True)])
    def test_what_is_linked_in_paragraphs_does_not_count(self, count: int, lone: bool) -> None:
        """Nor do paragraphs that are links. With their links the three would have :data:`LONE_TEXT`."""
        text, link = "x" * (LONE_TEXT // 4), "y" * (LONE_TEXT // 8)
        texts = "".join(f"<p>{text}{chr(97 + n)} <a href=/>{link}</a></p>" for n in range(count))
        page = f"<head>{ARTICLE}</head><body><div class=story>{texts}<p><a href=/>{'y' * 900}</a></p></div></body>"
        found = reading(page)
        assert is_lone_article(found, replace(site([page]), threshold=-9.0), found.evidence) is lone

    def test_what_does_not_call_itself_an_article_is_none(self) -> None:
        html = linked_story("storm").replace("og:type", "x")
        assert not self.is_lone(html, site([html]))


@pytest.mark.parametrize(("linked", "openness"), [(0, 0.0), (6, 0.0), (7, 0.5), (8, 1.0), (10, 1.0)])
def test_a_region_of_links_is_a_list(linked: int, openness: float) -> None:
    found = reading("".join(f"<p><a>link{n}</a></p>" if n < linked else f"<p>text{n}</p>" for n in range(10)))
    assert openness_of_links(region_mass(found.evidence, 0.0)) == pytest.approx(openness)


def test_without_running_text_all_stands_before_its_end() -> None:
    found, around = seen("<body><nav><a href=/>Home</a></nav></body>")
    assert (around.dominant, around.first, around.last) == (frozenset(), 0, len(found.evidence))


class TestStandings:
    def test_they_are_kept_for_pages_of_one_region_and_running_text(self) -> None:
        model = site()
        reader = SiteReader(model)
        first, second, other = (
            surroundings_of(reader.read_all(parse(html)), model).standings
            for html in (story("festival"), story("ferry"), "<body><div class=x><p>Rain</p></div></body>")
        )
        assert first is second
        assert other is not first
        assert (other.regions, other.dominant) != (first.regions, first.dominant)

    def test_they_are_forgotten_when_there_is_no_end_of_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_VIEWS", 3)
        found, model = reading(story("festival"), site()), site()
        for region in range(20):
            standings_of(found, model, (region % len(found.paths),), frozenset(range(region % 5)))
            assert len(found.views) <= 3

    def test_scores_are_those_of_pages_that_are_alike(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_VIEWS", 4)
        standings = surroundings_of(reading(story("festival"), site()), site()).standings
        ways = [(0.0, 1), (0.5, 1), (0.0, 2)]
        first = [standings.scores_of(*way) for way in ways]
        assert len(set(map(id, first))) == 3
        assert all(standings.scores_of(*way) is first[number] for number, way in enumerate(ways))
        assert standings.scores_of(1.0, 1) is standings.scores_of(1.0, 1)

    def test_of_a_page_whose_region_is_known_it_is_that(self) -> None:
        """As of pages that are read along a route."""
        model = site()
        found = reading(story("festival"), model)
        nav = path_of(found.paths, "body/nav")
        around = surroundings_of(replace(found, regions=(nav,)), model)
        assert around.regions == (nav,)
        assert [one.block.text for one in found.evidence if around.standings.of(one.place).inside] == ["Home Sport"]

    def test_20_000_nested_elements(self) -> None:
        """The parser cuts off at some 2,000; a tree of the user's may be deeper."""
        model = site()
        places = Places(model.paths, frozenset())
        place = places.body(Shape("body"))
        for number in range(20_000):
            place = places.below(place, Shape("div", classes=("share",) if number == 10 else ()))
        standing = Standings(places.paths, model.shares, (-1,), frozenset()).of(place)
        assert (standing.inside, standing.hints) == (False, Hint.SOCIAL)

    @given(markup())
    def test_whatever_is_asked_first(self, drawn: tuple[str, str]) -> None:
        model = site()
        found = reading(f"<body>{drawn[0]}</body>", model)
        for region in {place.path for place in found.places}:
            down, up = (Standings(found.paths, model.shares, (region,), frozenset({region})) for _ in range(2))
            forward = [down.of(place) for place in found.places]
            assert forward == [up.of(place) for place in reversed(found.places)][::-1]
            for place, standing in zip(found.places, forward, strict=True):
                assert standing.inside == found.paths.is_within(place.path, region)


def test_the_blocks_of_a_region() -> None:
    found = reading(story("festival"), site())
    story_ = path_of(found.paths, "body/div.story")
    inside = [one.block.text for one in blocks_within(found, (story_,))]
    assert inside == ["festival news", *(prose("festival", number) for number in range(4))]
    assert blocks_within(found, (0,)) == found.evidence
