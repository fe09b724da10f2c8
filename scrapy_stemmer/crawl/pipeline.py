"""The item pipeline: strips pages of items, writes the results, and drops items by kind, match or confidence."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from itemadapter import ItemAdapter, is_item
from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.settings import BaseSettings
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object
from scrapy.utils.python import global_object_name

from scrapy_stemmer.crawl.pages import FallbackPage, ItemPage, ResponsePage, own_page
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.fields.rules import PAGE_FIELDS
from scrapy_stemmer.outputs import article_values
from scrapy_stemmer.page.blocks import Reason
from scrapy_stemmer.page.text import writable
from scrapy_stemmer.patternset import CONTENTS, FLAGS, Stripped
from scrapy_stemmer.settings import ARTICLE_FIELDS, KNOWN_RESULTS, Handling
from scrapy_stemmer.writing.outline import json_value

logger = logging.getLogger("scrapy_stemmer")

Results = dict[str, Any]
Targets = Mapping[str, str]  # item fields by result


class StemmerPipeline:
    """Pipeline that writes title, text and further results of STEMMER_FIELDS into items, with flags for the confidence
    of the text or the reason for its absence. Items wait in the spider middleware, because waiting here would stop
    Scrapy from taking responses."""

    def __init__(self, crawler: Crawler) -> None:
        self._state = state = CrawlState.of(crawler)
        self._config = state.config
        self._options = state.config.strip_options
        self._stats = state.stats
        self._refusals: set[tuple[str, str | None, type[Exception]]] = set()
        self._seen: set[type] = set()  # classes of items
        crawler.signals.connect(self._summarize, signal=signals.spider_closed)
        if earlier := earlier_pipelines(crawler.settings):
            logger.warning(
                "Items are without their text in the pipelines that come before StemmerPipeline: %s. Give these larger "
                "numbers in ITEM_PIPELINES than it has, or leave its place to the add-on.",
                ", ".join(earlier),
            )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StemmerPipeline:
        return cls(crawler)

    def process_item(self, item: Any, spider: Spider | None = None) -> Any:
        noted = self._state.item_pages.take(item)
        if not is_item(item) or not isinstance(item, self._config.item_types):
            return item
        fields = ItemFields(item)
        url = fields.get(self._config.url_field)
        # For items replaced by an earlier pipeline, or without the spider middleware (``scrapy parse``).
        noted = noted or self._state.pages.by_url(url)
        if noted is not None and noted.skip is Reason.OPTED_OUT:
            self._stats.inc_value(Stat.REASONS + noted.skip)
            return item
        page = own_page(fields, noted.url if noted is not None else "", self._config) or noted
        if page is None or not (page.skip or isinstance(page, ResponsePage) or page.text):
            page = ItemPage(str(url or "an item without a URL"), skip=Reason.NO_PAGE)
        plan = Plan.of(fields, self._config.fields)
        if type(item) not in self._seen:
            self._warn_of_no_field(item, plan)
        return self._strip(fields, plan, page)

    def _strip(self, fields: ItemFields, plan: Plan, page: ItemPage) -> Any:
        contents = self._missing(fields, plan.contents)
        results = self._results(page, [*contents, *plan.flags])
        if "text" in self._write(fields, contents, results):
            results = {**results, "reason": Reason.FAILED}
        if reason := results["reason"]:
            self._stats.inc_value(Stat.REASONS + reason)
            logger.debug("%s: no text: %s", page.url, reason)
        elif not plan.has_place:
            self._stats.inc_value(Stat.ITEMS_WITHOUT_FIELD)
        else:
            for name, count in results["counts"].items():
                self._stats.inc_value(name, count)
        self._write(fields, plan.flags, results)
        if plan.page_fields:
            self._write_page_fields(fields, plan, page)
        if self._state.texts is not None and page.skip is None:
            self._state.texts.saw(page)
        return fields.item

    def _results(self, page: ItemPage, names: Sequence[str]) -> Results:
        """Return contents, flags and reason of a page, after the user's settings for unmatched and unsure pages."""
        try:
            patterns = self._state.patterns.of_site(page.site) if page.skip is None else ()
            stripped = page.stripped(patterns, self._options)
            if stripped.skipped is not None:
                return _results_of(stripped)
            if self._state.drift is not None:
                self._state.drift.saw(page, stripped)
            results = _results_of(stripped, names)
        except Exception as error:
            report_error(self._stats, error, f"stripping {page.url} (its item passes without text)")
            return _results_of(Stripped(matched=False, skipped=Reason.FAILED))
        if self._state.no_patterns_message:
            logger.warning(self._state.no_patterns_message)
            self._state.no_patterns_message = ""
        self._count(page, stripped)
        self._refuse_other_kinds(page, stripped)
        if not stripped.matched and self._config.unmatched != "flag":
            why = f"No pattern fits {page.url} (STEMMER_UNMATCHED = 'drop')"
            results = {**results, **dict.fromkeys(CONTENTS), "reason": Reason.UNMATCHED}
            return self._handled(self._config.unmatched, results, page, why)
        if stripped.reason is Reason.LOW_CONFIDENCE:
            self._stats.inc_value(Stat.ITEMS_UNSURE)
            why = f"Confidence {stripped.confidence:.2f} for {page.url} (STEMMER_LOW_CONFIDENCE = 'drop')"
            return self._handled(self._config.low_confidence, results, page, why)
        if stripped.reason is None:
            results["counts"] = {Stat.ITEMS_STRIPPED: 1}
        return results

    def _count(self, page: ItemPage, stripped: Stripped) -> None:
        self._stats.inc_value(Stat.ITEMS_MATCHED if stripped.matched else Stat.ITEMS_UNMATCHED)
        if stripped.kind is not None:
            self._stats.inc_value(Stat.KINDS + stripped.kind)
        if logger.isEnabledFor(logging.DEBUG):
            numbers = (stripped.pattern, stripped.similarity, stripped.confidence)
            logger.debug("%s: pattern %s, similarity %.3f, confidence %s", page.url, *numbers)

    def _refuse_other_kinds(self, page: ItemPage, stripped: Stripped) -> None:
        """Drop an item whose page is of a kind outside STEMMER_KINDS; pages of unknown kind pass."""
        if self._config.kinds and stripped.kind is not None and stripped.kind not in self._config.kinds:
            self._stats.inc_value(Stat.ITEMS_OF_OTHER_KINDS)
            raise DropItem(f"{page.url} is of the kind {stripped.kind} (STEMMER_KINDS)", log_level="DEBUG")

    def _handled(self, handling: Handling, results: Results, page: ItemPage, why: str) -> Results:
        """Return the results after dropping or the fallback, for pages without a sure text."""
        if handling == "drop":
            self._stats.inc_value(Stat.ITEMS_DROPPED)
            raise DropItem(why)
        if handling != "fallback" or self._config.fallback is None:
            return results
        try:
            asked = FallbackPage(page.url, page.text, response=page.response)
            contents = _contents_of(self._config.fallback(asked))
        except Exception as error:
            report_error(self._stats, error, f"calling STEMMER_FALLBACK for {page.url} (its item passes without text)")
            return results
        if contents.get("text"):
            results = {**results, "reason": None, "counts": {Stat.ITEMS_FALLBACK: 1}}
        return {**results, **contents}

    def _write_page_fields(self, fields: ItemFields, plan: Plan, page: ItemPage) -> None:
        missing, values = self._missing(fields, plan.page_fields), dict[str, Any]()
        if not missing:
            return
        try:
            if page.skip is None:
                found = page.stripped(self._state.patterns.of_site(page.site), self._options)._fields_named(missing)
                values = article_values(found) if plan.is_of_zyte else found.as_dict()
                for name in found.failed:
                    self._stats.inc_value(f"{Stat.FIELDS_FAILED}{name}")
        except Exception as error:
            report_error(self._stats, error, f"reading the fields of {page.url} (its item passes without them)")
        self._write(fields, missing, values)

    def _missing(self, fields: ItemFields, targets: Targets) -> Targets:
        """Return the targets open for writing: values of the spider stay, even 0 and an empty list."""
        return {name: target for name, target in targets.items() if is_unset(fields.get(target))}

    def _write(self, fields: ItemFields, targets: Targets, results: Mapping[str, Any]) -> set[str]:
        """Write results into their fields and return the names of refused results. A dict gets all fields, even without
        values: feeds take their columns from the first item."""
        refused = set()
        for name, target in targets.items():
            value = results.get(name)
            try:
                if value is not None or name in FLAGS:
                    fields[target] = writable(str(value)) if isinstance(value, str) else value
                elif isinstance(fields.item, dict):
                    fields.item.setdefault(target, None)
            except Exception as error:  # a frozen class, or a validator of the user's
                self._count_refusal(error, target, type(fields.item).__qualname__)
                if is_frozen(error):
                    return set(targets)
                refused.add(name)
        return refused

    def _summarize(self) -> None:
        """The handler of ``spider_closed``; the spider middleware has more to wait for."""
        if not self._state.has_spider_middleware:
            self._state.summarize()

    def _count_refusal(self, error: Exception, target: str, class_name: str) -> None:
        name = type(error).__name__
        self._stats.inc_value(f"{Stat.ERRORS}{name}")
        kind = (class_name, None if is_frozen(error) else target, type(error))
        if kind in self._refusals:
            return
        self._refusals.add(kind)
        advice = (
            "its items can't be changed, so they pass without results: let the spider yield dicts or items of a class "
            "that is not frozen, and freeze them in a later pipeline"
            if is_frozen(error)
            else "give the class a field that takes it, or set the result to None in STEMMER_FIELDS"
        )
        logger.error(
            "Error while writing the field %r of an item of %s: %s: %s. Items pass all the same; %s. Further ones are "
            "only counted, in the stat %s.",
            *(target, class_name, name, error, advice, Stat.ERRORS + name),
        )

    def _warn_of_no_field(self, item: Any, plan: Plan) -> None:
        self._seen.add(type(item))
        if not (plan.has_place or plan.page_fields):
            targets = filter(None, map(self._config.fields.get, CONTENTS))
            logger.warning(
                "Items of %s have none of the fields %s: no title, text or HTML is written into them. Give the class "
                "such fields, or name others in STEMMER_FIELDS.",
                type(item).__qualname__,
                ", ".join(targets),
            )


def earlier_pipelines(settings: BaseSettings) -> list[str]:
    pipelines = list(map(load_object, build_component_list(settings.getdict("ITEM_PIPELINES"))))
    place = pipelines.index(StemmerPipeline) if StemmerPipeline in pipelines else 0
    return list(map(global_object_name, pipelines[:place]))


def _results_of(stripped: Stripped, names: Iterable[str] = FLAGS) -> Results:
    """Return contents, flags and reason of a page, computed only here."""
    results = {name: json_value(getattr(stripped, name)) for name in ("reason", *names)}
    if results.get("pattern"):
        results["pattern"] = writable(results["pattern"])  # names are read from pattern files
    return {name: None if value in ("", []) and stripped.reason else value for name, value in results.items()}


def _contents_of(answer: Any) -> Results:
    if isinstance(answer, Stripped):
        return {name: json_value(getattr(answer, name)) for name in CONTENTS}
    if answer is None or (isinstance(answer, Mapping) and set(answer) <= set(CONTENTS)):
        return dict(answer or {})
    raise TypeError(
        f"STEMMER_FALLBACK must return a Stripped, a dict with keys out of {', '.join(CONTENTS)}, or None, "
        f"not {answer!r:.200}"
    )


# The fields of items of any kind


class ItemFields(ItemAdapter):
    """Fields of one item as a writable mapping."""

    def targets(self, names: Iterable[str], named: Mapping[str, str]) -> dict[str, str]:
        """Return the fields for results by name; a dict can have any."""
        own = None if isinstance(self.item, dict) else set(self.field_names())
        is_of_zyte, targets = self.is_of_zyte, {}
        for name in names:
            target = named.get(name)
            if (target is None and is_of_zyte) or (target and own is not None and target not in own):
                target = ARTICLE_FIELDS.get(name)
            if target and (own is None or target in own):
                targets[name] = target
        return targets

    @property
    def is_of_zyte(self) -> bool:
        """Return true for an item of zyte-common-items, with special classes for authors and images."""
        return any(cls.__module__.partition(".")[0] == "zyte_common_items" for cls in type(self.item).__mro__)


def is_unset(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value)


def is_frozen(error: Exception) -> bool:
    if type(error).__name__ == "FrozenInstanceError":  # of dataclasses and of attrs
        return True
    causes = getattr(error, "errors", None)  # of pydantic
    return callable(causes) and any(cause.get("type") == "frozen_instance" for cause in causes())


class Plan(NamedTuple):
    """The fields of an item for results."""

    contents: Targets
    flags: Targets
    page_fields: Targets
    has_place: bool
    is_of_zyte: bool

    @classmethod
    def of(cls, fields: ItemFields, named: Targets) -> Self:
        of_page = (*PAGE_FIELDS, *(name for name in named if name not in KNOWN_RESULTS))
        contents, flags, page_fields = (fields.targets(names, named) for names in (CONTENTS, FLAGS, of_page))
        has_place = bool(contents) or not any(map(named.get, CONTENTS))
        return cls(contents, flags, page_fields, has_place, fields.is_of_zyte)

    @property
    def is_of_page(self) -> bool:
        return bool(self.contents or self.page_fields)
