"""The micro-example of the design notes (algorithms §1.12): three pages with the original's scores."""

from __future__ import annotations

from scrapy_stemmer import Page
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.page.blocks import LayoutBlock
from scrapy_stemmer.page.document import root_of

DIRECTORY = "http://ex.com/a/"
NAV = '<div id="nav"><a href="/">Home</a> <a href="/w">World</a> News</div>'
FOOT = '<div class="foot">Copyright Example Inc</div>'

FEATURES = ["title", "div:id=nav", "h1:class=head", "div:class=body/p", "div:class=foot"]

HEADLINES = {1: "Alpha storm hits coast", 2: "Bravo wins the cup", 3: "Quick zebra jumps"}

BODIES = {
    1: "<p>Heavy rain fell on Monday as the alpha storm hits the coast again.</p>"
    "<p>Nobody was hurt, officials said.</p>",
    2: "<p>Thousands cheered while Bravo wins the cup in a dramatic final match.</p>",
    3: "<p>The zebra was quick and jumps over a fence near the zoo.</p>"
    '<div class="ad">Buy one now today</div><p>Visitors were amazed.</p>',
}


def html(number: int) -> str:
    """Return the HTML of a page by its number."""
    headline = HEADLINES[number]
    return (
        f"<html><head><title>{headline} - Example</title></head><body>{NAV}"
        f'<h1 class="Head">{headline}</h1><div class="body">{BODIES[number]}</div>{FOOT}</body></html>'
    )


def page(number: int, anchors: tuple[str, ...] = ()) -> Page:
    """Return a page by its number, by default without linkinfo."""
    return Page(f"{DIRECTORY}{number}.html", html(number), anchors=anchors)


def blocks(number: int) -> list[LayoutBlock]:
    """Return the layout blocks of a page by its number, cut as in the original."""
    return BlockOptions(None, original=True).blocks_of(root_of(page(number)))
