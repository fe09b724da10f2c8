"""A page labelled by the rules and the scorer of its site."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from lxml import etree

from scrapy_stemmer import Page, PageKind, Role, StripOptions, learn
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site import reading
from scrapy_stemmer.learners.rules.site.paths import Selector, name_key
from scrapy_stemmer.learners.rules.site.site import Knowledge
from scrapy_stemmer.page.blocks import MAIN_ROLES, Reason
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.text import collapse, significant
from tests.crawl.website import Article
from tests.learners.rules.made import (
    ARTICLE,
    CHROME_IS_NOISE,
    FOOTER,
    learned,
    prose,
    rule,
    stories,
    story,
    stripped,
)
from tests.learners.rules.site.test_site import key
from tests.strategies import markup

STORIES = learned(stories())
FERRY = story("ferry")


NAMES = frozenset(map(name_key, (".comments", ".byline")))
"""Keys of names that count."""


def by_hand(*lines: str, title_parts: frozenset[str] = frozenset()) -> RulesPattern:
    """Return a pattern of a user's rules alone, which decide everywhere."""
    return RulesPattern(
        site="news.example", name="site", support=1, score=1.0, site_wide=True,
        rules=tuple(rule(line, is_users=True) for line in lines),
        knowledge=Knowledge(pages=1, names=NAMES, title_parts=title_parts), scorer=CHROME_IS_NOISE,
    )  # fmt: skip


WITHIN_LINES = (
    "<nav><a href=/a>One</a> <a href=/b>Two</a></nav>"
    "<p>Lead <span class=ad>buy <b>this</b></span> and <em><a href=/c>more</a></em>.</p>"
    "<a class=card href=/d><div>Card</div></a>"
    "<table><tr><td>A cell<i class=ad> ad</i><td>two</table>"
    "<ul><li>An item<i class=ad> ad</i></li></ul>"
)
"""A page with elements within lines, which have no path."""


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("", "Lead buy this and more.\nCard\nA cell ad | two\n- An item ad"),
        ("drop .ad", "Lead and more.\nCard\nA cell | two\n- An item"),
        ("drop p .ad; drop em > a", "Lead and .\nCard\nA cell ad | two\n- An item ad"),
        ("drop p > a", "Lead buy this and more.\nCard\nA cell ad | two\n- An item ad"),
        ("drop a", "Lead buy this and .\nA cell ad | two\n- An item ad"),
        ("drop a.card; drop .ad", "Lead and more.\nA cell | two\n- An item"),
        ("drop .ad; keep span.ad", "Lead\nbuy this\nand more.\nCard\nA cell | two\n- An item"),
        ("drop .ad; keep .ad > b", "Lead\nthis\nand more.\nCard\nA cell | two\n- An item"),
        ("keep nav > a", "One\nTwo\nLead buy this and more.\nCard\nA cell ad | two\n- An item ad"),
        ("keep nav; drop nav > a", "Lead buy this and more.\nCard\nA cell ad | two\n- An item ad"),
        ("drop p; keep em > a", "more\nCard\nA cell ad | two\n- An item ad"),
    ],
)
def test_rules_by_hand_are_for_elements_within_lines_too(lines: str, text: str) -> None:
    page = stripped(by_hand("keep body", "drop nav", *filter(None, lines.split("; "))), WITHIN_LINES)
    assert page.text == text
    assert significant("".join(parse(page.html).itertext())) == significant(text.replace("|", ""))


def test_rules_of_many_components_are_for_elements_within_lines() -> None:
    html = "<div class=a>" * 30 + "<p>Lead <span class=ad>buy</span> and more.</p>"
    for line, text in (
        ("drop " + "div.a " * 30 + "> p > span.ad", "Lead and more."),
        ("drop .b .a span", "Lead buy and more."),
    ):
        assert stripped(by_hand("keep body", line), html).text == text


def test_each_element_within_a_line_is_looked_at_once_for_all_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[etree._Element] = []
    monkeypatch.setattr(reading, "within_lines", lambda elements: looked.extend(elements) or list(elements))
    monkeypatch.setattr(Selector, "matches", lambda *_: pytest.fail("no path of the page has the names of a selector"))
    rules = by_hand("keep body", *(f"drop .a{number} > span" for number in range(300))).rules
    root = parse("<p>Lead <span class=ad>buy</span> and more.</p>" * 100)
    assert reading.marked_within_lines(root, rules[1:]) == {}
    assert len(looked) == 100


def test_the_title_may_be_within_a_line() -> None:
    page = stripped(by_hand("keep body", "title .hl"), "<p>News: <span class=hl>The ferry</span></p><p>x</p>")
    assert page.title == "The ferry"


def test_an_article() -> None:
    page = stripped(STORIES, FERRY)
    texts = [prose("ferry", number) for number in range(3)]
    assert (page.title, page.kind) == ("ferry news", PageKind.CONTENT)
    assert page.text.split("\n")[-3:] == texts
    assert (page.matched, page.pattern, page.similarity) == (True, "site", 1.0)
    assert [block.text for block in page.blocks] == ["Home Sport", "ferry news", *texts, collapse_(FOOTER)]
    assert page.text == "\n".join(block.text for block in page.blocks if block.role in page.text_roles)
    for block in page.blocks:
        assert (block.noise_confidence < 0.5) == (block.role in (Role.MAIN, Role.TITLE))
    assert [collapse("".join(p.itertext())) for p in parse(page.html).iter("p")] == texts
    assert "Copyright" not in page.html


def test_a_block_says_what_decided_on_it() -> None:
    reasons = {reason for block in stripped(STORIES, FERRY).blocks for reason in block.evidence}
    assert reasons <= {found.line for found in STORIES.rules}
    scored = stripped(STORIES, "<article><p>Something new.</p></article>").blocks
    assert scored[0].evidence[0].startswith("scored +")


def collapse_(html: str) -> str:
    return collapse("".join(etree.fromstring(html).itertext()))


class TestFit:
    def test_a_page_with_its_text_where_no_learned_page_had_any_is_labelled_but_does_not_fit(self) -> None:
        page = stripped(STORIES, "<table><tr><td>Something else entirely, of some length.</table>")
        assert (page.matched, page.pattern, page.similarity) == (False, "site", 0.0)
        assert page.text == "Something else entirely, of some length."
        for html in ("<p></p>", "<p>—</p>", "<script>x</script>", "<html><head><title>x</title></head></html>"):
            page = stripped(STORIES, html)
            assert (page.matched, page.pattern, page.text) == (False, None, "")

    def test_similarity_is_the_share_of_the_text_on_known_paths(self) -> None:
        inside = "<table><tr><td>" + prose("ferry", 9) * 9 + "</table>"
        before = f"<section>{inside}</section><div class=story>"
        page = stripped(STORIES, FERRY.replace("<div class=story>", before))
        assert 0 < page.similarity < 1

    def test_confidence_is_lower_where_the_scorer_had_to_decide(self) -> None:
        known, unknown = stripped(STORIES, FERRY), stripped(STORIES, FERRY.replace("class=story", "class=other"))
        assert unknown.confidence is not None
        assert known.confidence is not None
        assert 0 < unknown.confidence < known.confidence <= 1
        assert stripped(by_hand("drop body"), FERRY).confidence == 0, "nothing is kept"


class TestWhoDecides:
    def test_little_text_on_other_paths_is_decided_by_the_nearest_rule(self) -> None:
        found = by_hand("keep .story", "drop body")
        assert "Read" in stripped(found, story("ferry", inside="<x-y>Read</x-y>")).text

    def test_much_text_on_other_paths_by_the_scorer(self) -> None:
        menu, news = "Home and away. " * 20, "Some news. " * 20
        page = stripped(STORIES, f"<section><nav>{menu}</nav></section><aside>{news}</aside>")
        assert [block.evidence[0].startswith("scored") for block in page.blocks] == [True, True]
        assert page.text == collapse(news)

    def test_where_rules_leave_next_to_nothing_the_scorer(self) -> None:
        """The rules were made from different pages."""
        found = by_hand("keep main", "drop aside")
        known = replace(found.knowledge, pages=6, decided=frozenset({key("main > p"), key("aside > p")}))
        rules = tuple(replace(rule, is_users=False, sure=0.95) for rule in found.rules)
        found = replace(found, rules=rules, knowledge=known)
        news = f"<aside><p>{prose('ferry', 1)}</p></aside>"

        def deciding(html: str) -> list[str]:
            return [block.evidence[0].partition(" ")[0] for block in stripped(found, html).blocks]

        assert deciding(news) == ["scored"]
        assert deciding(f"<main><p>x</p></main>{news}") == ["scored", "scored"]
        assert deciding(f"<main><p>{prose('ferry', 2)}</p></main>{news}") == ["keep", "drop"]


class TestTitles:
    LD = '<script type="application/ld+json">{"headline": "B"}</script>'
    HEADED = "<head><title>The ferry | News</title></head>"

    @pytest.mark.parametrize(
        ("html", "lines", "title"),
        [
            pytest.param("<h1>A</h1><p>x</p>", ["keep body"], "A", id="the main heading"),
            pytest.param("<head><title>A</title></head><p>x</p>", ["keep body"], "A", id="else the head"),
            pytest.param("<p>x</p>", ["keep body"], None, id="none"),
            pytest.param("<h1>A</h1><p class=b>B</p>", ["keep body", "title .b"], "B", id="a title rule first"),
            pytest.param(f"{HEADED}<h1>News</h1><h1>The ferry</h1>", ["keep body"], "The ferry", id="the head chooses"),
            pytest.param(f"{HEADED}<h1>The ferry | Video</h1>", ["keep body"], "The ferry", id="as far as they agree"),
            pytest.param(f"{HEADED}<h1>A</h1><h2>B</h2>{LD}", ["keep body"], "B", id="a heading that JSON-LD names"),
            pytest.param("<h1>A<a href=#a>¶</a></h1>", ["keep body"], "A", id="without its permalink"),
            pytest.param("<h1>A<a href=#a>[#]</a></h1>", ["keep body"], "A", id="without one in brackets"),
            pytest.param("<h1>A<a href=/x>\ue157</a></h1>", ["keep body"], "A", id="without its icon"),
            pytest.param("<p class=b>1</p><p class=b>2</p>", ["keep body", "title .b"], "1", id="the first of a rule"),
            pytest.param("<h1>A<br>B</h1><p>x</p>", ["keep body"], "A B", id="all lines of a heading"),
            pytest.param("<title>B</title><h1>A<br>B</h1><p>x</p>", ["keep body"], "A B", id="whatever the head says"),
            pytest.param("<h2>A<br>B</h2><h2>C</h2>", ["keep body", "title h2"], "A B", id="and those of a rule"),
        ],
    )
    def test_titles(self, html: str, lines: list[str], title: str | None) -> None:
        assert stripped(by_hand(*lines), html).title == title

    @pytest.mark.parametrize(("times", "title"), [(3, "Part 0"), (4, "ferry news")])
    def test_where_a_learned_rule_matches_a_list_the_head_has_it(self, times: int, title: str) -> None:
        parts = "".join(f"<h1>Part {number}</h1><p>x</p>" for number in range(times))
        assert stripped(STORIES, FERRY.replace("<h1>ferry news</h1>", parts)).title == title

    def test_a_heading_of_several_pages_is_none(self) -> None:
        found = by_hand("keep body", title_parts=frozenset({"News"}))
        assert stripped(found, "<h1>News</h1><p>x</p>").title is None

    def test_a_list_has_the_name_of_its_kind_though_several_pages_have_it(self) -> None:
        found = by_hand("keep body", title_parts=frozenset({"Notes", "News"}))
        assert stripped(found, "<title>Notes | News</title><h1>Notes</h1><p>x</p>").title == "Notes"

    @pytest.mark.parametrize(
        "lines", [["keep body"], ["keep body", "drop header"], ["keep body", "drop h1", "title header h1"]]
    )
    @pytest.mark.parametrize("roles", [MAIN_ROLES, {Role.MAIN}])
    def test_the_title_is_text_unless_users_leave_it_out(self, lines: list[str], roles: frozenset[Role]) -> None:
        html = "<header><h1>A</h1></header><p>x</p>"
        asked = StripOptions(text_roles=frozenset({Role.TITLE, *roles}))
        assert stripped(by_hand(*lines), html).text == "A\nx"
        assert stripped(by_hand(*lines), html, StripOptions(text_roles=frozenset(roles))).text == "x"
        assert stripped(by_hand(*lines), html, asked).text == "A\nx"

    @pytest.mark.parametrize("selector", ["h1", ".hl", "header > h1"])
    def test_a_rule_by_hand_for_its_element_leaves_it_out_of_the_text(self, selector: str) -> None:
        page = stripped(by_hand("keep body", f"drop {selector}"), "<header><h1 class=hl>A</h1></header><p>x</p>")
        assert (page.title, page.text) == ("A", "x")
        assert Role.TITLE not in {block.role for block in page.blocks}

    @pytest.mark.parametrize("header", ["<p class=top>The ferry</p>", ""])
    def test_where_it_stands_twice_it_can_be_left_out_all_the_same(self, header: str) -> None:
        html = f"{self.HEADED}{header}<div>The Ferry</div><p>x</p>"
        found = by_hand("keep body", "drop .top", "title .top", title_parts=frozenset({"News"}))
        page = stripped(found, html, StripOptions(text_roles=MAIN_ROLES))
        assert (page.title or "").lower() == "the ferry"
        assert page.text == "x"
        assert stripped(found, html).text.lower() == "the ferry\nx"


def test_titles_are_without_what_nobody_sees() -> None:
    for html in ("<h1>\ufeffDonau\u00ad\u200bdampf</h1><p>x</p>", "<title>Donau\u00addampf</title><p>x</p>"):
        assert stripped(by_hand("keep body"), html).title == "Donaudampf"


class TestSigns:
    """Text without letters and digits, which is no block."""

    @pytest.mark.parametrize(
        ("html", "text"),
        [
            ("<dl><dt>==</dt><dd>Equality</dd></dl>", "==\n    Equality"),
            ("<ul><li>A</li><li>*</li></ul>", "- A\n- *"),
            ("<p>A</p><h3><code>+</code></h3><p>B</p>", "A\n+\nB"),
            ("<table><tr><td>A<td>B<tr><td>?<td>!</table>", "A | B\n? | !"),
            ("<div><p>A</p><div><pre>{\n}</pre></div></div>", "A\n{\n}"),
            ("<p>A</p><p>\u2605\u2606</p><p>\u200b</p><p>\ue000</p><div>!</div><p>B</p>", "A\n\u2605\u2606\n!\nB"),
        ],
    )  # fmt: skip
    def test_they_stand_among_their_neighbours(self, html: str, text: str) -> None:
        found = stripped(by_hand("keep body"), f"<main>{html}</main>")
        assert found.text == text
        signs = [sign for sign in text.split() if not any(map(str.isalnum, sign)) and sign not in ("-", "|")]
        assert [sign for sign in signs if sign not in found.html] == []
        assert [block.text for block in found.blocks if not any(map(str.isalnum, block.text))] == []

    @pytest.mark.parametrize(
        "html",
        [
            "<ul><li>A</li><li>|</li><li>B</li></ul><p>C</p>",
            "<p class=not>A</p><p>|</p><p>C</p>",
            "<ul><li>A</li></ul><ul><li class=not>|</li></ul><p>C</p>",
            "<ul><li>A</li></ul><pre>|</pre><p>C</p>",
            "<p>C</p><p class=x>*</p><p>C</p>",
            "<p>C</p><div hidden><p>*</p></div><p>C</p>",
        ],
    )
    def test_others_are_left_out(self, html: str) -> None:
        found = stripped(by_hand("keep p", "drop ul", "drop .not", "drop .x"), html)
        assert set(found.text.split()) == {"C"}
        assert "|" not in found.html
        assert "*" not in found.html


class TestRoles:
    def test_texts_of_half_of_the_learned_pages_are_template_whatever_they_are_called(self) -> None:
        pages = stories(inside="<figure class=share><figcaption>Share this</figcaption></figure>")
        found = learned(pages)
        dropped = replace(found, rules=(*found.rules, rule("drop figure", is_users=True)))
        html = story("ferry", inside="<figure class=share><figcaption>Share this</figcaption></figure><p>End.</p>")
        (block,) = [block for block in stripped(dropped, html).blocks if block.text == "Share this"]
        assert block.role is Role.TEMPLATE

    def test_sub_text_is_what_varies_beside_the_text(self) -> None:
        html = f"<p>{prose('a', 1)}</p><figure><figcaption>Seen</figcaption></figure><p>{prose('b', 1)}</p>"
        assert stripped(by_hand("keep body", "drop figure"), html).sub_text == "Seen"


class TestKinds:
    LINKS = "".join(f"<li><a href=/{n}>A link to page {'i' * (n + 1)}</a>" for n in range(5))

    @pytest.mark.parametrize(
        ("html", "kind"),
        [
            (FERRY, PageKind.CONTENT),
            (f"<ul>{LINKS}</ul>", PageKind.LIST),
            ("<title>404</title><h1>Not found</h1><p>Oh.</p>", PageKind.ERROR),
            ("<div id=cookie-wall><p>May we?</p></div>", PageKind.CONSENT),
            (f"<head>{ARTICLE}</head><div id=cookie-wall><p>May we?</p></div>", PageKind.CONTENT),
        ],
    )
    def test_what_a_page_is_there_for(self, html: str, kind: PageKind) -> None:
        assert stripped(STORIES, html).kind is kind

    def test_links_are_a_list_though_no_text_is_kept(self) -> None:
        page = stripped(by_hand("drop body"), f"<ul>{self.LINKS}</ul>")
        assert (page.reason, page.kind) == (Reason.NO_MAIN_TEXT, PageKind.LIST)


@given(markup())
def test_a_user_who_keeps_all_gets_all(made: tuple[str, str]) -> None:
    html, text = made
    page = stripped(by_hand("keep body"), f"<div>{html}</div>")
    ours = [character for character in page.text if character.isalnum()]
    assert ours == [character for character in text if character.isalnum()]


class TestWhatARuleSays:
    @pytest.mark.parametrize(
        ("action", "said", "role"),
        [
            ("drop", Role.COMMENT, Role.COMMENT),
            ("drop", Role.RELATED, Role.RELATED),
            ("keep", Role.CODE, Role.CODE),
            ("keep", Role.COMMENT, Role.MAIN),
            ("drop", Role.MAIN, Role.TEMPLATE),
        ],
    )
    def test_text_has_the_role_of_its_rule_if_it_fits_the_action(self, action: str, said: Role, role: Role) -> None:
        made = by_hand("keep body", f"{action} aside")
        made = replace(made, rules=(made.rules[0], replace(made.rules[1], role=said)))
        blocks = stripped(made, "<main><p>Rain fell.</p><aside>Seen</aside></main>").blocks
        assert [block.role for block in blocks] == [Role.MAIN, role]

    def test_a_title_rule_by_hand_goes_before_the_heading_that_the_head_names(self) -> None:
        html = "<title>Rain</title><body><h1>Rain</h1><p class=byline>Rain in the hills</p>"
        assert stripped(by_hand("keep body"), html).title == "Rain"
        assert stripped(by_hand("keep body", "title .byline"), html).title == "Rain in the hills"


IN_SCRIPT = json.dumps({"body": "".join(f"<nav><p>{prose('ferry', number)}</nav>" for number in range(5))})
SHELL = f"<nav>Menu</nav><script type='application/json'>{IN_SCRIPT}</script>"


def test_what_a_script_alone_has_is_text() -> None:
    """Whatever the scorer and the learned rules say; rules by hand are obeyed."""
    found = stripped(STORIES, SHELL)
    assert found.source == "script"
    assert {block.evidence for block in found.blocks} == {("text of a script",)}
    assert prose("ferry", 0) in found.text
    assert "Menu" not in found.text
    assert 0 < (found.confidence or 0) < 1
    assert stripped(by_hand("drop body"), SHELL).text == ""


def test_code_that_no_learned_page_had_is_not_dropped_for_being_little() -> None:
    """A documented page may have few lines of code; the rule for unseen paths drops them."""
    patterns = learn([Page(f"http://a.example/{number}", Article(number).html()) for number in range(12)])
    assert patterns.patterns[0].rules[0].line == "drop body"
    code = "<div class=synopsis><pre><code>copy [ option ... ]\n  { source }\n  target;</code></pre></div>"
    more = "".join(f"<p>{text}" for number in range(20, 26) for text in Article(number).body)
    html = Article(30).html().replace("</h1>", f"</h1>{code}").replace("'story'>", f"'story'>{more}")
    found = patterns.strip(Page("http://a.example/30", html))
    assert found.matched
    assert "copy [ option ... ]\n  { source }\n  target;\n" in found.text
    assert "<pre><code>copy [ option ... ]" in found.html
    menu = html.replace(code, "<div class=synopsis><p>Copy</p><p>Source</p></div>")
    assert "Source" not in patterns.strip(Page("http://a.example/30", menu)).text
