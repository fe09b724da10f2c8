"""What is learned of a site."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrapy_stemmer.core.evidence import model as module
from scrapy_stemmer.core.evidence.model import (
    Namer,
    SiteModel,
    common_names,
    component_of,
    dominant_paths,
    fingerprint,
    learn_site,
    read,
    text_hash,
)
from scrapy_stemmer.core.evidence.names import Hint
from scrapy_stemmer.core.evidence.outline import Node
from tests.core.evidence.made import FOOTER, TOPICS, outline, prose, reading, site, story


class TestTexts:
    def test_texts_that_differ_in_numbers_are_one(self) -> None:
        assert text_hash("5minutesago") == text_hash("17minutesago")
        assert text_hash("minutesago") != text_hash("secondsago")

    def test_numbers_alone_are_not(self) -> None:
        assert text_hash("1834") != text_hash("1835")
        assert text_hash("12kg") != text_hash("15kg")

    def test_a_page_is_known_by_its_texts_whatever_the_markup(self) -> None:
        assert fingerprint(outline("<p>Rain</p><p>fell</p>")) == fingerprint(outline("<div>Rain<b><br>fell!</b></div>"))
        assert fingerprint(outline("<p>Rain</p><p>fell</p>")) != fingerprint(outline("<p>Rain fell</p>"))


class TestNames:
    def test_names_on_two_pages_count(self) -> None:
        pages = [outline(f"<div id=post-{n} class='story x{n}'>{n}</div>") for n in range(3)]
        assert common_names(pages) == frozenset({"#post-0", ".story"})

    def test_of_one_page_nothing_is_known(self) -> None:
        assert common_names([outline("<p class=a>x</p>")]) is None

    def test_a_component_has_the_names_that_count(self) -> None:
        node = Node(0, "div", id="post-17", classes=("a", "b"), hidden=True)
        assert component_of(node, frozenset({"#post-0", ".b"})) == "div#post-0.b.hidden!"
        assert component_of(node, frozenset()) == "div.hidden!"

    @pytest.mark.parametrize("name", ["story", "col-md-4", "h1", "StoryBody", "wp-block-12"])
    def test_names_of_a_single_page_that_look_chosen_count(self, name: str) -> None:
        assert component_of(Node(0, "p", classes=(name,)), None) == f"p.{name}"

    @pytest.mark.parametrize("name", ["post-1234", "css-1x2y3z", "a1b2c3d", "StyledBox7Kd"])
    def test_those_that_look_made_for_it_do_not(self, name: str) -> None:
        assert component_of(Node(0, "p", classes=(name,)), None) == "p"

    def test_a_namer_forgets_when_there_is_no_end_of_names(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_KNOWN", 3)
        namer = Namer(frozenset({".caption"}))
        nodes = [Node(0, "p", id=f"p{'x' * number}", classes=("caption",)) for number in range(20)]
        assert {namer.of(node) for node in nodes} == {("p.caption", Hint.CAPTION)}
        assert len(namer._found) <= 3


class TestASiteOfArticles:
    def test_what_it_is(self) -> None:
        found = site()
        assert (found.pages, len(found.fingerprints), found.article_share) == (6, 6, 1.0)
        assert found.names == frozenset({".story"})
        assert found.title_parts == {"Example News"}
        assert found.dominance > 0.9
        assert found.openness == 0.0

    def test_texts_are_counted_by_page(self) -> None:
        found = site()
        copyright_ = outline(FOOTER).blocks[0]
        own = outline(f"<p>{prose('storm', 1)}</p>").blocks[0]
        assert found.repeats[text_hash(copyright_.sig)] == 6
        assert found.repeats[text_hash(own.sig)] == 1

    def test_the_pages_agree_on_the_place_of_their_text(self) -> None:
        found = site()
        votes = {found.paths.text(path): vote for path, vote in found.votes.items()}
        assert votes["body/div.story"] == 6.0
        assert "body/footer" not in votes
        assert "body/nav" not in votes

    def test_shares_of_links_and_of_repeated_text_in_each_path(self) -> None:
        found = site()
        shares = {found.paths.text(path): share for path, share in found.shares.items()}
        assert len(shares) == len(found.paths)
        assert shares["body/nav"] == (1.0, 1.0)
        assert shares["body/footer"] == (0.0, 1.0)
        assert shares["body/div.story/p"] == (0.0, 0.0)
        assert 0.0 < shares["body"][1] < 0.5

    def test_the_threshold_is_relative_to_the_best_class(self) -> None:
        found = site()
        path = next(path for path in range(len(found.paths)) if found.paths.text(path) == "body/div.story/p")
        assert found.classes.by_path[path][-1] == pytest.approx(found.threshold + 3.0)

    def test_all_numbers_are_rounded_as_they_are_saved(self) -> None:
        found = site()
        numbers = [found.threshold, found.dominance, found.article_share, *found.votes.values()]
        numbers += [value for share in found.shares.values() for value in share]
        numbers += [
            value for means in [*found.classes.by_path.values(), *found.classes.by_suffix.values()] for value in means
        ]
        assert all(round(number, 3) == number for number in numbers)
        assert all(found.votes.values())

    def test_the_same_pages_give_the_same_model(self) -> None:
        assert site() == site()
        assert site() != site([story(topic) for topic in TOPICS[:5]])


def test_votes_that_round_to_nothing_are_none() -> None:
    """A pattern file does not hold them; whether a path has a vote decides."""
    texts = {n: "".join(f"<p>{prose(t + n, number)}</p>" for t in TOPICS for number in range(60)) for n in "ab"}
    found = site([f"<body><div>{text}</div><dl><dd>Rain, {n}</dd></dl></body>" for n, text in texts.items()])
    assert all(found.votes.values())
    assert not any(found.paths.tag(path) == "dd" for path in found.votes)


def test_the_running_text_of_a_site_is_told_by_its_articles() -> None:
    lists = [f"<body><ul><li>{a}</li></ul><dl><dd>{a}{a}</dd></dl><h2>{a}a</h2><pre>{a}b</pre>" for a in "abcdefgh"]
    assert site([*lists, *(story(topic) for topic in TOPICS)]).dominance > 0.9


class TestReading:
    def test_a_page_of_the_sample_is_not_compared_with_itself(self) -> None:
        model = site()
        own = {found.block.text: found for found in reading(story("storm"), model).evidence}
        assert not own[prose("storm", 0)].repeated
        assert own["Home Sport"].repeated_share == 1.0

    def test_a_new_page_is_compared_with_all(self) -> None:
        quoted = story("festival", extra=f"<p>{prose('storm', 0)}</p>")
        new = {found.block.text: found for found in reading(quoted, site()).evidence}
        assert new[prose("storm", 0)].repeated_share == pytest.approx(1 / 6)
        assert not new[prose("festival", 0)].repeated
        assert new["Home Sport"].repeated_share == 1.0

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

    def test_reading_changes_nothing_in_the_model(self) -> None:
        model = site()
        read(outline(story("festival", extra="<dl><dd>x</dd></dl>")), model, Namer(model.names))
        assert model == site()

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


def test_dominant_paths_have_a_good_share_of_the_text() -> None:
    found = reading(story("storm", inside="<ul><li>rain</li></ul>"), site())
    assert {found.paths.text(path) for path in dominant_paths(found.evidence, 0.0)} == {"body/div.story/p"}
    assert dominant_paths(found.evidence, 99.0) == frozenset()


@pytest.mark.parametrize("html", ["<p>One word</p>", "<p>7</p>", "<nav><a>Home</a></nav>"])
def test_one_page_of_hardly_any_text(html: str) -> None:
    found = learn_site([outline(html)])
    assert isinstance(found, SiteModel)
    assert (found.pages, found.names) == (1, None)
    assert all(one.repeated_share == 0.0 for one in reading(html, found).evidence)
