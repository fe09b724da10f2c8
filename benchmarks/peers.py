"""Single-page extractors, each called as documented, for a balance of precision and recall.

They are in the extra ``[bench]``, and imported when used. Comments are left out if a library has a switch; options that
add words not shown (alternative texts, bullets) are switched off.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.metadata import version
from typing import Any

Extract = Callable[[str, str], str]  # from a page as text, and its URL, to its main text

LANGUAGE = re.compile(r"<html\b[^>]*\blang\s*=\s*[\"']?([a-zA-Z]+)")

STOPLISTS: Mapping[str, str] = {
    "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fi": "Finnish",
    "fr": "French", "hu": "Hungarian", "it": "Italian", "ko": "Korean", "nl": "Dutch", "no": "Norwegian_Bokmal",
    "pl": "Polish", "pt": "Portuguese", "ru": "Russian", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian",
}  # fmt: skip
"""jusText's lists of stop words for the languages of ``<html lang>``; without a list jusText works
language-independently."""

BLOCKS = frozenset(
    "address article aside blockquote br dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li "
    "main nav ol p pre section table td th tr ul".split()
)
"""Elements that end a word before and after them."""


class PeerMissingError(Exception):
    """A peer can't be imported; the message names the extra."""


def _imported(module: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_module(module)
    except ImportError as error:
        raise PeerMissingError(
            f"{error}. The peers are in the group bench: pip install --group bench; or leave them out: --no-peers."
        ) from error


def trafilatura() -> Extract:
    """The documented default, which balances precision and recall, without comments."""
    extract = _imported("trafilatura").extract
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    return lambda html, url: extract(html, url=url, include_comments=False) or ""


def readability() -> Extract:
    """``summary``, as text with a line break at each block element."""
    document = _imported("readability").Document
    lxml_html = _imported("lxml.html")
    logging.getLogger("readability").setLevel(logging.CRITICAL)

    def extract(html: str, url: str) -> str:
        root = lxml_html.fromstring(document(html, url=url).summary(html_partial=True))
        for element in root.iter(*BLOCKS):
            element.text = f"\n{element.text or ''}"
            element.tail = f"\n{element.tail or ''}"
        return str(root.text_content())

    return extract


def resiliparse() -> Extract:
    """Main content, without alternative texts and bullets."""
    extract = _imported("resiliparse.extract.html2text").extract_plain_text
    return lambda html, url: str(
        extract(html, main_content=True, comments=False, alt_texts=False, list_bullets=False) or ""
    )


def justext() -> Extract:
    """Return text by the defaults with the stop words of the page's language, English if the page names none.

    Without a list for the language jusText works language-independently, as documented: thresholds of 0.
    """
    module = _imported("justext")
    lists = {code: module.get_stoplist(name) for code, name in STOPLISTS.items()}

    def extract(html: str, url: str) -> str:
        named = LANGUAGE.search(html[:5000])
        words = lists.get(named[1].lower() if named else "en")
        more = {} if words else {"stopwords_low": 0, "stopwords_high": 0}
        paragraphs = module.justext(html, words or frozenset(), **more)
        return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return extract


def newspaper4k() -> Extract:
    """An article parsed from the page that we have, nothing fetched."""
    article = _imported("newspaper").article
    logging.getLogger("newspaper").setLevel(logging.CRITICAL)

    def extract(html: str, url: str) -> str:
        return str(article(url, input_html=html, fetch_images=False).text or "")

    return extract


def goose3() -> Extract:
    """An article from the page that we have; no images are fetched."""
    goose = _imported("goose3").Goose()
    logging.getLogger("goose3").setLevel(logging.CRITICAL)
    return lambda html, url: str(goose.extract(raw_html=html).cleaned_text or "")


def turbohtml() -> Extract:
    """The text of its article."""
    parse = _imported("turbohtml").parse
    return lambda html, url: str(parse(html).article().text)


PEERS: Mapping[str, Callable[[], Extract]] = {
    "trafilatura": trafilatura,
    "readability-lxml": readability,
    "resiliparse": resiliparse,
    "jusText": justext,
    "newspaper4k": newspaper4k,
    "goose3": goose3,
    "turbohtml": turbohtml,
}
"""The peers by the names of their distributions."""


def load_peers(names: Iterable[str] = PEERS) -> dict[str, Extract]:
    """The peers, ready to be called.

    :raises PeerMissingError: when one is not installed.
    """
    return {name: PEERS[name]() for name in names}


def versions(names: Iterable[str] = PEERS) -> dict[str, str]:
    """The versions that are installed."""
    return {name: version(name) for name in names}


def attempt(extract: Extract, html: str, url: str) -> tuple[str, bool]:
    """A page's main text and whether the extractor failed: then the text is empty."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return extract(html, url), False
    except Exception:
        return "", True
