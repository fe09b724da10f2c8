"""Articles for the visual learner, and pages marked by the script ``rendering.js``."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from random import Random

from tests.samplesite import headline, paragraphs, sentence

HIDDEN = 'data-stemmer-hidden=""'


CITIES = (
    "Amsterdam Bogota Cairo Dublin Edinburgh Florence Gdansk Helsinki Istanbul Jakarta Kingston Lisbon Marrakesh "
    "Nairobi Oslo Prague Quito Reykjavik Santiago Toronto Ulaanbaatar Vienna Warsaw Yokohama"
).split()
"""Words unique to each article."""


def marked(body: str, *looks: tuple[int, Mapping[str, str]], head: str = "") -> str:
    """A page with marks.

    :param body: with ``{0}``, ``{1}`` … where an element is marked with a look, ``{hidden}`` where as hidden.
    :param looks: width and style of each.
    """
    styles = html.escape(json.dumps([style for _, style in looks]))
    marks = [f'data-stemmer-block="{width} {number}"' for number, (width, _) in enumerate(looks)]
    return (
        f'<!DOCTYPE html><html><head>{head}</head><body data-stemmer-styles="{styles}">'
        f"{body.format(*marks, hidden=HIDDEN)}</body></html>"
    )


def title(number: int) -> str:
    """The title of an article."""
    return f"{headline(number)} in {CITIES[number]}"


def texts(number: int) -> list[str]:
    """Return the paragraphs of an article."""
    return [f"{CITIES[number]}. {text}" for text in paragraphs(number)]


def teaser(number: int) -> str:
    """Return a teaser of another article."""
    return f"{title(number)}: {sentence(Random(number), 12)}"
