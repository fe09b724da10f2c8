"""Base class of patterns, options, labelled pages, and usual values for finding unusual pages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import inf
from typing import Annotated, Any, ClassVar, Protocol, Self

from scrapy_stemmer.fields.rules import FieldRule, own_fields
from scrapy_stemmer.page.arguments import check, each_of
from scrapy_stemmer.page.blocks import TEXT_ROLES, LayoutBlock, PageKind
from scrapy_stemmer.page.blocks import Role as Role
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.patterns.record import Between, Record, Share


@dataclass(frozen=True, slots=True)
class StripOptions:
    """Options for stripping a page.

    :param text_roles: roles of the blocks in the text of a page; by default the shown title and the main text.
    :param min_confidence: confidence, from 0 to 1, below which pages have no text, see :attr:`Stripped.reason`.
    :param links: keep links in Markdown, instead of only their texts.
    :param images: keep images in Markdown.
    :raises TypeError: for a value of a wrong type.
    :raises ValueError: for a confidence outside of 0 to 1, or an unknown role.
    """

    text_roles: frozenset[Role] = TEXT_ROLES
    min_confidence: float = 0.0
    links: bool = True
    images: bool = True

    def __post_init__(self) -> None:
        check("min_confidence", self.min_confidence, int | float, "a number")
        if not 0 <= self.min_confidence <= 1:
            raise ValueError(f"min_confidence must be between 0 and 1, not {self.min_confidence!r}")
        roles = frozenset(each_of("text_roles", self.text_roles, str, "Role"))
        if unknown := roles.difference(Role):
            raise ValueError(f"text_roles must be some of {', '.join(Role)}, not {min(unknown)!r}")
        object.__setattr__(self, "text_roles", roles)
        check("links", self.links, bool, "True or False")
        check("images", self.images, bool, "True or False")

    @classmethod
    def checked(cls, options: StripOptions | None) -> StripOptions:
        """Return the options, or the defaults for ``None``; raise TypeError for a value of a wrong type."""
        if options is not None and not isinstance(options, cls):
            raise TypeError(f"The options must be StripOptions(...) or None, not {type(options).__name__}")
        return options or DEFAULT_OPTIONS


DEFAULT_OPTIONS = StripOptions()


@dataclass(frozen=True, slots=True)
class LabelledBlock:
    """Layout block labelled by a pattern.

    :param noise_confidence: confidence that the block is template, from 0 to 1.
    :param evidence: reasons of the decision, strongest first, from learners that give them.
    """

    block: LayoutBlock
    role: Role
    noise_confidence: float
    evidence: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return self.block.text

    @property
    def path(self) -> str:
        return self.block.path


class LazyBlocks(Sequence[LabelledBlock]):
    """Labelled blocks made on first access."""

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
        """Copy and pickle as a plain tuple."""
        return tuple, (self._made,)

    def __repr__(self) -> str:
        return repr(self._made)


MIN_IMPORTANCE = 0.25  # sections of less importance are noise (Mehta & Madaan, "Web page sectioning", section 3)


@dataclass(frozen=True, slots=True)
class PageSection:
    """Part of a page."""

    blocks: tuple[LabelledBlock, ...]  # in order; empty for a section of images
    importance: float  # confidence that the section informs, from 0 (noise) to 1
    is_star: bool = False  # a list of similar items

    @property
    def is_noise(self) -> bool:
        return self.importance < MIN_IMPORTANCE

    @property
    def text(self) -> str:
        """The section's text, one line per block."""
        return "\n".join(block.text for block in self.blocks)


class Labels(Protocol):
    """Labels of a page from a learner that makes layout blocks only on demand, since blocks take longer.

    The page's tree must not change before the blocks are made.
    """

    def blocks(self) -> Iterable[LabelledBlock]:
        """Return all blocks of the page, in order."""

    def title(self) -> str | None:
        """Return the page's title."""

    def text(self, roles: Collection[Role]) -> str:
        """Return the text of blocks with the roles."""

    def html(self, roles: Collection[Role]) -> str:
        """Return the HTML of blocks with the roles."""

    def markdown(self, roles: Collection[Role], links: bool, images: bool) -> str:
        """Return the Markdown of blocks with the roles, with links and images or without."""

    def placeholder(self) -> PageKind | None:
        """Return the kind of a placeholder page, or ``None``; faster than :meth:`kind`."""

    def kind(self) -> PageKind:
        """Return the page's purpose."""

    def confidence(self) -> float:
        """Return the probability, from 0 to 1, that nine tenths of the text are right."""

    def hidden_chars(self) -> int:
        """Return the number of characters of hidden text, left out because nothing on the page opens it."""


class PageCounter(Protocol):
    """Counter of stripped pages, for template missing in the sample."""

    @property
    def found(self) -> Sequence[object]:
        """Rules for a pattern, found so far."""

    def add(self, labels: Labels) -> Sequence[str]:
        """Count a page, and return the texts newly found to be template."""


@dataclass(frozen=True)
class PageMatch:
    """Page labelled by one pattern.

    :param pattern: the pattern's name.
    :param similarity: share of the page's text, from 0 to 1, in blocks known to the pattern.
    :param blocks: the page's blocks in order.
    :param sections: the page's sections, from learners that make sections.
    :param labels: labels beyond blocks, from learners that give them.
    :param fits: the page has a learned layout; pages without can still be labelled.
    :param path_share: share of the layout's usual element paths on the page, from 0 to 1, from learners of paths.
        Of several matching patterns, the pattern with the largest share labels the page.
    :param field_rules: rules for the site's fields; ``None`` from learners without fields.
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
"""Distance below the level from which a path share is unusual. From .1 to .2 about equally many pairs of sites are
found (``benchmarks/results/drift.md``), with as few false alarms."""

LESS_CONFIDENCE = 0.2
"""Distance below the level from which a confidence is unusual. Pages of well learned sites differ by less."""

MOSTLY_FITTING = 0.8
"""Share of a sample that must fit a layout for a page without a layout to be unusual: on some sites no page fits."""


class ComparedPage(Protocol):
    """Measures of a stripped page for comparison with a :class:`Level`; see :class:`PageMatch`."""

    @property
    def matched(self) -> bool: ...
    @property
    def confidence(self) -> float | None: ...
    @property
    def path_share(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Level:
    """Usual values on the pages of a sample, stripped by their own patterns."""

    pages: Annotated[int, Between(1)]
    fits: Share  # share of pages fitting a layout
    confidence: Share | None = None  # tenth percentile; ``None`` from learners without confidences
    # tenth percentile of :attr:`PageMatch.path_share`; ``None`` from learners without it
    path_share: Share | None = None

    def is_unusual(self, page: ComparedPage) -> bool:
        """Return True if a page is unlike the sample: without a layout, or with few paths or little confidence."""
        if not page.matched and self.fits >= MOSTLY_FITTING:
            return True
        for name, margin in (("path_share", LESS_PATHS), ("confidence", LESS_CONFIDENCE)):
            usual = getattr(self, name)  # values without a level are not computed
            value = None if usual is None else getattr(page, name)
            if value is not None and value < usual - margin:
                return True
        return False


@dataclass(frozen=True, slots=True)
class Sample:
    """Page of a pattern's sample with its title, for readers of pattern files."""

    url: str
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern(ABC):
    """Pattern of one layout of a site.

    :param site: site key of its pages, see :func:`scrapy_stemmer.page.document.site_of`.
    :param name: unique within the site; by default the URL of one of its pages.
    :param support: number of pages in the sample.
    :param score: significance of the layout; grows with varying text and with pages.
    :param samples: some pages of the sample.
    :param learned: ISO 8601 time of learning in UTC.
    :param site_wide: learned from pages of all layouts of the site; tried when no pattern of a layout matches.
    :param level: usual values of the sample for comparison with later pages; ``None`` if not measured.
    """

    kind: ClassVar[str]
    max_work: ClassVar[float] = inf
    """Largest :func:`scrapy_stemmer.page.document.work_of` of a page; pages with more are left to the scorer."""
    lists: ClassVar[frozenset[str]] = frozenset()
    """List fields with a line for each item in pattern files."""

    site: str
    name: str
    support: Annotated[int, Between(0)]
    score: float
    samples: tuple[Sample, ...] = ()
    learned: str | None = None
    site_wide: bool = False
    level: Level | None = None

    @property
    def field_rules(self) -> Sequence[FieldRule]:
        """The rules for the site's fields, from learners with such rules."""
        return ()

    @property
    def own_fields(self) -> tuple[str, ...]:
        """The names of the user's fields."""
        return own_fields(self.field_rules)

    @property
    def left_out(self) -> Mapping[str, int]:
        """The number of sample pages left out of learning, by reason, from learners that count them."""
        return {}

    @property
    def remembered_bytes(self) -> int:
        """The approximate bytes remembered of pages; :meth:`forget` frees them."""
        return 0

    def forget(self) -> None:  # noqa: B027 - most patterns remember nothing
        """Forget data remembered of pages, at a cost of time only. May be called while a page is stripped."""

    def corrected_by(self, earlier: Pattern) -> Pattern:
        """Return this pattern with corrections made by hand in an earlier pattern of the site."""
        return self

    def counter(self) -> PageCounter | None:
        """Return a counter of later pages; ``None`` from patterns without one."""
        return None

    def with_counted(self, counter: PageCounter) -> Pattern:
        """Return this pattern with the rules found by a counter of later pages."""
        return self

    @abstractmethod
    def match(self, document: Document) -> PageMatch | None:
        """Label a page's blocks; return ``None`` if the page has another layout."""

    def to_record(self) -> dict[str, Any]:
        """Return the kind's own fields as JSON values, sets of texts, or dataclasses; the codec writes common
        fields."""
        return {name: getattr(self, name) for name in (field.name for field in fields(self)) if name not in COMMON}

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        """Read the pattern of a record by the types of its fields, see :meth:`Record.values`.

        :param record: the line, read through checked accessors.
        :param common: common fields, and fields that a kind reads by itself.
        :raises PatternFileError: naming the missing or wrong field.
        """
        return record.read(cls, **common)


COMMON = frozenset(attribute.name for attribute in fields(Pattern))  # fields of all kinds


def level_for(patterns: Iterable[Pattern], name: str | None) -> Level | None:
    """Return the level of a page's pattern, or else the first of the site's levels."""
    levels = {pattern.name: pattern.level for pattern in patterns if pattern.level is not None}
    return levels.get(name or "") or next(iter(levels.values()), None)
