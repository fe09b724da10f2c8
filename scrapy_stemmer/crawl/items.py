"""Items of any kind.

itemadapter is imported with the first item that is no dictionary. It imports what it can adapt, and where pydantic is
installed that takes a tenth of a second and 11,000 objects, which Python's garbage collector looks at in all the crawl.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from itemadapter import ItemAdapter


def is_item(value: Any) -> bool:
    """Whether something that a spider yields is an item."""
    if type(value) is dict:
        return True
    from itemadapter import ItemAdapter

    return ItemAdapter.is_item(value)


def is_item_class(found: type) -> bool:
    """Whether items are of a class."""
    from itemadapter import ItemAdapter

    return ItemAdapter.is_item_class(found)


def fields_of(item: Any) -> dict[str, Any] | ItemAdapter:
    """The fields of an item, to read and to write them."""
    if type(item) is dict:
        return item
    from itemadapter import ItemAdapter

    return ItemAdapter(item)


def has_room(fields: dict[str, Any] | ItemAdapter, name: str) -> bool:
    """Whether an item can have a field.

    :param fields: its own, see :func:`fields_of`.
    """
    return isinstance(fields, dict) or isinstance(fields.item, dict) or name in fields.field_names()


def as_dict(item: Any) -> dict[str, Any]:
    """An item, and all items in it, as dictionaries."""
    from itemadapter import ItemAdapter

    return ItemAdapter(item).asdict()
