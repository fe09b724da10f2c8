"""Text that is dropped: comments, reviews, notices, and what stands there twice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from scrapy_stemmer import Page, strip
from scrapy_stemmer.learners.rules.decide.corrections.dropped import (
    MIN_BEFORE,
    MIN_DOUBLE,
    MIN_REVIEWS,
    comments,
    is_forum,
    is_notice,
    notices,
    pulled,
    repeated,
    reviews,
)
from scrapy_stemmer.learners.rules.decide.corrections.view import SCORER
from tests.learners.rules.decide.corrections.views import view_of
from tests.learners.rules.made import prose

BEFORE = f"<p>{'o' * MIN_BEFORE}</p>"
SAID_BELOW = "<p>I wholly agree with the keeper of the lamp.</p>"


@pytest.mark.parametrize(
    ("url", "inside", "is_one"),
    [
        ("https://lamps.example/news/oil", "", False),
        ("https://lamps.example/2018/09/open-thread-on-keyboards/", "", False),
        ("https://forum.lamps.example/oil", "", True),
        ("https://lamps.example/travel-forum/oil", "", True),
        ("https://lamps.example/t/oil/12", "", True),
        ("https://lamps.example/node/4", "<div class='node-type forum-post'><p>Oil</p></div>", True),
        ("https://lamps.example/node/4", "<div class='informal'><p>Oil</p></div>", False),
    ],
)
def test_forums(url: str, inside: str, *, is_one: bool) -> None:
    assert is_forum(view_of(inside, url=url)) is is_one


BOX = partial("<div id=comments>{}</div>".format)


@pytest.mark.parametrize(
    ("inside", "odds", "blocks"),
    [
        (BEFORE + BOX(SAID_BELOW * 2), (3, 1, 1), [1, 2]),
        (BEFORE + BOX(SAID_BELOW * 2), (3, -1, 1), [2]),
        (BEFORE + BOX(SAID_BELOW), (1, 3), []),  # the comments are surer: the page is there for them
        (BOX(BEFORE) + BEFORE, (1, 3), []),  # nothing before
        (SAID_BELOW + BOX(SAID_BELOW), (3, 1), []),  # too little before
        (BEFORE + BOX(SAID_BELOW) + BOX(SAID_BELOW), (3, 1, 1), []),  # one box a text
        (BEFORE + BOX(SAID_BELOW) + BEFORE, (3, 1, 3), []),  # a section amid the text
        (BEFORE + SAID_BELOW, (3, 1), []),
    ],
)
def test_comments_behind_a_text(inside: str, odds: Sequence[float], blocks: list[int]) -> None:
    assert list(comments(view_of(inside, odds))) == blocks


def test_lists_of_reviews_are_longer_than_quotations() -> None:
    review = f"<p>{'o' * (MIN_REVIEWS // 2)}</p>"
    inside = f"<div id=user-reviews>{review * 2}</div><p>Oil</p><div class=press-reviews>{review}</div>"
    form = "<form class=add-to-cart-form><p>Cart</p></form>"
    assert set(reviews(view_of(f"{inside}<p>{'o' * MIN_REVIEWS}</p>{form}"))) == {0, 1}
    assert not reviews(view_of(f"{inside}<p>{'o' * MIN_REVIEWS}</p>")), "nothing is sold"


def test_reviews_are_no_text_of_a_product() -> None:
    about = "<p>This lamp was made for boats that are out at night, and it burns for nine hours on one filling.</p>"
    shop = f"<div class=product><h1>Storm lamp</h1><div class=price>$21.50</div><div>{about * 3}</div></div>"
    form = "<form class=add-to-cart-form><button>Add to cart</button></form>"
    reviews = "".join(f"<p>I took {number} of these lamps to sea, and I was very pleased.</p>" for number in range(9))
    html = f"<title>Storm lamp</title><body><main>{shop}{form}<div class=shop-reviews>{reviews}</div></main></body>"
    text = strip(Page("https://lamps.example/storm", html)).text
    assert "$21.50" in text
    assert "to sea" not in text


TEXT = "".join(f"<p>{prose('gull', number)}</p>" for number in range(12, 16))


def dropped(html: str) -> list[str]:
    """Return the texts that are dropped of a page, all of which is text so far."""
    view = view_of(html)
    return [view.texts[at] for at in notices(view)]


@pytest.mark.parametrize(
    "notice",
    [
        "You have read all free articles of this month. Subscribe to read on.",
        "This article is for subscribers only. Already a subscriber? Log in",
        "Sign up for our weekly harbour newsletter to get the best stories every Friday.",
        "Advertisement - scroll to continue",
        "Jetzt anmelden, um weiterzulesen. Bereits Abonnent? Hier anmelden",
        "Jetzt unseren Newsletter abonnieren",
        "Abonnez-vous pour lire la suite de cet article. Déjà abonné ? Connectez-vous",
        "Inscrivez-vous à notre lettre d’information",
        "Publicité",
        "Suscríbete para seguir leyendo. ¿Ya eres suscriptor? Inicia sesión",
        "Apúntate a nuestro boletín",
        "Abbonati per continuare a leggere. Sei già abbonato? Accedi",
        "Iscriviti alla nostra newsletter",
        "Assine para continuar lendo. Já é assinante? Faça login",
        "Este conteúdo é exclusivo para assinantes.",
        "Wykup dostęp, aby przeczytać cały artykuł. Masz już prenumeratę? Zaloguj się",
        "Zapisz się do naszego newslettera",
        "Подпишитесь, чтобы читать дальше. Уже есть подписка? Войти",
        "Подпишитесь на нашу еженедельную рассылку",
        "この記事は有料会員限定です。続きを読むには会員登録が必要です。",
        "メールマガジンの登録はこちら",
        "本文仅限会员阅读。请登录后阅读全文",
        "订阅我们的新闻简报",
        "广告",
    ],
)
@pytest.mark.parametrize("form", ["<p>{}</p>", "<div class=x><div>{}</div></div>", "<section><h3>{}</h3></section>"])
def test_notices_go_where_nothing_else_stands_in_them(form: str, notice: str) -> None:
    is_label = "h3" in form and not is_notice(notice)  # a section may be about advertisements
    assert dropped(TEXT + form.format(notice)) == ([] if is_label else [notice])


@pytest.mark.parametrize(
    "html",
    [
        "<p>Sign up for our newsletter, the sign said, and forty people of the harbour did.</p>",
        "<p>Subscribe to read on is what most papers say today. Few readers do.</p>",
        "<p>“Sign up for our newsletter.”</p>",
        "<blockquote><p>Subscribe to continue reading.</p></blockquote>",
        "<ul><li>Sign up for our newsletter</li><li>This article is for subscribers</li></ul>",
        "<table><tr><td>Advertisement</td><td>30</td></tr></table>",
        "<h2>Advertising</h2><p>The paper lived by it for a hundred years.</p>",
        "<h2>Sign up for our newsletter</h2><p>So begins each page of the paper that the town reads at breakfast.</p>",
        "<p>The newsletter of the harbour has 900 subscribers. Most of them pay.</p>",
        "<p>Der Newsletter der Zeitung hat 900 Abonnenten. Jetzt abonnieren mehr als zuvor.</p>",
        "<p>Abonnez-vous à notre newsletter, disait l’affiche, et quarante personnes du port le firent.</p>",
        "<p>El boletín del puerto tiene 900 suscriptores. Pocos pagan.</p>",
        "<p>La newsletter del porto ha 900 abbonati. Pochi pagano.</p>",
        "<p>На рассылку порта подписаны 900 человек. Немногие платят.</p>",
        "<p>这份新闻简报有九百名订阅者，其中大多数付费。</p>",
        "<p>このメールマガジンには九百人の読者がいる。</p>",
    ],
)
def test_articles_about_newsletters_and_subscriptions_stay(html: str) -> None:
    assert not dropped(TEXT + html + TEXT)


HINTS = ("Read more:", "See also:", "Lesen Sie auch:", "Lire aussi :", "Читайте также:")
BOXES = ("author-bio", "about-author", "inline-newsletter", "newsletter")


@pytest.mark.parametrize(
    "html",
    [
        *(f"<p>{words} <a href=/b>Follow the nets of the town</a></p>" for words in HINTS),
        *(f"<div class={name}><p>Ann Lee has kept lamps since 1990. Follow her on Chirp.</p></div>" for name in BOXES),
    ],
)
def test_hints_at_other_pages_and_boxes_about_something_else_are_no_text(html: str) -> None:
    page = f"<title>The gulls</title><body><article><h1>The gulls</h1>{TEXT * 2}{html}{TEXT}</article>"
    text = strip(Page("https://lamps.example/a", page)).text
    assert prose("gull", 12) in text
    assert "Follow" not in text


def test_a_title_and_a_page_of_notices_stay() -> None:
    assert not dropped(f"<h1>Sign up for our newsletter</h1>{TEXT}")
    assert not dropped("<p>Sign up for our newsletter to hear of the harbour.</p><p>It comes on Fridays.</p>")


def test_the_form_behind_a_notice_goes_with_it() -> None:
    box = "<div><h3>Sign up for our newsletter</h3><p>The best of the harbour, each Friday.</p>{}</div>"
    assert len(dropped(TEXT + box.format("<form><input type=email><button>Go</button></form>") + TEXT)) >= 2
    assert not dropped(TEXT + box.format("") + TEXT), "a section of the text"


@pytest.mark.parametrize(
    ("attributes", "is_for_others"),
    [
        ("subscriptions-section=content-not-granted", True),
        ('amp-access="NOT content.granted"', True),
        ('amp-access="NOT (subscriber OR loggedIn)"', True),
        ("subscriptions-section=content", False),
        ("amp-access=content.granted", False),
        ("class=content-not-granted", False),
    ],
)
@pytest.mark.parametrize("mark", ["amp", "⚡"])
def test_parts_for_readers_without_access_go(mark: str, attributes: str, *, is_for_others: bool) -> None:
    said = "For the price of a coffee the whole harbour is yours."
    part = f"<section {attributes}><p>{said}</p></section>"
    title = "<title>The gulls of the harbour</title><h1>The gulls of the harbour</h1>"
    text = strip(Page("https://lamps.example/a", f"<html {mark}>{title}<article>{TEXT}{part}{TEXT}</article>")).text
    assert (said not in text) is is_for_others


def test_teasers_for_readers_without_access_stay() -> None:
    page = f"<html amp><body><article><div amp-access='NOT subscriber'>{TEXT}</div>{TEXT}</article></body></html>"
    assert prose("gull", 12) in strip(Page("https://lamps.example/a", page)).text


TWICE = f"<p>{prose('ferry', 5)}</p><p>{prose('ferry', 6)}</p>"
LONG = f"<p>{prose('gull', 40) * 5}</p>"  # so that the rest is less than a quarter of the page
DESKTOP, MOBILE = f"<div class='hero wide'>{TWICE}</div>", f"<div class=hero-mobile>{TWICE}</div>"


def numbers(html: str, *dropped: int) -> list[int]:
    """Return the numbers of the repeated blocks, when all but some are text."""
    view = view_of(html)
    for block in dropped:
        view.verdicts.set(block, False, -3.0, SCORER)
    return repeated(view)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (DESKTOP + MOBILE, [2, 3]),
        (DESKTOP + "<p>Between</p>" + MOBILE, [3, 4]),
        (DESKTOP + MOBILE + f"<div class=print>{TWICE}</div>", [2, 3, 4, 5]),
        (f"<section>{DESKTOP}{MOBILE}</section>", [2, 3]),
        (DESKTOP + DESKTOP, []),  # on purpose
        (f"{DESKTOP}<section>{MOBILE}</section>{LONG}", []),  # not beside each other
        (f"{DESKTOP}<section class=hero-mobile>{TWICE}</section>{LONG}", []),
        (f"{DESKTOP}<div class=hero-mobile>{TWICE}<p>More</p></div>{LONG}", []),
        (f"{DESKTOP}<div class=hero-mobile>{TWICE[:-4]}!</p></div>", []),
        ("<div class=a>Add to cart</div><div class=b>Add to cart</div>", []),
        (f"<div class=row-odd>{TWICE}</div><div class=row-even>{TWICE}</div>", []),
        (f"<table><tr class=a><td>{TWICE}<tr class=b><td>{TWICE}</table>", []),
        ("", []),
    ],
)
def test_of_two_elements_for_other_screens_the_second_is_left_out(html: str, expected: list[int]) -> None:
    assert numbers(html) == expected


def test_what_is_text_in_one_of_them_alone_stays() -> None:
    assert numbers(DESKTOP + MOBILE, 0) == [3]
    assert numbers(DESKTOP + MOBILE, 3) == [2]


SAID, REPLY = prose("ferry", 5), f"<div>{prose('ferry', 6)}</div>"
POST, QUOTE = f"<div>{SAID}</div>", f"<blockquote><cite>Marta wrote</cite><div>{SAID}</div></blockquote>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (POST + QUOTE + REPLY, [2]),
        (POST + QUOTE + REPLY + QUOTE, [2, 5]),
        (f"{POST}<blockquote>{QUOTE}{REPLY}</blockquote>", [2]),  # a quote in a quote
        (f"<blockquote>{SAID}</blockquote>{REPLY}{POST}", [0]),  # a passage set apart
        (f"{POST}<div hidden>{REPLY}<p>{SAID}</p></div>", [2]),
        (f"<div class=d-none>{POST}</div><section>{POST}</section>", [0]),
        (f"<div class='d-none d-md-block'>{SAID}</div><div class=d-md-none>{SAID}</div>", [1]),  # not both
        (QUOTE + REPLY + QUOTE, []),  # repeated without a speaker on the page
        (POST + REPLY + POST, []),
        (f"<div>{SAID} More.</div>{QUOTE}", []),
        (f"{POST}<p>I agree</p><blockquote><p>I agree</p><p>{SAID}</p></blockquote>", [3]),
    ],
)
def test_what_quotes_and_hidden_elements_say_again_is_left_out(html: str, expected: list[int]) -> None:
    assert numbers(html) == expected


def test_quotes_of_what_is_no_text_stay() -> None:
    assert numbers(POST + QUOTE, 0) == []
    assert numbers(POST + QUOTE, 2) == []


@pytest.mark.parametrize("length", [MIN_DOUBLE - 1, MIN_DOUBLE])
def test_little_text_is_no_double(length: int) -> None:
    html = "".join(f"<div class={name}>{'x' * length}</div>" for name in "ab")
    assert numbers(html) == [1] * (length >= MIN_DOUBLE)


SENTENCE = "We counted thirty boats that night, and then it was too dark to see."
AROUND = f"<p>{prose('ferry', 5)} “{SENTENCE}” {prose('ferry', 6)}</p><p>{prose('ferry', 7)}</p>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"{AROUND}<aside><p>{SENTENCE}</p></aside>", [2]),
        (f"<aside class=pullquote>“{SENTENCE}”</aside>{AROUND}", [0]),
        (f"{AROUND}<blockquote class=pull-right><p>“{SENTENCE}”</p></blockquote>", [2]),
        (f"{AROUND}<blockquote><p>“{SENTENCE}”</p></blockquote>", []),  # may be its source
        (f"{AROUND}<figure><blockquote>{SENTENCE}</blockquote></figure>", [2]),
        (f"{AROUND}<div class=pull-quote>{SENTENCE.upper()}</div>", [2]),
        (f"{AROUND}<div class='c-quote big'>«{SENTENCE}»</div>", [2]),
        (f"{AROUND}<p>{SENTENCE}</p>", []),  # not apart from the text
        (f"{AROUND}<blockquote>{prose('gull', 3)}</blockquote>", []),  # of somebody else
        (f"{AROUND}<aside>Boats</aside>", []),  # too short
        (f"{AROUND}<div class=forum></div><div class=quote>{SENTENCE}</div>", []),  # what a reply answers
    ],
)
def test_a_quotation_pulled_from_the_text_is_left_out(html: str, expected: list[int]) -> None:
    assert pulled(view_of(html)) == expected
