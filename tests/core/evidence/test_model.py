"""What is known of a site, and how a page looks by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrapy_stemmer.core.evidence.classes import FULL_PATH, ClassMeans, Profile
from scrapy_stemmer.core.evidence.model import SiteModel, own_page, weighed
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.places import Places
from scrapy_stemmer.core.evidence.prior import Evidence, block_odds, place_odds, with_class
from tests.core.evidence.made import TOPICS, outline, prose, reading, site, story


def few(count: int) -> SiteModel:
    """The model of so few stories that texts of one page are kept."""
    return site([story(topic) for topic in TOPICS[:count]])


class TestReading:
    @pytest.mark.parametrize("count", [1, 2, 4, 6])
    def test_a_page_of_the_sample_is_not_compared_with_itself(self, count: int) -> None:
        own = {found.block.text: found for found in reading(story("storm"), few(count)).evidence}
        assert not own[prose("storm", 0)].repeated
        assert own["Home Sport"].repeated_share == (0.0 if count == 1 else 1.0)

    def test_with_some_changes_it_is_still_that_page(self) -> None:
        page = story("storm", extra="<p>Nothing else happened here.</p>").replace("<h1>", "<h1>The ")
        own = {found.block.text: found for found in reading(page, few(3)).evidence}
        assert not own[prose("storm", 0)].repeated
        assert own["Home Sport"].repeated_share == 1.0

    def test_a_new_page_is_compared_with_all(self) -> None:
        quoted = story("festival", extra=f"<p>{prose('storm', 0)}</p>")
        new = {found.block.text: found for found in reading(quoted, few(4)).evidence}
        assert new[prose("storm", 0)].repeated_share == pytest.approx(1 / 4)
        assert not new[prose("festival", 0)].repeated
        assert new["Home Sport"].repeated_share == 1.0

    def test_where_texts_of_one_page_are_not_kept_they_do_not_return(self) -> None:
        quoted = story("festival", extra=f"<p>{prose('storm', 0)}</p>")
        assert not {found.block.text: found for found in reading(quoted, few(5)).evidence}[prose("storm", 0)].repeated

    def test_texts_of_some_pages_count_by_their_number(self) -> None:
        notice = "<p>The bridge is closed.</p>"
        pages = [story(topic, extra=notice * (topic in TOPICS[:3])) for topic in TOPICS]
        found = {one.block.text: one for one in reading(story("festival", extra=notice), site(pages)).evidence}
        assert found["The bridge is closed."].repeated_share == 0.5

    def test_half_of_a_block_s_odds_is_its_class_s(self) -> None:
        model = site()
        found = next(found for found in reading(story("festival"), model).evidence if found.tag == "p")
        assert found.profile.worth is not None
        assert found.odds == pytest.approx((min(4.0, found.prior) + found.profile.worth) / 2)

    def test_a_block_that_no_class_is_like_has_its_own_odds(self) -> None:
        page = story("festival", extra="<dl><dd>Rain, wind and snow.</dd></dl>")
        found = next(found for found in reading(page, site()).evidence if found.tag == "dd")
        assert found.profile.worth is None
        assert found.odds == found.prior

    def test_odds_tell_text_from_template(self) -> None:
        model = site()
        found = reading(story("festival"), model)
        text = {one.block.text for one in found.evidence if one.odds > model.threshold}
        assert {prose("festival", number) for number in range(4)} <= text
        assert "Home Sport" not in text


@pytest.mark.parametrize(
    ("dominance", "articles", "openness"),
    [
        (1.0, 1.0, 0.0),
        (0.6, 1.0, 0.0),
        (0.5, 1.0, 0.5),
        (0.4, 1.0, 1.0),
        (0.0, 1.0, 1.0),
        (1.0, 0.0, 1.0),
        (1.0, 0.7, 0.3),
    ],
)
def test_the_type_of_a_site(dominance: float, articles: float, openness: float) -> None:
    """Articles call themselves so, and their text is of one class."""
    assert replace(site(), dominance=dominance, article_share=articles).openness == pytest.approx(openness)


def test_of_a_single_page_metadata_tell_the_type() -> None:
    single = replace(site(), pages=1, dominance=0.0)
    assert replace(single, article_share=1.0).openness == 0.0
    assert replace(single, article_share=0.0).openness == 1.0


class TestOwnPage:
    """Which page of a small sample a page is."""

    def own(self, html: str, model: SiteModel) -> int | None:
        return own_page(outline(html).blocks, model, model.known_texts())

    def test_pages_are_told_by_the_texts_that_only_they_have(self) -> None:
        pages = [story(topic) for topic in TOPICS[:4]]
        assert [self.own(html, site(pages)) for html in pages] == [0, 1, 2, 3]
        assert self.own(story("festival"), site(pages)) is None

    def test_half_of_them_is_enough(self) -> None:
        model = few(3)
        texts = [f"<p>{prose('storm', 1)}</p>", f"<p>{prose('ferry', 1)}</p>"]
        assert self.own("".join(texts), model) == 0
        assert self.own("".join([*texts, "<p>And more.</p>"]), model) is None

    def test_what_several_pages_have_does_not_count(self) -> None:
        model = few(3)
        menu = story("storm").split("<div")[0] * 9
        assert self.own(menu + f"<p>{prose('storm', 1)}</p>", model) == 0
        assert self.own(menu, model) is None

    def test_of_two_pages_the_one_with_more_of_it_then_the_first(self) -> None:
        model = few(3)
        texts = {topic: f"<p>{prose(topic, 1)}</p>" for topic in TOPICS[:3]}
        assert prose("storm", 1) < prose("storm", 2)
        assert self.own(texts["harbour"] + texts["storm"], model) == 1
        tied = {model.singles[block.hash]: block for block in outline("".join(texts.values())).blocks}
        same = [replace(tied[page], weight=50) for page in (1, 0)]
        assert own_page(same, model, model.known_texts()) == 0

    def test_where_texts_of_one_page_are_not_kept_no_page_is_known(self) -> None:
        model = site()
        assert not model.singles
        assert self.own(story("storm"), model) is None


def test_weighed_by_hand() -> None:
    """A text that three of four pages have; one that the first page alone has."""
    model = few(4)
    found = reading("<p>Rain</p><p>Snow</p>", model)
    rain, snow = (block.hash for block in found.outline.blocks)
    model = replace(model, repeats={rain: 3}, singles={snow: 0})
    page, known = (found.outline, found.paths, found.places), model.known_texts()
    shares = {own: [one.repeated_share for one in weighed(*page, model, known, own)] for own in (None, 0, 1)}
    assert shares == {None: [3 / 4, 1 / 4], 0: [2 / 3, 0.0], 1: [2 / 3, 1 / 3]}


class TestProfiles:
    """What blocks of a place are like is looked up when one of them is first weighed."""

    MEANS = ClassMeans({1: (0.5, 0.25, 1.0, 2.0)}, {"p*": (0.5, 0.0, 0.0, 1.0)})
    PAGE = outline("<p>a</p><div><p>b</p><dl>c</dl></div>")

    def weigh(self, places: Places, classes: ClassMeans = MEANS) -> list[Evidence]:
        model = replace(site(), classes=classes)
        return weighed(self.PAGE, places.paths, places.of(self.PAGE), model, model.known_texts(), None)

    def test_they_are_those_of_the_finest_class(self) -> None:
        found = {one.block.text: (one.profile, one.place.level) for one in self.weigh(Places(PathTree(), None))}
        assert found == {
            "a": (Profile(0.5, 0.25, 1.0, 2.0), FULL_PATH),
            "b": (Profile(0.05, 0.0, 0.0, 1.0), 0),
            "c": (Profile(), -1),
        }

    def test_places_without_blocks_have_none(self) -> None:
        places = Places(PathTree(), None)
        self.weigh(places)
        body, _, div, *_ = places.of(self.PAGE)
        assert [(place.profile, place.level, place.base) for place in (body, div)] == [(Profile(), -1, None)] * 2

    def test_they_are_looked_up_once(self) -> None:
        places = Places(PathTree(), None)
        first, again = self.weigh(places), self.weigh(places, ClassMeans({}, {}))
        assert [one.profile for one in again] == [one.profile for one in first]
        assert [(one.prior, one.odds) for one in again] == [(one.prior, one.odds) for one in first]

    def test_the_odds_of_a_block_are_those_of_its_place_and_its_own(self) -> None:
        for found in self.weigh(Places(PathTree(), None)):
            assert found.place.base == place_odds(found.place)
            assert found.prior == found.place.base + block_odds(found.block, 0.0)
            assert found.odds == with_class(found.prior, found.profile.worth)
