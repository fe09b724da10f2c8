"""Memory of many pages: no cache keeps long texts, names or addresses of pages."""

from __future__ import annotations

import gc
import pkgutil
import re
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from importlib import import_module
from inspect import signature
from types import ModuleType
from typing import Any

import pytest

import scrapy_stemmer
from scrapy_stemmer import Page, learn, strip
from scrapy_stemmer.page.lazily import LONGEST, joined_length, short_cache
from tests.crawl.website import Article

LONG, MANY = 100_000, 300  # characters of a name, and names on a page
OPTIONAL = {"datatrove", "poet", "spark"}  # need packages that not everybody has


def modules() -> list[ModuleType]:
    names = (each.name for each in pkgutil.walk_packages(scrapy_stemmer.__path__, "scrapy_stemmer."))
    return [scrapy_stemmer, *(import_module(name) for name in names if name.rpartition(".")[2] not in OPTIONAL)]


def caches() -> dict[str, Any]:
    """Return all caches of functions by name, but for those that end with the call that makes them."""
    modules()
    made: list[Any] = [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)]
    lasting = (
        each for each in made if each.__module__.startswith("scrapy_stemmer") and "<locals>" not in each.__qualname__
    )
    return {f"{each.__module__}.{each.__name__}": each for each in lasting}


def texts_in(value: object, depth: int = 6) -> Iterator[str | bytes]:
    """Yield the texts that a cache, a key or a result holds."""
    if isinstance(value, str | bytes):
        yield value
    elif depth and not isinstance(value, ModuleType | type | re.Pattern) and not callable(value):
        for each in gc.get_referents(value):
            yield from texts_in(each, depth - 1)


def texts_kept(cache: object) -> Iterator[str | bytes]:
    """Yield the texts of the keys and results of a cache."""
    for each in gc.get_referents(cache):
        yield from texts_in(each)


def long_page(number: int) -> Page:
    """A page on which all that is named is long."""
    long = f"{number}x{'abc' * (LONG // 3)}"
    parts = (
        f"<x-{long}><p>Text</p></x-{long}>"
        f"<div id='{long}' class='{long} b-{long}' role='{long}' style='{long}'>Some</div>"
        f"<p><a rel='author {long}' href='/{long}'>By {long}</a> <a rel=tag href='/tag/{long}'>{long}</a></p>"
        f"<p>Published: 3 May 2021 {long}: <time datetime='2021-05-03 {long}'>{long}</time></p><p>{long} $ 5</p>"
        f"<h2 itemprop='{long}'>{long}</h2>"
        f"<pre class='language-{long}' style='{long}'><code class='{long}'>{long}</code></pre>"
    )
    html = Article(number).html(parts).replace("<title>", f"<title>{long} - ")
    return Page(f"http://a.example/{number}/{long}", html)


def many_page(number: int) -> Page:
    """A page with names, addresses and texts of its own."""
    names = [f"n{number}x{at}{'abc' * 20}" for at in range(MANY)]
    parts = "".join(
        f"<div class='{name}' id='i{name}'><a rel='{name}' href='/{name}'>By {name}</a>"
        f"<p>{name} 3 May 2021, $ 5</p></div>"
        for name in names
    )
    return Page(f"http://a.example/{number}", Article(number).html(parts))


def use(pages: list[Page]) -> None:
    """Learn and strip pages with all their results."""
    known = learn(pages[: len(pages) // 2])
    for page in pages:
        for stripped in (strip(page), known.strip(page)):
            assert stripped.text
            _ = stripped.markdown, stripped.fields, stripped.html, stripped.kind, stripped.confidence


ABOUT_NO_PAGE = {
    "commands.strip_stored.loaded",  # by the pattern file of a command
    "learners.rules.decide.confidence.confidence_weights",  # by their file
    "patterns.record.readers_of",  # by the classes of options
}


@pytest.fixture(scope="module")
def fed() -> dict[str, Any]:
    """All caches after long and many names."""
    for each in caches().values():
        each.cache_clear()  # what other tests have left
    for make in (long_page, many_page):
        use([make(number) for number in range(6)])
    return caches()


def test_the_caches_are_known(fed: dict[str, Any]) -> None:
    assert {name.removeprefix("scrapy_stemmer.") for name in fed} >= ABOUT_NO_PAGE
    assert len(of_pages(fed)) <= 26, "a further cache must earn its keep"


def of_pages(found: dict[str, Any]) -> dict[str, Any]:
    asked = {name: each for name, each in found.items() if signature(each.__wrapped__).parameters}
    return {name: each for name, each in asked.items() if name.removeprefix("scrapy_stemmer.") not in ABOUT_NO_PAGE}


def test_caches_of_what_pages_say_have_a_bound(fed: dict[str, Any]) -> None:
    assert [name for name, each in of_pages(fed).items() if each.cache_info().maxsize is None] == []


def test_no_cache_keeps_a_long_text(fed: dict[str, Any]) -> None:
    kept = {name: max(map(len, texts_kept(each)), default=0) for name, each in of_pages(fed).items()}
    assert max(kept.values()) > 10, "the caches are filled"
    assert {name: size for name, size in kept.items() if size > 2 * LONGEST} == {}


def test_a_short_cache_keeps_short_arguments_alone() -> None:
    asked: list[str] = []

    @short_cache(10, length=joined_length)
    def both(text: str, other: str) -> str:
        asked.append(text[:1])
        return text + other

    for _ in range(2):
        assert both("c", "d") == "cd"
        assert len(both("e", "f" * LONGEST)) == LONGEST + 1
    assert asked == ["c", "e", "e"]
    assert both.__name__ == "both"
