"""The contract of every learner; see ``test_contract.py`` for adding a learner."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from lxml import etree

from scrapy_stemmer import Page, PatternSet, Stripped, strip
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.patterns import codec
from tests.samplesite import SITE, article, page, paragraphs, sample

DEEP = "<div>" * 20_000 + "deep" + "</div>" * 20_000

ODD_PAGES = {
    "empty": b"",
    "white space": b" \n ",
    "truncated": article(1).encode()[:300],
    "wrong charset": '<meta charset="utf-16"><p>wrong charset'.encode("cp1252"),
    "NUL": article(2).replace("storm", "st\x00orm").encode(),
    "20,000 nested elements": f"<html><title>deep</title><body>{DEEP}</body></html>".encode(),
    "binary": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4,
    "frameset": b"<html><frameset cols=50%,*><frame src=a><frame src=b></frameset></html>",
    "no body": b"<html><head><title>no body</title></head></html>",
    "200 kB in one text node": b"<p>" + b"word " * 40_000,
}
"""Pages that servers have sent as text/html."""


def strip_all(patterns: PatternSet, pages: Sequence[Page]) -> list[Stripped]:
    """Return each page stripped by its best pattern."""
    return [patterns.strip(page) for page in pages]


def learned(learner: Learner, pages: Sequence[Page]) -> PatternSet:
    return PatternSet(learner.learn(pages))


def with_namespaces(page: Page) -> Page:
    """Return a page as a tree with names in the namespace of XHTML."""
    root = parse(str(page.html))
    for element in root.iter():
        element.tag = f"{{http://www.w3.org/1999/xhtml}}{element.tag}"
    return replace(page, html=root)


def without_body(page: Page) -> Page:
    """A page with ``main`` where the body begins."""
    html = str(page.html).replace("</head>", "").replace("<body>", "<main>").replace("</body>", "</main>")
    return replace(page, html=html)


class LearnerContract(ABC):
    """Give the learner as a fixture."""

    @abstractmethod
    def learner(self) -> Learner: ...

    def test_it_learns_what_to_keep_and_what_to_drop(self, learner: Learner) -> None:
        patterns = learned(learner, sample())
        unseen = page(20)
        stripped = patterns.strip(unseen)
        assert stripped.matched
        assert all(paragraph in stripped.text for paragraph in paragraphs(20))
        assert "Sport today" not in stripped.text
        assert "Copyright" not in stripped.text

    def test_patterns_say_where_they_are_from(self, learner: Learner) -> None:
        patterns = learner.learn(sample())
        assert {pattern.site for pattern in patterns} == {SITE}
        assert len({pattern.name for pattern in patterns}) == len(patterns) > 0
        assert all(0 < pattern.support <= len(sample()) for pattern in patterns)
        assert all(pattern.learned is None for pattern in patterns)

    def test_trees_are_not_changed(self, learner: Learner) -> None:
        pages = [replace(page, html=parse(str(page.html))) for page in sample(4)]
        roots = [page.html for page in pages if isinstance(page.html, etree._Element)]
        before = [etree.tostring(root) for root in roots]
        strip_all(learned(learner, pages), pages)
        assert [etree.tostring(root) for root in roots] == before
        assert len(roots) == 4

    @pytest.mark.parametrize("with_patterns_of_its_own", [False, True])
    def test_a_tree_with_namespaces_is_stripped_as_any_other(
        self, learner: Learner, with_patterns_of_its_own: bool
    ) -> None:
        learned_from = [with_namespaces(page) for page in sample()] if with_patterns_of_its_own else sample()
        patterns = learned(learner, learned_from)
        usual, other = patterns.strip(page(20)), patterns.strip(with_namespaces(page(20)))
        assert other.matched
        assert (other.text, other.title, other.html) == (usual.text, usual.title, usual.html)

    def test_pages_without_a_body_tag_are_stripped_as_any_other(self, learner: Learner) -> None:
        """libxml2 leaves ``main`` and the like in the head then."""
        patterns = learned(learner, [without_body(page) for page in sample()])
        stripped = patterns.strip(without_body(page(20)))
        assert stripped.matched
        assert all(paragraph in stripped.text for paragraph in paragraphs(20))
        assert "Sport today" not in stripped.text

    def test_bytes_text_and_trees_are_one(self, learner: Learner) -> None:
        pages = sample(4)
        as_bytes = [replace(page, html=str(page.html).encode()) for page in pages]
        as_trees = [replace(page, html=parse(str(page.html))) for page in pages]
        first, *others = [codec.dumps(learner.learn(form)) for form in (pages, as_bytes, as_trees)]
        assert others == [first, first]

    def test_the_same_twice(self, learner: Learner) -> None:
        for seed in (0, 3):
            first, second = (codec.dumps(learner.learn(sample(), seed=seed)) for _ in range(2))
            assert first == second

    def test_the_order_of_pages_does_not_matter(self, learner: Learner) -> None:
        pages = [*sample(), Page(f"https://{SITE}/odd", "<p>an odd one"), page(3)]
        expected = codec.dumps(learner.learn(pages))
        for shuffle in range(4):
            shuffled = pages.copy()
            Random(shuffle).shuffle(shuffled)
            assert codec.dumps(learner.learn(shuffled)) == expected

    @pytest.mark.parametrize("count", [0, 1])
    def test_too_few_pages_are_no_error(self, learner: Learner, count: int) -> None:
        pages = sample(count)
        for stripped in strip_all(learned(learner, pages), pages):
            assert_in_order(stripped)

    def test_identical_pages(self, learner: Learner) -> None:
        """Pages served under several addresses, or repeatedly."""
        pages = [*sample(1) * 3, *(Page(f"https://{SITE}/copy/{n}", article(0)) for n in range(3))]
        for stripped in strip_all(learned(learner, pages), pages):
            assert_in_order(stripped)

    def test_odd_pages_in_the_sample_do_no_harm(self, learner: Learner) -> None:
        for name, html in ODD_PAGES.items():
            odd = Page(f"https://{SITE}/odd.html", html)
            patterns = learned(learner, [*sample(), odd])
            assert paragraphs(20)[0] in patterns.strip(page(20)).text, name
            for stripped in strip_all(patterns, [odd]):
                assert_in_order(stripped)
                assert stripped.pattern is not None or stripped == strip(odd), name

    def test_a_sample_of_odd_pages_only(self, learner: Learner) -> None:
        for html in ODD_PAGES.values():
            pages = [Page(f"https://{SITE}/{number}", html) for number in range(3)]
            for stripped in strip_all(learned(learner, pages), pages):
                assert_in_order(stripped)

    def test_saved_and_loaded_patterns_label_alike(self, learner: Learner) -> None:
        patterns = learned(learner, sample())
        loaded = PatternSet(codec.loads(codec.dumps(patterns.patterns)))
        assert codec.dumps(loaded.patterns) == codec.dumps(patterns.patterns)
        pages = [page(number) for number in range(12)]
        assert strip_all(loaded, pages) == strip_all(patterns, pages)

    def test_every_block_has_a_role_and_a_noise_confidence(self, learner: Learner) -> None:
        stripped = strip_all(learned(learner, sample()), [page(number) for number in range(12)])
        assert any(page.blocks for page in stripped)
        for page_ in stripped:
            assert_in_order(page_)


def assert_in_order(stripped: Stripped) -> None:
    assert 0.0 <= stripped.similarity <= 1.0
    assert all(0.0 <= block.noise_confidence <= 1.0 for block in stripped.blocks)
    assert stripped.pattern is not None or not stripped.matched
    assert (stripped.reason is None) == bool(stripped.text)
    assert stripped.pattern is not None or stripped.similarity == 0.0
