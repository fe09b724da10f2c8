"""The spool: what is kept of pages, links and items, and what is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer import Page, StemmerError
from scrapy_stemmer.crawl.spool import HeldItem, Spool, SpooledText, compressed, expanded, left_items

SITE = "example.com"


@pytest.fixture(params=[True, False], ids=["lasting", "temporary"])
def spool(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Spool]:
    spool = Spool(tmp_path / "made" / "spool.sqlite", lasting=request.param)
    yield spool
    spool.close(remove=True)
    assert list((tmp_path / "made").iterdir()) == []


def add(spool: Spool, url: str, text: str, site: str = SITE) -> int:
    return spool.add_page(site, url, url, text)


def sizes(spool: Spool) -> dict[str, int]:
    """The number of sampled pages of each site."""
    return {site: len(looks) for site, looks in spool.sampled().items()}


def first_held(spool: Spool, site: str = SITE) -> HeldItem | None:
    """The item of a site that waits longest."""
    return next((spool.held(item) for of_site, item in spool.held_ids() if of_site == site), None)


def test_pages_of_the_same_content_or_url_count_once_a_site(spool: Spool) -> None:
    assert spool.take_into_sample(add(spool, "/1", "one"))
    assert not spool.take_into_sample(add(spool, "/1", "one"))
    assert not spool.take_into_sample(add(spool, "/2", "one"))
    assert not spool.take_into_sample(add(spool, "/1", "another time"))
    assert spool.take_into_sample(add(spool, "/1", "one", site="other.com"))
    assert sizes(spool) == {SITE: 1, "other.com": 1}


def test_a_sample_comes_with_the_links_to_each_page_and_to_what_led_to_it(spool: Spool) -> None:
    spool.add_anchors(SITE, [("/1", "First"), ("/1", "First"), ("/2", "Second")])
    spool.add_anchors(SITE, [("/old", "Before"), ("/1", "First")])
    spool.add_anchors("other.com", [("/1", "Not this")])
    spool.take_into_sample(spool.add_page(SITE, "/1#full", "/1", "one", aliases=["/old"]))
    [page] = spool.sample(SITE)
    assert (page.url, page.html) == ("/1#full", "one")
    assert page.anchors == ("First", "First", "First", "Before")


def test_items_come_back_in_order_with_their_page(spool: Spool) -> None:
    page = add(spool, "/1", "one")
    for number in range(3):
        spool.hold(SITE, "/1", page, f"item {number}")
    spool.hold("other.com", "/x", None, "own html")
    assert [site for site, _ in spool.held_ids()] == [*[SITE] * 3, "other.com"]
    for number in range(3):
        held = first_held(spool)
        assert held is not None
        assert held.body is not None
        assert (held.item, expanded(held.body)) == (f"item {number}", "one")
        spool.release(held.id)
    assert first_held(spool) is None
    held = first_held(spool, "other.com")
    assert held is not None
    assert held.body is None


def test_a_page_goes_with_its_last_item_unless_it_is_in_the_sample(spool: Spool) -> None:
    in_sample, other = add(spool, "/1", "one"), add(spool, "/2", "two")
    spool.take_into_sample(in_sample)
    for page in (in_sample, other, other):
        spool.hold(SITE, "/", page, "item")
    for _ in range(3):
        held = first_held(spool)
        assert held is not None
        spool.release(held.id)
    assert add(spool, "/1", "one") == in_sample
    assert sizes(spool) == {SITE: 1}
    assert spool._number("SELECT count(*) FROM pages") == 1


def test_forgetting_a_sample_leaves_the_pages_of_items(spool: Spool) -> None:
    for path in ("/1", "/2"):
        spool.take_into_sample(add(spool, path, path))
    spool.hold(SITE, "/2", add(spool, "/2", "/2"), "item")
    spool.add_anchors(SITE, [("/1", "x")])
    spool.forget_sample(SITE)
    assert list(spool.sample(SITE)) == []
    held = first_held(spool)
    assert held is not None
    assert held.body is not None
    assert spool._number("SELECT count(*) FROM anchors") == 0


def test_all_of_it_is_there_when_the_crawl_is_resumed_but_for_items_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "spool.sqlite"
    first = Spool(path)
    page = add(first, "/1", "one")
    first.take_into_sample(page)
    first.hold(SITE, "/1", page, "item")
    first.hold(SITE, "/1", page, None)
    assert [first.held(item).item for _, item in first.held_ids()] == ["item", None]
    first.finish("done.com")
    # Not closed: as when the process is killed.
    second = Spool(path)
    assert [site for site, _ in second.held_ids()] == [SITE]
    assert sizes(second) == {SITE: 1}
    assert second.finished() == {"done.com"}
    second.close(remove=False)
    first.close(remove=True)


@pytest.mark.parametrize("content", [b"not a database" * 50, b"\x00" * 4096])
def test_a_file_that_is_no_spool_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "spool.sqlite"
    path.write_bytes(content)
    with pytest.raises(StemmerError, match=r"spool\.sqlite"):
        Spool(path)
    assert path.read_bytes() == content


def test_where_no_file_can_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(StemmerError, match="can't be used to go on with the crawl"):
        Spool(tmp_path)


def test_a_spool_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spool.sqlite"
    spool = Spool(path)
    spool._db.execute("PRAGMA user_version = 99")
    spool.close(remove=False)
    with pytest.raises(StemmerError, match="version 99"):
        Spool(path)


def test_a_spool_of_the_version_before_is_gone_on_with(tmp_path: Path) -> None:
    """Its items have no request, and its pages no look."""
    path = tmp_path / "spool.sqlite"
    spool = Spool(path)
    page = add(spool, "/1", "one")
    spool.take_into_sample(page)
    spool.hold(SITE, "/1", page, "item", "request")
    for change in ("items DROP COLUMN request", "pages DROP COLUMN look"):
        spool._db.execute(f"ALTER TABLE {change}")
    spool._db.execute("PRAGMA user_version = 1")
    spool.close(remove=False)
    assert [item.item for item in left_items(path) or []] == ["item"]
    for _ in range(2):
        spool = Spool(path)
        ((_, number),) = spool.held_ids()
        assert (spool.held(number).item, spool.held(number).request) == ("item", "")
        assert spool.sampled() == {SITE: [("", False)]}
        spool.close(remove=False)


def test_items_have_what_is_kept_of_the_request_of_their_page(spool: Spool) -> None:
    numbers = [spool.hold(SITE, "/1", None, "item", request) for request in ("one", "two")]
    assert [spool.held(number).request for number in numbers] == ["one", "two"]
    for number in numbers:
        spool.release(number)


def test_spare_pages_make_room_the_last_first(spool: Spool) -> None:
    for number in range(4):
        spool.take_into_sample(add(spool, f"/{number}", str(number)), f"look {number}", is_spare=number % 2 == 1)
    spool.hold(SITE, "/3", add(spool, "/3", "3"), "item")
    assert spool.sampled() == {SITE: [(f"look {number}", number % 2 == 1) for number in range(4)]}
    assert [spool.drop_spare(SITE) for _ in range(3)] == [True, True, False]
    assert [page.url for page in spool.sample(SITE)] == ["/0", "/2"]
    held = first_held(spool)
    assert held is not None
    assert held.body is not None
    assert expanded(held.body) == "3", "an item waits for it"
    spool.release(held.id)


def test_what_fails_in_between_is_undone_and_nothing_else(spool: Spool) -> None:
    def links() -> Iterator[tuple[str, str]]:
        yield "/1", "First"
        raise RuntimeError("oh")

    spool.take_into_sample(add(spool, "/1", "one"))
    spool.add_anchors(SITE, [("/1", "Before")])
    with pytest.raises(RuntimeError, match="oh"):
        spool.add_anchors(SITE, links())
    [page] = spool.sample(SITE)
    assert page.anchors == ("Before",)


@pytest.mark.parametrize("lasting", [True, False])
def test_pages_are_on_disk_when_there_are_many(tmp_path: Path, lasting: bool) -> None:
    spool, random = Spool(tmp_path / "spool.sqlite", lasting=lasting), Random(0)
    for number in range(20):
        add(spool, f"/{number}", random.randbytes(500_000).hex())
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) > 10_000_000
    spool.close(remove=True)
    assert not list(tmp_path.iterdir())


@given(st.text(st.characters()))
def test_pages_in_the_spool_come_back(text: str) -> None:
    assert expanded(compressed(text)) == text
    # As earlier versions have written some.
    assert expanded(b"\0" + text.encode("utf-8", "surrogatepass")) == text


def test_a_spooled_text_is_a_page_that_expands_its_html_each_time() -> None:
    page = Page("http://example.com/a", "<p>x\ud800", ("a link",))
    packed = SpooledText("http://example.com/a", compressed("<p>x\ud800"), ("a link",))
    assert (packed.url, packed.html, packed.anchors, packed.charset) == (page.url, page.html, page.anchors, None)
    assert packed.html is not packed.html
    assert packed == SpooledText("http://example.com/a", "<p>x\ud800", ("a link",))
    assert replace(packed, url="http://other.com/").html == page.html
