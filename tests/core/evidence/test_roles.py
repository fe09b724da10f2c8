"""What blocks are called: kinds of text, and the reasons why others are none."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.evidence.decision import decide
from scrapy_stemmer.core.evidence.roles import role_of
from scrapy_stemmer.core.labels import MAIN_ROLES, SUB_ROLES, Role
from tests.core.evidence.made import TOPICS, prose, reading, site, story


def roles(html: str) -> dict[str, Role]:
    """The role of each text of a page, as a site of stories sees it."""
    model = site()
    found = reading(html, model)
    verdict = decide(found, model)
    return {
        one.block.text: role_of(verdict, index, is_text=verdict.scores[index] > 0)
        for index, one in enumerate(found.evidence)
    }


SEEN = "The festival as it was seen from the harbour."


@pytest.mark.parametrize(
    ("markup", "text", "role"),
    [
        (f"<figure><img src=a><figcaption>{SEEN}</figcaption></figure>", SEEN, Role.CAPTION),
        (f"<figure><div>{SEEN}</div></figure>", SEEN, Role.CAPTION),
        (f"<div class=photo-caption>{SEEN}</div>", SEEN, Role.CAPTION),
        ("<div class=byline>By Ann Other</div>", "By Ann Other", Role.BYLINE),
        (f"<div class=comments><div>{SEEN}</div></div>", SEEN, Role.COMMENT),
        ("<p><a href=/other>The mayor speaks of guests and the harbour</a></p>", None, Role.RELATED),
        ("<div class=related><h3>Read this too</h3></div>", "Read this too", Role.RELATED),
        ("<div class=related><div class=byline>By Ann Other</div></div>", "By Ann Other", Role.RELATED),
        ("<div class=breadcrumbs><a href=/other>Old festivals</a></div>", None, Role.TEMPLATE),
        ("<aside>Rain</aside>", "Rain", Role.SUB),
        ("<aside>Copyright Example News, all rights reserved.</aside>", None, Role.TEMPLATE),
        ("<h2>What comes next</h2>", "What comes next", Role.MAIN),
        ("<pre>festival --days 3, as they say here</pre>", "festival --days 3, as they say here", Role.CODE),
    ],
)
def test_roles_amid_an_article(markup: str, text: str | None, role: Role) -> None:
    found = roles(story("festival", inside=markup))
    new = set(found) - set(roles(story("festival"))) or {"Copyright Example News, all rights reserved."}
    assert {found[one] for one in ([text] if text else new)} == {role}


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        *((f"<div>{date}</div>", date) for date in ("2026-03-02", "2026年3月2日", "٢٠٢٦/٣/٢")),
        ("<div><time datetime=2026-03-02>2. März</time></div>", "2. März"),
        ("<address>Ann Other</address>", "Ann Other"),
    ],
)
def test_a_date_or_an_author_below_the_headline(markup: str, text: str) -> None:
    """It is none of an article's text, even where nothing else speaks against it."""
    assert roles(story("festival").replace("</h1>", f"</h1>{markup}"))[text] is Role.BYLINE


def test_numbers_amid_the_text_are_no_dates() -> None:
    assert roles(story("festival", inside="<p>2026-03-02</p>"))["2026-03-02"] is not Role.BYLINE
    long = f"<div>{prose('rain', 1)} <time>2. März</time></div>"
    found = roles(story("festival").replace("</h1>", f"</h1>{long}"))
    assert Role.BYLINE not in found.values()


def test_a_standfirst_is_a_subtitle() -> None:
    text = "All that is known of the festival, in short."
    html = story("festival").replace("</h1>", f"</h1><div class=standfirst>{text}</div>")
    assert roles(html)[text] is Role.SUBTITLE
    assert roles(story("festival", inside=f"<h2 class=standfirst>{text}</h2>"))[text] is not Role.SUBTITLE


def test_short_cells_are_a_table_long_ones_are_text() -> None:
    def table(topic: str, cell: str) -> str:
        return (
            f"<title>{topic}</title><body><div><p>{prose(topic, 0)}</p>"
            f"<table><tr><td>{cell}</td></tr></table></div></body>"
        )

    def role(text: str, *others: str) -> Role:
        model = site([table(topic, other) for topic, other in zip(TOPICS, others, strict=False)])
        found = reading(table("festival", text), model)
        verdict = decide(found, model)
        (index,) = [number for number, one in enumerate(found.evidence) if one.block.text == text]
        return role_of(verdict, index, is_text=True)

    assert role("3 days and 2 nights", "7 days", "4 nights") is Role.TABLE
    assert role(prose("festival", 3), *(prose(topic, 2) * 3 for topic in TOPICS)) is Role.MAIN


def test_what_is_text_is_text_whatever_it_is_called() -> None:
    """A forum's posts are mostly named comments."""
    model = site()
    found = reading(story("festival", inside=f"<div class=comment><p>{SEEN}</p></div>"), model)
    verdict = decide(found, model)
    (index,) = [number for number, one in enumerate(found.evidence) if one.block.text == SEEN]
    assert role_of(verdict, index, is_text=True) is Role.MAIN
    assert role_of(verdict, index, is_text=False) is Role.COMMENT


def test_titles_and_template() -> None:
    found = roles(story("festival"))
    assert found["festival news"] is Role.TITLE
    assert found["Home Sport"] is Role.TEMPLATE


def test_each_role_is_main_sub_title_or_template() -> None:
    assert not MAIN_ROLES & SUB_ROLES
    assert MAIN_ROLES | SUB_ROLES | {Role.TITLE, Role.TEMPLATE} == set(Role)
