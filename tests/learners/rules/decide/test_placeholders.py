"""Placeholders: pages that a site sends in place of an article."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.walls import MENU, WALLS, error
from scrapy_stemmer import Page, PageKind, PatternSet, learn, strip
from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.learners.rules.decide.placeholders import (
    Facts,
    Outline,
    facts_about,
    fold,
    known_facts,
    own_address,
)
from scrapy_stemmer.learners.rules.learn.counting import (
    COPIES,
    REMEMBERED,
    SAME_WORDS,
    TEXTS_EACH,
    SortedOut,
    sorted_out,
)
from scrapy_stemmer.learners.rules.learner import RulesLearner
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site.columns import Signatures, body_of
from scrapy_stemmer.learners.rules.site.paths import Selector
from scrapy_stemmer.learners.rules.site.reading import read_page
from scrapy_stemmer.learners.rules.site.rules import Rule
from scrapy_stemmer.page.blocks import Reason
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.shown import head_of, metadata_in
from scrapy_stemmer.patterns.record import Record
from tests.learners.rules.made import ARTICLE
from tests.samplesite import SITE, page, paragraphs, sample, sentence

HARD = "in no known language"
UNTOLD = {HARD, "soft error in no known language"}
"""Walls recognised only because several pages repeat the text."""

URL = f"https://{SITE}/2024/story-1.html"


def wall(name: str, number: int) -> Page:
    """A wall in place of an article."""
    path = f"/2024/story-{number}.html"
    return Page(f"https://{SITE}{path}", WALLS[name].html(path))


def outline(html: str, url: str = URL) -> Outline:
    root, signatures = parse(html), Signatures()
    columns = read_page(body_of(root), signatures)
    return Outline(url, head_of(metadata_in(root)), columns, signatures)


def sort(html: str) -> str | None:
    made = outline(html)
    facts = facts_about(made, range(len(made.plain)))
    return None if facts is None else facts.sort


def pattern_of(patterns: PatternSet) -> RulesPattern:
    (pattern,) = patterns.patterns
    assert isinstance(pattern, RulesPattern)
    return pattern


def is_article_whole(patterns: PatternSet) -> bool:
    article = patterns.strip(page(30))
    return article.matched and all(text in article.text for text in paragraphs(30))


def kind_of(name: str) -> PageKind | None:
    """Return the kind of a page, ``None`` for data."""
    return None if name == "binary" else WALLS[name].kind


class TestWalls:
    @pytest.mark.parametrize("name", sorted(set(WALLS) - UNTOLD))
    def test_one_alone_is_told_and_has_no_text(self, name: str) -> None:
        stripped = strip(wall(name, 1))
        assert (stripped.kind, stripped.text, stripped.html) == (kind_of(name), "", "")
        assert (stripped.reason is Reason.BINARY) == (name == "binary")

    @pytest.mark.slow
    @pytest.mark.parametrize("name", WALLS)
    def test_nothing_is_learned_of_walls_alone(self, name: str) -> None:
        assert RulesLearner().learn([wall(name, number) for number in range(20)]) == []

    @pytest.mark.slow
    @pytest.mark.parametrize("name", WALLS)
    def test_walls_are_left_out_of_a_sample_and_recognised_later(self, name: str, tmp_path: Path) -> None:
        patterns = learn([*(wall(name, number) for number in range(8)), *sample(8)])
        assert pattern_of(patterns).support == sum(pattern_of(patterns).knowledge.left_out.values()) == 8
        patterns.save(str(tmp_path / "patterns.jsonl"))
        again = PatternSet.load(str(tmp_path / "patterns.jsonl"))
        assert again == patterns
        for learned in (patterns, again):
            stripped = learned.strip(wall(name, 99))
            assert (stripped.kind, stripped.text, stripped.matched) == (kind_of(name), "", False)
            assert is_article_whole(learned)

    def test_walls_are_counted_by_kind(self) -> None:
        copy = replace(page(0), url=f"https://{SITE}/print")
        pages = [wall("nginx", 1), wall("login", 2), wall("login", 3), copy, *sample(6)]
        assert pattern_of(learn(pages)).left_out == {COPIES: 1, "login": 2, "server error": 1}
        assert pattern_of(learn(sample(6))).left_out == {}

    def test_what_somebody_wants_kept_of_one_is_kept(self) -> None:
        pattern = pattern_of(learn(sample(6)))
        mine = pattern.with_rules([Rule("keep", Selector.parse("h1"), is_users=True)])
        stripped = PatternSet([mine]).strip(wall("captcha", 1))
        assert stripped.kind is PageKind.CONTENT
        assert stripped.title == "Please verify that you are human"
        assert stripped.text

    def test_a_page_is_placeholder_for_a_reason_that_has_a_name(self) -> None:
        found = {name: sort(wall(name, 1).html) for name in ("php", "soft 404", "age", "binary", "script shell")}  # type: ignore[arg-type]
        assert list(found.values()) == ["program error", "not found", "age", "binary", "script shell"]


# Pages that are no placeholders


def in_frame(title: str, content: str) -> str:
    """A page of a site."""
    return (
        f"<html><head><title>{title} | The Heron</title></head><body><nav>{MENU}</nav><main>{content}</main>"
        "<footer>Copyright The Heron</footer></body></html>"
    )


def bare(title: str, content: str) -> str:
    """A page without links."""
    return f"<html><head><title>{title}</title></head><body>{content}</body></html>"


STORY = "".join(f"<p>{sentence(Random(number), 25)}</p>" for number in range(12))
"""A text longer than placeholders recognised by words."""

POST = f"<p>{sentence(Random(99), 60)}</p>"
"""As long as one paragraph."""

REAL = {
    "an article about a challenge": in_frame(
        "Why Cloudflare asks",
        f"<h1>Why Cloudflare asks</h1><p>Checking your browser before accessing heron.example, it says, with a Ray ID: "
        f"8f3a2b1c9d0e4f5a. Performance & security by Cloudflare.</p>{STORY}",
    ),
    "the same without any link": bare(
        "Just a moment",
        f"<h1>Just a moment: why</h1><p>Verify you are human by completing the action below.</p>{STORY}",
    ),
    "a page of a manual about an error": in_frame(
        "404 Not Found", f"<h1>404 Not Found</h1><p>The server can't find the page.</p>{POST}<h2>Status</h2>{POST}"
    ),
    "a manual of one page": bare("HTTP 404", f"<h1>404 Not Found</h1>{STORY}"),
    "a short post of a forum": in_frame(
        "Fatal error after update",
        "<h1>Fatal error after update</h1><p>Fatal error: Uncaught Error in plugin.php. Help?",
    ),
    "a bare post with an error in it": bare("Re: help", f"{POST}<pre>Fatal error: Uncaught Error in x.php</pre>{POST}"),
    "a list of films": in_frame(
        "Coming soon",
        "<h1>Coming soon</h1>" + "".join(f"<p><a href=/f/{n}>{sentence(Random(n), 20)}</a>" for n in range(9)),
    ),
    "a short note in the frame": in_frame("Roads", "<h1>Roads</h1><p>Scheduled maintenance begins on Monday.</p>"),
    "a policy": in_frame("Cookies in baking", f"<div class=cookie-recipe><h1>Cookies</h1>{STORY}</div>"),
    "an article with a bar for consent": in_frame(
        "Rain", f"<h1>Rain</h1><p>Rain fell.</p>{POST}<div class=cookie-consent>We and our partners use cookies.</div>"
    ),
    "the same as an article without any link": bare(
        "Service unavailable", f"{ARTICLE}<h1>Service unavailable</h1>{POST}"
    ),
    "a small page": bare("Squash", "<h1>Squash</h1><p>The plants need much water in a dry year.</p>"),
    "an icon font": in_frame("Rain", "<p>\ue001 Rain fell on the town, and the river rose by the hour.</p>"),
    "a page in a wrong charset": in_frame(
        "Regen", "<p>Sch\ufffdne Gr\ufffd\ufffde von der K\ufffdste, es regnet seit Tagen.</p>"
    ),
    "nothing": bare("", ""),
}


@pytest.mark.parametrize("name", REAL)
def test_real_pages_are_none(name: str) -> None:
    assert sort(REAL[name]) is None


ERRORS = "404", "404 Not Found", "Error 404 (Not Found)", "Fehler 410", "الخطأ ٤٠٤", "HTTP 403 - Forbidden", "500"
OTHERS = "Fiat 500", "4040 days", "Room 40, 4", "In 2404", "503 Elm Street", "404 and 410", "600"


@pytest.mark.parametrize(
    ("title", "is_error"), [*((each, True) for each in ERRORS), *((each, False) for each in OTHERS)]
)
def test_the_number_of_an_error_with_words_for_it(title: str, *, is_error: bool) -> None:
    found = {sort(in_frame(title, "<p>Oh no.</p>")), sort(in_frame("x", f"<h1>{title}</h1><p>Oh no.</p>"))}
    assert (found != {None}) is is_error
    assert len(found) == 1


@pytest.mark.parametrize("name", ["error404", "page-not-found", "error-page", "notFound", "page_404"])
def test_elements_that_are_named_for_an_error(name: str) -> None:
    assert sort(in_frame("The Heron", f"<div class={name}><p>Oh no.</p></div>")) == "not found"
    assert sort(in_frame("The Heron", f"<div class={name}><p>Oh no.</p>{POST}</div>")) is None


@pytest.mark.parametrize("name", ["cookie-wall", "gdprNotice", "ConsentForm", "didomi-host"])
def test_elements_that_are_named_for_consent(name: str) -> None:
    asked = f"<div id={name}><p>What may we keep of you, and for how long?</p></div>"
    assert (
        sort(bare("", asked)) == sort(in_frame("The Heron", asked).replace("<footer>", "<footer hidden>")) == "consent"
    )
    assert sort(in_frame("The Heron", f"{asked}{POST}")) is None


@pytest.mark.parametrize(("words", "expected"), [(5, "consent"), (25, None), (60, None)])
def test_a_banner_beside_the_text_of_a_page_is_no_wall(words: int, expected: str | None) -> None:
    text = " ".join(["The", *(f"storm{'abcdefgh'[number % 8]}" for number in range(words))])
    asked = "We and our partners store and/or access information on a device, such as cookies. Accept all"
    html = f"<main><h1>Rain</h1><p>{text}.</p></main><div id=onetrust-banner-sdk><p>{asked * 2}</p></div>"
    assert sort(bare("Rain", html)) == expected


class TestFold:
    """Differences ignored between placeholders."""

    ADDRESS = own_address("https://www.news.example/2024/the%20story.html?page=2#top")

    @pytest.mark.parametrize(
        ("text", "other"),
        [
            ("Ray ID: 8f3a2b1c9d0e4f5a", "ray id: 0000aaaa1111bbbb"),
            ("Reference #18.7d3e17.1732363.1a2b3c4d", "Reference #18.9.9.99999999"),
            ("XID: 123456789", "XID: 9"),
            ("Your IP is 10.0.0.1", "Your IP is 203.0.113.77"),
            ("at 2026-11-23 12:00:01", "at 2026-11-24 07:59:59"),
            ("550e8400-e29b-41d4-a716-446655440000", "67e55044-10b1-426f-9247-bb680e5fe0c8"),
            ("You’ve been  blocked", "you've been blocked"),
        ],
    )
    def test_alike(self, text: str, other: str) -> None:
        assert fold(text, self.ADDRESS) == fold(other, self.ADDRESS)

    @pytest.mark.parametrize("way", ["/2024/the%20story.html", "/2024/the story.html?page=2", "the story.html"])
    def test_the_page_s_own_address(self, way: str) -> None:
        assert fold(f"There is no {way} here.", self.ADDRESS) == "there is no \u2302 here."

    @pytest.mark.parametrize(("text", "other"), [("storm3", "storm4"), ("Model X200", "Model X300"), ("Rain", "Snow")])
    def test_apart(self, text: str, other: str) -> None:
        assert fold(text, self.ADDRESS) != fold(other, self.ADDRESS)

    @given(st.text(max_size=60), st.text(max_size=60))
    def test_twice_is_once_whatever_the_address(self, text: str, url: str) -> None:
        address = own_address(url)
        once = fold(text, address)
        assert fold(once, own_address("")) == once

    def test_a_text_longer_than_those_of_placeholders_is_as_it_stands(self) -> None:
        """Searching 500 kB takes 150 ms, in which no thread has its turn."""
        assert fold("Seen at 12:30", self.ADDRESS) == "seen at 0"
        long = "Seen at 12:30. " * 1000
        assert fold(long, self.ADDRESS) is long

    @given(st.text("abcdefgh ", max_size=30), st.text("abcdefgh ", max_size=30), st.integers(0, 2**64 - 1))
    def test_words_always_count_and_identifiers_never(self, first: str, second: str, number: int) -> None:
        assert (fold(first, self.ADDRESS) == fold(second, self.ADDRESS)) == (first.split() == second.split())
        numbered = (fold(f"{first} 0x{each:016x} {each}", self.ADDRESS) for each in (0, number))
        assert len(set(numbered)) == 1


class TestSamples:
    def sorted(self, *htmls: str) -> SortedOut:
        return sorted_out([outline(html, f"https://{SITE}/{number}") for number, html in enumerate(htmls)])

    def test_several_pages_of_the_same_few_words(self) -> None:
        stories = [page(number).html for number in range(4)]
        odd = in_frame("Oh", "<p>Lorem ipsum, no more.</p>")
        found = self.sorted(*stories, odd, odd, odd)  # type: ignore[arg-type]
        assert (found.kept, found.left_out) == ([0, 1, 2, 3], {SAME_WORDS: 3})
        assert self.sorted(*stories, odd, odd).left_out == {}  # type: ignore[arg-type]

    def test_pages_are_kept_that_have_a_text_numbers_titles_or_links_of_their_own(self) -> None:
        copied = [in_frame("Rain", STORY)] * 3 + [in_frame(str(n), f"{POST}<p>{n}") for n in range(3)]
        scores = [f"<td>{n}:1<td>{n + 3}:2<td>{n * 7}:0<td>at 20:{n}0" for n in range(6)]
        results = [bare("Results", f"<table><tr>{cells}</table>") for cells in scores]
        titled = [in_frame(name, "<p>Lorem ipsum.</p>") for name in ("Rain", "Snow", "Wind")]
        links = [[f"<p><a href=/{n}{i}>{sentence(Random(9 * n + i), 5)}</a>" for i in range(6)] for n in range(5)]
        lists = [in_frame("News", "".join(each)) for each in links]
        assert [self.sorted(*htmls).left_out for htmls in (copied, results, titled, lists)] == [{}] * 4

    def test_what_is_remembered_is_bounded(self) -> None:
        walls = [
            bare(
                "Captcha",
                "<p>Solve the captcha.</p>" + "".join(f"<p>{sentence(Random(50 * n + i), 4)}</p>" for i in range(14)),
            )
            for n in range(40)
        ]
        found = self.sorted(*walls)
        assert found.left_out == {"challenge": 40}
        assert len(found.remembered) == REMEMBERED
        assert max(len(each.keys) for each in found.remembered) == TEXTS_EACH

    def test_what_articles_say_too_is_not_remembered(self) -> None:
        shared = f"<p>{paragraphs(0)[0]}</p>"
        odd = error("Oh", "<p>Lorem ipsum.</p>" + shared).html("/x")
        patterns = learn([*(Page(f"https://{SITE}/{n}", odd) for n in range(5)), *sample(8)])
        assert patterns.strip(page(0)).matched


@pytest.mark.parametrize("fields", [{"content": []}, {"error": ["!"]}, {"error": "AAAA"}, {"error": ["AAA"]}])
def test_a_file_with_other_placeholders_is_refused(fields: dict[str, object]) -> None:
    record = pattern_of(learn(sample(4))).to_record()
    common = {"site": SITE, "name": "site", "support": 4, "score": 1.0}
    with pytest.raises(PatternFileError):
        RulesPattern.from_record(Record({**record, **common, "~placeholders": fields}), common)


# Readers who write what placeholders say


def forum(number: int, said: str = "", posts: int = 5, words: int = 28) -> Page:
    """A thread of some posts on a page with few links to its site, and perhaps one post more."""
    drawn = Random(number)
    texts = [sentence(drawn, words) for _ in range(posts)]
    shown = "".join(
        f"<div class=post><b>{sentence(drawn, 1)}</b><div class=body><p>{text}</p></div></div>" for text in texts
    )
    more = f"<div class=post><b>Eve</b><div class=body>{said}</div></div>" if said else ""
    title, menu = sentence(drawn, 5), "<li><a href=/a>a</a><li><a href=/b>b</a>"
    return Page(
        f"http://{SITE}/thread/{number}",
        f"<html><head><title>{title} | The Heron</title></head><body><ul>{menu}</ul><div class=thread><h1>{title}</h1>"
        f"{shown}{more}</div><div class=foot>Powered by the software of this forum.</div></body></html>",
    )


@pytest.fixture(scope="module")
def of_forum() -> PatternSet:
    return learn([forum(number) for number in range(12)])


@pytest.fixture(scope="module")
def of_short_pages() -> PatternSet:
    return learn([forum(number, posts=1, words=10) for number in range(12)])


@pytest.mark.parametrize("facts", known_facts(), ids=lambda facts: facts.sort)
def test_no_phrase_in_a_reader_s_post_erases_a_page(
    facts: Facts, of_forum: PatternSet, of_short_pages: PatternSet
) -> None:
    """Nor does a mark erase a short page of a known site."""
    for phrase in (*facts.marks, *facts.sayings):
        said = f"<p>What does “{phrase.removeprefix('^')}” mean?</p>"
        found = [strip(forum(99, said)), of_forum.strip(forum(99, said))]
        if phrase in facts.marks:
            found.append(of_short_pages.strip(forum(99, said, posts=1, words=10)))
        assert {each.kind for each in found} == {PageKind.CONTENT}, phrase


REPLIES = {
    "a post like the first": "<div class=post><b>Eve</b><div class=body>{}</div></div>",
    "a comment": "<section class=comments><div class=comment><p>{}</p></div></section>",
    "a list of comments": "<ol><li class=comment><p>{}</p></li></ol>",
}


@pytest.mark.parametrize("name", REPLIES)
@pytest.mark.parametrize("facts", known_facts(), ids=lambda facts: facts.sort)
def test_no_reply_erases_a_short_page_alone(facts: Facts, name: str) -> None:
    page = forum(99, posts=1, words=8)
    for phrase in (*facts.marks, *facts.sayings):
        reply = REPLIES[name].format(phrase.removeprefix("^"))
        answered = Page(page.url, page.html.replace("</div><div class=foot>", f"{reply}</div><div class=foot>"))
        assert reply in answered.html
        assert strip(answered).kind is PageKind.CONTENT, phrase


def test_the_same_words_outside_of_posts_tell_a_wall() -> None:
    said = "<div class=box><p>Checking your browser before accessing</p></div>"
    page = f"<title>A moment</title>{said}<div class=foot>Herons</div>"
    assert strip(Page("http://a.example/", page)).kind is PageKind.ERROR
