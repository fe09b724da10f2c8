"""Items of any kind, and dictionaries without a look at what other kinds there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from scrapy import Field, Item

from scrapy_stemmer.crawl.items import ItemFields, as_dict, is_item, is_item_class
from tests.processes import printed


class Declared(Item):
    """An item of Scrapy's."""

    title = Field()


@dataclass
class Data:
    """An item that is a data class."""

    title: str = ""


class Other(dict[str, Any]):
    """A dictionary of a class of its own."""


@pytest.mark.parametrize("item", [{}, Other(), Declared(), Data()])
def test_items(item: Any) -> None:
    assert is_item(item)
    assert is_item_class(type(item))
    fields = ItemFields(item)
    fields.set("title", "A")
    assert (fields.get("title"), fields.get("other")) == ("A", None)
    assert as_dict(item) == {"title": "A"}
    assert fields.can_have("title")
    assert fields.can_have("other") is isinstance(item, dict)
    assert fields.class_name == type(item).__qualname__


@pytest.mark.parametrize(("value", "html"), [("<p>", "<p>"), (b"<p>", b"<p>"), ("", None), (b"", None), (1, None)])
def test_html_that_an_item_brings_along_is_text_or_bytes(value: Any, html: str | bytes | None) -> None:
    assert ItemFields({"body": value}).html("body") == html
    assert ItemFields({"body": value}).html(None) is None


def test_an_address_that_an_item_brings_along_is_text() -> None:
    fields = ItemFields({"url": "http://a.com/", "other": b"http://a.com/", "empty": ""})
    assert [fields.url(name) for name in ("url", "other", "empty", "none")] == ["http://a.com/", None, None, None]


@pytest.mark.parametrize("value", [None, "text", 1, [], object()])
def test_what_is_none(value: object) -> None:
    assert not is_item(value)


def test_dictionaries_do_without_itemadapter() -> None:
    """It imports all kinds of items that are installed, such as pydantic's."""
    program = (
        "import sys\n"
        "from scrapy_stemmer.crawl import addon, items, learning_session, pipeline, spidermiddleware\n"
        "fields = items.ItemFields({'a': 1})\n"
        "assert items.is_item({}) and fields.get('a') == 1 and fields.can_have('b')\n"
        "print('itemadapter' in sys.modules)\n"
    )
    assert printed(program).split() == ["False"]
