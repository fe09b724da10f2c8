"""What a block is on its page: which kind of text, or why it is none.

A block that was decided for is main text, or a subtitle, a table's cell, code. What was decided against is named by the
first of the reasons below that holds, so that users can take it in. Elements, links and numbers tell in any language;
names only where sites use the common ones.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from scrapy_stemmer.core.evidence.classes import LONG
from scrapy_stemmer.core.evidence.decision import Verdict
from scrapy_stemmer.core.evidence.model import Reading
from scrapy_stemmer.core.evidence.names import Hint
from scrapy_stemmer.core.evidence.outline import TextBlock
from scrapy_stemmer.core.evidence.places import Place, Within
from scrapy_stemmer.core.evidence.prior import Evidence
from scrapy_stemmer.core.evidence.surroundings import HALF, OPEN, Standing
from scrapy_stemmer.core.evidence.weighing import COMMON_TEXT, FIGURES, MOSTLY_LINKS
from scrapy_stemmer.core.labels import Role
from scrapy_stemmer.core.text import significant

MIN_SUB_SCORE = -4.0
"""Blocks in the region that are not text, and score above this without returning on other pages, are sub text."""

CELLS = frozenset({"td", "th", "caption"})
"""Elements of tables that hold text themselves."""

MIN_DATE_DIGITS = 4
"""A date line has at least so many digits: those of a year, or of a day and a time."""

_DIGIT = re.compile(r"\d")

# The same where they are compiled: as numbers of C, and without a look-up in a class.
_BYLINE = Hint.BYLINE
_CAPTION = Hint.CAPTION
_COMMENT = Hint.COMMENT
_NAVIGATION = Hint.NAVIGATION
_RELATED = Hint.RELATED
_SOCIAL = Hint.SOCIAL
_SUBTITLE = Hint.SUBTITLE
_PRE, _TABLE, _FIGURES = Within.PRE, Within.TABLE, FIGURES
_LONG, _HALF, _MOSTLY_LINKS, _COMMON_TEXT, _MIN_SUB_SCORE = LONG, HALF, MOSTLY_LINKS, COMMON_TEXT, MIN_SUB_SCORE
_OPEN = OPEN
_BYLINE_ROLE = Role.BYLINE
_CAPTION_ROLE = Role.CAPTION
_CODE_ROLE = Role.CODE
_COMMENT_ROLE = Role.COMMENT
_MAIN_ROLE = Role.MAIN
_RELATED_ROLE = Role.RELATED
_SUB_ROLE = Role.SUB
_SUBTITLE_ROLE = Role.SUBTITLE
_TABLE_ROLE = Role.TABLE
_TEMPLATE_ROLE = Role.TEMPLATE
_TITLE_ROLE = Role.TITLE


class Case:
    """A block that gets its role.

    :ivar score: what was decided.
    :ivar hints: those of its standing that tell blocks of the page apart.
    :ivar is_before: whether it stands before the running text.
    :ivar is_below_title: whether it is one of the blocks right behind the title.
    :ivar is_open: whether its page is no article, see :attr:`Surroundings.openness`.
    """

    __slots__ = ("found", "hints", "is_before", "is_below_title", "is_open", "score", "standing")

    found: Evidence
    score: float
    standing: Standing
    hints: int
    is_before: bool
    is_below_title: bool
    is_open: bool


def roles_of(
    reading: Reading, verdict: Verdict, least: float, only_text: bool, known: list[Role | None] | None = None
) -> list[Role | None]:
    """The roles of a page's blocks.

    :param least: what scores more is text.
    :param only_text: whether ``None`` will do for blocks that are neither text nor the title.
    :param known: those of its text, if they were told before.
    """
    roles: list[Role | None] = []
    for index, score in enumerate(verdict.scores):
        is_text = score > least
        if known is not None and known[index] is not None:
            roles.append(known[index])
        elif is_text or index == verdict.around.title or not only_text:
            roles.append(role_of(verdict, index, is_text))
        else:
            roles.append(None)
    return roles


def blocks_of(reading: Reading, roles: Sequence[Role | None], wanted: Collection[Role]) -> list[TextBlock]:
    """The blocks of some roles.

    :param roles: those of all blocks, see :func:`roles_of`.
    """
    searched = tuple(wanted)
    blocks: list[TextBlock] = []
    last: Role | None = None
    is_wanted = False
    for index, role in enumerate(roles):
        # Neighbours mostly have one role.
        if role is not last:
            last = role
            is_wanted = _is_among(role, searched)
        if is_wanted:
            found = reading.evidence[index]
            blocks.append(found.block)
    return blocks


def _is_among(role: Role | None, wanted: Sequence[Role]) -> bool:
    """Whether a role is one of those. Each is but one object, and members of an Enum are slow to hash or to compare."""
    for one in wanted:  # noqa: SIM110 - compiled, it makes no generator
        if one is role:
            return True
    return False


def texts_of(reading: Reading, roles: Sequence[Role | None], wanted: Collection[Role]) -> list[str]:
    """What the blocks of some roles say; see :func:`blocks_of`."""
    texts: list[str] = []
    for block in blocks_of(reading, roles, wanted):
        texts.append(block.text)  # noqa: PERF401
    return texts


def role_of(verdict: Verdict, index: int, is_text: bool) -> Role:
    """The role of a block.

    :param verdict: what was decided on the page.
    :param index: its place among the blocks of the page.
    :param is_text: whether it is text of the page: its score is above what the user asks for, 0 by default.
    """
    around = verdict.around
    if index == around.title:
        return _TITLE_ROLE
    if not is_text:
        return _role_of_other(_case(verdict, index))
    role = _role_of_text(verdict, index)
    if index >= around.first or role is _CODE_ROLE:
        return role
    case = _case(verdict, index)
    if _is_subtitle(case):
        return _SUBTITLE_ROLE
    is_byline = not case.is_open and not case.standing.is_running and _says_when_or_who(case)
    return _BYLINE_ROLE if is_byline else role


def _case(verdict: Verdict, index: int) -> Case:
    """What tells the role of a block that is not told by its place alone."""
    around, shared = verdict.around, verdict.shared[index]
    standing = shared.standing
    case = Case.__new__(Case)
    case.found = verdict.reading.evidence[index]
    case.score = verdict.scores[index]
    case.standing = standing
    case.hints = standing.hints & around.telling
    case.is_before = index < around.first
    case.is_below_title = around.is_below_title(index)
    case.is_open = around.openness >= _OPEN
    return case


def _role_of_text(verdict: Verdict, index: int) -> Role:
    """What text is by the elements around it, which is remembered for all text of its place."""
    shared = verdict.shared[index]
    if shared.role is None:
        found = verdict.reading.evidence[index]
        shared.role = _role_of_place(found.place, shared.standing.within)
    return shared.role


def _role_of_place(place: Place, within: int) -> Role:
    """What text of a place is.

    :param within: the elements around it, see :class:`Standing`.
    """
    if place.tag == "pre" or within & _PRE:
        return _CODE_ROLE
    if (place.tag in CELLS or within & _TABLE) and place.profile.long_share <= _HALF:
        return _TABLE_ROLE
    return _MAIN_ROLE


def _is_subtitle(case: Case) -> bool:
    """Whether the decision took a block for a subtitle, or would have, had it not been text anyway.

    :param case: of a block before the running text.
    """
    return case.is_below_title and not case.standing.is_running and bool(case.hints & _SUBTITLE)


def _role_of_other(case: Case) -> Role:
    """The role of a block that is no text of its page."""
    found, standing = case.found, case.standing
    if found.repeated_share >= _COMMON_TEXT:
        return _TEMPLATE_ROLE
    if case.hints & _COMMENT and found.link < _MOSTLY_LINKS:
        return _COMMENT_ROLE
    if standing.within & _FIGURES or case.hints & _CAPTION:
        return _CAPTION_ROLE
    if case.hints & _RELATED and not found.repeated:
        return _RELATED_ROLE
    if (case.hints & _BYLINE and found.block.weight < _LONG) or _says_when_or_who(case):
        return _BYLINE_ROLE
    if _is_link(case):
        return _RELATED_ROLE
    is_sub = standing.inside and not found.repeated and case.score > _MIN_SUB_SCORE
    return _SUB_ROLE if is_sub else _TEMPLATE_ROLE


def _says_when_or_who(case: Case) -> bool:
    """Whether a short block of the region, or below the title, says who wrote the page, or when."""
    found = case.found
    if found.block.weight >= _LONG or not (case.standing.inside or case.is_below_title):
        return False
    if found.place.tag == "address" or found.block.has_time:
        return True
    if not case.is_before:
        return False
    digits = len(_DIGIT.findall(found.block.text))
    return digits >= MIN_DATE_DIGITS and digits >= HALF * len(significant(found.block.text))


def _is_link(case: Case) -> bool:
    """Whether a block is, or stands among, links amid the page's own text, and not those of a menu."""
    found, standing = case.found, case.standing
    if not standing.inside or found.repeated or case.hints & (_NAVIGATION | _SOCIAL):
        return False
    return found.link > _MOSTLY_LINKS or (standing.link > _HALF and not standing.is_running)
