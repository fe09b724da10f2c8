"""Settings from files, spiders and the command line, right and wrong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from scrapy import Item, Spider
from scrapy.settings import Settings

from scrapy_stemmer import Role, SettingError, StripOptions
from scrapy_stemmer.crawl.files import state_folder
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.learners.literature.repetition.learner import ShingleOptions
from scrapy_stemmer.page.blocks import TEXT_ROLES
from scrapy_stemmer.settings import DEFAULT_FIELDS, GONE, PREFIX, SETTINGS, StemmerConfig, unknown_settings
from tests.crawl.conftest import idle_crawler


def config(**settings: Any) -> StemmerConfig:
    return StemmerConfig.from_settings(Settings(settings), "news")


def value_of(name: str, found: StemmerConfig) -> object:
    return getattr(found, name.removeprefix("STEMMER_").lower())


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("STEMMER_LEARN", "1", True),
        ("STEMMER_LEARN", "0", False),
        ("STEMMER_SAMPLE_SIZE", "7", 7),
        ("STEMMER_LEARN", "again", "again"),
        ("STEMMER_MIN_CONFIDENCE", "0.9", 0.9),
        ("STEMMER_MARKDOWN", "links", {"links"}),
        ("STEMMER_TEXT_ROLES", "main, caption", {"main", "caption"}),
        ("STEMMER_TEXT_ROLES", ["main", "title"], {"main", "title"}),
        ("STEMMER_KINDS", "content, list", {"content", "list"}),
        ("STEMMER_KINDS", "", frozenset()),
        ("STEMMER_DEFAULT_CHARSET", "Shift-JIS", "shift_jis"),
        ("STEMMER_PATTERNS", "/%(spider)s/%(spider)s-100%%.jsonl", "/news/news-100%.jsonl"),
        ("STEMMER_ITEM_TYPES", "", (object,)),
        ("STEMMER_ITEM_TYPES", "dict, scrapy.Item", (dict, Item)),
        ("STEMMER_ITEM_TYPES", [Item, "dict"], (Item, dict)),
    ],
)
def test_values_of_the_command_line(name: str, value: str, expected: object) -> None:
    assert value_of(name, config(**{name: value})) == expected


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("STEMMER_LEARN", "perhaps", "True, False or 'again'"),
        ("STEMMER_SAMPLE_SIZE", 0, "at least 1"),
        ("STEMMER_SAMPLE_SIZE", 2.5, "a whole number"),
        ("STEMMER_MIN_SAMPLE", 21, "must not be above STEMMER_SAMPLE_SIZE"),
        ("STEMMER_MIN_CONFIDENCE", "nan", "from 0 to 1"),
        ("STEMMER_PATTERNS", "%(domain)s.jsonl", "%(spider)s"),
        ("STEMMER_PATTERNS", "", "not empty"),
        ("STEMMER_PATTERNS", "a\0.jsonl", "NUL"),
        ("STEMMER_PATTERNS", "\ud800.jsonl", "surrogates not allowed"),
        ("STEMMER_STATE_DIR", "\0", "NUL"),
        ("STEMMER_KEEP_PAGES", "\0.jsonl", "NUL"),
        ("STEMMER_ITEM_TYPES", ["os.sep"], "'/' is none"),
        ("STEMMER_LEARNER", "oracle", "layout"),
        ("STEMMER_UNMATCHED", "guess", "'flag', 'drop', 'fallback'"),
        ("STEMMER_UNMATCHED", "fallback", "STEMMER_FALLBACK"),
        ("STEMMER_FALLBACK", "no.such.thing", "import path"),
        ("STEMMER_TEACHER", "no.such.thing", "import path"),
        ("STEMMER_FIELDS", {"the body": "x"}, "title, text, sub_text"),
        ("STEMMER_FIELDS", {"text": 3}, "dict of item fields"),
        ("STEMMER_FIELDS", ["text", 3], "a list of results"),
        ("STEMMER_FIELDS", "text,,title", "a list of results"),
        ("STEMMER_FIELDS", ["z-z"], "there is no 'z-z')"),
        ("STEMMER_FIELDS", "[", "JSON"),
        ("STEMMER_FIELDS", {"published": "date", "modified": "date"}, "'published' and 'modified' are both for 'date'"),
        ("STEMMER_FIELDS", {"authors": "title"}, "'title' and 'authors' are both for 'title'"),
        ("STEMMER_URL_RULES", ["/news/"], "'+' (accept) or '-' (reject)"),
        ("STEMMER_URL_RULES", ["+("], "regular expression"),
        ("STEMMER_URL_RULES", 3, "list of rules"),
        ("STEMMER_URL_RULES", "+(a+)+$", "it may take too long on some texts"),
        ("STEMMER_TEXT_ROLES", "main,quote", "'title', 'subtitle', 'main'"),
        ("STEMMER_TEXT_ROLES", 3, "separated by commas"),
        ("STEMMER_DEFAULT_CHARSET", "klingon", "charset"),
    ],
)
def test_wrong_settings_name_the_setting_and_what_is_allowed(name: str, value: object, allowed: str) -> None:
    with pytest.raises(SettingError) as caught:
        config(**{name: value})
    assert name in str(caught.value) or "STEMMER_FALLBACK" in str(caught.value)
    assert allowed in str(caught.value)
    is_alone = caught.value.__suppress_context__ or caught.value.__context__ is None
    assert is_alone, "one sentence, not a chain of tracebacks"


def test_fields_are_put_over_the_defaults() -> None:
    fields = config(STEMMER_FIELDS='{"text": "body", "html": "html", "title": null, "confidence": ""}').fields
    assert {name: field for name, field in fields.items() if field} == {
        "text": "body",
        "html": "html",
        "reason": "stemmer_reason",
    }
    moved = config(STEMMER_FIELDS={"title": None, "text": "title", "authors": None, "tags": None}).fields
    assert moved["text"] == "title"


@pytest.mark.parametrize(
    "value",
    [
        ["html", "kind", "authors", "published", "dateModified"],
        ("html", "stemmer_kind", "authors", "published", "dateModified"),
        "html, kind, authors,published,dateModified",
        '["html", "kind", "authors", "published", "dateModified"]',
    ],
)
def test_a_list_of_names_adds_results_each_with_its_usual_field(value: object) -> None:
    added = {name: field for name, field in config(STEMMER_FIELDS=value).fields.items() if name not in DEFAULT_FIELDS}
    assert added == {
        "html": "html",
        "kind": "stemmer_kind",
        "authors": "authors",
        "published": "published",
        "modified": "dateModified",
    }


def test_nothing_named_is_the_default_and_what_is_written_anyway_may_be_named() -> None:
    assert config(STEMMER_FIELDS=["title", "text", "authors"]).fields == {**DEFAULT_FIELDS, "authors": "authors"}
    assert config(STEMMER_FIELDS="").fields == config(STEMMER_FIELDS=[]).fields == config(STEMMER_FIELDS={}).fields
    assert config(STEMMER_FIELDS=None).fields == DEFAULT_FIELDS


@pytest.mark.parametrize("as_list", [True, False])
@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("author", "authors"),
        ("date", "published"),
        ("txt", "text"),
        ("Markdown", "markdown"),
        ("HTML", "html"),
        ("canonicl_url", "canonical_url"),
        ("stemmer_mached", "stemmer_matched"),
        ("mainhtml", "html"),
        ("body", "text"),
    ],
)
def test_a_result_that_there_is_not_is_refused_and_the_nearest_named(name: str, meant: str, as_list: bool) -> None:
    value = ["title", name] if as_list else {"title": "title", name: "x"}
    with pytest.raises(SettingError, match=rf"there is no '{name}', did you mean '{meant}'.*has a field of that name"):
        config(STEMMER_FIELDS=value).check_own_fields(["stock"])


def test_a_field_of_the_users_own_is_one_that_a_site_of_the_pattern_file_has() -> None:
    asked = config(STEMMER_FIELDS=["stock", "price"])
    asked.check_own_fields(["stock"])
    assert asked.own_fields == {"stock"}
    with pytest.raises(SettingError, match=r"there is no 'stock'; .* teach .*\.jsonl --example URL stock VALUE"):
        asked.check_own_fields([])


def test_the_first_rule_that_fits_a_url_decides() -> None:
    rules = config(STEMMER_URL_RULES=r"-/tag/ +/news/ -\d")
    assert rules.accepts("http://a/news/1")
    assert not rules.accepts("http://a/news/tag/1")
    assert not rules.accepts("http://a/about")
    assert config().accepts("anything")
    assert config(STEMMER_URL_RULES="-/tag/ +").accepts("http://a/about")
    assert not config(STEMMER_URL_RULES="-/tag/ +").accepts("http://a/" + "b" * 3000)


def options(**settings: Any) -> Any:
    """Return the options of the learner chosen by settings."""
    learner: Any = config(**settings).make_learner()
    return learner.options


@pytest.mark.parametrize("name", GONE)
def test_a_former_setting_is_an_error_that_names_the_new_one(name: str) -> None:
    with pytest.raises(SettingError) as caught:
        config(**{PREFIX + name: "1"})
    assert str(caught.value).endswith(f" any more: {GONE[name]}.")
    assert not set(GONE) & {setting.name.removeprefix(PREFIX) for setting in SETTINGS}


@pytest.mark.parametrize("given", [{"width": 5, "min_share": 0.2}, '{"width": 5, "min_share": 0.2}'])
def test_options_of_any_learner(given: object) -> None:
    """Options as a dict in settings.py, and as JSON on the command line."""
    found = options(STEMMER_LEARNER="shingle", STEMMER_LEARNER_OPTIONS=given, STEMMER_DEFAULT_CHARSET="latin1")
    assert found == ShingleOptions(width=5, min_share=0.2, default_charset="iso8859-1")


@pytest.mark.parametrize(
    ("learner", "given", "message"),
    [
        ("shingle", {"widht": 5}, "STEMMER_LEARNER = 'shingle', STEMMER_LEARNER_OPTIONS = {'widht': 5}: There is no"),
        ("rules", {"width": 5}, "'rules' takes no options"),
        ("shingle", "{width: 5}", "must be a dict of the learner's options (as JSON on the command line"),
        ("shingle", "[1]", "must be a dict of the learner's options"),
        ("shingle", {1: 2}, "must be a dict of the learner's options"),
    ],
)
def test_wrong_options_of_a_learner(learner: str, given: object, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        config(STEMMER_LEARNER=learner, STEMMER_LEARNER_OPTIONS=given)
    assert message in str(caught.value)


def test_options_of_stripping() -> None:
    options = config(STEMMER_MIN_CONFIDENCE=0.3, STEMMER_MARKDOWN=["images"]).strip_options
    assert options == StripOptions(TEXT_ROLES, min_confidence=0.3, links=False)
    assert config(STEMMER_TEXT_ROLES="main,caption").strip_options.text_roles == {Role.MAIN, Role.CAPTION}


def test_a_spider_may_name_its_pattern_file_and_opt_out() -> None:
    class News(Spider):
        name = "news"
        stemmer_patterns = "mine/%(spider)s.jsonl"

    assert config().for_spider(News()).patterns == str(Path("mine", "news.jsonl").absolute())
    with pytest.raises(SettingError, match=r"stemmer_patterns = .*NUL"):
        config().for_spider(News(stemmer_patterns="\0"))
    assert [config().for_spider(News(stemmer_enabled=value)).enabled for value in ("0", "1")] == [False, True]


class TestWherePatternFilesAre:
    """Paths within the project, from any folder, for any spider name."""

    @pytest.fixture
    def project(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        (tmp_path / "scrapy.cfg").write_text("")
        (tmp_path / "news" / "spiders").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / "news" / "spiders")
        return tmp_path

    def of(self, template: str, spider: str = "news") -> str:
        return StemmerConfig.from_settings(Settings({"STEMMER_PATTERNS": template}), spider).patterns

    def test_a_path_is_one_in_the_project(self, project: Path) -> None:
        assert self.of("patterns/%(spider)s.jsonl") == str(project / "patterns" / "news.jsonl")

    def test_under_scrapyd_it_is_in_a_folder_of_its_own(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Scrapyd runs all projects in a folder, and two may have spiders of equal names."""
        monkeypatch.chdir(tmp_path)
        assert self.of("patterns/%(spider)s.jsonl") == str(tmp_path / "patterns" / "news.jsonl")
        monkeypatch.setenv("SCRAPY_PROJECT", "../press")
        assert self.of("patterns/%(spider)s.jsonl") == str(tmp_path / "press" / "patterns" / "news.jsonl")
        monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "tests")  # a project without a scrapy.cfg
        config = StemmerConfig.from_settings(Settings(), "news")
        assert state_folder(config) == Path("press", ".scrapy", "stemmer")

    def test_with_one_scrapyd_changes_nothing(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SCRAPY_PROJECT", "press")
        assert self.of("patterns/%(spider)s.jsonl") == str(project / "patterns" / "news.jsonl")

    def test_an_absolute_path_is_one(self, project: Path) -> None:
        assert self.of(path := str(project.parent / "p.jsonl")) == path

    @pytest.mark.parametrize(
        "uri", ["redis://host:6379/0?prefix=%(spider)s", "s3://bucket/%(spider)s", "file:///a/%(spider)s.jsonl"]
    )
    def test_a_uri_stays_as_it_is(self, uri: str, project: Path) -> None:
        assert self.of(uri) == uri.replace("%(spider)s", "news")

    @pytest.mark.parametrize(
        ("name", "file"),
        [
            ("a.b-c d", "a.b-c d.jsonl"),
            ("a/b", "a/b.jsonl"),
            ("../../etc/x", "etc/x.jsonl"),
            ("/etc/x", "etc/x.jsonl"),
            ("..\\x", "x.jsonl"),
            ("a/../../../b", "a/b.jsonl"),
            ("..", "spider.jsonl"),
            (". .", "spider.jsonl"),
        ],
    )
    def test_no_name_of_a_spider_leads_out_of_the_folder(self, name: str, file: str, project: Path) -> None:
        assert self.of("patterns/%(spider)s.jsonl", name) == str(project / "patterns" / file)


def test_settings_that_there_are_not_are_found_with_the_nearest_that_there_is() -> None:
    given = {"STEMMER_LERN": 1, "STEMMER_MIN_CONFIDENCES": 1, "STEMMER_LEARN": 1, "OTHER": 1, "STEMMER_XYZZY_PLUGH": 1}
    assert unknown_settings(Settings(given)) == {
        "STEMMER_LERN": "STEMMER_LEARN",
        "STEMMER_MIN_CONFIDENCES": "STEMMER_MIN_CONFIDENCE",
        "STEMMER_XYZZY_PLUGH": None,
    }


def test_a_crawl_warns_of_them(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    CrawlState.of(idle_crawler(STEMMER_LERN=1, STEMMER_PATTERNS=str(tmp_path / "p.jsonl")))
    assert "There is no setting STEMMER_LERN; did you mean STEMMER_LEARN?" in caplog.text


@pytest.mark.parametrize("name", ["file", "file/below", "x" * 1000])
def test_a_directory_for_state_that_cant_be_used_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingError, match=r"STEMMER_STATE_DIR = .*a directory that can be written into"):
        StemmerConfig.from_settings(Settings({"STEMMER_STATE_DIR": str(tmp_path / name)}), "x")


def test_an_address_of_patterns_that_cant_be_read_is_an_error() -> None:
    with pytest.raises(SettingError, match=r"STEMMER_PATTERNS = 'redis://.' can't be used"):
        StemmerConfig.from_settings(Settings({"STEMMER_PATTERNS": "redis://["}), "x")


def test_a_teacher_is_given_to_the_learner_or_refused() -> None:
    learner = config(STEMMER_TEACHER="os.path.join").make_learner()
    assert learner.teacher is not None
    assert learner.teacher("a", "b") == os.path.join("a", "b")  # noqa: PTH118 - any function of two texts
    assert config().make_learner().teacher is None
    with pytest.raises(SettingError, match=r"STEMMER_TEACHER is set, but STEMMER_LEARNER = 'shingle': .* 'rules' can"):
        config(STEMMER_TEACHER="os.path.join", STEMMER_LEARNER="shingle")


def test_pages_are_not_kept_in_the_pattern_file() -> None:
    with pytest.raises(SettingError, match="is the pattern file"):
        config(STEMMER_PATTERNS="patterns/news.jsonl", STEMMER_KEEP_PAGES="patterns/%(spider)s.jsonl")


@pytest.mark.parametrize("value", ["x" * 1_000_000, "[" * 100_000, '{"a": ' * 10_000, ["y" * 1_000_000], "9" * 5_000])
def test_a_very_long_or_deep_value_is_told_in_a_message_of_few_lines(value: object) -> None:
    messages = []
    for setting in SETTINGS:
        try:
            config(**{setting.name: value})
        except SettingError as error:
            messages.append(str(error))
    assert len(messages) > len(SETTINGS) / 2
    assert max(map(len, messages)) < 3_000
