"""Items of any kind: their fields, read and written alike.

itemadapter is imported with the first item that is no dictionary. It imports what it can adapt, and where pydantic is
installed that takes a tenth of a second and 11,000 objects, which Python's garbage collector looks at in all the crawl.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from itemadapter import ItemAdapter


class ItemFields:
    """The fields of one item.

    :param item: the item; what :meth:`set` writes is written into it.
    """

    __slots__ = ("_fields", "_names")

    def __init__(self, item: Any) -> None:
        self._fields: dict[str, Any] | ItemAdapter
        self._names: Collection[str] | None = None
        if type(item) is dict:
            self._fields = item
        else:
            from itemadapter import ItemAdapter

            self._fields = ItemAdapter(item)
            if not isinstance(item, dict):
                self._names = frozenset(self._fields.field_names())

    @property
    def class_name(self) -> str:
        """The name of the item's class."""
        item = self._fields if isinstance(self._fields, dict) else self._fields.item
        return type(item).__qualname__

    def can_have(self, name: str) -> bool:
        """Whether the item's class allows a field of this name; a dictionary allows all."""
        return self._names is None or name in self._names

    def get(self, name: str) -> Any:
        """A field's value; ``None`` when it isn't set."""
        return self._fields.get(name)

    def set(self, name: str, value: Any) -> None:
        """Write a field; raises what the item's class raises for a value that it refuses."""
        self._fields[name] = value

    def html(self, name: str | None) -> str | bytes | None:
        """The HTML that the item brings along in a field; ``None`` without one."""
        html = self.get(name) if name else None
        return html if html and isinstance(html, str | bytes) else None

    def url(self, name: str) -> str | None:
        """The URL that the item brings along in a field; ``None`` without one."""
        url = self.get(name)
        return url if url and isinstance(url, str) else None


def is_item(value: Any) -> bool:
    """Whether something that a spider yields is an item."""
    if type(value) is dict:
        return True
    from itemadapter import ItemAdapter

    return ItemAdapter.is_item(value)


def is_frozen(error: Exception) -> bool:
    """Whether an error in writing a field says that the item can't be changed at all."""
    if type(error).__name__ == "FrozenInstanceError":  # of dataclasses and of attrs
        return True
    found = getattr(error, "errors", None)  # of pydantic
    return callable(found) and any(each.get("type") == "frozen_instance" for each in found())


def is_item_class(found: type) -> bool:
    """Whether items are of a class."""
    from itemadapter import ItemAdapter

    return ItemAdapter.is_item_class(found)


def as_dict(item: Any) -> dict[str, Any]:
    """An item, and all items in it, as dictionaries."""
    from itemadapter import ItemAdapter

    return ItemAdapter(item).asdict()
