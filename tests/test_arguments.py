"""Wrong types of arguments: every public function names the argument at the call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer import BlockOptions, Document, Page, PatternSet, Role, StripOptions, get_learner, learn, strip
from scrapy_stemmer.learners.rules.learner import RulesLearner
from scrapy_stemmer.outputs import article_of, markdown_of
from tests.crawl.website import Article

PAGES = [Page(f"http://a.example/{number}", Article(number).html()) for number in range(4)]
KNOWN = learn(PAGES)


def defaults(options: type[Any]) -> dict[str, object]:
    """Return the default of each option."""
    return {each.name: each.default for each in fields(options)}


CALLS: Mapping[str, tuple[Callable[..., object], Mapping[str, object]]] = {
    "learn": (
        learn,
        {"pages": PAGES, "learner": "rules", "seed": 0, "corrections": None, "teacher": None, "teacher_pages": 3,
         "options": None, "default_charset": "", "min_sample": 1},
    ),
    "strip": (strip, {"page": PAGES[0], "options": None, "default_charset": "", "scorer": None}),
    "Page": (Page, {"url": "http://a.example/", "html": "", "anchors": (), "charset": None, "fetched": None}),
    "Document": (Document, {"page": PAGES[0], "default_charset": "utf-8"}),
    "StripOptions": (StripOptions, defaults(StripOptions)),
    "BlockOptions": (BlockOptions, defaults(BlockOptions)),
    "RulesLearner": (RulesLearner, {"default_charset": ""}),
    "get_learner": (get_learner, {"name": "rules"}),
    "PatternSet": (PatternSet, {"patterns": KNOWN.patterns}),
    "PatternSet.strip": (KNOWN.strip, {"page": PAGES[0], "options": None, "default_charset": "utf-8"}),
    "PatternSet.of_site": (KNOWN.of_site, {"site": "a.example"}),
    "PatternSet.replace": (lambda others: KNOWN.replace(others), {"others": KNOWN}),
    "PatternSet.without": (KNOWN.without, {"sites": ["a.example"]}),
    "PatternSet.corrected_by": (KNOWN.corrected_by, {"earlier": KNOWN.patterns}),
    "PatternSet.save": (KNOWN.save, {"uri": "x.jsonl"}),
    "PatternSet.merge_into": (KNOWN.merge_into, {"uri": "y.jsonl"}),
    "PatternSet.load": (PatternSet.load, {"uri": "x.jsonl", "strict": False}),
    "markdown_of": (markdown_of, {"html": "<p>x", "url": None, "links": True, "images": True}),
    "article_of": (article_of, {"page": PAGES[0], "stripped": strip(PAGES[0])}),
    "Stripped.read_fields": (strip(PAGES[0]).read_fields, {"names": ["authors"]}),
}  # fmt: skip
WRONG: tuple[object, ...] = (1.5j, [1], {1: 2}, object(), PAGES)
CASES = [(name, argument) for name, (_, good) in CALLS.items() for argument in good]


@pytest.mark.parametrize(("name", "argument"), CASES)
def test_a_wrong_type_is_named(name: str, argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call, good = CALLS[name]
    KNOWN.save("x.jsonl")
    call(**good)
    for wrong in (*WRONG, 0) if argument == "default_charset" else WRONG:
        if argument == "pages" and wrong is PAGES:
            continue
        with pytest.raises(TypeError, match=rf"(?i){'URL' if argument == 'url' else argument}"):
            call(**{**good, argument: wrong})


@pytest.mark.parametrize("roles", [["main"], ("main",), {Role.MAIN}])
def test_roles_may_be_given_as_any_collection(roles: Any) -> None:
    page = PAGES[0]
    assert StripOptions(text_roles=roles) == StripOptions(text_roles=frozenset({Role.MAIN}))
    assert KNOWN.strip(page, StripOptions(text_roles=roles)).text


@pytest.mark.parametrize("name", ["klingon", "rot13", "\0", "\ud800"])
@pytest.mark.parametrize("call", [strip, KNOWN.strip, Document])
def test_an_unknown_charset_is_named(call: Callable[..., object], name: str) -> None:
    with pytest.raises(ValueError, match="default_charset must be the name of a charset"):
        call(PAGES[0], default_charset=name)


@pytest.mark.parametrize(
    ("call", "argument", "value"),
    [
        (StripOptions, "text_roles", ["main", "body"]),
        (partial(learn, PAGES), "teacher_pages", -1),
        (partial(learn, PAGES), "min_sample", -1),
    ],
)
def test_a_wrong_value_is_named(call: Callable[..., object], argument: str, value: object) -> None:
    with pytest.raises(ValueError, match=argument):
        call(**{argument: value})
