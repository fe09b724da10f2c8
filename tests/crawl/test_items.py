"""Items of any kind, and dictionaries without a look at what other kinds there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from scrapy import Field, Item

from scrapy_stemmer.crawl.items import as_dict, fields_of, has_room, is_item, is_item_class
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
    fields_of(item)["title"] = "A"
    assert fields_of(item).get("title") == "A"
    assert as_dict(item) == {"title": "A"}
    assert has_room(fields_of(item), "title")
    assert has_room(fields_of(item), "other") is isinstance(item, dict)


@pytest.mark.parametrize("value", [None, "text", 1, [], object()])
def test_what_is_none(value: object) -> None:
    assert not is_item(value)


def test_dictionaries_do_without_itemadapter() -> None:
    """It imports all kinds of items that are installed, such as pydantic's."""
    program = (
        "import sys\n"
        "from scrapy_stemmer.crawl import addon, collector, desk, items, pipeline, rescue, spidermiddleware\n"
        "assert items.is_item({}) and items.fields_of({'a': 1})['a'] == 1 and items.has_room({}, 'a')\n"
        "print('itemadapter' in sys.modules)\n"
    )
    assert printed(program).split() == ["False"]
