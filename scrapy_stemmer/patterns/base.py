"""The one contract of all systems: a matched page is layout blocks, each with a role and a noise confidence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import inf
from typing import Annotated, Any, ClassVar, Protocol, Self

from scrapy_stemmer.core.blocks import TEXT_ROLES, LayoutBlock, PageKind
from scrapy_stemmer.core.blocks import Role as Role
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.fields.rules import FieldRule
from scrapy_stemmer.patterns.record import Between, Record, Share


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """How patterns are applied to a page; the names of extract.py's options in brackets.

    :param threshold: the share of a page's text, from 0 to 1, that must lie above this in blocks of a pattern
        for the pattern to match [-t].
    :param site_threshold: the same for a pattern over all pages of a site, which is tried when no layout
        matches; 1 switches such patterns off, which is all that it does with those of the default learner.
    :param diffscore: sections below this DiffScore are template [-T].
    :param mainscore: sections at or above this MainScore, in characters, are main text, below it sub text [-M].
    :param strict: reject a pattern when the page lacks any block that all its pages had [-S].
    :param text_roles: the roles of blocks that make up the text of a page; by default its title, where the page shows
        it, and its main text.
    :param min_confidence: pages of which the confidence is below this, from 0 to 1, have no text, see
        :attr:`Stripped.reason`.
    :param markdown_links: whether Markdown has links; else only their texts.
    :param markdown_images: whether Markdown has images.
    :raises ValueError: for a share that is none.
    """

    threshold: float = 0.8
    site_threshold: float = 0.1
    diffscore: float = 0.5
    mainscore: float = 50.0
    strict: bool = False
    text_roles: frozenset[Role] = TEXT_ROLES
    min_confidence: float = 0.0
    markdown_links: bool = True
    markdown_images: bool = True

    def __post_init__(self) -> None:
        for name in ("threshold", "site_threshold", "diffscore", "min_confidence"):
            if not 0 <= (share := getattr(self, name)) <= 1:
                raise ValueError(f"{name} must be between 0 and 1, not {share!r}")

    @classmethod
    def checked(cls, options: MatchOptions | None) -> MatchOptions:
        """Options as they were given, the defaults when ``None``.

        :raises TypeError: for what are none.
        """
        if options is not None and not isinstance(options, cls):
            raise TypeError(f"The options must be MatchOptions(...) or None, not {type(options).__name__}")
        return options or cls()


@dataclass(frozen=True, slots=True)
class LabelledBlock:
    """A layout block with what a pattern says of it.

    :param noise_confidence: how sure it is that the block is template, from 0 to 1.
    :param evidence: what decided, the strongest first, of systems that can say.
    """

    block: LayoutBlock
    role: Role
    noise_confidence: float
    evidence: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The block's text, white space collapsed."""
        return self.block.text

    @property
    def path(self) -> str:
        """The block's feature."""
        return self.block.path


class LazyBlocks(Sequence[LabelledBlock]):
    """Labelled blocks that are made when they are first asked for."""

    def __init__(self, make: Callable[[], Iterable[LabelledBlock]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> tuple[LabelledBlock, ...]:
        return tuple(self._make())

    def __getitem__(self, index: Any) -> Any:
        return self._made[index]

    def __len__(self) -> int:
        return len(self._made)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._made == tuple(other)

    def __hash__(self) -> int:
        return hash(self._made)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies, and what is sent to other processes, are plain tuples."""
        return tuple, (self._made,)

    def __repr__(self) -> str:
        return repr(self._made)


MIN_IMPORTANCE = 0.25  # sections of less importance are noise (Mehta & Madaan, "Web page sectioning", section 3)


@dataclass(frozen=True, slots=True)
class PageSection:
    """A part of a page that belongs together."""

    blocks: tuple[LabelledBlock, ...]  # its layout blocks in order; empty for a section of images
    importance: float  # how sure it is that the section informs, from 0 (noise) to 1
    is_star: bool = False  # whether it is a list of like items

    @property
    def is_noise(self) -> bool:
        """Whether its importance is below :data:`MIN_IMPORTANCE`."""
        return self.importance < MIN_IMPORTANCE

    @property
    def text(self) -> str:
        """Its text, a block a line."""
        return "\n".join(block.text for block in self.blocks)


class Labels(Protocol):
    """A page of a system that labels it without making layout blocks, which takes longer; asked when users ask.

    The page's tree must not have been changed since.
    """

    def blocks(self) -> Iterable[LabelledBlock]:
        """All blocks of the page, in order."""

    def title(self) -> str | None:
        """What the page is called."""

    def text(self, roles: Collection[Role], everywhere: bool) -> str:
        """The text of the blocks of some roles; of all of the page, or only of what was read for its text."""

    def html(self, roles: Collection[Role]) -> str:
        """The HTML of the blocks of some roles."""

    def placeholder(self) -> PageKind | None:
        """The kind of a page that stands in place of another, which takes less time to tell; ``None`` for others."""

    def kind(self) -> PageKind:
        """What the page is there for."""

    def confidence(self) -> float:
        """How sure it is that nine tenths of the text are right, from 0 to 1."""


@dataclass(frozen=True)
class PageMatch:
    """A page as one pattern labels it.

    :param pattern: the pattern's name.
    :param similarity: share of the page's text, from 0 to 1, in blocks that the pattern knows.
    :param blocks: the page's blocks in order.
    :param sections: the page's sections, of systems that make sections.
    :param labels: labels beyond blocks, of systems that have them.
    :param fits: whether the page is of a learned layout. A page that is not can be labelled all the same.
    :param path_share: share, from 0 to 1, of the layout's usual element paths that the page has, of learners that know
        them. Of several patterns that match a page, the one that has most of its paths there labels it.
    :param field_rules: what is known of the site's fields; ``None`` of learners that do not learn them.
    """

    pattern: str
    similarity: float
    blocks: Sequence[LabelledBlock]
    sections: tuple[PageSection, ...] = ()
    labels: Labels | None = field(default=None, repr=False, compare=False)
    fits: bool = True
    path_share: float | None = None
    field_rules: tuple[FieldRule, ...] | None = None


LESS_PATHS = 0.15
"""A page is unusual whose path share is by more than this below the level. With .1 to .2 about as many of the pairs of
sites are found (``benchmarks/results/drift.md``), and false alarms are as rare."""

LESS_CONFIDENCE = 0.2
"""A page is unusual too when its confidence is more than this below the level. Pages of well learned sites differ by
less."""

MOSTLY_FITTING = 0.8
"""It counts whether a page fits only if this share of the sample did: the pages of some sites never do."""


class ComparedPage(Protocol):
    """What is said of a stripped page that tells whether it is like others; see :class:`PageMatch`."""

    @property
    def matched(self) -> bool: ...
    @property
    def confidence(self) -> float | None: ...
    @property
    def path_share(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Level:
    """What was usual on the pages of a sample, when its own patterns stripped them."""

    pages: Annotated[int, Between(1)]  # how many they were
    fits: Share  # share of them, from 0 to 1, that fitted a layout
    confidence: Share | None = None  # a tenth of them had a lower confidence; ``None`` where the learner gives none
    # a tenth of them had a lower :attr:`PageMatch.path_share`; ``None`` where the learner gives none
    path_share: Share | None = None

    def is_missed_by(self, page: ComparedPage) -> bool:
        """Whether a page is unlike the pages of the sample."""
        if not page.matched and self.fits >= MOSTLY_FITTING:
            return True
        for name, margin in (("path_share", LESS_PATHS), ("confidence", LESS_CONFIDENCE)):
            usual = getattr(self, name)  # what is not compared need not be worked out
            value = None if usual is None else getattr(page, name)
            if value is not None and value < usual - margin:
                return True
        return False


@dataclass(frozen=True, slots=True)
class Sample:
    """A page that a pattern was learned from, with its title there, for the people who read pattern files."""

    url: str
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern(ABC):
    """What was learned of one layout of a site.

    :param site: the site key of its pages, see :func:`scrapy_stemmer.core.document.site_of`.
    :param name: unique within the site; by default the URL of one of its pages.
    :param support: number of pages that it was learned from.
    :param score: how significant the layout is; larger is more text that varies, on more pages.
    :param samples: some of those pages.
    :param learned: when, as an ISO 8601 time in UTC, or ``None``.
    :param site_wide: whether it was learned from all pages of the site, whatever their layout; such a pattern is
        tried when no other one matches.
    :param level: what was usual on the sample, with which later pages are compared; ``None`` when it was not measured.
    :param retired: when it was taken out of use since no page was of its layout any more, as an ISO 8601 time in UTC;
        ``None`` when it is in use.
    """

    kind: ClassVar[str]
    max_work: ClassVar[float] = inf
    """Pages that take more, see :func:`scrapy_stemmer.core.document.work_of`, are left to the scorer."""
    lists: ClassVar[frozenset[str]] = frozenset()
    """Fields of its record that are lists, each item of which has a line of its own in pattern files."""

    site: str
    name: str
    support: Annotated[int, Between(0)]
    score: float
    samples: tuple[Sample, ...] = ()
    learned: str | None = None
    site_wide: bool = False
    level: Level | None = None
    retired: str | None = None

    @property
    def noise_share(self) -> float | None:
        """The share of the content of the sample's pages that is noise, of patterns that measure it."""
        return None

    @property
    def left_out(self) -> Mapping[str, int]:
        """How many pages of its sample it was not learned from, by why, of learners that say so."""
        return {}

    @property
    def remembered_bytes(self) -> int:
        """About how many bytes it has remembered of pages, of patterns that do; :meth:`forget` gives them back."""
        return 0

    def forget(self) -> None:  # noqa: B027 - most patterns remember nothing
        """Forget what was remembered of pages; nothing but time is lost. May be called while a page is stripped."""

    def corrected_by(self, earlier: Pattern) -> Pattern:
        """This pattern with what somebody has corrected by hand in an earlier one of the same site."""
        return self

    @abstractmethod
    def match(self, document: Document, options: MatchOptions) -> PageMatch | None:
        """Label a page's blocks; ``None`` when the page is not of this layout."""

    def to_record(self) -> dict[str, Any]:
        """The fields of this kind as JSON values, texts in sets, or dataclasses: as they are, unless a kind has others.
        The fields above are written by the codec."""
        return {name: getattr(self, name) for name in (field.name for field in fields(self)) if name not in COMMON}

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        """The pattern of a record, whose fields are read by their types, see :meth:`Record.values`.

        :param record: the whole line, read through checked accessors.
        :param common: the fields above, and those of a kind that has to read them by itself.
        :raises PatternFileError: naming the field that is missing or wrong.
        """
        return record.read(cls, **common)


COMMON = frozenset(attribute.name for attribute in fields(Pattern))  # the fields of all kinds


def in_use(patterns: Iterable[Pattern]) -> list[Pattern]:
    """The patterns of a site that are not retired."""
    return [pattern for pattern in patterns if pattern.retired is None]


def level_for(patterns: Iterable[Pattern], name: str | None) -> Level | None:
    """The level with which a page is compared: that of its pattern, else the first that there is.

    :param name: of the pattern that labelled the page, of a site's ``patterns``.
    """
    levels = {pattern.name: pattern.level for pattern in in_use(patterns) if pattern.level is not None}
    return levels.get(name or "") or next(iter(levels.values()), None)
