"""The summary of a crawl, from its stats: one line in the log when the spider is closed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scrapy_stemmer.core.text import counted
from scrapy_stemmer.crawl.stats import Stat


def summary(stats: Mapping[str, Any]) -> str:
    """What has come of the items of a crawl; empty where there were none."""
    return "; ".join(_parts(stats))


def _parts(stats: Mapping[str, Any]) -> Iterator[str]:
    stripped, fallback, dropped = (
        stats.get(name, 0) for name in (Stat.ITEMS_STRIPPED, Stat.ITEMS_FALLBACK, Stat.ITEMS_DROPPED)
    )
    reasons = _of_kind(stats, Stat.REASONS)
    without = sum(reasons.values())
    total = stripped + fallback + dropped + without
    if not total:
        return
    yield f"{counted(total, 'item', ',')}: {stripped + fallback:,} with text"
    if fallback:
        yield f"{fallback:,} of them by STEMMER_FALLBACK"
    if reasons:
        most_first = sorted(reasons.items(), key=lambda found: (-found[1], found[0]))
        yield f"{without:,} without: " + ", ".join(f"{count:,} {reason}" for reason, count in most_first)
    if dropped:
        yield f"{dropped:,} dropped"
    domains = {
        "learned": stats.get(Stat.DOMAINS_LEARNED, 0),
        "with too few pages to be learned": stats.get(Stat.DOMAINS_UNLEARNED, 0),
        "without a pattern": stats.get(Stat.DOMAINS_EMPTY, 0) + stats.get(Stat.DOMAINS_FAILED, 0),
        "changed": len(_of_kind(stats, Stat.DRIFT)),
    }
    if any(domains.values()):
        yield "domains: " + ", ".join(f"{count:,} {what}" for what, count in domains.items() if count)
    if errors := _of_kind(stats, Stat.ERRORS):
        yield "errors: " + ", ".join(f"{count:,} {name}" for name, count in sorted(errors.items()))


def _of_kind(stats: Mapping[str, Any], name: str) -> dict[str, int]:
    """The counts of a stat whose name ends in a slash, by what follows it."""
    return {key.removeprefix(name): count for key, count in stats.items() if key.startswith(name)}
