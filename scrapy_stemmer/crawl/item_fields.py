"""The fields of items of any kind: which of them are for what is found, worked out once for each class of items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from itemadapter import ItemAdapter

from scrapy_stemmer.settings import ARTICLE_FIELDS, CONTENTS, FLAGS, PAGE_FIELDS


class ItemFields(ItemAdapter):
    """The fields of one item, as a mapping into which can be written."""

    def can_have(self, name: str) -> bool:
        """Whether the item's class allows a field of this name; a dictionary allows all."""
        return isinstance(self.item, dict) or name in self.field_names()

    def targets(self, names: Iterable[str], named: Mapping[str, str]) -> dict[str, str]:
        """Return the fields for some results that the item may have, by result.

        :param named: the fields of the results that are to be written, see STEMMER_FIELDS; an item of zyte-common-items
            has fields for others too.
        """
        targets = {}
        for name in names:
            target, meant = named.get(name), ARTICLE_FIELDS.get(name)
            if (target is None and self.is_of_zyte) or (target and not self.can_have(target)):
                target = meant
            if target and self.can_have(target):
                targets[name] = target
        return targets

    @property
    def is_of_zyte(self) -> bool:
        """Whether the item is one of zyte-common-items, which has classes of its own for authors and images."""
        return any(cls.__module__.partition(".")[0] == "zyte_common_items" for cls in type(self.item).__mro__)


def is_unset(value: Any) -> bool:
    """Tell whether a field is without a value of the spider's: nothing, or an empty text."""
    return value is None or (isinstance(value, str) and not value)


def is_frozen(error: Exception) -> bool:
    """Whether an error in writing a field says that the item can't be changed at all."""
    if type(error).__name__ == "FrozenInstanceError":  # of dataclasses and of attrs
        return True
    causes = getattr(error, "errors", None)  # of pydantic
    return callable(causes) and any(cause.get("type") == "frozen_instance" for cause in causes())


Targets = Mapping[str, str]  # results, each with the field that it is written into


class Plan(NamedTuple):
    """What is written into items of one class.

    :param has_place: tells whether they have a field for a content, if any is to be written at all.
    """

    contents: Targets
    flags: Targets
    page_fields: Targets
    has_place: bool
    is_of_zyte: bool

    @property
    def is_of_page(self) -> bool:
        """Tell whether they have anything of their page."""
        return bool(self.contents or self.page_fields)


class Plans:
    """The plans of the classes of a crawl's items.

    :param named: the fields of the results that are to be written, see STEMMER_FIELDS.
    """

    def __init__(self, named: Targets) -> None:
        self._named = named
        self._plans: dict[tuple[type, int], Plan] = {}

    def of(self, fields: ItemFields) -> Plan:
        """Return the plan for an item."""
        item = fields.item
        # Spiders may add fields to a class of Scrapy's meanwhile.
        key = (type(item), 0 if isinstance(item, dict) else len(fields.field_names()))
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._made(fields)
        return plan

    def _made(self, fields: ItemFields) -> Plan:
        contents, flags, page_fields = (fields.targets(names, self._named) for names in (CONTENTS, FLAGS, PAGE_FIELDS))
        has_place = bool(contents) or not any(map(self._named.get, CONTENTS))
        return Plan(contents, flags, page_fields, has_place, fields.is_of_zyte)
