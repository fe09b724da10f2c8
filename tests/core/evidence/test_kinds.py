"""What pages are there for: content, lists, errors, consent."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scrapy_stemmer.core.evidence.decision import decide
from scrapy_stemmer.core.evidence.kinds import kind_of
from scrapy_stemmer.core.evidence.model import SiteModel
from scrapy_stemmer.core.labels import PageKind
from tests.core.evidence.made import ARTICLE, FOOTER, MENU, prose, reading, site, story


def kind(html: str, model: SiteModel | None = None) -> PageKind:
    """What a page is by the model of a site; by default, of six stories."""
    model = model or site()
    found = reading(html, model)
    return kind_of(found, decide(found, model))


def page(main: str, title: str = "Example News", head: str = "") -> str:
    return f"<html><head><title>{title}</title>{head}</head><body>{MENU}<main>{main}</main>{FOOTER}</body></html>"


def teasers(topics: Sequence[str]) -> str:
    return "".join(
        f"<div class=a><h3><a href=/{topic}>All about the {topic}</a></h3><p>{prose(topic, 1)}</p></div>"
        for topic in topics
    )


THREE = ("ferry", "forest", "festival")


class TestLists:
    def test_articles_are_content(self) -> None:
        assert kind(story("festival")) is PageKind.CONTENT

    def test_links_with_text_behind_them(self) -> None:
        assert kind(page(teasers(THREE))) is PageKind.LIST

    def test_nothing_but_links(self) -> None:
        links = "".join(f"<li><a href=/{topic}>All about the {topic}</a>" for topic in THREE)
        assert kind(page(f"<ul>{links}</ul>")) is PageKind.LIST

    def test_text_behind_links_that_many_pages_have(self) -> None:
        """Of seven teasers four are linked from every page, as what is read most."""
        common = ("winter fair", "old bridge", "night bus", "town band")
        most_read = "".join(f"<li><a href=/{topic}>All about the {topic}</a>" for topic in common)
        box = f"<aside><ul>{most_read}</ul></aside>"
        model = site([story(topic, extra=box) for topic in ("storm", "harbour", "election")])
        html = page(teasers((*THREE, *common))).replace("</main>", f"</main>{box}")
        assert kind(html, model) is PageKind.LIST

    def test_text_behind_links_that_are_none_of_its_own(self) -> None:
        """Two links of the page itself make no list, whatever stands behind others."""
        common = ("winter fair", "old bridge", "night bus", "town band")
        most_read = "".join(f"<li><a href=/{topic}>All about the {topic}</a>" for topic in common)
        model = site([story(topic, extra=f"<ul>{most_read}</ul>") for topic in ("storm", "harbour", "election")])
        assert kind(page(teasers((*THREE[:2], *common))), model) is PageKind.CONTENT

    def test_two_teasers_make_no_list(self) -> None:
        assert kind(page(teasers(THREE[:2]))) is PageKind.CONTENT

    def test_teasers_below_a_long_text_make_no_list(self) -> None:
        text = "".join(f"<p>{prose('festival', number)}</p>" for number in range(9))
        assert kind(page(text + teasers(THREE))) is PageKind.CONTENT

    def test_what_calls_itself_an_article_is_a_list_only_when_it_has_little_but_links(self) -> None:
        assert kind(page(teasers(THREE), head=ARTICLE)) is PageKind.CONTENT
        links = "".join(f"<li><a href=/{topic}>All about the {topic}</a>" for topic in THREE)
        assert kind(page(f"<ul>{links}</ul>", head=ARTICLE)) is PageKind.LIST

    def test_the_menu_of_the_site_is_no_list(self) -> None:
        menu = "<ul>" + "".join(f"<li><a href=/{number}>Section {'i' * number}</a>" for number in range(40)) + "</ul>"
        model = site([story(topic, extra=menu) for topic in ("storm", "harbour", "election")])
        assert kind(story("festival", extra=menu), model) is PageKind.CONTENT


class TestErrors:
    @pytest.mark.parametrize(
        ("title", "heading"),
        [
            ("404 Not Found", "Oh no"),
            ("Error 404 (Not Found)", "Oh no"),
            ("ページが見つかりません | 404", "ページが見つかりません"),
            ("Example News", "404"),
            ("Example News", "Fehler 410"),
            ("Example News", "500"),
            ("الخطأ ٤٠٤", "الصفحة غير موجودة"),
        ],
    )
    def test_little_text_and_the_number_of_an_error(self, title: str, heading: str) -> None:
        assert kind(page(f"<h1>{heading}</h1><p>What you look for is gone.</p>", title)) is PageKind.ERROR

    @pytest.mark.parametrize("name", ["error404", "page-not-found", "error-page", "notFound", "page_404"])
    def test_little_text_and_a_name_of_an_error(self, name: str) -> None:
        html = page("<h1>Oh no</h1><p>What you look for is gone.</p>")
        assert kind(html.replace("<body>", f'<body class="{name}">')) is PageKind.ERROR

    @pytest.mark.parametrize("title", ["Fiat 500", "4040 days", "Room 40, 4", "In 2404", "All of it"])
    def test_other_numbers_are_no_errors(self, title: str) -> None:
        html = page(f"<h1>{title}</h1><p>What you look for is gone.</p>", title)
        assert kind(html.replace("<body>", '<body class="postid-404">')) is PageKind.CONTENT

    def test_a_page_with_text_is_content_whatever_its_number(self) -> None:
        text = "".join(f"<p>{prose('festival', number)}</p>" for number in range(5))
        assert kind(page(f"<h1>404</h1>{text}", "404")) is PageKind.CONTENT
        assert kind(page("<h1>404</h1><p>Seen at the harbour.</p>", "404", ARTICLE)) is PageKind.CONTENT

    def test_links_to_other_pages_are_no_text_of_an_error(self) -> None:
        links = "".join(f"<li><a href=/{topic}>{prose(topic, 0)}</a>" for topic in THREE)
        assert kind(page(f"<h1>404</h1><ul>{links}</ul>")) is PageKind.ERROR


class TestConsent:
    ASKED = "<p>Wir und unsere Partner speichern Daten auf Ihrem Gerät.</p><p>Stimmen Sie zu?</p>"

    @pytest.mark.parametrize("name", ["cookie-wall", "gdprNotice", "ConsentForm"])
    def test_little_text_in_an_element_of_such_a_name(self, name: str) -> None:
        assert kind(page(f"<div id={name}><form>{self.ASKED}</form></div>")) is PageKind.CONSENT
        assert kind(page(f"<div id=welcome><form>{self.ASKED}</form></div>")) is not PageKind.CONSENT

    def test_an_article_below_a_consent_bar_is_content(self) -> None:
        assert kind(story("festival", extra=f"<div class=cookie-bar>{self.ASKED}</div>")) is PageKind.CONTENT

    def test_the_body_s_name_does_not_count(self) -> None:
        html = page("<h1>Cookies</h1><p>Flour, sugar, eggs.</p>").replace("<body>", "<body class=cookie-recipes>")
        assert kind(html) is PageKind.CONTENT


@pytest.mark.parametrize("html", ["", "<body></body>", "<p>x</p>", "<a href=/>x</a>"])
def test_a_page_with_hardly_any_text_has_a_kind(html: str) -> None:
    assert kind(html) in PageKind
