"""A page of a known site is stripped no worse than the page alone: made sites of kinds on which rules were too sure."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from scrapy_stemmer import Page, learn, strip
from tests.learners.rules.returning.test_template import sentence

SITE = "http://heron.example"
MENU = (
    "<nav><ul>" + "".join(f"<li><a href='/{at}'>{at}</a></li>" for at in ("Home", "Guide", "Contact")) + "</ul></nav>"
)
FOOTER = "<footer><p>Heron is published by the friends of the marsh.</p></footer>"

Made = tuple[str, str]  # the markup of a page's middle, and its gold text


def paragraphs(dice: random.Random, count: int, sentences: int = 3) -> list[str]:
    return [" ".join(sentence(dice) for _ in range(sentences)) for _ in range(count)]


def marked(texts: list[str], tag: str = "p") -> str:
    return "".join(f"<{tag}>{text}</{tag}>" for text in texts)


def links(dice: random.Random, count: int) -> str:
    return "".join(f"<li><a href='/{dice.random()}'>{sentence(dice)}</a></li>" for _ in range(count))


def article(dice: random.Random, name: str) -> Made:
    """An article with a list of other articles beside it, in elements named like the rest of the site."""
    texts = paragraphs(dice, 6)
    return (
        f"<div class='box main'><h1>{name}</h1>{marked(texts)}</div>"
        f"<div class='box side'><h3>Read on</h3><ul>{links(dice, 12)}</ul></div>",
        " ".join([name, *texts]),
    )


def guide(dice: random.Random, name: str) -> Made:
    """A page of another layout, whose text stands in the elements that hold lists elsewhere."""
    texts = paragraphs(dice, 8)
    return f"<div class='box side'><h1>{name}</h1><ul>{marked(texts, 'li')}</ul></div>", " ".join([name, *texts])


def reference(dice: random.Random, name: str) -> Made:
    """A page of an API: a table of links, then the members in full."""
    members = [f"get{number}{dice.randrange(99)}" for number in range(8)]
    told = paragraphs(dice, 8, 2)
    table = "".join(f"<tr><td><a href='#{member}'>{member}</a></td></tr>" for member in members)
    details = "".join(f"<dt>{member}</dt><dd>{text}</dd>" for member, text in zip(members, told, strict=True))
    return (
        f"<h1>Class {name}</h1><div class='summary'><table>{table}</table></div><dl class='detail'>{details}</dl>",
        " ".join([f"Class {name}", *members, *members, *told]),
    )


def module(dice: random.Random, name: str) -> Made:
    """A page of the same API whose summary is told in sentences."""
    texts = paragraphs(dice, 7)
    rows = "".join(f"<tr><td>{text}</td></tr>" for text in texts)
    return f"<h1>Module {name}</h1><div class='summary'><table>{rows}</table></div>", " ".join(
        [f"Module {name}", *texts]
    )


def recipe(dice: random.Random, name: str) -> Made:
    """A page of sections with equal headings."""
    sections = {label: paragraphs(dice, 2, 2) for label in ("Ingredients", "Method", "Notes")}
    told = "".join(f"<div><p><b>{label}</b></p>{marked(texts)}</div>" for label, texts in sections.items())
    return f"<h1>{name}</h1>{told}", " ".join([name, *(" ".join([key, *texts]) for key, texts in sections.items())])


Kinds = tuple[tuple[Callable[[random.Random, str], Made], int], ...]

SITES: dict[str, tuple[Kinds, Callable[[random.Random, str], Made]]] = {
    "one layout": (((article, 10),), article),
    "a layout of few pages": (((article, 8), (guide, 2)), guide),
    "a layout of half of the pages": (((article, 5), (guide, 5)), guide),
    "a layout that the sample lacks": (((article, 10),), guide),
    "an API": (((reference, 8), (module, 2)), module),
    "an API's classes": (((reference, 8), (module, 2)), reference),
    "labels": (((recipe, 10),), recipe),
    "labels on three pages": (((recipe, 3),), recipe),
    "two pages of two layouts": (((article, 1), (guide, 1)), guide),
}


def made_page(kind: Callable[[random.Random, str], Made], number: int) -> tuple[Page, str]:
    dice = random.Random(number)
    middle, gold = kind(dice, " ".join(sentence(dice).split()[:4]))
    html = f"<html><head><title>Heron</title></head><body>{MENU}<div class='page'>{middle}</div>{FOOTER}</body></html>"
    return Page(f"{SITE}/{kind.__name__}/{number}", html), gold


def sample_of(kinds: Kinds) -> Iterator[Page]:
    for place, (kind, count) in enumerate(kinds):
        for number in range(count):
            yield made_page(kind, 100 * place + number)[0]


def f1(text: str, gold: str) -> float:
    said, wanted = Counter(text.split()), Counter(gold.split())
    return 2 * (said & wanted).total() / max(1, said.total() + wanted.total())


@pytest.mark.parametrize("name", SITES)
def test_a_known_site_makes_no_page_worse(name: str) -> None:
    kinds, tested = SITES[name]
    patterns = learn(sample_of(kinds))
    for number in range(1000, 1005):
        page, gold = made_page(tested, number)
        assert f1(patterns.strip(page).text, gold) >= f1(strip(page).text, gold) - 0.005
