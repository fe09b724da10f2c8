"""The settings: one table of them, their types, and the only code that reads them.

A type takes what Scrapy holds for a setting, which is text when it comes from ``-s`` on the command line, and gives the
value, or raises a :class:`ValueError` that says what is allowed.
"""

from __future__ import annotations

import codecs
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from scrapy import Spider
from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from scrapy_stemmer.core.blocks import Role
from scrapy_stemmer.exceptions import LearnerError, SettingError
from scrapy_stemmer.learners.base import TEACHER_PAGES, Learner, get_learner, make_learner, option_names
from scrapy_stemmer.learning import DEFAULT_LEARNER
from scrapy_stemmer.patterns.base import MatchOptions

SettingType = Callable[[Any], Any]


def switch(value: Any) -> bool:
    """True or False, 1 or 0, or such words."""
    word = str(value).strip().lower()
    if word not in ("1", "true", "yes", "on", "0", "false", "no", "off", ""):
        raise ValueError("True or False (1 or 0 on the command line)")
    return word in ("1", "true", "yes", "on")


def text(value: Any) -> str:
    """A text that is not empty; paths are accepted."""
    result = str(value) if value is not None else ""
    if not result.strip():
        raise ValueError("a text that is not empty")
    return result


def directory(value: Any) -> str:
    """The path of a directory that can be written into, or can be made; it is not made yet."""
    path = Path(text(value))
    found = next((each for each in (path, *path.absolute().parents) if each.exists()), path)
    if not (found.is_dir() and os.access(found, os.W_OK | os.X_OK)):
        raise ValueError(f"a directory that can be written into ({found} is none)")
    return str(path)


def optional(kind: SettingType) -> SettingType:
    """None (or an empty text), else what the type accepts."""
    return lambda value: None if value is None or value in ("", "None") else kind(value)


def number(low: float, high: float = math.inf, kind: type = float) -> SettingType:
    """A number from ``low`` to ``high``."""
    name = "a whole number" if kind is int else "a number"
    span = (
        f" from {low:g} to {high:g}" if math.isfinite(high) else f" of at least {low:g}" if math.isfinite(low) else ""
    )

    def read(value: Any) -> Any:
        try:
            result = kind(str(value).strip())
        except ValueError:
            result = math.nan
        if not low <= result <= high or result == math.inf:
            raise ValueError(name + span)
        return result

    return read


def integer(low: float = -math.inf) -> SettingType:
    """A whole number, not below ``low``."""
    return number(low, kind=int)


def choice(*words: str) -> SettingType:
    """One of some words."""

    def read(value: Any) -> str:
        if value not in words:
            raise ValueError("one of " + ", ".join(map(repr, words)))
        return str(value)

    return read


def roles(value: Any) -> frozenset[Role]:
    """Roles of blocks by their names, as a list or separated by commas."""
    allowed = "a list, or text separated by commas, of " + ", ".join(repr(str(role)) for role in Role)
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, Iterable):
        raise ValueError(allowed)
    given = {str(word).strip() for word in words}
    if unknown := sorted(given - set(Role)):
        raise ValueError(f"{allowed}; there is no {', '.join(map(repr, unknown))}")
    return frozenset(map(Role, given))


def regex(value: Any) -> str:
    """A regular expression."""
    try:
        return str(re.compile(value).pattern)
    except (re.error, TypeError) as error:
        raise ValueError(f"a regular expression ({error})") from error


def charset(value: Any) -> str:
    """The name of a charset that Python knows, in Python's spelling."""
    try:
        return codecs.lookup(str(value)).name
    except LookupError:
        raise ValueError("the name of a charset, such as 'utf-8' or 'shift_jis'") from None


def function(value: Any) -> Callable[..., Any]:
    """A function, or its import path."""
    allowed = "a function or its import path, such as 'myproject.extract.plain'"
    try:
        found: Any = load_object(value)
    except (ImportError, NameError, ValueError, TypeError) as error:
        raise ValueError(f"{allowed} ({error})") from error
    if not callable(found):
        raise ValueError(allowed)
    return found  # type: ignore[no-any-return]


def dictionary(value: Any, allowed: str) -> Mapping[str, Any]:
    """A dict with names as its keys, or such an object of JSON.

    :param allowed: says what it is of.
    """
    try:
        given = json.loads(value) if isinstance(value, str) and value.strip() else value or {}
    except ValueError as error:
        raise ValueError(f"{allowed} (as JSON on the command line: {error})") from error
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise ValueError(allowed)
    return given


def result_fields(value: Any) -> Mapping[str, str]:
    """A mapping of results to item fields, put over the defaults; empty ones are left out."""
    allowed = f"a dict of item fields by result, with keys out of {', '.join(RESULT_FIELDS)}; None switches one off"
    given = dictionary(value, allowed)
    if not all(target is None or isinstance(target, str) for target in given.values()):
        raise ValueError(allowed)
    if unknown := set(given) - set(RESULT_FIELDS):
        raise ValueError(f"{allowed}; there is no {', '.join(sorted(map(repr, unknown)))}")
    return {result: target for result, target in {**RESULT_FIELDS, **given}.items() if target}


def options_by_name(value: Any) -> Mapping[str, Any]:
    """Options of a learner by name; their values are checked by the learner."""
    return dict(dictionary(value, "a dict of the learner's options"))


def url_rules(value: Any) -> tuple[tuple[bool, re.Pattern[str]], ...]:
    """Regular expressions with ``+`` (accept) or ``-`` (reject) before each: a list, or text split at spaces."""
    rules = value.split() if isinstance(value, str) else value
    if not isinstance(rules, Iterable):
        raise ValueError("a list of rules such as '+/news/' and '-/tag/'")
    found = []
    for rule in rules:
        if not isinstance(rule, str) or rule[:1] not in ("+", "-"):
            raise ValueError(f"regular expressions with '+' (accept) or '-' (reject) before each, unlike {rule!r}")
        found.append((rule[0] == "+", re.compile(regex(rule[1:]))))
    return tuple(found)


# The settings

PREFIX = "STEMMER_"

RESULT_FIELDS: Mapping[str, str] = {
    "title": "title",
    "text": "text",
    "sub_text": "sub_text",
    "html": "main_html",
    "matched": "stemmer_matched",
    "pattern": "stemmer_pattern",
    "similarity": "stemmer_similarity",
    "kind": "stemmer_kind",
    "confidence": "stemmer_confidence",
}
"""The results that can be written into items, each with its item field unless STEMMER_FIELDS says otherwise."""


class SpiderAttribute(StrEnum):
    """Attributes of the spider that are read."""

    ENABLED = "stemmer_enabled"
    PATTERNS = "stemmer_patterns"


Handling = Literal["flag", "drop", "fallback"]
"""Ways to handle items whose page can't be stripped."""

HANDLING = choice("flag", "drop", "fallback")
SHARE = number(0, 1)


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting.

    :param name: in full.
    :param default: used when it isn't set.
    :param read: turns what Scrapy has (text, when it comes from the command line) into a checked value; raises
        :class:`ValueError` saying what is allowed.
    """

    name: str
    default: Any
    read: SettingType

    def of(self, settings: BaseSettings) -> Any:
        """The checked value of this setting."""
        return self.checked(settings.get(self.name, self.default))

    def checked(self, value: Any) -> Any:
        """The value, if it can be used.

        :raises SettingError: saying what is allowed.
        """
        try:
            return self.read(value)
        except ValueError as error:
            raise SettingError(f"{self.name} = {value!r}: must be {error}.") from error


def _setting(name: str, default: Any, read: SettingType) -> Any:
    """A field of :class:`StemmerConfig`; it is called as its setting, without :data:`PREFIX`."""
    return field(metadata={"setting": Setting(name, default, read)})


LAYOUT_ONLY = (
    "preset",
    "cluster_threshold",
    "clustering",
    "title_threshold",
    "max_samples",
    "min_score",
    "linkinfo",
    "mangle",
)
"""Settings that are options of the layout learner, and of no other; all but the last under the same name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StemmerConfig:
    """The settings of one crawl, checked, each with its name, default and type; ``docs/settings.md`` explains them."""

    enabled: bool = _setting("STEMMER_ENABLED", True, switch)
    learn: bool = _setting("STEMMER_LEARN", False, switch)
    relearn: bool = _setting("STEMMER_RELEARN", False, switch)
    patterns: str = _setting("STEMMER_PATTERNS", "patterns/%(spider)s.jsonl", text)
    store_look: float = _setting("STEMMER_STORE_LOOK", 3.0, number(0.1))
    store_patience: float = _setting("STEMMER_STORE_PATIENCE", 60.0, number(0))
    learner: str = _setting("STEMMER_LEARNER", DEFAULT_LEARNER, text)
    learner_options: Mapping[str, Any] = _setting("STEMMER_LEARNER_OPTIONS", {}, options_by_name)
    preset: str | None = _setting("STEMMER_PRESET", None, optional(choice("original")))
    sample_size: int = _setting("STEMMER_SAMPLE_SIZE", 20, integer(1))
    min_sample: int = _setting("STEMMER_MIN_SAMPLE", 3, integer(1))
    hold: bool = _setting("STEMMER_HOLD", True, switch)
    state_dir: str | None = _setting("STEMMER_STATE_DIR", None, optional(directory))
    memory: float = _setting("STEMMER_MEMORY", 100, number(1))
    max_body: int = _setting("STEMMER_MAX_BODY", 20_000_000, integer(1))
    fields: Mapping[str, str] = _setting("STEMMER_FIELDS", {}, result_fields)
    text_roles: frozenset[Role] | None = _setting("STEMMER_TEXT_ROLES", None, optional(roles))
    overwrite: bool = _setting("STEMMER_OVERWRITE", False, switch)
    html_field: str | None = _setting("STEMMER_HTML_FIELD", None, optional(text))
    url_field: str = _setting("STEMMER_URL_FIELD", "url", text)
    unmatched: Handling = _setting("STEMMER_UNMATCHED", "flag", HANDLING)
    min_confidence: float = _setting("STEMMER_MIN_CONFIDENCE", 0.1, SHARE)
    low_confidence: Handling = _setting("STEMMER_LOW_CONFIDENCE", "flag", HANDLING)
    fallback: Callable[..., Any] | None = _setting("STEMMER_FALLBACK", None, optional(function))
    teacher: Callable[..., Any] | None = _setting("STEMMER_TEACHER", None, optional(function))
    teacher_pages: int = _setting("STEMMER_TEACHER_PAGES", TEACHER_PAGES, integer(1))
    url_rules: tuple[tuple[bool, re.Pattern[str]], ...] = _setting("STEMMER_URL_RULES", (), url_rules)
    drift: Literal["off", "watch", "relearn"] = _setting("STEMMER_DRIFT", "watch", choice("off", "watch", "relearn"))
    drift_pages: int = _setting("STEMMER_DRIFT_PAGES", 12, integer(2))
    drift_retire: int = _setting("STEMMER_DRIFT_RETIRE", 200, integer(0))
    default_charset: str | None = _setting("STEMMER_DEFAULT_CHARSET", None, optional(charset))
    seed: int = _setting("STEMMER_SEED", 0, integer())
    cluster_threshold: float | None = _setting("STEMMER_CLUSTER_THRESHOLD", None, optional(SHARE))
    clustering: str | None = _setting(
        "STEMMER_CLUSTERING", None, optional(choice("complete_link", "text_mdl", "text_hash"))
    )
    title_threshold: float | None = _setting("STEMMER_TITLE_THRESHOLD", None, optional(SHARE))
    max_samples: int | None = _setting("STEMMER_MAX_SAMPLES", None, optional(integer(0)))
    min_score: float | None = _setting("STEMMER_MIN_SCORE", None, optional(number(-1)))
    linkinfo: bool | None = _setting("STEMMER_LINKINFO", None, optional(switch))
    mangle: str | None = _setting("STEMMER_MANGLE", None, optional(regex))
    match_threshold: float = _setting("STEMMER_MATCH_THRESHOLD", 0.8, SHARE)
    site_threshold: float = _setting("STEMMER_SITE_THRESHOLD", MatchOptions().site_threshold, SHARE)
    diffscore_threshold: float = _setting("STEMMER_DIFFSCORE_THRESHOLD", 0.5, SHARE)
    mainscore_threshold: float = _setting("STEMMER_MAINSCORE_THRESHOLD", 50.0, number(0))
    strict: bool = _setting("STEMMER_STRICT", False, switch)
    visual: bool = _setting("STEMMER_VISUAL", False, switch)
    debug: bool = _setting("STEMMER_DEBUG", False, switch)

    @classmethod
    def from_settings(cls, settings: BaseSettings, spider_name: str) -> StemmerConfig:
        """Read and check all settings.

        :param spider_name: replaces ``%(spider)s`` in STEMMER_PATTERNS.
        :raises SettingError: for the first setting that can't be used.
        """
        config = cls(**{each.name: each.metadata["setting"].of(settings) for each in fields(cls)})
        config = replace(config, patterns=_expanded(config.patterns, spider_name))
        config._check_together()
        return config

    def for_spider(self, spider: Spider) -> StemmerConfig:
        """This configuration with what the spider's own attributes say.

        :raises SettingError: for an attribute that can't be used.
        """
        uri, wanted = getattr(spider, SpiderAttribute.PATTERNS, None), getattr(spider, SpiderAttribute.ENABLED, True)
        return replace(
            self,
            enabled=self.enabled and Setting(SpiderAttribute.ENABLED, True, switch).checked(wanted),
            patterns=_expanded(str(uri), spider.name) if uri else self.patterns,
        )

    def accepts(self, url: str) -> bool:
        """Whether pages of this URL are learned from and stripped: the first rule that fits decides.

        Without any rule all are; with rules a URL that none fits is not.
        """
        for accepted, pattern in self.url_rules:
            if pattern.search(url):
                return accepted
        return not self.url_rules

    @property
    def match_options(self) -> MatchOptions:
        """The options with which patterns are applied."""
        return MatchOptions(
            threshold=self.match_threshold,
            site_threshold=self.site_threshold,
            diffscore=self.diffscore_threshold,
            mainscore=self.mainscore_threshold,
            strict=self.strict,
            text_roles=self.text_roles,
        )

    def make_learner(self) -> Learner:
        """The learner, with its options.

        :raises SettingError: when STEMMER_LEARNER names none, or an option can't be used.
        """
        try:
            found = get_learner(self.learner)
        except LearnerError as error:
            raise SettingError(f"STEMMER_LEARNER = {self.learner!r}: {error}") from error
        if found.name != "layout":
            # It would ignore these, and nobody would notice.
            for name in LAYOUT_ONLY:
                if getattr(self, name) is not None:
                    raise SettingError(
                        f"{PREFIX}{name.upper()} is set, but STEMMER_LEARNER = {self.learner!r} has no such option: "
                        f"set STEMMER_LEARNER = 'layout', or leave this one unset."
                    )
        try:
            made = make_learner(found, self._options_for(found))
        except LearnerError as error:
            options = f", STEMMER_LEARNER_OPTIONS = {dict(self.learner_options)!r}" if self.learner_options else ""
            raise SettingError(f"STEMMER_LEARNER = {self.learner!r}{options}: {error}") from error
        try:
            return made.taught_by(self.teacher, self.teacher_pages) if self.teacher else made
        except LearnerError as error:
            raise SettingError(f"STEMMER_TEACHER is set, but STEMMER_LEARNER = {self.learner!r}: {error}") from error

    def _options_for(self, learner: type[Learner]) -> dict[str, Any]:
        """What STEMMER_LEARNER_OPTIONS and the settings of single options say."""
        single = {name: getattr(self, name) for name in LAYOUT_ONLY[:-1] if getattr(self, name) is not None}
        if self.mangle is not None:
            single["blocks"] = {"mangle": self.mangle}
        if self.default_charset is not None and "default_charset" in option_names(learner):
            single["default_charset"] = self.default_charset
        for name in single.keys() & self.learner_options.keys():
            setting = "MANGLE" if name == "blocks" else name.upper()
            raise SettingError(
                f"STEMMER_LEARNER_OPTIONS has {name!r}, which {PREFIX}{setting} sets as well: leave one of them unset."
            )
        return {**single, **self.learner_options}

    def _check_together(self) -> None:
        if self.min_sample > self.sample_size:
            raise SettingError(
                f"STEMMER_MIN_SAMPLE = {self.min_sample}: must not be above STEMMER_SAMPLE_SIZE, "
                f"which is {self.sample_size}."
            )
        for name in ("unmatched", "low_confidence"):
            if getattr(self, name) == "fallback" and self.fallback is None:
                raise SettingError(
                    f"STEMMER_FALLBACK is not set: {PREFIX}{name.upper()} = 'fallback' needs the import path of a "
                    f"function."
                )
        self.make_learner()


SETTINGS: tuple[Setting, ...] = tuple(each.metadata["setting"] for each in fields(StemmerConfig))
"""Every setting."""


def unknown_settings(settings: BaseSettings) -> dict[str, str | None]:
    """The settings that begin with ``STEMMER_`` and that there aren't, each with the nearest name that there is."""
    known = [setting.name.removeprefix(PREFIX) for setting in SETTINGS]
    given = [name.removeprefix(PREFIX) for name in sorted(map(str, settings)) if name.startswith(PREFIX)]
    nearest = {word: get_close_matches(word, known, 1) for word in given if word not in known}
    return {PREFIX + word: PREFIX + near[0] if near else None for word, near in nearest.items()}


def _expanded(template: str, spider_name: str) -> str:
    if "%" in template.replace("%%", "").replace("%(spider)s", ""):
        raise SettingError(
            f"STEMMER_PATTERNS = {template!r}: the only placeholder is %(spider)s, the spider's name; "
            f"write %% for a percent sign."
        )
    return template % {"spider": spider_name}
