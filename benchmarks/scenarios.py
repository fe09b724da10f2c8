"""Crawls that begin badly, or change under way: what becomes of the text of articles. The site is made up.

    python -m benchmarks.scenarios                          # all of them, as a library sees them
    python -m benchmarks.scenarios "lists first" redesign   # those whose names have one of these words
    python -m benchmarks.scenarios --write

A scenario gives its pages in the order in which a crawl would meet them. Here the site is learned of a sample, and all
pages are stripped with what was learned: of the first twenty pages, and of those that
:class:`scrapy_stemmer.learners.rules.sampling.SampleChoice` takes. A crawl that meets the pages of :func:`scenarios` is
measured by the same :func:`outcome`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from benchmarks.scoring import score
from benchmarks.sets import ROOT
from benchmarks.tables import percent, publish, table
from benchmarks.walls import WALLS
from scrapy_stemmer import Page, learn
from scrapy_stemmer.core.document import root_of
from scrapy_stemmer.learners.rules.sampling import SampleChoice, look_of

TARGET = ROOT / "docs" / "benchmarks" / "scenarios.md"

SITE = "heron.example"

SAMPLE = 20
"""STEMMER_SAMPLE_SIZE, as it is by default."""

ARTICLES = 120
"""Of most scenarios."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A page as a crawl meets it.

    :param text: its gold text; "" for a placeholder, which should have none, and ``None`` where none is asked for.
    """

    url: str
    html: str
    text: str | None
    status: int = 200

    @property
    def page(self) -> Page:
        """The page."""
        return Page(self.url, self.html)


# The site

_NOUNS = (
    "storm council harbour election museum bridge winter budget teacher river village market engine forest doctor "
    "festival railway painter island kitchen senator camera orchard glacier novel stadium tunnel ferry harvest mayor "
    "library school hospital garden street roof clock church square park castle tower mill station lake coast hill"
).split()
_VERBS = "opened closed found built sold painted moved praised missed repaired counted visited planned lost".split()
_ADJECTIVES = "old new quiet narrow famous empty wooden distant public early costly broken long small bright".split()
_ENDS = "last week|in the spring|for the third time|after a long debate|without much noise|near the river".split("|")

MENU = "".join(f"<li><a href='/{name}/'>{name.title()}</a></li>" for name in "news sport culture weather town".split())
FOOTER = "<div class=foot><p>Copyright The Heron. Write to the editors, or visit our office in Mill Street.</p></div>"


def sentence(random: Random) -> str:
    """Something that somebody might write."""
    first, second, third, fourth = (f"the {random.choice(_ADJECTIVES)} {random.choice(_NOUNS)}" for _ in range(4))
    verb, other = random.choice(_VERBS), random.choice(_VERBS)
    return f"{first} {verb} {second}, and {third} {other} {fourth} {random.choice(_ENDS)}.".capitalize()


def headline(number: int) -> str:
    """Of an article."""
    random = Random(number)
    return " ".join(map(random.choice, (_ADJECTIVES, _NOUNS, _VERBS, _NOUNS))).capitalize()


def body(number: int) -> list[str]:
    """The paragraphs of an article."""
    random = Random(f"body {number}")
    return [" ".join(sentence(random) for _ in range(random.randrange(2, 5))) for _ in range(random.randrange(3, 8))]


def framed(title: str, content: str, frame: str = "wrap") -> str:
    """A page in the frame of the site.

    :param frame: the class of what is around it.
    """
    latest = "".join(f"<li><a href='/story/{n}.html'>{headline(n)}</a></li>" for n in range(900, 906))
    return (
        f"<!doctype html><html><head><title>{title} | The Heron</title></head><body><div class=head><ul>{MENU}</ul>"
        f"</div><div class={frame}>{content}</div><div class=side><h3>Latest</h3><ul>{latest}</ul></div>{FOOTER}</body>"
    )


def story(number: int) -> str:
    """An article in the first layout."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in body(number))
    return framed(
        headline(number),
        f"<h1 class=headline>{headline(number)}</h1><p class=byline>By Marta Quill, {number % 28 + 1} March 2025</p>"
        f"<div class=story>{text}</div><div class=related><h4>Read on</h4><a href='/story/{number + 1}.html'>"
        f"{headline(number + 1)}</a></div>",
    )


def relaunched(number: int) -> str:
    """An article after the redesign: other names, another order, promos between its paragraphs."""
    text = "<div class=promo>Subscribe to our letter for the harbour news.</div>".join(
        f"<div class=c-text><p>{paragraph}</p></div>" for paragraph in body(number)
    )
    return (
        f"<!doctype html><html><head><title>{headline(number)} - Heron Online</title></head><body><main id=app>"
        f"<article><header><h1>{headline(number)}</h1><span class=c-meta>5 min read</span></header>"
        f"<section class=c-body>{text}</section></article><nav class=c-nav><ul>{MENU}</ul></nav></main>"
        "<footer class=c-foot>The Heron, Mill Street.</footer></body></html>"
    )


def article(number: int, make: Callable[[int], str] = story, url: str = "/story/{}.html") -> Visit:
    """An article."""
    return Visit(f"https://{SITE}{url.format(number)}", make(number), "\n".join(body(number)))


def list_page(number: int) -> Visit:
    """A list of articles."""
    entries = "".join(
        f"<li class=teaser><h2><a href='/story/{n}.html'>{headline(n)}</a></h2><p>{body(n)[0][:140]}</p></li>"
        for n in range(10 * number, 10 * number + 10)
    )
    return Visit(
        f"https://{SITE}/news/?page={number}", framed("News", f"<h1>News</h1><ul class=teasers>{entries}</ul>"), None
    )


def calendar(number: int) -> Visit:
    """A month of events."""
    days = "".join(f"<td><a href='/events/{number}/{day}'>{day}</a></td>" for day in range(1, 29))
    html = framed("Events", f"<h1>Month {number}</h1><table class=month><tr>{days}</tr></table>")
    return Visit(f"https://{SITE}/events/{number}", html, None)


def wall(name: str, number: int) -> Visit:
    """A placeholder with status 200."""
    path = f"/story/blocked-{number}.html"
    return Visit(f"https://{SITE}{path}", WALLS[name].html(path), "")


def mixed(*parts: Sequence[Visit], seed: int = 0) -> list[Visit]:
    """Pages in no order."""
    found = list(chain(*parts))
    Random(seed).shuffle(found)
    return found


def articles(first: int = 0, count: int = ARTICLES, make: Callable[[int], str] = story) -> list[Visit]:
    """Articles of one layout."""
    return [article(number, make) for number in range(first, first + count)]


# The crawls


def scenarios() -> Mapping[str, Callable[[], Sequence[Visit]]]:
    """All of them by name."""
    lists, months = [list_page(number) for number in range(40)], [calendar(number) for number in range(40)]
    half = ARTICLES // 2
    found: dict[str, Callable[[], Sequence[Visit]]] = {
        "articles alone": articles,
        "lists first": lambda: [*lists, *articles()],
        "a calendar first": lambda: [*months, *articles()],
        "one section first": lambda: [*articles(0, 40), *_sections(40)],
        "a redesign at half": lambda: [*articles(0, half), *articles(half, half, relaunched)],
        "A/B from the start": lambda: mixed(articles(0, half), articles(half, half, relaunched)),
        "A/B after the sample": lambda: [*articles(0, 40), *mixed(articles(40, half), articles(200, half, relaunched))],
        "one in ten an error": lambda: mixed(articles(), _errors(ARTICLES // 9)),
        "half soft errors": lambda: mixed(articles(), [wall("soft 404", number) for number in range(ARTICLES)]),
        "half walls of consent": lambda: mixed(articles(), [wall("consent in the frame", n) for n in range(ARTICLES)]),
        "identifiers of sessions": _sessions,
        "mirrors": lambda: mixed(articles(), [article(n, url="/print/{}.html") for n in range(ARTICLES)]),
        "lists, errors and articles": lambda: mixed(lists, articles(), _errors(20)),
    }
    for name in WALLS:
        found[f"25 times first: {name}"] = lambda name=name: [*(wall(name, n) for n in range(25)), *articles()]  # type: ignore[misc]
    return found


def _sections(first: int) -> list[Visit]:
    """Articles of a section with a layout of its own."""

    def page(number: int) -> str:
        text = "".join(f"<p>{paragraph}</p>" for paragraph in body(number))
        content = f"<h2 class=dish>{headline(number)}</h2><div class=recipe>{text}</div>"
        return framed(headline(number), content, "kitchen")

    return [article(number, page, "/kitchen/{}.html") for number in range(first, first + ARTICLES)]


def _errors(count: int) -> list[Visit]:
    """Placeholders of all sorts."""
    return [wall(sorted(WALLS)[number % len(WALLS)], number) for number in range(count)]


def _sessions() -> list[Visit]:
    """Each article under three addresses."""
    addresses = (f"?sid={Random(number).getrandbits(64):x}" for number in range(3 * ARTICLES))
    return [article(number // 3, url="/story/{}.html" + query) for number, query in enumerate(addresses)]


# What becomes of them


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a crawl.

    :param f1: the mean of its articles; one without text has 0.
    :param with_text: the share of them that have text.
    :param matched: the share of them of which the layout is known.
    :param walls_with_text: the share of placeholders that have, which should be 0; ``None`` without any.
    """

    f1: float
    with_text: float
    matched: float
    walls_with_text: float | None


def outcome(visits: Iterable[Visit], results: Iterable[tuple[str, bool]]) -> Outcome:
    """What became of a crawl.

    :param results: for each page the text that its item has, and whether it is matched.
    """
    found = [(visit.text, *result) for visit, result in zip(visits, results, strict=True) if visit.text is not None]
    wanted = [(gold, text, is_matched) for gold, text, is_matched in found if gold]
    walls = [bool(text) for gold, text, _ in found if not gold]
    return Outcome(
        f1=statistics.fmean(score(text, gold).f1 for gold, text, _ in wanted),
        with_text=statistics.fmean(bool(text) for _, text, _ in wanted),
        matched=statistics.fmean(is_matched for _, _, is_matched in wanted),
        walls_with_text=statistics.fmean(walls) if walls else None,
    )


def first_pages(visits: Sequence[Visit]) -> list[Visit]:
    """The sample of the first pages."""
    return list(visits[:SAMPLE])


def chosen_pages(visits: Iterable[Visit]) -> list[Visit]:
    """The sample that is spread over layouts and kinds."""
    choice, taken = SampleChoice(SAMPLE), []
    for visit in visits:
        if choice.is_ready:
            break
        look = look_of(visit.url, root_of(visit.page))
        if choice.wants(look):
            choice.take(look)
            taken.append(visit)
    return taken


def stripped(sample: Sequence[Visit], visits: Iterable[Visit]) -> Iterator[tuple[str, bool]]:
    """For each page its text, by what was learned of a sample, and whether it matches."""
    patterns = learn([visit.page for visit in sample])
    for visit in visits:
        found = patterns.strip(visit.page)
        yield found.text, found.matched


def report(names: Iterable[str]) -> str:
    """The table."""
    rows = []
    for name in names:
        visits = scenarios()[name]()
        cells = [name, str(len(visits))]
        for sample in (first_pages(visits), chosen_pages(visits)):
            found = outcome(visits, stripped(sample, visits))
            shares = found.f1, found.with_text, found.matched, found.walls_with_text
            cells += [percent(share, 1) for share in shares]
        rows.append(cells)
    columns = ["F1", "with text", "matched", "placeholders with text"]
    return table(["", "pages", *columns, "chosen: F1", *columns[1:]], rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scenarios", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="of the names of the scenarios; default: all")
    parser.add_argument("--write", action="store_true", help=f"write {TARGET.relative_to(ROOT)}")
    options = parser.parse_args(arguments)
    names = [name for name in scenarios() if not options.words or any(word in name for word in options.words)]
    publish(report(names), TARGET, _HEAD, write=options.write)
    return 0


_HEAD = """# Crawls that begin badly: measured

Written by `python -m benchmarks.scenarios --write`: a site that is made up, met in orders that real crawls have. Left:
learned of the first twenty pages; right: of those that a sample takes over layouts and kinds. Nothing is learned again.
Means over its articles, in hundredths, also of those in the sample."""

if __name__ == "__main__":
    sys.exit(main())
