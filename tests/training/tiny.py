"""Sites of a few tiny pages with gold text, as read by :mod:`training`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from benchmarks.sets import GoldPage
from training.pages import Site, labelled_site

WORDS = "amber birch cedar delta ember fjord grove haven inlet jetty kelp lagoon marsh north ocean pebble".split()


def sentence(seed: int, count: int = 14) -> str:
    """Return a sentence unique to each seed."""
    picked = [WORDS[(seed * 7 + place * (1 + seed % 5)) % len(WORDS)] for place in range(count)]
    return " ".join(picked).capitalize() + f" {seed}."


def page_of(site: str, number: int) -> GoldPage:
    """A page with a menu, a headline, two paragraphs, a byline and a footer."""
    seed = sum(map(ord, site)) + 10 * number
    first, second = sentence(seed), sentence(seed + 1)
    html = (
        f"<html><head><title>Story {number} | {site}</title></head><body>"
        "<ul class='menu'><li><a href='/'>Home</a></li><li><a href='/about'>About us</a></li></ul>"
        f"<div class='story'><h1>Story {number}</h1><p class='byline'>By Ann Author</p>"
        f"<p>{first}</p><p>{second}</p></div>"
        "<div class='foot'>All rights reserved by the makers of this site</div></body></html>"
    )
    url = f"https://{site}/{number}"
    return GoldPage(
        site, str(number), url, html, f"Story {number}\n{first}\n{second}", type="article", optional="By Ann Author"
    )


def site_of(name: str, pages: int) -> Site:
    """A labelled site."""
    return labelled_site("tiny", name, [page_of(name, number) for number in range(pages)])


def write_set(folder: Path, sites: int, pages: int, name: str = "site") -> None:
    """Write a set of sites to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    found = (page_of(f"{name}{site}.example", number) for site in range(sites) for number in range(pages))
    rows = [
        {"site": page.site, "id": page.id, "url": page.url, "html": page.html, "text": page.text}
        | {"type": page.type, "optional": page.optional}
        for page in found
    ]
    with gzip.open(folder / "tiny.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
