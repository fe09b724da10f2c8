"""What each piece of evidence adds to a score, as numbers by name.

They are worked out for each block of each page, and seldom shown, so that the names that users read are looked up only
then.
"""

from __future__ import annotations

from collections.abc import Iterable

Term = tuple[str, float]
"""A piece of evidence, and what it adds to a block's score."""


class PlaceTerms:
    """What the evidence that all blocks of a place share adds to their scores; 0 where it does not apply.

    :param inside: whether the place lies in the region.
    :ivar region: for being there or not; the others are those of :data:`PLACE_TERMS`.
    """

    __slots__ = (
        "among_links",
        "among_repeated",
        "aside",
        "beside",
        "byline",
        "caption",
        "comment",
        "figure",
        "footer",
        "form",
        "header",
        "heading",
        "hidden",
        "in_list",
        "inside",
        "nav",
        "navigation",
        "other",
        "paragraph",
        "preformatted",
        "region",
        "related",
        "review",
        "running",
        "social",
    )

    def __init__(self, inside: bool) -> None:
        self.inside = inside
        self.region = self.in_list = self.running = self.beside = self.other = 0.0
        self.among_links = self.among_repeated = 0.0
        self.figure = self.aside = self.nav = self.footer = self.header = self.form = 0.0
        self.paragraph = self.heading = self.preformatted = 0.0
        self.caption = self.byline = self.related = self.social = self.comment = self.navigation = 0.0
        self.hidden = self.review = 0.0

    def total(self) -> float:
        """All of them together; always added in this order."""
        score = self.region
        score += self.in_list
        score += self.running
        score += self.beside
        score += self.other
        score += self.among_links
        score += self.among_repeated
        score += self.figure
        score += self.aside
        score += self.nav
        score += self.footer
        score += self.header
        score += self.form
        score += self.paragraph
        score += self.heading
        score += self.preformatted
        score += self.caption
        score += self.byline
        score += self.related
        score += self.social
        score += self.comment
        score += self.navigation
        score += self.hidden
        return score + self.review

    def terms(self) -> list[Term]:
        """The evidence with its names, none that adds nothing."""
        region = ("region", "inside the region" if self.inside else "outside the region")
        return _named(self, (region, *PLACE_TERMS))


PLACE_TERMS = (
    ("in_list", "list"),
    ("running", "running text"),
    ("beside", "beside running text"),
    ("other", "not running text"),
    ("among_links", "among links"),
    ("among_repeated", "among repeated text"),
    ("figure", "figure"),
    ("aside", "aside"),
    ("nav", "nav"),
    ("footer", "footer"),
    ("header", "header"),
    ("form", "form"),
    ("paragraph", "paragraph"),
    ("heading", "heading"),
    ("preformatted", "preformatted"),
    ("caption", "named caption"),
    ("byline", "named byline"),
    ("related", "named related"),
    ("social", "named social"),
    ("comment", "named comment"),
    ("navigation", "named navigation"),
    ("hidden", "hidden"),
    ("review", "review"),
)
"""The attributes of :class:`PlaceTerms`, and what users read."""


class BlockTerms:
    """What the evidence that is a block's own adds to its score; 0 where it does not apply.

    :ivar odds: its odds; the others are those of :data:`BLOCK_TERMS`.
    """

    __slots__ = (
        "after",
        "before",
        "braces",
        "copy",
        "following",
        "in_list",
        "links",
        "odds",
        "poor",
        "previous",
        "repeated",
        "size",
        "subtitle",
        "title",
        "whole_link",
    )

    odds: float
    repeated: float
    links: float
    whole_link: float
    after: float
    before: float
    in_list: float
    poor: float
    size: float
    braces: float
    following: float
    previous: float
    title: float
    subtitle: float
    copy: float

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin anew, for another block."""
        self.odds = 0.0
        self.repeated = self.links = self.whole_link = self.after = self.before = self.in_list = 0.0
        self.poor = self.size = self.braces = self.following = self.previous = 0.0
        self.title = self.subtitle = self.copy = 0.0

    def added_to(self, score: float) -> float:
        """A score with all of them but what is decided about titles, subtitles and copies; always in this order."""
        score += self.odds
        score += self.repeated
        score += self.links
        score += self.whole_link
        score += self.after
        score += self.before
        score += self.in_list
        score += self.poor
        score += self.size
        score += self.braces
        score += self.following
        return score + self.previous

    def terms(self) -> list[Term]:
        """The evidence with its names, none that adds nothing."""
        return _named(self, BLOCK_TERMS)


BLOCK_TERMS = (
    ("odds", "odds"),
    ("repeated", "repeated"),
    ("links", "links"),
    ("whole_link", "whole link"),
    ("after", "after running text"),
    ("before", "before running text"),
    ("in_list", "list beside running text"),
    ("poor", "poor odds"),
    ("size", "long"),
    ("braces", "template braces"),
    ("following", "next block"),
    ("previous", "previous block"),
    ("title", "title"),
    ("subtitle", "subtitle"),
    ("copy", "copy"),
)
"""The attributes of :class:`BlockTerms`, and what users read."""


def _named(terms: PlaceTerms | BlockTerms, names: Iterable[tuple[str, str]]) -> list[Term]:
    """Terms that add something.

    :param names: their attributes, each with what users read.
    """
    values = ((name, getattr(terms, attribute)) for attribute, name in names)
    return [(name, value) for name, value in values if value]
