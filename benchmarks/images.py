"""Images of articles that stay in their HTML, and decorations that stay too.

    python -m benchmarks.images                   # ../shared/data: sets with articles, each page alone
    python -m benchmarks.images --sets news --write

Counted are images with an address in a ``figure`` between two kept paragraphs, at most :data:`MOST` a page, and figures
of links and of teasers aside. Decorations are kept images that are small, or that are called so. Without this data
nothing is measured.
"""

from __future__ import annotations

import argparse
import re
import sys
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urljoin

import lxml.html

from benchmarks.progress import say
from benchmarks.sets import ROOT, SHARED, GoldPage, SetError, find_sets, parsed
from benchmarks.tables import percent, publish, table
from scrapy_stemmer import Page, strip

TARGET = ROOT / "benchmarks" / "results" / "images.md"

SETS = (
    *("onepage/publishers", "onepage/aeb", "onepage/wcxb", "onepage/trafeval", "onepage/chaos"),
    *("news", "newspairs", "redesign"),
)
TYPES = (None, "article", "news", "blog")

MOST = 20  # images of a page: a gallery of hundreds decides nothing
LEAST = 30  # characters of a paragraph, without white space
SMALL = 48  # width or height of a decoration at most
AROUND = 3  # elements around an image that tell its use

TEASER = re.compile(
    r"relat|relacion|teaser|recommend|promo|callout|newsletter|author|rating|read-?more|gallery-thumb", re.IGNORECASE
)
"""Class names of figures that lead elsewhere."""

DECORATION = re.compile(
    r"icon|avatar|logo|(?<![a-z])share(?![a-z])|sharing|social(?![a-z])|sprite|pixel|spacer|emoji|smil(?:ey|ie)|badge|"
    r"arrow|related|teaser|facebook|twitter|whatsapp|pinterest|advert|sponsor|newsletter|subscribe",
    re.IGNORECASE,
)

_NO_ADDRESS = frozenset({"class", "style", "alt", "title", "id"})


def counts_of(page: GoldPage) -> Counter[str]:
    """Return the numbers of images of a page, ``wanted`` and ``kept`` ones, and ``all`` kept with ``decorations``."""
    found: Counter[str] = Counter()
    html = strip(Page(page.url, page.html)).html
    if not html:
        return found
    root, kept_root = parsed(page.html), parsed(html)
    kept = {image.get("src") for image in kept_root.iter("img")}
    base = urljoin(page.url, next((each.get("href", "") for each in root.iter("base")), ""))
    ends, is_kept = paragraphs(root, squeezed(kept_root.text_content()))
    order = {element: number for number, element in enumerate(root.iter())}
    left = MOST
    for image in root.iter("img", "amp-img"):
        is_repeated = any(each.tag == "noscript" for each in image.iterancestors())
        addresses = addresses_of(image, base)
        if not is_repeated and addresses & kept:
            found["all"] += 1
            found["decorations"] += is_decoration(image)
        place = bisect(ends, order[image])
        is_between = 0 < place < len(ends) and is_kept[place - 1] and is_kept[place]
        if is_between and not is_repeated and addresses and left and is_of_article(image):
            left -= 1
            found["wanted"] += 1
            found["kept"] += bool(addresses & kept)
    return found


def squeezed(text: str) -> str:
    return "".join(text.split())


def paragraphs(root: lxml.html.HtmlElement, kept: str) -> tuple[list[int], list[bool]]:
    """Return the places of the paragraphs outside figures, and whether each is kept."""
    places, is_kept = [], []
    for number, element in enumerate(root.iter()):
        if element.tag == "p" and not any(each.tag == "figure" for each in element.iterancestors()):
            text = squeezed(element.text_content())
            if len(text) >= LEAST:
                places.append(number)
                is_kept.append(text in kept)
    return places, is_kept


def addresses_of(image: lxml.html.HtmlElement, base: str) -> set[str]:
    """Return all addresses that an image may have: its own, those of its picture, and of twins in its figure."""
    around = list(image.iterancestors())
    picture = next((each for each in around if each.tag == "picture"), None)
    figure = next((each for each in around if each.tag == "figure"), None)
    elements = [image, *(() if picture is None else picture.iter("source"))]
    for twin in () if figure is None else figure.iter("noscript"):
        elements += twin.iter("img")
    values = [value for each in elements for name, value in each.attrib.items() if name not in _NO_ADDRESS]
    found: set[str] = set()
    for value in values:
        for text in {value.strip(), *(each.strip(",") for each in value.split()), *re.split(r"[\s,]+", value)}:
            if re.search(r"[./]", text) and not text.startswith("data:") and len(text) < 2_000:
                try:
                    found.add(urljoin(base, text))
                except ValueError:
                    continue
    return found


def is_of_article(image: lxml.html.HtmlElement) -> bool:
    """Return True for an image in a figure that leads nowhere else."""
    around = list(image.iterancestors())
    figure = next((each for each in around if each.tag == "figure"), None)
    if figure is None:
        return False
    outer = [each for each in figure.iterancestors() if each.tag not in ("body", "html")]
    names = " ".join(f"{each.get('class', '')} {each.get('id', '')}" for each in outer)
    return all(each.tag != "a" for each in outer) and TEASER.search(names) is None


def is_decoration(image: lxml.html.HtmlElement) -> bool:
    sizes = (re.match(r"\s*(\d+)", image.get(name, "")) for name in ("width", "height"))
    if any(size and int(size[1]) <= SMALL for size in sizes):
        return True
    values = [image.get(name, "") for name in ("class", "id", "alt")] + [image.get("src", "").rpartition("/")[2]]
    for each in list(image.iterancestors())[:AROUND]:
        if each.tag in ("article", "main", "body"):
            break
        values += [each.get(name, "") for name in ("class", "id", "rel")]
    return any(map(DECORATION.search, values))


def articles(pages: Iterable[GoldPage]) -> Iterator[GoldPage]:
    return (page for page in pages if page.type in TYPES and "<img" in page.html)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with the sets")
    parser.add_argument("--sets", nargs="+", help="names of sets; all of a folder of yours")
    parser.add_argument("--write", action="store_true", help=f"write the table to {TARGET.name} too")
    options = parser.parse_args(arguments)
    names = options.sets or (SETS if options.data is None and SHARED.is_dir() else ())
    rows, whole = [], Counter[str]()
    try:
        for each in find_sets(names, options.data):
            say(f"{each.name}: images")
            found = sum(map(counts_of, articles(each.pages)), Counter[str]())
            whole += found
            rows.append(_row(each.name, found))
    except SetError as error:
        sys.exit(str(error))
    rows.append(_row("all", whole))
    text = table(("set", "images in figures", "missing, %", "images kept", "decorations"), rows)
    publish(text, TARGET, HEAD, write=options.write)
    return 0


def _row(name: str, found: Counter[str]) -> tuple[str, ...]:
    missing = (found["wanted"] - found["kept"]) / found["wanted"] if found["wanted"] else None
    return name, str(found["wanted"]), percent(missing, 1), str(found["all"]), str(found["decorations"])


HEAD = """# Images: measured

Written by `python -m benchmarks.images --write`. Images with an address in a figure between two kept paragraphs, of
articles stripped alone: how many there are, and the share that the HTML lacks; all kept images, and those that are
decorations by size or name.
"""

if __name__ == "__main__":
    sys.exit(main())
