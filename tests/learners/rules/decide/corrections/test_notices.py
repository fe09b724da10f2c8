"""Notices: hints to pay, invitations to a newsletter, labels of advertisements, and articles about these."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page, strip
from scrapy_stemmer.learners.rules.decide.corrections.dropped import is_notice, notices
from tests.learners.rules.decide.corrections.views import view_of
from tests.learners.rules.made import prose

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
