"""How pages of a known site are read: along a route to where the sample had text, else as a whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from lxml import etree

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.evidence import reading as module
from scrapy_stemmer.core.evidence.decision import decide
from scrapy_stemmer.core.evidence.head import Head
from scrapy_stemmer.core.evidence.model import Reading, SiteModel
from scrapy_stemmer.core.evidence.outline import TextBlock
from scrapy_stemmer.core.evidence.paths import ROOT
from scrapy_stemmer.core.evidence.places import Places
from scrapy_stemmer.core.evidence.reading import HOLDS, MAX_ROUTES, SiteReader
from scrapy_stemmer.core.evidence.region import POOR, value_of
from scrapy_stemmer.core.evidence.surroundings import blocks_within
from scrapy_stemmer.core.evidence.walk import Reader, Walk, tree_of
from tests.core.evidence.made import (
    IMPRINT,
    MENU,
    TOPICS,
    led,
    made_pages,
    made_sites,
    path_of,
    prose,
    site,
    story,
)

pytestmark = pytest.mark.usefixtures("both_walks")

TEXT = [prose("festival", number) for number in range(4)]


def read(html: str, model: SiteModel | None = None) -> Reading:
    return SiteReader(model or site()).read(parse(html))


def texts(found: Reading) -> list[str]:
    return [block.text for block in found.outline.blocks]


def region(found: Reading) -> str | None:
    """The region where a page was read along a route, ``None`` of one that was read as a whole."""
    return None if found.regions is None else " ".join(map(found.paths.text, found.regions))


def with_regions(model: SiteModel, **least: float) -> SiteModel:
    """The model with these regions, by class name, each with the least value that it had."""
    return replace(model, regions={(path_of(model.paths, f"body/div.{name}"),): value for name, value in least.items()})


def value(html: str, name: str = "story") -> float:
    """What a region of a page of stories is worth."""
    found = SiteReader(site()).read_all(parse(html))
    inside = blocks_within(found, (path_of(found.paths, f"body/div.{name}"),))
    return sum(value_of(one, site().threshold) for one in inside)


class TestAlongTheRoute:
    def test_the_region_is_read_and_nothing_else(self) -> None:
        found = read(story("festival", extra="<aside>More of this</aside>", inside="<aside>Read this</aside>"))
        assert region(found) == "body/div.story"
        assert texts(found) == ["festival news", *TEXT[:2], "Read this", *TEXT[2:]]
        assert [one.block for one in found.evidence] == list(found.outline.blocks)

    def test_a_page_as_a_whole(self) -> None:
        found = SiteReader(site()).read_all(parse(story("festival")))
        assert region(found) is None
        assert texts(found) == [
            "Home Sport",
            "festival news",
            *TEXT,
            "Copyright Example News, all rights reserved.",
        ]

    def test_the_head_is_read(self) -> None:
        found = read(story("festival"))
        assert (found.outline.head.title, found.outline.head.is_article) == ("festival news | Example News", True)

    def test_texts_amid_what_leads_to_the_region_are_not(self) -> None:
        html = story("festival").replace("<div class=story>", "<div>Before<div class=story>")
        html = html.replace("<footer>", "After</div><footer>")
        model = site([story(t).replace("<div class=story>", "<div><div class=story>") for t in TOPICS])
        assert texts(read(html, model)) == ["festival news", *TEXT]

    def test_each_element_of_the_region_s_path(self) -> None:
        more = f"<div class=story><p>{prose('ferry', 0)}</p></div>"
        assert texts(read(story("festival", extra=more))) == ["festival news", *TEXT, prose("ferry", 0)]

    def test_an_element_of_that_name_elsewhere_is_not_read(self) -> None:
        more = f"<section><div class=story><p>{prose('ferry', 0)}</p></div></section>"
        assert texts(read(story("festival", extra=more))) == ["festival news", *TEXT]

    @pytest.mark.parametrize(
        ("before", "after"),
        [("<span>", "</span>"), ("<font><b>", "</b></font>"), ("<a><i>", "</i></a>")],
    )
    def test_inline_elements_around_the_region(self, before: str, after: str) -> None:
        """They are on no path, and texts in them are passed over."""
        html = story("festival").replace("<div class=story>", f"Before{before}One<div class=story>")
        found = read(html.replace("<footer>", f"Two{after}After<footer>"))
        assert (region(found), texts(found)) == ("body/div.story", ["festival news", *TEXT])

    @pytest.mark.parametrize("tag", ["template", "noscript", "span class=sr-only", "span style='display:none'"])
    def test_what_is_not_shown_is_not_followed(self, tag: str) -> None:
        html = story("festival").replace("<div class=story>", f"<{tag}><h1>Not shown</h1><div class=story>")
        found = read(html.replace("<footer>", f"</{tag.split()[0]}><footer>"))
        assert region(found) is None
        assert "festival news" not in texts(found)

    def test_what_stands_in_a_link_is_linked(self) -> None:
        """Although the link begins outside of what is read."""
        html = story("festival", extra="<a href=/><h1>Example <b>News</b></h1></a><h1>Plain</h1>")
        blocks = {block.text: block for block in read(html).outline.blocks}
        assert blocks["Example News"].anchor_weight == blocks["Example News"].weight
        assert blocks["Plain"].anchor_weight == 0

    def test_comments_in_a_tree_of_the_users(self) -> None:
        root = etree.HTML(story("festival").replace("<div class=story>", "<!-- x --><?pi x?><div class=story>"))
        assert texts(SiteReader(site()).read(root)) == ["festival news", *TEXT]

    def test_a_body_without_html(self) -> None:
        body = parse(story("festival")).find("body")
        assert body is not None
        assert texts(SiteReader(site()).read(body)) == ["festival news", *TEXT]


class TestHeadings:
    """Main headings are read wherever they stand: one of them is the title."""

    def test_outside_of_the_region(self) -> None:
        html = story("festival").replace("<h1>festival news</h1>", "")
        html = html.replace(
            "<div class=story>", "<header>x<div>y<h1>festival <b>news</b></h1></div></header><div class=story>"
        )
        found = read(html)
        assert (region(found), texts(found)) == ("body/div.story", ["festival news", *TEXT])
        assert [found.places[block.node].tag for block in found.outline.blocks] == ["h1", *["p"] * 4]

    def test_what_stands_in_one_is_read(self) -> None:
        found = read(story("festival", extra="<h1><div>News of <p>the day</p></div></h1>"))
        assert texts(found)[5:] == ["News of", "the day"]

    def test_lesser_headings_are_not(self) -> None:
        assert texts(read(story("festival", extra="<h2>More</h2>"))) == ["festival news", *TEXT]


class TestOutposts:
    """Places outside of the regions where pages of the sample had text."""

    MODEL = site([led(topic) for topic in TOPICS])

    def test_they_are_read(self) -> None:
        found = read(led("festival").replace("</section>", "<div>Other</div></section>"), self.MODEL)
        assert region(found) == "body/div.story"
        assert texts(found) == ["festival news", "How festival came to be what it is", *TEXT]

    def test_pages_may_lack_them(self) -> None:
        found = read(story("festival"), self.MODEL)
        assert (region(found), texts(found)) == ("body/div.story", ["festival news", *TEXT])

    def test_their_text_is_text(self) -> None:
        found = read(led("festival"), self.MODEL)
        kept = [decision.score > 0 for decision in decide(found, self.MODEL).decisions]
        assert kept == [False, True, True, True, True, True]


class CountingTree:
    """A tree that counts the walks over it."""

    def __init__(self, html: str) -> None:
        self.tree = tree_of(parse(html))
        self.head = self.tree.head
        self.walks = 0

    def walk(self, reader: Reader, places: Places) -> Walk:
        self.walks += 1
        return self.tree.walk(reader, places)


class TestWhetherTheRegionHoldsEnough:
    """Else the whole page is read."""

    def test_where_it_is_missing(self) -> None:
        found = read(story("festival").replace("class=story", "class=other"))
        assert region(found) is None
        assert texts(found)[0] == "Home Sport"

    def test_where_it_is_empty(self) -> None:
        html = story("festival").replace("<div class=story>", "<div class=story></div><div>")
        assert region(read(html)) is None

    def test_half_of_what_the_sample_had_is_enough(self) -> None:
        html = story("festival")
        for share, enough in ((0.99, True), (1.01, False)):
            model = with_regions(site(), story=share * value(html) / HOLDS)
            assert (region(read(html, model)) is not None) is enough

    def test_a_poor_region_is_not_however_poor_the_sample_s_were(self) -> None:
        html = story("festival")
        for text, enough in ((TEXT[0], True), ("Rain fell.", False)):
            page = html.replace("".join(f"<p>{line}</p>" for line in TEXT), f"<p>{text}</p>")
            assert (value(page) >= POOR) is enough
            assert (region(read(page, with_regions(site(), story=1.0))) is not None) is enough

    def test_text_of_all_pages_does_not_count(self) -> None:
        notice = "".join(f"<p>{prose('notice', number)}</p>" for number in range(3))
        pages = [story(topic, inside=notice) for topic in TOPICS]
        model = site(pages)
        found = read(f"<body>{MENU}<div class=story>{notice}</div><x-y><p>{TEXT[0]}</p></x-y></body>", model)
        assert region(found) is None

    def test_where_the_body_does_not_all_of_it_is_known_already(self) -> None:
        model = replace(site(), regions={(ROOT,): 10 * value(story("festival"))})
        tree = CountingTree(story("festival"))
        found = SiteReader(model).read_tree(tree)  # type: ignore[arg-type]
        assert (region(found), found.inside, tree.walks) == (None, None, 1)
        as_a_whole = SiteReader(model).read_all(parse(story("festival")))
        assert texts(found) == texts(as_a_whole)
        assert list(found.outline.parents) == list(as_a_whole.outline.parents)
        assert [place.path for place in found.places] == [place.path for place in as_a_whole.places]
        assert [one.odds for one in found.evidence] == [one.odds for one in as_a_whole.evidence]

    def test_without_learned_regions(self) -> None:
        assert region(read(story("festival"), replace(site(), regions={}))) is None
        assert region(read("<p>Rain</p>", site(["<p>Rain</p>", "<p>Snow</p>"]))) is None

    @pytest.mark.parametrize(
        "html", ["", "<body></body>", "<frameset><frame src=a></frameset>", "<p>—</p>", "<title>x</title>", "\x00"]
    )
    def test_pages_without_text(self, html: str) -> None:
        found = read(html)
        assert (region(found), texts(found), len(found.places)) == (None, [], len(found.outline.shapes))


def mixed() -> SiteModel:
    """The model of stories and blogs."""
    stories = [story(topic, extra=IMPRINT) for topic in TOPICS]
    return site([*stories[:3], *(html.replace("class=story", "class=blog") for html in stories[3:])])


class TestSeveralRegions:
    BLOG = story("festival").replace("class=story", "class=blog")

    def test_each_is_looked_for(self) -> None:
        model = mixed()
        assert [region(read(html, model)) for html in (story("festival"), self.BLOG)] == [
            "body/div.story",
            "body/div.blog",
        ]

    def test_the_one_with_more_votes_comes_first(self) -> None:
        both = story("festival", extra=self.BLOG.split("</nav>")[1])
        for story_votes, blog_votes, first in ((3.0, 1.0, "body/div.story"), (1.0, 3.0, "body/div.blog")):
            model = mixed()
            story_, blog = (path_of(model.paths, f"body/div.{name}") for name in ("story", "blog"))
            model = replace(model, votes={story_: story_votes, blog: blog_votes})
            found = read(both, model)
            assert region(found) == first
            assert texts(found).count(TEXT[0]) == 1

    @pytest.mark.parametrize(("body_votes", "first"), [(3.7, "body/div.story"), (3.8, "body")])
    def test_of_nearly_as_many_votes_the_deeper_one(self, body_votes: float, first: str) -> None:
        model = site()
        story_ = path_of(model.paths, "body/div.story")
        model = replace(model, votes={ROOT: body_votes, story_: 3.0}, regions={(ROOT,): 100.0, (story_,): 100.0})
        assert region(read(story("festival"), model)) == first

    def test_a_region_that_holds_too_little_leaves_it_to_the_next(self) -> None:
        model = with_regions(mixed(), story=1e6, blog=100.0)
        html = story("festival", extra=self.BLOG.split("</nav>")[1])
        assert region(read(html, model)) == "body/div.blog"

    def test_few_are_looked_for(self) -> None:
        """Those with the most votes."""
        names = "abcdefgh"
        pages = [story(topic).replace("class=story", f"class={name}") for name in names for topic in TOPICS[:2]]
        model = site(pages)
        paths = {name: path_of(model.paths, f"body/div.{name}") for name in names}
        votes = {paths[name]: 10.0 - 3 * number for number, name in enumerate(names)}
        model = replace(model, votes=votes, regions={(path,): 100.0 for path in paths.values()})
        found = {name: region(read(story("x").replace("class=story", f"class={name}"), model)) for name in names}
        assert [name for name, known in found.items() if known] == list(names[:MAX_ROUTES])


def test_a_body_that_is_the_region() -> None:
    model = replace(site(), regions={(ROOT,): 100.0})
    found = read(story("festival"), model)
    assert region(found) == "body"
    assert texts(found) == texts(SiteReader(model).read_all(parse(story("festival"))))


def nested(depth: int, html: str) -> etree._Element:
    """A page in so many elements. The parser cuts off at some 2,000; a tree of the user's may be deeper."""
    root = parse(html)
    body = root.find("body")
    assert body is not None
    last = outermost = etree.Element("div")
    for number in range(depth):
        last = etree.SubElement(last, "span" if number % 3 else "div")
    last.extend(list(body))
    body.append(outermost)
    return root


class TestDeepTrees:
    def test_20_000_elements_around_a_page(self) -> None:
        found = SiteReader(site()).read(nested(20_000, story("festival")))
        assert region(found) is None
        assert texts(found)[1:6] == ["festival news", *TEXT]
        assert len(decide(found, site()).decisions) == 7

    def test_20_000_elements_beside_the_region(self) -> None:
        """With a heading in the innermost one."""
        root = nested(20_000, "<h1>Rain</h1>")
        body = root.find("body")
        assert body is not None
        body.extend(list(parse(story("festival")).iter("div", "footer")))
        found = SiteReader(site()).read(root)
        assert (region(found), texts(found)) == ("body/div.story", ["Rain", "festival news", *TEXT])
        assert len(decide(found, site()).decisions) == 6

    def test_20_000_elements_in_the_region(self) -> None:
        root = parse(story("festival"))
        (last,) = root.iter("footer")
        last.tag, last.text = "div", None
        last.set("class", "story")
        for _ in range(20_000):
            last = etree.SubElement(last, "div")
        last.text = "deep"
        found = SiteReader(site()).read(root)
        assert (region(found), texts(found)[-1]) == ("body/div.story", "deep")
        assert len(decide(found, site()).decisions) == 6

    def test_many_headings_at_the_bottom_of_a_deep_tree(self) -> None:
        """What is around them is looked through once."""
        found = SiteReader(site()).read(nested(20_000, "<h1>Rain</h1>" * 2_000))
        assert len(found.outline.blocks) == 2_000


class TestWhole:
    """The rest of a page, after what was read of it."""

    def check(self, html: str, model: SiteModel) -> None:
        reader, root = SiteReader(model), parse(html)
        found = reader.read(root)
        if found.regions is None:
            return
        whole = reader.whole(tree_of(root), found.regions)
        page = whole.reading
        read_ = [block for block, was_read in zip(page.outline.blocks, whole.was_read, strict=True) if was_read]
        assert list(map(by_itself, read_)) == list(map(by_itself, found.outline.blocks))
        again = reader.read_all(root).outline
        assert replace(page.outline, head=Head()) == replace(again, head=Head())
        assert page.regions == found.regions
        for block, own in zip(read_, found.outline.blocks, strict=True):
            assert page.paths.text(page.places[block.node].path) == found.paths.text(found.places[own.node].path)

    def test_which_blocks_were_read(self) -> None:
        reader, root = SiteReader(site()), parse(story("festival", extra="<h1>Rain</h1>"))
        found = reader.read(root)
        assert found.regions is not None
        whole = reader.whole(tree_of(root), found.regions)
        assert whole.was_read == [False, True, True, True, True, True, True, False]

    @pytest.mark.parametrize("html", [led("festival"), f"<a href=/>{story('festival')}</a>"])
    def test_they_are_the_same_blocks(self, html: str) -> None:
        self.check(html, TestOutposts.MODEL)

    @given(made_sites(), made_pages())
    def test_whatever_the_page(self, sample: list[str], html: str) -> None:
        model = site(sample)
        for page in (*sample, html):
            self.check(page, model)


def by_itself(block: TextBlock) -> TextBlock:
    """A block, wherever it stands among the elements that were read."""
    return replace(block, node=0, start=0, end=0)


def summary(found: Reading) -> tuple[object, ...]:
    """What is seen of a page, without the numbers of new paths, which go by the order of pages."""
    return (
        region(found),
        [by_itself(block) for block in found.outline.blocks],
        [(one.prior, one.odds, one.repeated_share) for one in found.evidence],
        [(found.paths.text(place.path), place.profile, place.level, place.own_hints) for place in found.places],
    )


class TestWhatIsRemembered:
    PAGES = tuple(story("abcdef"[n % 6], inside=f"<x-{n}><dl id=y{n}><dd>Rain</dd></dl></x-{n}>") for n in range(12))

    def test_reading_changes_nothing_in_the_model(self) -> None:
        model = site()
        reader = SiteReader(model)
        for html in self.PAGES:
            reader.read(parse(html))
            reader.read_all(parse(html))
        assert model == site()
        assert len(model.paths) == len(site().paths)

    def test_pages_that_were_read_before_make_no_difference(self) -> None:
        orders = self.PAGES, self.PAGES[::-1], self.PAGES[6:] + self.PAGES[:6]
        found = []
        for order in orders:
            reader = SiteReader(site())
            found.append(
                {html: (summary(reader.read(parse(html))), summary(reader.read_all(parse(html)))) for html in order}
            )
        assert found[0] == found[1] == found[2]

    def test_a_reader_forgets_when_there_is_no_end_of_places(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_KNOWN", 20)
        reader = SiteReader(site())
        lengths = []
        for html in self.PAGES:
            found = reader.read(parse(html))
            assert summary(found) == summary(SiteReader(site()).read(parse(html)))
            lengths.append(len(found.paths))
        assert max(lengths) < len(site().paths) + 20 + 10
        assert lengths != sorted(lengths)

    def test_what_was_read_before_stays_as_it_was(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_KNOWN", 1)
        reader = SiteReader(site())
        roots = [parse(html) for html in self.PAGES]
        found = [reader.read(root) for root in roots]
        assert [summary(one) for one in found] == [summary(SiteReader(site()).read(root)) for root in roots]
        for root, one in zip(roots, found, strict=True):
            assert one.regions is not None
            whole = reader.whole(tree_of(root), one.regions).reading
            assert [whole.paths.text(place.path) for place in whole.places][:3] == [
                "body",
                "body/nav",
                "body/div.story",
            ]

    def test_threads(self) -> None:
        """One reader serves them all."""
        reader, pages = SiteReader(site()), self.PAGES * 8
        expected = {html: summary(SiteReader(site()).read(parse(html))) for html in self.PAGES}
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda html: summary(reader.read(parse(html))), pages))
        assert found == [expected[html] for html in pages]


@given(made_sites(), made_pages())
def test_the_tree_is_not_changed(sample: list[str], html: str) -> None:
    reader, root = SiteReader(site(sample)), parse(html)
    before = etree.tostring(root)
    found = reader.read(root)
    if found.regions is not None:
        reader.whole(tree_of(root), found.regions)
    assert etree.tostring(root) == before
