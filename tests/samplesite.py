"""A small news site made of words, for tests that need a sample to learn from."""

from __future__ import annotations

from random import Random

from scrapy_stemmer import Page

SITE = "news.example"

TOPICS = ("Home", "World", "Business", "Culture", "Science", "Travel", "Health", "Weather", "Sport today")
NAVIGATION = "".join(f'<li><a href="/{topic.lower()}">{topic}</a></li>' for topic in TOPICS)

FOOTER = "Copyright Example News, all rights reserved. Write to the editors, or visit our office in town."
"""Words enough for learners that look for runs of eight."""

_WORDS = (
    "storm council harbour election museum bridge winter budget teacher river village market engine forest doctor "
    "festival railway painter island kitchen senator camera orchard glacier novel stadium tunnel ferry harvest"
).split()


def sentence(random: Random, words: int) -> str:
    """Words in a random order, as a sentence."""
    return " ".join(random.choice(_WORDS) for _ in range(words)).capitalize() + "."


def headline(number: int) -> str:
    """The headline of an article."""
    return sentence(Random(number), 5).rstrip(".")


def paragraphs(number: int) -> list[str]:
    """The paragraphs of an article: two to five of 25 words."""
    random = Random(1000 + number)
    return [sentence(random, 25) for _ in range(2 + number % 4)]


def whole_text(number: int) -> str:
    """The text of an article."""
    return "\n".join([headline(number), *paragraphs(number)])


def article(number: int) -> str:
    """The HTML of an article."""
    body = "".join(f"<p>{text}</p>" for text in paragraphs(number))
    return (
        f"<html><head><title>{headline(number)} | Example News</title></head><body>"
        f'<ul class="nav">{NAVIGATION}</ul>'
        f'<div class="story" id="story-{number}"><h1>{headline(number)}</h1>{body}</div>'
        f'<div class="foot">{FOOTER}</div></body></html>'
    )


def page(number: int) -> Page:
    """Return an article with the text of a link to it."""
    return Page(f"https://{SITE}/2024/{number}.html", article(number), anchors=(headline(number),))


def sample(count: int = 8) -> list[Page]:
    """The first articles."""
    return [page(number) for number in range(count)]
