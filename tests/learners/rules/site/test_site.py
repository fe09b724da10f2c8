"""A site while its pages are stripped: decisions by path, and remembered facts."""

from __future__ import annotations

import gc
import random
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from scrapy_stemmer._engine import read
from scrapy_stemmer.learners.rules.site.paths import Selector, name_key
from scrapy_stemmer.learners.rules.site.rules import Rule
from scrapy_stemmer.learners.rules.site.site import Knowledge, PlacedPage, Site, path_key
from tests.learners.rules.made import component, document, learned, rule, stories, story, stripped


def key(path: str) -> int:
    """Return the key of a path such as ``div.a > p``, below the body."""
    found = path_key(component("body"), 0)
    for part in path.split(" > "):
        found = path_key(component(part), found)
    return found


def keys(*paths: str) -> frozenset[int]:
    return frozenset(map(key, paths))


def names(*found: str) -> frozenset[int]:
    return frozenset(map(name_key, found))


def place(html: str, *rules: Rule, **known: Any) -> PlacedPage:
    return Site(rules, Knowledge(pages=9, **known)).place(document(html))


HTML = "<div class='a x'><p>One</p><h2>Two</h2></div><div><p>Three</p></div>"


A, BODY = names(".a"), rule("keep body")
USERS = rule("keep .a", is_users=True)


@pytest.mark.parametrize(
    ("rules", "known", "decides", "knows"),
    [
        pytest.param([BODY], {"decided": keys("div.a > p")}, "One", "One", id="on paths that were learned as decided"),
        pytest.param([BODY], {"undecided": keys("div.a > h2")}, "", "Two", id="not on undecided ones, which are known"),
        pytest.param([rule("keep .a")], {"parts": keys("div.a"), "undecided": keys("div.a > h2")}, "One", "One Two",
            id="on new paths in elements in which all was decided alike"),
        pytest.param([rule("drop body"), USERS], {}, "One Two", "One Two", id="wherever a user's rule decides"),
        pytest.param([rule("drop h2"), USERS], {}, "One Two", "One Two",
            id="whatever was learned of a nearer element"),
        pytest.param([rule("drop h2"), rule("keep body", is_users=True)], {}, "One Three", "",
            id="but for a user's rule of the body"),
        pytest.param([], {"names": frozenset(), "decided": keys("div > p")}, "One Three", "One Three",
            id="whatever the names are that no learned page had"),
        pytest.param([BODY, rule("drop .x", is_users=True)], {}, "One Two", "One Two",
            id="by names in rules of a user, which the learner has seen on a single page"),
        pytest.param([BODY, rule("title .x > h1")], {"decided": keys("div.a > p")}, "One", "One",
            id="by what was learned, beside such names"),
    ],
)  # fmt: skip
def test_where_rules_decide(rules: list[Rule], known: dict[str, Any], decides: str, knows: str) -> None:
    placed = place(HTML, *rules, **{"names": A, **known})
    found = placed.columns
    paths = {text: placed.paths[element] for text, element in zip(found.texts, found.elements, strict=True)}
    assert {text for text, path in paths.items() if placed.site.of_path[path].is_decided} == set(decides.split())
    assert {text for text, path in paths.items() if placed.site.is_known(path)} == set(knows.split())


class TestMemory:
    def test_paths_and_elements_are_remembered_from_page_to_page(self) -> None:
        made = Site([rule("keep body")], Knowledge(pages=1))
        assert made.place(document(HTML)).paths == made.place(document(HTML)).paths
        assert len(made.paths) == len(set(made.place(document(HTML)).paths))

    def test_a_page_that_was_labelled_keeps_its_paths_when_the_site_forgets(self) -> None:
        found = learned(stories())
        first = stripped(found, story("ferry"))
        found.forget()
        assert found.remembered_bytes == 0
        again = stripped(found, story("ferry"))
        assert (first.blocks, first.html, first.kind) == (again.blocks, again.html, again.kind)

    def test_threads_read_one_after_the_other(self) -> None:
        made = Site([rule("keep body")], Knowledge(pages=1, names=names(*(f".n{n}" for n in range(40)))))

        def texts(number: int) -> tuple[int, int]:
            placed = made.place(document(f"<div class=n{number % 40}><p>Text</p></div>"))
            return len(placed.paths), made.of_path[placed.paths[-1]].rule

        with ThreadPoolExecutor(4) as pool:
            assert set(pool.map(texts, range(200))) == {(3, 0)}

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "html",
        [
            pytest.param("<div class='card_{0:08x}{1:04x} box'><p class=t{1:x}>word</p></div>", id="hashed names"),
            pytest.param("<div class=n{1}><section class=n{2}><p class=n{3}>word</p></section></div>", id="new paths"),
            pytest.param("<div class='{0:0150x} {1:0150x}'><p>word</p></div>", id="long names"),
        ],
    )
    def test_what_is_remembered_is_about_as_much_as_is_said(self, html: str) -> None:
        made = Site([rule("keep body")], Knowledge(pages=1, names=names(*(f".n{n}" for n in range(30)))))
        numbers = random.Random(7)
        pages = [
            document(
                "".join(html.format(numbers.getrandbits(32), *numbers.choices(range(30), k=3)) for _ in range(200))
            )
            for _ in range(20)
        ]
        made.place(pages[0])
        before = made.remembered_bytes
        gc.collect()
        tracemalloc.start()
        for page in pages[1:]:
            made.place(page).site.path_features()
        read.signature_of.cache_clear()  # recent elements of all sites
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert 0.9 <= (made.remembered_bytes - before) / taken <= 2

    def test_what_nobody_writes_is_not_remembered(self) -> None:
        made = Site([rule("keep body")], Knowledge(pages=1))
        made.place(document("".join(f"<p id='{number:01200}' class='{'x' * 5000} a'>Text" for number in range(100))))
        assert list(made.place(document("<p>Text")).site.signatures)[1:] == [
            ("p", "", "a", "", False),
            ("p", "", "", "", False),
        ]


def test_a_user_s_rule_is_as_sure_as_can_be() -> None:
    users, learned = rule("keep p", is_users=True), Rule("keep", Selector.parse("p"), sure=0.6)
    odds = Site([users, learned], Knowledge(pages=1)).rule_odds
    assert odds[0] > odds[1]


def test_the_key_of_a_path_says_all_of_it() -> None:
    different = [component("p"), component("p.a"), component("p.b"), component("div"), component("p#a")]
    different += [component("p")._replace(role="main"), component("p")._replace(hidden=True)]
    found = [path_key(one, above) for one in different for above in (0, 1)]
    assert len(set(found)) == len(found)
