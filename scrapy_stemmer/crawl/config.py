"""The settings: one table of them, and the only code that reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from scrapy_stemmer.core.blocks import Role
from scrapy_stemmer.crawl.setting_types import (
    charset,
    choice,
    directory,
    function,
    integer,
    members_of,
    number,
    optional,
    options_by_name,
    regex,
    result_fields,
    switch,
    text,
    url_rules,
)
from scrapy_stemmer.exceptions import LearnerError, SettingError
from scrapy_stemmer.learners.base import Learner, get_learner, make_learner, option_names
from scrapy_stemmer.learners.teachers import TEACHER_PAGES
from scrapy_stemmer.learning import DEFAULT_LEARNER
from scrapy_stemmer.patterns.base import MatchOptions

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.settings import BaseSettings


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


DRIFT = choice("off", "watch", "relearn")


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting.

    :param name: in full.
    :param default: used when it isn't set.
    :param read: turns what Scrapy has (text, when it comes from the command line) into a checked value; raises
        :class:`SettingError`.
    """

    name: str
    default: Any
    read: Callable[[str, Any], Any]

    @property
    def attribute(self) -> str:
        """Its name in :class:`StemmerConfig`."""
        return self.name.removeprefix(PREFIX).lower()

    def of(self, settings: BaseSettings) -> Any:
        """The checked value of this setting."""
        return self.read(self.name, settings.get(self.name, self.default))


SHARE = number(0, 1)

SETTINGS: tuple[Setting, ...] = (
    Setting("STEMMER_ENABLED", True, switch),
    Setting("STEMMER_LEARN", False, switch),
    Setting("STEMMER_RELEARN", False, switch),
    Setting("STEMMER_PATTERNS", "patterns/%(spider)s.jsonl", text),
    Setting("STEMMER_STORE_LOOK", 3.0, number(0.1)),
    Setting("STEMMER_STORE_PATIENCE", 60.0, number(0)),
    Setting("STEMMER_LEARNER", DEFAULT_LEARNER, text),
    Setting("STEMMER_LEARNER_OPTIONS", {}, options_by_name),
    Setting("STEMMER_PRESET", None, optional(choice("original"))),
    Setting("STEMMER_SAMPLE_SIZE", 20, integer(1)),
    Setting("STEMMER_MIN_SAMPLE", 3, integer(1)),
    Setting("STEMMER_HOLD", True, switch),
    Setting("STEMMER_STATE_DIR", None, optional(directory)),
    Setting("STEMMER_MEMORY", 100, number(1)),
    Setting("STEMMER_MAX_BODY", 20_000_000, integer(1)),
    Setting("STEMMER_FIELDS", {}, result_fields(RESULT_FIELDS)),
    Setting("STEMMER_TEXT_ROLES", None, optional(members_of(Role))),
    Setting("STEMMER_OVERWRITE", False, switch),
    Setting("STEMMER_HTML_FIELD", None, optional(text)),
    Setting("STEMMER_URL_FIELD", "url", text),
    Setting("STEMMER_UNMATCHED", "flag", HANDLING),
    Setting("STEMMER_MIN_CONFIDENCE", 0.1, SHARE),
    Setting("STEMMER_LOW_CONFIDENCE", "flag", HANDLING),
    Setting("STEMMER_FALLBACK", None, optional(function)),
    Setting("STEMMER_TEACHER", None, optional(function)),
    Setting("STEMMER_TEACHER_PAGES", TEACHER_PAGES, integer(1)),
    Setting("STEMMER_URL_RULES", (), url_rules),
    Setting("STEMMER_DRIFT", "watch", DRIFT),
    Setting("STEMMER_DRIFT_PAGES", 12, integer(2)),
    Setting("STEMMER_DRIFT_RETIRE", 200, integer(0)),
    Setting("STEMMER_DEFAULT_CHARSET", None, optional(charset)),
    Setting("STEMMER_SEED", 0, integer()),
    Setting("STEMMER_CLUSTER_THRESHOLD", None, optional(SHARE)),
    Setting("STEMMER_CLUSTERING", None, optional(choice("complete_link", "text_mdl", "text_hash"))),
    Setting("STEMMER_TITLE_THRESHOLD", None, optional(SHARE)),
    Setting("STEMMER_MAX_SAMPLES", None, optional(integer(0))),
    Setting("STEMMER_MIN_SCORE", None, optional(number(-1))),
    Setting("STEMMER_LINKINFO", None, optional(switch)),
    Setting("STEMMER_MANGLE", None, optional(regex)),
    Setting("STEMMER_MATCH_THRESHOLD", 0.8, SHARE),
    Setting("STEMMER_SITE_THRESHOLD", MatchOptions().site_threshold, SHARE),
    Setting("STEMMER_DIFFSCORE_THRESHOLD", 0.5, SHARE),
    Setting("STEMMER_MAINSCORE_THRESHOLD", 50.0, number(0)),
    Setting("STEMMER_STRICT", False, switch),
    Setting("STEMMER_VISUAL", False, switch),
    Setting("STEMMER_DEBUG", False, switch),
)
"""Every setting. ``docs/settings.md`` explains each of them."""

NEAR = 0.6
"""Names are near each other from this ratio of :mod:`difflib` on."""

LAYOUT_OPTIONS = ("cluster_threshold", "clustering", "title_threshold", "max_samples", "min_score", "linkinfo")
"""Settings that are options of the layout learner, and of no other, under the same name."""

LAYOUT_ONLY = ("preset", *LAYOUT_OPTIONS, "mangle")
"""Settings that no other learner reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StemmerConfig:
    """The settings of one crawl, checked; ``docs/settings.md`` says what each does."""

    enabled: bool
    learn: bool
    relearn: bool
    patterns: str
    store_look: float
    store_patience: float
    learner: str
    learner_options: Mapping[str, Any]
    preset: str | None
    sample_size: int
    min_sample: int
    hold: bool
    state_dir: str | None
    memory: float
    max_body: int
    fields: Mapping[str, str]
    text_roles: frozenset[Role] | None
    overwrite: bool
    html_field: str | None
    url_field: str
    unmatched: Handling
    min_confidence: float
    low_confidence: Handling
    fallback: Callable[..., Any] | None
    teacher: Callable[..., Any] | None
    teacher_pages: int
    url_rules: tuple[tuple[bool, re.Pattern[str]], ...]
    drift: Literal["off", "watch", "relearn"]
    drift_pages: int
    drift_retire: int
    default_charset: str | None
    seed: int
    cluster_threshold: float | None
    clustering: str | None
    title_threshold: float | None
    max_samples: int | None
    min_score: float | None
    linkinfo: bool | None
    mangle: str | None
    match_threshold: float
    site_threshold: float
    diffscore_threshold: float
    mainscore_threshold: float
    strict: bool
    visual: bool
    debug: bool

    @classmethod
    def from_settings(cls, settings: BaseSettings, spider_name: str) -> StemmerConfig:
        """Read and check all settings.

        :param spider_name: replaces ``%(spider)s`` in STEMMER_PATTERNS.
        :raises SettingError: for the first setting that can't be used.
        """
        config = cls(**{setting.attribute: setting.of(settings) for setting in SETTINGS})
        config = replace(config, patterns=_expanded(config.patterns, spider_name))
        config._check_together()
        return config

    def for_spider(self, spider: Spider) -> StemmerConfig:
        """This configuration with what the spider's own attributes say.

        :raises SettingError: for an attribute that can't be used.
        """
        uri = getattr(spider, SpiderAttribute.PATTERNS, None)
        return replace(self, patterns=_expanded(str(uri), spider.name)) if uri else self

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
            self._refuse(LAYOUT_ONLY, "layout")
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
        single = {name: getattr(self, name) for name in ("preset", *LAYOUT_OPTIONS) if getattr(self, name) is not None}
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

    def _refuse(self, names: Iterable[str], owner: str) -> None:
        """Another learner would ignore these settings, and nobody would notice.

        :param owner: the learner that has them.
        """
        for name in names:
            if getattr(self, name) is not None:
                raise SettingError(
                    f"{PREFIX}{name.upper()} is set, but STEMMER_LEARNER = {self.learner!r} has no such option: set "
                    f"STEMMER_LEARNER = {owner!r}, or leave this one unset."
                )

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


def unknown_settings(settings: BaseSettings) -> dict[str, str | None]:
    """The settings that begin with ``STEMMER_`` and that there aren't, each with the nearest name that there is."""
    known = {setting.name.removeprefix(PREFIX): setting.name for setting in SETTINGS}
    given = sorted(name for name in settings if isinstance(name, str) and name.startswith(PREFIX))
    found: dict[str, str | None] = {}
    for name in given:
        word = name.removeprefix(PREFIX)
        if word not in known:
            found[name] = next((known[near] for near in get_close_matches(word, known, 1, NEAR)), None)
    return found


def _expanded(template: str, spider_name: str) -> str:
    try:
        return template % {"spider": spider_name}
    except (KeyError, TypeError, ValueError) as error:
        raise SettingError(
            f"STEMMER_PATTERNS = {template!r}: the only placeholder is %(spider)s, the spider's name; "
            f"write %% for a percent sign."
        ) from error
