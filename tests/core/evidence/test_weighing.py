"""What each piece of evidence adds to a block's score."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from scrapy_stemmer.core.evidence import surroundings
from scrapy_stemmer.core.evidence.model import Reading
from scrapy_stemmer.core.evidence.surroundings import Surroundings, surroundings_of
from scrapy_stemmer.core.evidence.terms import BlockTerms, Term
from scrapy_stemmer.core.evidence.weighing import INSIDE, OUTSIDE, place_score, place_terms, weigh_block
from tests.core.evidence.made import MENU, TOPICS, prose, reading, site, story


def terms_of(found: Reading, around: Surroundings, index: int) -> list[Term]:
    """All evidence for a block, none that adds nothing."""
    place = found.evidence[index].place
    return [*place_terms(place, around).terms(), *own_terms(found, around, index)]


def own_terms(found: Reading, around: Surroundings, index: int) -> list[Term]:
    """The evidence that is a block's own."""
    own = BlockTerms()
    weigh_block(own, found, around, around.standings.of(found.evidence[index].place), index)
    return own.terms()


def terms(html: str, text: str, openness: float | None = None) -> dict[str, float]:
    """The evidence for the block of a text, on a page of a site of stories."""
    model = site()
    found = reading(html, model)
    around: Surroundings = surroundings_of(found, model)
    if openness is not None:
        around = replace(around, openness=openness)
    index = next(index for index, one in enumerate(found.evidence) if one.block.text == text)
    weighed = terms_of(found, around, index)
    assert len(dict(weighed)) == len(weighed)
    assert all(value for _, value in weighed)
    return dict(weighed)


def inside(markup: str, text: str = "Rain is seen", openness: float | None = None) -> dict[str, float]:
    return terms(story("festival", inside=markup), text, openness)


def test_running_text() -> None:
    found = terms(story("festival"), prose("festival", 1))
    assert found["inside the region"] == 1.0
    assert found["running text"] == 2.0
    assert found["odds"] == pytest.approx(1.2)
    assert found["paragraph"] == 0.5
    assert found["long"] == 0.3
    assert all(value > 0 for value in found.values())


def test_a_menu() -> None:
    found = terms(story("festival"), "Home Sport")
    assert found["outside the region"] == -3.0
    assert found["nav"] == -3.0
    assert found["repeated"] < -3.0
    assert found["links"] == -1.5
    assert found["whole link"] == -5.0
    assert sum(found.values()) < -10


@pytest.mark.parametrize(
    ("markup", "name", "value"),
    [
        ("<figure>Rain is seen</figure>", "figure", -4.0),
        ("<figure><figcaption>Rain is seen</figcaption></figure>", "figure", -4.0),
        ("<aside>Rain is seen</aside>", "aside", -3.0),
        ("<nav>Rain is seen</nav>", "nav", -3.0),
        ("<footer>Rain is seen</footer>", "footer", -2.5),
        ("<header>Rain is seen</header>", "header", -1.0),
        ("<form>Rain is seen</form>", "form", -2.5),
        ("<pre>Rain is seen</pre>", "preformatted", 1.0),
        ("<h3>Rain is seen</h3>", "heading", 1.0),
        ("<div hidden>Rain is seen</div>", "hidden", -6.0),
        ("<div class=caption>Rain is seen</div>", "named caption", -3.5),
        ("<div class=byline>Rain is seen</div>", "named byline", -2.0),
        ("<div class=related>Rain is seen</div>", "named related", -2.0),
        ("<div class=newsletter>Rain is seen</div>", "named social", -1.2),
        ("<div class=comment>Rain is seen</div>", "named comment", -2.0),
        ("<div class=topics>Rain is seen</div>", "named navigation", -0.8),
        ("<div class=review>Rain is seen</div>", "review", -6.0),
        ("<ul><li>Rain is seen</li></ul>", "list beside running text", 2.0),
        ("<p><a href=/>Rain is seen</a></p>", "whole link", -5.0),
        ("<p><a href=/>Rain is seen</a></p>", "links", -2.0),
    ],
)
def test_evidence_in_the_region(markup: str, name: str, value: float) -> None:
    assert inside(markup)[name] == value


@pytest.mark.parametrize(("markup", "text"), [("<div>{{ rain }}</div>", "{{ rain }}"), ("<pre>{{ rain }}</pre>", None)])
def test_marks_that_a_script_was_to_fill(markup: str, text: str | None) -> None:
    found = inside(markup, "{{ rain }}")
    assert found.get("template braces") == (-4.0 if text else None)


def test_hints_count_less_for_running_text_but_for_captions() -> None:
    for weights in (INSIDE, OUTSIDE):
        for other, running in (weights.byline, weights.related, weights.social, weights.comment, weights.navigation):
            assert other < running <= 0
        assert weights.caption[1] < weights.caption[0]


def test_a_list_of_links_is_no_list_of_text() -> None:
    assert "list beside running text" not in inside("<ul><li><a href=/>Rain is seen</a></li></ul>")
    assert "list beside running text" not in inside("<ul class=related><li>Rain is seen</li></ul>")
    assert "list beside running text" not in terms(
        story("festival", extra="<ul><li>Rain is seen</li></ul>"), "Rain is seen"
    )


def test_text_among_links_is_likelier_one_of_them() -> None:
    """The site's ``div.more`` holds links; here one of its blocks is none."""
    more = "<div class=more><p><a href=/>About the {} and its guests</a></p><div>{}</div></div>"
    model = site([story(topic, inside=more.format(topic, topic)) for topic in TOPICS])
    found = reading(story("festival", inside=more.format("festival", "Rain is seen")), model)
    around = surroundings_of(found, model)
    index = next(index for index, one in enumerate(found.evidence) if one.block.text == "Rain is seen")
    for openness, value in ((0.0, -1.5), (1.0, 0.0)):
        assert dict(terms_of(found, replace(around, openness=openness), index)).get("among links", 0.0) == value


def test_what_stands_behind_the_running_text() -> None:
    assert "after running text" not in inside("<div>Rain is seen</div>")
    assert terms(story("festival", extra="<div>Rain is seen</div>"), "Rain is seen")["after running text"] == -1.0


def test_what_stands_before_it() -> None:
    html = story("festival").replace("<h1>", "<div>Rain is seen</div><h1>")
    assert terms(html, "Rain is seen")["before running text"] == -0.3


def test_open_pages_keep_what_is_in_their_region() -> None:
    closed, half, wide = (inside("<div hidden><a href=/>Rain is seen</a></div>", openness=o) for o in (0.0, 0.5, 1.0))
    assert [found["inside the region"] for found in (closed, half, wide)] == [1.0, 3.0, 5.0]
    assert [found.get("whole link") for found in (closed, half, wide)] == [-5.0, -2.5, None]
    assert [found.get("hidden") for found in (closed, half, wide)] == [-6.0, -3.0, None]
    assert wide["not running text"] == closed["not running text"] / 2 < 0
    assert sum(closed.values()) < sum(half.values()) < sum(wide.values())


def test_text_that_returns_counts_by_its_length_and_by_the_pages() -> None:
    pages = [story(topic, inside=f"<p>{prose('weather', 0)}</p><p>Brief</p>") for topic in TOPICS]
    model = site(pages)
    found = reading(pages[0], model)
    around = surroundings_of(found, model)
    by_text = {one.block.text: dict(terms_of(found, around, index)) for index, one in enumerate(found.evidence)}
    assert by_text[prose("weather", 0)]["repeated"] == -5.0
    assert by_text["Brief"]["repeated"] == pytest.approx(-3.5 - 1.5 * 5 / 60)


def test_neighbours_lend_their_odds() -> None:
    found = reading(story("festival"), site())
    around = surroundings_of(found, site())
    first, last = (dict(terms_of(found, around, index)) for index in (0, len(found.evidence) - 1))
    assert first["previous block"] == -3.0 * OUTSIDE.previous_odds
    assert last["next block"] == pytest.approx(-3.0 * OUTSIDE.next_odds)
    text = dict(terms_of(found, around, around.first + 1))
    assert text["next block"] == pytest.approx(0.45)


def test_signs() -> None:
    """What a piece of evidence means does not depend on where a block stands."""
    positive = {
        "running",
        "beside",
        "preformatted",
        "long_text",
        "odds",
        "paragraph",
        "heading",
        "next_odds",
        "previous_odds",
    }
    positive |= {"list_open", "list_of_text", "region_open"}
    for field in fields(INSIDE):
        for value in (getattr(INSIDE, field.name), getattr(OUTSIDE, field.name)):
            if isinstance(value, tuple):
                assert max(value) <= 0, field.name
            elif field.name.endswith("_relief"):
                assert 0 <= value <= 1, field.name
            elif field.name != "region":
                assert value >= 0 if field.name in positive else value <= 0, field.name
    assert INSIDE.region > 0 > OUTSIDE.region


def test_pages_that_are_a_menu_alone() -> None:
    assert terms(f"<body>{MENU}</body>", "Home Sport")["whole link"] < 0


class TestPlaceScore:
    PAGE = story("festival", inside="<aside class=promo><h2>Rain</h2><ul><li>Seen</li></ul></aside><pre>x</pre>")

    def test_it_is_the_sum_of_the_evidence_of_a_place(self) -> None:
        found = reading(self.PAGE, site())
        around = surroundings_of(found, site())
        for place in found.places:
            found_score = place_score(place, around)
            terms_ = found_score.terms.terms()
            assert terms_ == place_terms(place, around).terms()
            assert found_score.score == pytest.approx(sum(value for _, value in terms_))
            assert found_score.standing == around.standings.of(place)

    @pytest.mark.parametrize("openness", [0.0, 0.25, 1.0])
    def test_it_is_kept_by_openness_and_telling_hints(self, openness: float) -> None:
        """What is known of a page of another type is not taken."""
        found = reading(self.PAGE, site())
        kept = surroundings_of(found, site())
        for telling in (kept.telling, 0):
            for type_ in (0.5, openness, 0.5):
                fresh = surroundings_of(reading(self.PAGE, site()), site())
                old, new = (
                    replace(
                        around,
                        openness=type_,
                        telling=telling,
                        scores=around.standings.scores_of(type_, telling),
                    )
                    for around in (kept, fresh)
                )
                places = zip(found.places, reading(self.PAGE, site()).places, strict=True)
                assert all(place_score(ours, old).score == place_score(other, new).score for ours, other in places)

    def test_blocks_of_a_place_differ_in_their_own_evidence_alone(self) -> None:
        found = reading(story("festival"), site())
        around = surroundings_of(found, site())
        shared = {one.place: place_score(one.place, around).terms.terms() for one in found.evidence}
        names = {name for terms_ in shared.values() for name, _ in terms_}
        own = {name for index, one in enumerate(found.evidence) for name, _ in own_terms(found, around, index)}
        assert not names & own
        assert {"inside the region", "running text", "paragraph"} <= names
        assert {"odds", "links", "repeated", "next block"} <= own

    def test_sites_with_pages_of_all_types_fill_no_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Pages that are lists to some extent each have an openness of their own."""
        monkeypatch.setattr(surroundings, "MAX_VIEWS", 3)
        found = reading(self.PAGE, site())
        around = surroundings_of(found, site())
        for number in range(20):
            place_score(found.places[0], replace(around, openness=number / 20))
            assert len(around.standings._scores) <= 3
