"""The patterns of a store and those that a crawl has learned, site by site, where others write to the store too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.stores.base import PatternsInMemory, SitePatterns, corrected


@dataclass(frozen=True, slots=True)
class Change:
    """New patterns of a site.

    :param patterns: as they were learned; what somebody has corrected in those of the store is put into them. Without
        any the site is removed.
    :param before: the digest of the site's patterns in the store, as the writer knows them from reading or writing it
        the last time; ``None`` when it knew of none.
    """

    patterns: tuple[Pattern, ...]
    before: bytes | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of what a store has of a site at the time when it is written, whoever has written it.

    :param apply: gives the patterns in place of those; called again when the store has changed meanwhile.
    """

    apply: Callable[[tuple[Pattern, ...]], tuple[Pattern, ...]]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A site that somebody else has changed in the store since the writer has read or written it.

    :param ours: when the writer's patterns were learned, as far as they say.
    :param theirs: the same of those in the store.
    :param is_ours_kept: whether the writer's patterns have taken the place of the others: unless those are newer.
    """

    site: str
    ours: str | None
    theirs: str | None
    is_ours_kept: bool


@dataclass(frozen=True, slots=True)
class Merged:
    """What is to be written.

    :param sites: the patterns of all sites, sorted by site.
    :param conflicts: the sites that two have changed.
    """

    sites: Mapping[str, SitePatterns]
    conflicts: tuple[Conflict, ...]


def merged(current: Mapping[str, SitePatterns], changes: Mapping[str, Change | Edit]) -> Merged:
    """The patterns of a store with those of changed sites replaced; all others are as they are.

    :param current: those of the store.
    :param changes: those of the sites that have changed.
    :raises PatternFileError: when those of a changed site can't be read.
    """
    sites = dict(current)
    conflicts = []
    for site, change in changes.items():
        there = current.get(site)
        if isinstance(change, Edit):
            sites[site] = PatternsInMemory(change.apply(there.patterns if there is not None else ()))
            continue
        new = PatternsInMemory(corrected(change.patterns, there.patterns if there is not None else ()))
        # The writer's own patterns may be there already, though it was told that they could not be written.
        if there is not None and there.digest not in (change.before, new.digest):
            conflict = _conflict(site, change.patterns, there.patterns)
            conflicts.append(conflict)
            if not conflict.is_ours_kept:
                continue
        if change.patterns:
            sites[site] = new
        else:
            sites.pop(site, None)
    return Merged({site: sites[site] for site in sorted(sites)}, tuple(conflicts))


def _conflict(site: str, ours: tuple[Pattern, ...], theirs: tuple[Pattern, ...]) -> Conflict:
    mine, other = _last_learned(ours), _last_learned(theirs)
    is_newer = mine is not None and other is not None and other > mine
    return Conflict(site, _written(mine), _written(other), not is_newer)


def _last_learned(patterns: tuple[Pattern, ...]) -> datetime | None:
    """When the last of some patterns was learned; ``None`` when none of them says so."""
    return max(filter(None, map(_time, patterns)), default=None)


def _time(pattern: Pattern) -> datetime | None:
    try:
        found = datetime.fromisoformat(pattern.learned or "")
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _written(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat()
