"""What is learned of a site."""

from __future__ import annotations

from string import ascii_lowercase

import pytest
from hypothesis import given

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.evidence.learning import (
    MANY_PAGES,
    ROUTE_PAGES,
    common_names,
    headings_of,
    learn_reader,
    learn_site,
    texts_of,
)
from scrapy_stemmer.core.evidence.model import SiteModel
from scrapy_stemmer.core.evidence.reading import SiteReader
from scrapy_stemmer.core.evidence.region import POOR, value_of
from scrapy_stemmer.core.evidence.surroundings import blocks_within
from scrapy_stemmer.core.evidence.walk import Reader
from tests.core.evidence.made import (
    FOOTER,
    IMPRINT,
    MENU,
    TOPICS,
    led,
    made_sites,
    outline,
    prose,
    reading,
    site,
    story,
)


def test_names_on_two_pages_count() -> None:
    pages = [outline(f"<div id=post-{n} class='story x{n}'>{n}</div>") for n in range(3)]
    assert common_names(pages) == frozenset({"#post-0", ".story"})


def test_a_name_that_stands_on_one_page_twice_does_not() -> None:
    assert common_names([outline("<p class=a>x</p><p class=a>y</p>"), outline("<p>x</p>")]) == frozenset()


def test_of_one_page_nothing_is_known() -> None:
    assert common_names([outline("<p class=a>x</p>")]) is None


class TestASiteOfArticles:
    def test_what_it_is(self) -> None:
        found = site()
        assert (found.pages, found.article_share) == (6, 1.0)
        assert found.names == frozenset({".story"})
        assert found.title_parts == {"Example News"}
        assert found.dominance > 0.9
        assert found.openness == 0.0

    def test_texts_of_several_pages_are_counted_by_page(self) -> None:
        found = site([story(topic, inside="<p>Rain fell.</p>" * 2 * (topic == "storm")) for topic in TOPICS])
        copyright_, menu = (outline(html).blocks[0] for html in (FOOTER, MENU))
        assert found.repeats == {copyright_.hash: 6, menu.hash: 6}

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


@pytest.mark.parametrize("html", ["<p>One word</p>", "<p>7</p>", "<nav><a>Home</a></nav>"])
def test_one_page_of_hardly_any_text(html: str) -> None:
    found = learn_site([outline(html)])
    assert isinstance(found, SiteModel)
    assert (found.pages, found.names) == (1, None)
    assert all(one.repeated_share == 0.0 for one in reading(html, found).evidence)


class TestTextsOfOnePage:
    """They are kept of small samples, each with its page."""

    def test_of_few_pages(self) -> None:
        topics = TOPICS[: MANY_PAGES - 1]
        found = site([story(topic) for topic in topics])
        for number, topic in enumerate(topics):
            texts = {block.hash for block in outline(story(topic)).blocks} - set(found.repeats)
            assert {text for text, page in found.singles.items() if page == number} == texts
            assert len(texts) == 5

    def test_of_many_pages_they_are_not(self) -> None:
        assert site([story(topic) for topic in TOPICS[:MANY_PAGES]]).singles == {}

    def test_a_text_is_of_one_page_or_of_several(self) -> None:
        found = site([story(topic) for topic in TOPICS[:3]])
        assert not set(found.singles) & set(found.repeats)


def regions(found: SiteModel) -> dict[str, float]:
    return {" ".join(map(found.paths.text, paths)): value for paths, value in found.regions.items()}


class TestRoutes:
    """Where the pages of the sample had text."""

    def test_the_region_of_stories(self) -> None:
        found = site()
        assert list(regions(found)) == ["body/div.story"]
        assert found.outposts == frozenset()

    def test_the_least_value_of_a_region_counts(self) -> None:
        """Of long stories and short ones that of a short one, whichever comes first."""
        short = [story(topic) for topic in TOPICS[:3]]
        long = [story(topic, inside=f"<p>{prose(topic, 9)}</p>" * 2) for topic in TOPICS[3:]]
        values = {regions(site(pages))["body/div.story"] for pages in ([*short, *long], [*long, *short])}
        assert len(values) == 1
        assert values.pop() < 0.8 * regions(site(long))["body/div.story"]

    def test_each_place_of_text_is_a_region(self) -> None:
        stories = [story(topic, extra=IMPRINT) for topic in TOPICS]
        blogs = [html.replace("class=story", "class=blog") for html in stories[3:]]
        assert set(regions(site([*stories[:3], *blogs]))) == {"body/div.story", "body/div.blog"}

    def test_a_place_of_little_text_is_none(self) -> None:
        assert site(["<p>Rain</p>", "<p>Snow</p>"]).regions == {}
        assert all(value >= POOR for value in site().regions.values())

    def test_text_outside_of_the_region_is_an_outpost(self) -> None:
        found = site([led(topic) for topic in TOPICS])
        assert list(regions(found)) == ["body/div.story"]
        assert {found.paths.text(path) for path in found.outposts} == {"body/section/div.standfirst"}

    def test_titles_outside_of_the_region_are_none(self) -> None:
        """Main headings are read wherever they stand."""
        pages = [story(topic).replace("<div class=story>", "") for topic in TOPICS]
        found = site([page.replace("</h1>", "</h1><div class=story>") for page in pages])
        assert list(regions(found)) == ["body/div.story"]
        assert found.outposts == frozenset()

    def test_a_line_below_the_title_is_one(self) -> None:
        """It may say who wrote the page, and when."""
        found = site([led(topic).replace("class=standfirst", "") for topic in TOPICS])
        assert [found.paths.tag(path) for path in found.outposts] == ["div"]

    def test_the_first_pages_tell(self) -> None:
        stories = [story(letter, extra=IMPRINT) for letter in ascii_lowercase[:ROUTE_PAGES]]
        others = [story(topic, extra=IMPRINT).replace("class=story", "class=other") for topic in ("festival", "ferry")]
        assert list(regions(site([*stories, *others]))) == ["body/div.story"]
        assert set(regions(site([*others, *stories]))) == {"body/div.other", "body/div.story"}

    def test_learning_again_gives_the_same(self) -> None:
        assert (site().regions, site().outposts) == (site().regions, site().outposts)


class TestWithoutTexts:
    """Learning needs the texts of main headings only."""

    @staticmethod
    def learned(pages: list[str], *, keep_texts: bool) -> SiteModel:
        reader = Reader(remember_texts=True, keep_texts=keep_texts)
        return learn_site([reader.outline(parse(html)) for html in pages])

    @given(made_sites())
    def test_the_same_is_learned(self, pages: list[str]) -> None:
        assert self.learned(pages, keep_texts=False) == self.learned(pages, keep_texts=True)

    def test_headings_of_several_pages_are_known(self) -> None:
        pages = [story(topic, extra="<h1>Daily <b>Rain</b></h1><h2>More</h2>") for topic in TOPICS]
        assert self.learned(pages, keep_texts=False).title_parts == {"Example News", "Daily Rain"}


def test_the_texts_of_a_page_in_order() -> None:
    first, second, third = texts_of(outline("<p>rain</p><p>snow</p><p>Rain!</p>"))
    assert first == third != second


def test_main_headings_of_several_pages_are_parts_of_titles() -> None:
    assert headings_of(outline("<h1>Rain</h1><p>x</p><h1><div>in</div>Snow</h1><h2>Wind</h2>")) == ["Rain", "Snow"]
    found = site([story(topic, extra="<h1>Daily Rain</h1>" * (topic in TOPICS[:2])) for topic in TOPICS])
    assert found.title_parts == {"Example News", "Daily Rain"}


def parted(topic: str) -> str:
    """A page of two parts that stand apart, and no article."""
    texts = [f"<p>{prose(topic, number)}</p>" for number in range(6)]
    first, second = "".join(texts[:4]), "".join(texts[4:])
    return f"<body>{MENU}<div class=a>{first}</div>{IMPRINT}<div class=b>{second}</div></body>"


class TestSeveralRegions:
    def test_the_parts_of_open_pages_are_regions_together(self) -> None:
        found = site([parted(topic) for topic in TOPICS])
        assert found.openness == 1.0
        assert list(regions(found)) == ["body/div.a body/div.b"]
        assert found.outposts == frozenset()

    def test_their_value_is_that_of_all(self) -> None:
        model = site([parted(topic) for topic in TOPICS])
        ((paths, least),) = model.regions.items()
        values = []
        for topic in TOPICS:
            inside = blocks_within(reading(parted(topic), model), paths)
            assert [one.block.text for one in inside] == [prose(topic, number) for number in range(6)]
            values.append(sum(value_of(one, model.threshold) for one in inside))
        assert least == pytest.approx(min(values), abs=1.0)

    def test_pages_are_read_along_a_route_to_all_of_them(self) -> None:
        model = site([parted(topic) for topic in TOPICS])
        found = SiteReader(model).read(parse(parted("festival")))
        assert found.regions == next(iter(model.regions))
        assert [block.text for block in found.outline.blocks] == [prose("festival", number) for number in range(6)]


def test_a_reader_that_has_learned_reads_like_one_of_the_model_alone() -> None:
    reader = Reader(remember_texts=True, keep_texts=False)
    pages = [reader.outline(parse(story(topic))) for topic in TOPICS]
    learned = learn_reader(pages, reader)
    assert learned.model == learn_site(pages)
    for html in (story("festival"), story("festival", extra="<dl><dd>Rain</dd></dl>"), "<p>Rain</p>"):
        found, expected = (one.read(parse(html)) for one in (learned, SiteReader(learned.model)))
        ours, theirs = ([(one.block.text, one.prior, one.odds) for one in each.evidence] for each in (found, expected))
        assert (ours, found.regions) == (theirs, expected.regions)
