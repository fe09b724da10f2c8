"""Settings: table, kinds, and the only code to read settings.

A kind takes the value held by Scrapy, a text for ``-s`` on the command line. It returns the setting's value, or raises
a :class:`ValueError` that names the allowed values.
"""

from __future__ import annotations

import codecs
import json
import logging
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from configparser import ConfigParser
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar
from urllib.parse import urlsplit

from w3lib.encoding import resolve_encoding

from scrapy_stemmer.exceptions import LearnerError, SettingError
from scrapy_stemmer.fields.rules import PAGE_FIELDS
from scrapy_stemmer.learners.base import Learner, get_learner, make_learner, option_names
from scrapy_stemmer.learning import DEFAULT_LEARNER
from scrapy_stemmer.page.blocks import PageKind, Role
from scrapy_stemmer.page.document import CHARSETS, DEFAULT_CHARSET
from scrapy_stemmer.patterns.base import StripOptions
from scrapy_stemmer.patterns.expressions import MAX_SEARCHED, bounded_expression
from scrapy_stemmer.patternset import CONTENTS, FLAGS

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.settings import BaseSettings

Kind = Callable[[Any], Any]

_Enum = TypeVar("_Enum", bound=StrEnum)

logger = logging.getLogger("scrapy_stemmer")

_UNUSABLE = (ValueError, TypeError, OverflowError, LookupError, ImportError, NameError, RecursionError, re.error)


def kind(allowed: str, read: Kind) -> Kind:
    """Return a kind of setting.

    :param allowed: description of allowed values, for users.
    :param read: converts a value; users see the message of its exceptions, except for failed look-ups.
    """

    def checked(value: Any) -> Any:
        try:
            return read(value)
        except _UNUSABLE as error:
            has_message = str(error) and not isinstance(error, LookupError)
            raise ValueError(f"{allowed} ({error})" if has_message else allowed) from error

    return checked


def optional(read: Kind) -> Kind:
    return lambda value: None if value is None or value in ("", "None") else read(value)


def number(low: float, high: float = math.inf, type_: type = float) -> Kind:
    name = "a whole number" if type_ is int else "a number"
    span = "" if math.isinf(low) else f" of at least {low:g}" if math.isinf(high) else f" from {low:g} to {high:g}"

    def read(value: Any) -> Any:
        with suppress(ValueError):
            result = type_(str(value).strip())
            if low <= result <= high and result != math.inf:
                return result
        raise ValueError(name + span)

    return read


def choice(*words: str) -> Kind:
    return kind("one of " + ", ".join(map(repr, words)), {word: word for word in words}.__getitem__)


def _text(value: Any) -> str:
    text = str(value)
    if value is None or not text.strip():
        raise ValueError
    os.fsencode(text)  # lone surrogates can't be written
    if "\0" in text:
        raise ValueError("it holds a NUL character")
    return text


def _directory(value: Any) -> str:
    path = Path(_text(value))
    try:
        existing = next((place for place in (path, *path.absolute().parents) if place.exists()), path)
    except OSError as error:  # too long a name
        raise ValueError(error.strerror) from error
    if not (existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)):
        raise ValueError(f"{existing} is none")
    return str(path)


def _feed(value: Any) -> str:
    if not _text(value).endswith((".jsonl", ".jsonl.gz")):
        raise ValueError
    return str(value)


def members(enum: type[_Enum]) -> Kind:
    """Return a kind for a set of an enum's members, by their values."""

    def read(value: Any) -> frozenset[_Enum]:
        words = {str(word).strip() for word in (value.split(",") if isinstance(value, str) else value or ())} - {""}
        if unknown := sorted(words - set(enum)):
            raise ValueError(f"there is no {', '.join(map(repr, unknown))}")
        return frozenset(map(enum, words))

    return kind(f"a list, or text separated by commas, of {', '.join(repr(str(each)) for each in enum)}", read)


def _loaded(value: Any) -> Any:
    """Load an object by its path. Scrapy is imported here, since workers of Spark run without it."""
    from scrapy.utils.misc import load_object

    return load_object(value)


def _function(value: Any) -> Callable[..., Any]:
    function: Any = _loaded(value)
    if not callable(function):
        raise TypeError(f"{value!r} is none")
    return function  # type: ignore[no-any-return]


def _classes(value: Any) -> tuple[type, ...]:
    names = [word.strip() for word in value.split(",")] if isinstance(value, str) else list(value or ())
    classes = tuple(dict if name == "dict" else _loaded(name) for name in names if name != "")
    for item_class in classes:
        if not isinstance(item_class, type):
            raise TypeError(f"{item_class!r} is none")
        isinstance(None, item_class)  # raises TypeError for special forms, such as typing.Any
    return classes or (object,)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"as JSON on the command line: {error}") from error


def _dictionary(value: Any) -> dict[str, Any]:
    values = _json(value) if isinstance(value, str) and value.strip() else value or {}
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        raise ValueError
    return dict(values)


def _names_or_mapping(value: Any) -> dict[str, Any]:
    text = value.strip() if isinstance(value, str) else ""
    if isinstance(value, Mapping) or text.startswith("{"):
        return _dictionary(value)
    names = _json(text) if text.startswith("[") else text.split(",") if text else list(value or ())
    if not all(isinstance(name, str) and name.strip() for name in names):
        raise ValueError
    return {name.strip(): RESULT_FIELDS.get(name.strip(), name.strip()) for name in names}


def _result_fields(value: Any) -> Mapping[str, str]:
    targets = _names_or_mapping(value)
    if not all(target is None or isinstance(target, str) for target in targets.values()):
        raise ValueError
    if unknown := sorted(name for name in targets if not (name in KNOWN_RESULTS or name.isidentifier())):
        raise ValueError(" ".join(map(unknown_result, unknown)).rstrip(";"))
    named = {**DEFAULT_FIELDS, **{_BY_FIELD.get(name, name): target for name, target in targets.items()}}
    results: dict[str, str] = {}
    for result, target in named.items():
        if target and (other := results.setdefault(target, result)) != result:
            raise ValueError(f"{other!r} and {result!r} are both for {target!r}; give one another field, or None")
    return {result: target or "" for result, target in named.items()}


def unknown_result(name: str) -> str:
    near = get_close_matches(name.lower(), KNOWN_RESULTS, 1)
    meant = _MEANT.get(name.lower()) or (near[0] if near else None)
    return f"there is no {name!r}" + (f", did you mean {meant!r}?" if meant else ";")


def _learn(value: Any) -> Any:
    word = str(value).strip().lower()
    return word if word == "again" else _SWITCHED[word]


def _charset(value: Any) -> str:
    if resolve_encoding(str(value)) not in CHARSETS:
        raise ValueError
    return codecs.lookup(str(value)).name


def _url_rules(value: Any) -> tuple[tuple[bool, re.Pattern[str]], ...]:
    rules = value.split() if isinstance(value, str) else list(value)
    for rule in rules:
        if not isinstance(rule, str) or rule[:1] not in ("+", "-"):
            raise ValueError(f"unlike {rule!r}")
    return tuple((rule[0] == "+", bounded_expression(rule[1:])) for rule in rules)


PREFIX = "STEMMER_"

RESULT_FIELDS: Mapping[str, str] = {
    **{name: name for name in CONTENTS},
    **{name: f"stemmer_{name}" for name in FLAGS},
}
"""Results of a stripped page with their default item fields."""

DEFAULT_FIELDS: Mapping[str, str] = {name: RESULT_FIELDS[name] for name in ("title", "text", "confidence", "reason")}
"""Results written by default, which STEMMER_FIELDS extends, moves or switches off."""

ARTICLE_FIELDS: Mapping[str, str] = {
    "title": "headline",
    "text": "articleBody",
    "html": "articleBodyHtml",
    **PAGE_FIELDS,
}
"""Names in zyte-common-items, for its items and for item classes with such fields, unless STEMMER_FIELDS names the
result."""

_BY_FIELD = {field: name for name, field in (*RESULT_FIELDS.items(), *PAGE_FIELDS.items())}
KNOWN_RESULTS = (*RESULT_FIELDS, *PAGE_FIELDS, *_BY_FIELD)  # names of results, without fields named by the user

_MEANT = {
    "author": "authors",
    "body": "text",
    "byline": "authors",
    "content": "text",
    "date": "published",
    "headline": "title",
    "keywords": "tags",
    "lang": "language",
    "main_text": "text",
    "updated": "modified",
    "url": "canonical_url",
}
"""Names of results in other tools."""

SPIDER_ATTRIBUTES = ENABLED_ATTRIBUTE, PATTERNS_ATTRIBUTE = (
    "stemmer_enabled",
    "stemmer_patterns",
)  # attributes of the spider


class MarkdownPart(StrEnum):
    """Part of Markdown that can be left out."""

    LINKS = "links"
    IMAGES = "images"


Handling = Literal["flag", "drop", "fallback"]
"""Ways to handle items of pages without a fitting pattern or with low confidence."""

_SWITCHED = {**ConfigParser.BOOLEAN_STATES, "": False}

LEARN = kind("True, False or 'again' (1, 0 or again on the command line)", _learn)
SWITCH = kind("True or False (1 or 0 on the command line)", lambda value: _SWITCHED[str(value).strip().lower()])
NON_EMPTY = kind("a text that is not empty", _text)
FEED = kind("the path of a file that ends in .jsonl or .jsonl.gz", _feed)
DIRECTORY = kind("a directory that can be written into", _directory)
INTEGER, UNIT_INTERVAL = partial(number, type_=int), number(0, 1)
HANDLING = choice("flag", "drop", "fallback")
CHARSET = kind("the name of a charset of browsers, such as 'utf-8' or 'shift_jis'", _charset)
FUNCTION = kind("a function or its import path, such as 'myproject.extract.plain'", _function)
OPTIONS = kind("a dict of the learner's options", _dictionary)
CLASSES = kind("a list of item classes, or their import paths; 'dict' for dicts", _classes)
RESULT_TARGETS = kind(
    f"a list of results, or a dict of item fields by result, of {', '.join((*RESULT_FIELDS, *PAGE_FIELDS))}, or of "
    "your own fields; None switches one off",
    _result_fields,
)
URL_RULES = kind("a list of rules: each a regular expression behind '+' (accept) or '-' (reject)", _url_rules)


class Setting(NamedTuple):
    """Setting with full name, default and kind."""

    name: str
    default: Any
    read: Kind

    def checked(self, value: Any) -> Any:
        """Return the converted value; raise SettingError with the allowed values."""
        try:
            return self.read(value)
        except ValueError as error:
            raise SettingError(f"{self.name} = {value!r}: must be {error}.") from None  # the message says all


def _setting(name: str, default: Any, read: Kind) -> Any:
    return field(metadata={"setting": Setting(name, default, read)})


_LAYOUT = "use STEMMER_LEARNER_OPTIONS = {{{!r}: ...}} of the learner 'layout'"

GONE: Mapping[str, str] = {
    "MARKDOWN_LINKS": "use STEMMER_MARKDOWN = ['images']",
    "MARKDOWN_IMAGES": "use STEMMER_MARKDOWN = ['links']",
    "DEBUG": "use LOG_LEVEL = 'DEBUG'",
    "RELEARN": "use STEMMER_LEARN = 'again'",
    "MATCH_THRESHOLD": _LAYOUT.format("threshold"),
    "DIFFSCORE_THRESHOLD": _LAYOUT.format("diffscore"),
    "MAINSCORE_THRESHOLD": _LAYOUT.format("mainscore"),
    "STRICT": _LAYOUT.format("strict"),
    "OVERWRITE": "name another item field in STEMMER_FIELDS",
    **dict.fromkeys(
        "STORE_LOOK STORE_PATIENCE MEMORY MAX_BODY TEACHER_PAGES DRIFT_PAGES DRIFT_RETIRE SEED SITE_THRESHOLD".split(),
        "its value is fixed now",
    ),
}
"""Former settings, with what to do instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StemmerConfig:
    """Checked settings of one crawl, explained in ``docs/settings.md``."""

    enabled: bool = _setting("STEMMER_ENABLED", True, SWITCH)
    learn: bool | Literal["again"] = _setting("STEMMER_LEARN", False, LEARN)
    patterns: str = _setting("STEMMER_PATTERNS", "patterns/%(spider)s.jsonl", NON_EMPTY)
    learner: str = _setting("STEMMER_LEARNER", DEFAULT_LEARNER, NON_EMPTY)
    learner_options: Mapping[str, Any] = _setting("STEMMER_LEARNER_OPTIONS", {}, OPTIONS)
    sample_size: int = _setting("STEMMER_SAMPLE_SIZE", 20, INTEGER(1))
    min_sample: int = _setting("STEMMER_MIN_SAMPLE", 3, INTEGER(1))
    hold: bool = _setting("STEMMER_HOLD", True, SWITCH)
    quiet: float = _setting("STEMMER_QUIET", 30.0, number(0))
    max_wait: float = _setting("STEMMER_MAX_WAIT", 300.0, number(0))
    max_held: int = _setting("STEMMER_MAX_HELD", 5_000, INTEGER(0))
    state_dir: str | None = _setting("STEMMER_STATE_DIR", None, optional(DIRECTORY))
    keep_pages: str | None = _setting("STEMMER_KEEP_PAGES", None, optional(FEED))
    fields: Mapping[str, str] = _setting("STEMMER_FIELDS", (), RESULT_TARGETS)
    items_per_page: int = _setting("STEMMER_ITEMS_PER_PAGE", 1, INTEGER(0))
    item_types: tuple[type, ...] = _setting("STEMMER_ITEM_TYPES", (), CLASSES)
    kinds: frozenset[PageKind] = _setting("STEMMER_KINDS", (), members(PageKind))
    text_roles: frozenset[Role] = _setting("STEMMER_TEXT_ROLES", "title, main, subtitle, table, code", members(Role))
    markdown: frozenset[MarkdownPart] = _setting("STEMMER_MARKDOWN", "links, images", members(MarkdownPart))
    html_field: str | None = _setting("STEMMER_HTML_FIELD", None, optional(NON_EMPTY))
    url_field: str = _setting("STEMMER_URL_FIELD", "url", NON_EMPTY)
    unmatched: Handling = _setting("STEMMER_UNMATCHED", "flag", HANDLING)
    min_confidence: float = _setting("STEMMER_MIN_CONFIDENCE", 0.1, UNIT_INTERVAL)
    low_confidence: Handling = _setting("STEMMER_LOW_CONFIDENCE", "flag", HANDLING)
    fallback: Callable[..., Any] | None = _setting("STEMMER_FALLBACK", None, optional(FUNCTION))
    teacher: Callable[..., Any] | None = _setting("STEMMER_TEACHER", None, optional(FUNCTION))
    url_rules: tuple[tuple[bool, re.Pattern[str]], ...] = _setting("STEMMER_URL_RULES", (), URL_RULES)
    drift: Literal["off", "watch", "relearn"] = _setting("STEMMER_DRIFT", "relearn", choice("off", "watch", "relearn"))
    default_charset: str | None = _setting("STEMMER_DEFAULT_CHARSET", None, optional(CHARSET))
    visual: bool = _setting("STEMMER_VISUAL", False, SWITCH)

    @classmethod
    def from_settings(cls, settings: BaseSettings, spider_name: str) -> StemmerConfig:
        """Read and check all settings.

        :param spider_name: replaces ``%(spider)s`` in STEMMER_PATTERNS and STEMMER_KEEP_PAGES.
        :raises SettingError: for the first invalid setting.
        """
        for name, instead in GONE.items():
            if settings.get(PREFIX + name) is not None:
                raise SettingError(f"There is no setting {PREFIX}{name} any more: {instead}.")
        values = (setting.checked(settings.get(setting.name, setting.default)) for setting in SETTINGS)
        config = cls(**dict(zip((column.name for column in fields(cls)), values, strict=True)))
        if config.min_sample > config.sample_size:
            raise SettingError(
                f"STEMMER_MIN_SAMPLE = {config.min_sample}: must not be above STEMMER_SAMPLE_SIZE, "
                f"which is {config.sample_size}."
            )
        for name in ("unmatched", "low_confidence"):
            if getattr(config, name) == "fallback" and config.fallback is None:
                raise SettingError(
                    f"STEMMER_FALLBACK is not set: {PREFIX}{name.upper()} = 'fallback' needs the import path of a "
                    f"function."
                )
        config.make_learner()
        kept = config.keep_pages and _expanded(config.keep_pages, spider_name, "KEEP_PAGES")
        patterns = _expanded(config.patterns, spider_name)
        if kept and Path(kept).resolve() == Path(patterns).resolve():
            raise SettingError(f"STEMMER_KEEP_PAGES = {kept!r} is the pattern file: name another file for the pages.")
        return replace(config, patterns=patterns, keep_pages=kept)

    def for_spider(self, spider: Spider) -> StemmerConfig:
        """Return this configuration with the spider's own attributes; raise SettingError for an invalid attribute."""
        uri, wanted = getattr(spider, PATTERNS_ATTRIBUTE, None), getattr(spider, ENABLED_ATTRIBUTE, True)
        named = uri and Setting(PATTERNS_ATTRIBUTE, "", NON_EMPTY).checked(uri)
        return replace(
            self,
            enabled=self.enabled and Setting(ENABLED_ATTRIBUTE, True, SWITCH).checked(wanted),
            patterns=_expanded(named, spider.name) if named else self.patterns,
        )

    def accepts(self, url: str) -> bool:
        """Return True if pages of a URL are learned from and stripped, by the first rule that fits.

        Without rules all URLs are accepted; with rules, URLs without a fitting rule and oversized URLs are refused.
        """
        if self.url_rules and len(url) > MAX_SEARCHED:
            return False
        for accepted, pattern in self.url_rules:
            if pattern.search(url):
                return accepted
        return not self.url_rules

    @property
    def own_fields(self) -> frozenset[str]:
        """Names of the user's fields in STEMMER_FIELDS."""
        return frozenset(self.fields).difference(KNOWN_RESULTS)

    def check_own_fields(self, known: Iterable[str]) -> None:
        """Raise SettingError if STEMMER_FIELDS names a field missing from all sites of the pattern file."""
        for name in sorted(self.own_fields.difference(known)):
            raise SettingError(
                f"STEMMER_FIELDS: {unknown_result(name)} it is no result, and no site of {self.patterns} has a field "
                f"of that name. To make one: scrapy stemmer teach {self.patterns} --example URL {name} VALUE"
            )

    @property
    def relearns(self) -> bool:
        """Return True if known sites are learned again."""
        return self.learn == "again"

    @property
    def feed_fields(self) -> tuple[str, str]:
        """The fields of feeds with a page's URL and HTML."""
        return self.url_field, self.html_field or "html"

    @property
    def charset(self) -> str:
        """Charset of pages without a declared charset; an empty text to guess the charset from the content."""
        return self.default_charset or DEFAULT_CHARSET

    @property
    def strip_options(self) -> StripOptions:
        return StripOptions(
            text_roles=self.text_roles,
            min_confidence=self.min_confidence,
            links=MarkdownPart.LINKS in self.markdown,
            images=MarkdownPart.IMAGES in self.markdown,
        )

    def make_learner(self) -> Learner:
        """Return the configured learner; raise SettingError for an unknown STEMMER_LEARNER or an invalid option."""
        where = named = f"STEMMER_LEARNER = {self.learner!r}"
        try:
            learner_class = get_learner(self.learner)
            options = dict(self.learner_options)
            if self.default_charset is not None and "default_charset" in option_names(learner_class):
                options.setdefault("default_charset", self.default_charset)
            if self.learner_options:
                where = f"{named}, STEMMER_LEARNER_OPTIONS = {dict(self.learner_options)!r}"
            learner = make_learner(learner_class, options)
            where = f"STEMMER_TEACHER is set, but {named}"
            return learner.taught_by(self.teacher) if self.teacher else learner
        except LearnerError as error:
            raise SettingError(f"{where}: {error}") from None


SETTINGS: tuple[Setting, ...] = tuple(column.metadata["setting"] for column in fields(StemmerConfig))


def warn_of_unknown(settings: BaseSettings) -> None:
    for unknown, nearest in unknown_settings(settings).items():
        meant = f"; did you mean {nearest}?" if nearest else ", see the list of settings in the documentation."
        logger.warning("There is no setting %s%s", unknown, meant)


def unknown_settings(settings: BaseSettings) -> dict[str, str | None]:
    """Return the unknown settings of this package with the nearest known names."""
    known = [*(setting.name.removeprefix(PREFIX) for setting in SETTINGS), *GONE]
    set_here = (name.removeprefix(PREFIX) for name in sorted(map(str, settings)) if name.startswith(PREFIX))
    nearest = {word: get_close_matches(word, known, 1) for word in set_here if word not in known}
    return {PREFIX + word: PREFIX + near[0] if near else None for word, near in nearest.items()}


def _expanded(template: str, spider_name: str, setting: str = "PATTERNS") -> str:
    if "%" in template.replace("%%", "").replace("%(spider)s", ""):
        raise SettingError(
            f"{PREFIX}{setting} = {template!r}: the only placeholder is %(spider)s, the spider's name; "
            f"write %% for a percent sign."
        )
    try:
        scheme = urlsplit(template).scheme
    except ValueError as error:
        raise SettingError(f"{PREFIX}{setting} = {template!r} can't be used: {error}.") from error
    if len(scheme) > 1:  # a single letter is a drive of Windows
        return template % {"spider": spider_name}
    name = _within(spider_name) or "spider"
    return str(project_folder().absolute() / (template % {"spider": name}))


def project_folder() -> Path:
    """Return the folder of ``scrapy.cfg``, or else the project's folder within the current folder.

    Scrapyd runs the spiders of all projects in one folder, and names the project in ``SCRAPY_PROJECT``.
    """
    from scrapy.utils.conf import closest_scrapy_cfg

    project = closest_scrapy_cfg()
    return Path(project).parent if project else Path(_within(os.environ.get("SCRAPY_PROJECT", "")))


def _within(name: str) -> str:
    return "/".join(part for part in re.split(r"[/\\]", name) if part.strip(". "))
