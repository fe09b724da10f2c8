"""Pages and what the model sees of them, made in one line each."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.evidence.head import Head
from scrapy_stemmer.core.evidence.learning import learn_site
from scrapy_stemmer.core.evidence.model import Reading, SiteModel
from scrapy_stemmer.core.evidence.outline import Outline
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.reading import SiteReader
from scrapy_stemmer.core.evidence.walk import outline_of
from tests.strategies import markup

ARTICLE = '<meta property="og:type" content="article">'
"""What the head of an article says."""

MENU = "<nav><a href=/>Home</a> <a href=/sport>Sport</a></nav>"
FOOTER = "<footer>Copyright Example News, all rights reserved.</footer>"


def outline(html: str) -> Outline:
    return outline_of(parse(html))


def head(html: str) -> Head:
    return outline(f"<html><head>{html}</head><body>x</body></html>").head


def prose(topic: str, number: int) -> str:
    """A paragraph that no other topic or number has."""
    return (
        f"The {topic} of day {'i' * (number + 1)} was seen, heard and told of, by everyone in {topic} town and beyond."
    )


def story(topic: str, extra: str = "", inside: str = "") -> str:
    """An article: a menu, a headline, four paragraphs, a footer.

    :param extra: markup after the article.
    :param inside: markup in it, after its second paragraph.
    """
    texts = [f"<p>{prose(topic, number)}</p>" for number in range(4)]
    body = "".join([*texts[:2], inside, *texts[2:]])
    return (
        f"<html><head><title>{topic} news | Example News</title>{ARTICLE}</head><body>{MENU}"
        f"<div class=story><h1>{topic} news</h1>{body}</div>{extra}{FOOTER}</body></html>"
    )


IMPRINT = "<footer>" + "".join(f"<p>{prose('imprint', number)}</p>" for number in range(12)) + "</footer>"
"""So much text that all pages have that none of them votes for its body."""


def led(topic: str) -> str:
    """A story with its headline and a subtitle outside of the element that holds its text."""
    top = f"<section><h1>{topic} news</h1><div class=standfirst>How {topic} came to be what it is</div></section>"
    html = story(topic, extra=IMPRINT).replace(f"<h1>{topic} news</h1>", "")
    return html.replace("<div class=story>", f"{top}<div class=story>")


TOPICS = ("storm", "harbour", "election", "museum", "bridge", "winter")


def site(pages: Sequence[str] | None = None) -> SiteModel:
    """The model of pages; by default, of six stories."""
    return learn_site([outline(page) for page in (pages or [story(topic) for topic in TOPICS])])


def reading(html: str, model: SiteModel | None = None) -> Reading:
    """All of a page as a model sees it; by default, that of the page alone."""
    return SiteReader(model or site([html])).read_all(parse(html))


def path_of(paths: PathTree, text: str) -> int:
    """The number of the path of a text such as ``body/div#main``."""
    return next(path for path in range(len(paths)) if paths.text(path) == text)


FRAMES = (
    "{}",
    "<div class=related>{}</div>",
    "<span>{}</span>",
    "<a href=/more>{}</a>",
    "<div hidden>{}</div>",
    "<figure>{}</figure>",
    "<h1>{}</h1>",
    "<section class=top>{}</section>",
)


@st.composite
def made_pages(draw: st.DrawFn) -> str:
    """A page of a site of stories and blogs, with anything in and behind its text, and elements around it."""
    topic = draw(st.sampled_from((*TOPICS, "festival", "ferry")))
    inside, extra = (draw(st.sampled_from(FRAMES)).format(draw(markup(3))[0]) for _ in range(2))
    html = story(topic, extra=extra + draw(st.sampled_from(("", IMPRINT))), inside=inside)
    if draw(st.booleans()):
        html = html.replace("class=story", "class=blog")
    before, after = draw(
        st.sampled_from((("", ""), ("<span>", "</span>"), ("<x-y>", "</x-y>"), ("<a href=/>", "</a>")))
    )
    return html.replace("<body>", f"<body>{before}").replace("</body>", f"{after}</body>")


def made_sites() -> st.SearchStrategy[list[str]]:
    """A sample of such pages."""
    return st.lists(made_pages(), min_size=1, max_size=6)
