"""Items of any kind: their fields, read and written alike; the page of each; and the results for it."""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from scrapy.http import HtmlResponse, Response, TextResponse

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, decode, site_of
from scrapy_stemmer.crawl.responses import Skip, declared_charset
from scrapy_stemmer.crawl.spool import digest_of, expanded
from scrapy_stemmer.patternset import gc_paused

if TYPE_CHECKING:
    from itemadapter import ItemAdapter
    from lxml import etree

    from scrapy_stemmer.patternset import Stripped


# The fields of an item


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


# The page of an item, and its results

FLAGS = ("matched", "pattern", "similarity", "kind", "confidence")
"""Results that are always written."""

CONTENTS = ("title", "text", "sub_text", "html")
"""Results that are written for pages that match, and don't replace what the spider has found."""


@dataclass(frozen=True, slots=True)
class FallbackPage(Page):
    """A page as STEMMER_FALLBACK gets it: :attr:`url`, the text of its HTML in :attr:`html`, and a response.

    :param response: the page's response. That of an item which has waited, or which brings its HTML along, is made of
        URL and HTML, without status, headers and request.
    """

    response: TextResponse | None = None


class ItemPage(ABC):
    """The page of one or more items.

    :param url: the page's URL.
    :param skip: the reason why the page is not stripped; ``None`` when it is.
    :ivar is_watched: whether the watch over layouts has seen the page.
    :ivar is_unusual: whether the page is unlike those that its site was learned from; ``None`` until it is known.
    """

    def __init__(self, url: str, skip: Skip | None = None) -> None:
        self.url = url
        self.site = site_of(url)
        self.skip = skip
        self.is_watched = False
        self.is_unusual: bool | None = None
        self._results: tuple[object, PageResults] | None = None

    @abstractmethod
    def page(self) -> Page:
        """The page as it is stripped."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The page's HTML."""

    def for_fallback(self) -> FallbackPage:
        """The page as a fallback gets it."""
        text = self.text
        return FallbackPage(self.url, text, response=HtmlResponse(self.url, body=text, encoding="utf-8"))

    def results(self, patterns: Sequence[object]) -> PageResults:
        """The results for the page, the same for all its items; others when the patterns are others."""
        if self._results is None or self._results[0] is not patterns:
            self._results = (patterns, PageResults())
        return self._results[1]


class ResponsePage(ItemPage):
    """The page in a response. The response is not kept alive: Scrapy does that until its items are through.

    :param response: the response.
    :param skip: see :class:`ItemPage`.
    :param default_charset: for responses that declare no charset; ``None`` leaves that to Scrapy.
    """

    def __init__(self, response: Response, skip: Skip | None, default_charset: str | None = None) -> None:
        super().__init__(response.url, skip)
        self.sampled_as: int | None = None
        """Its id in the spool, if it is in the sample of its site just as it is."""
        self._response = weakref.ref(response)
        self._default_charset = default_charset

    @property
    def response(self) -> TextResponse:
        """The response.

        :raises RuntimeError: when it is gone.
        """
        response = self._response()
        if not isinstance(response, TextResponse):
            raise RuntimeError(f"The response of {self.url} is gone before its item was stripped.")
        return response

    @property
    def own_charset(self) -> str | None:
        """The charset of STEMMER_DEFAULT_CHARSET when it decides here."""
        undeclared = self._default_charset and not declared_charset(self.response)
        return self._default_charset if undeclared else None

    @property
    def text(self) -> str:
        """The page's text, as the spider sees it unless STEMMER_DEFAULT_CHARSET decides."""
        charset = self.own_charset
        return self.response.body.decode(charset, "replace") if charset else self.response.text

    def for_fallback(self) -> FallbackPage:
        """The page as a fallback gets it, with its own response."""
        return FallbackPage(self.url, self.text, response=self.response)

    @cached_property
    def digest(self) -> bytes:
        """A hash of its content."""
        return digest_of(self.response.body)

    def page(self) -> Page:
        """The page, with the tree that Scrapy has parsed."""
        return Page(self.url, self.text if self.own_charset else self.response.selector.root)


class SpooledPage(ItemPage):
    """A page in the spool, kept as it is there until it is needed.

    :param url: its URL.
    :param body: its text as the spool has it.
    :param root: the tree of just that, where there is one.
    """

    def __init__(self, url: str, body: bytes, root: etree._Element | None = None) -> None:
        super().__init__(url)
        self._body = body
        self._root = root

    @property
    def text(self) -> str:
        """The page's HTML."""
        return expanded(self._body)

    def page(self) -> Page:
        """The page."""
        return Page(self.url, expanded(self._body) if self._root is None else self._root)


class OwnPage(ItemPage):
    """The page that an item brings along in STEMMER_HTML_FIELD.

    :param html: the value of that field; left empty until the item is in the pipeline.
    """

    def __init__(self, url: str, html: str | bytes = "", skip: Skip | None = None) -> None:
        super().__init__(url, skip)
        self._html = html

    @property
    def text(self) -> str:
        """The page's HTML."""
        return decode(self._html, None, DEFAULT_CHARSET) if isinstance(self._html, bytes) else self._html

    def page(self) -> Page:
        """The page."""
        return Page(self.url, self._html)


class PageResults:
    """The results for a page, which serve all its items.

    Only those are made that are asked for. The page's blocks, from which they are made, are not kept.
    """

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def read(self, strip: Callable[[], Stripped], contents: Iterable[str], least: float) -> Mapping[str, Any]:
        """The flags of a page, and of a page that matches its text too; others made before may be there as well.

        :param strip: strips the page; called if something is missing.
        :param contents: which contents are wanted of a page that is sure.
        :param least: the confidence from which on it is.
        """
        if not self._values or any(name not in self._values for name in _wanted(self._values, contents, least)):
            with gc_paused():
                stripped = strip()
                values: dict[str, Any] = {}
                for name in FLAGS:
                    values[name] = getattr(stripped, name)
                for name in _wanted(values, contents, least):
                    values[name] = getattr(stripped, name)
                self._values |= values
                # Here, while the garbage collector is paused.
                del stripped
        return self._values


def is_sure(results: Mapping[str, Any], least: float) -> bool:
    """Whether the confidence in a page is high enough, if there is one.

    :param least: the lowest that is.
    """
    confidence: float | None = results["confidence"]
    return confidence is None or confidence >= least


def _wanted(results: Mapping[str, Any], contents: Iterable[str], least: float) -> tuple[str, ...]:
    """The contents that are made of a page: the text, which is counted, and when it is sure, those that are wanted."""
    if not results["matched"]:
        return ()
    return ("text", *contents) if is_sure(results, least) else ("text",)


_Batch = dict[int, tuple[Any, list[ItemPage]]]
"""The items of one response's output and their pages, by the item's ``id``; an item may be yielded more than once."""


class PageRegistry:
    """The pages of items on their way to the pipeline, which gets the item only.

    Items are told apart by identity. An item is kept from the moment when it is yielded until the pipeline has
    asked for its page, at most as long as the response in whose output it is. So nothing leaks when a pipeline
    before ours drops or replaces an item.
    """

    def __init__(self) -> None:
        # By the ``id`` of the response, and by that of the item.
        self._batches: dict[int, tuple[weakref.ref[Any], _Batch]] = {}
        self._index: dict[int, _Batch] = {}

    def put(self, item: Any, page: ItemPage, output_of: Any) -> None:
        """Remember an item's page.

        :param output_of: the response (or failed request) in whose output the item is.
        """
        known = self._batches.get(id(output_of))
        batch = known[1] if known is not None else self._batch(output_of)
        number = id(item)
        if number in batch:
            batch[number][1].append(page)
        else:
            batch[number] = (item, [page])
        self._index[number] = batch

    def take(self, item: Any) -> ItemPage | None:
        """The page of an item, once for each time it was put; ``None`` for items that are not known."""
        number = id(item)
        batch = self._index.get(number)
        known = batch.get(number) if batch is not None else None
        if batch is None or known is None or known[0] is not item:
            return None
        page = known[1].pop(0)
        if not known[1]:
            del batch[number], self._index[number]
        return page

    def __len__(self) -> int:
        return sum(len(batch) for _, batch in self._batches.values())

    def _batch(self, output_of: Any) -> _Batch:
        """A new batch, which goes with its response."""
        number, batch = id(output_of), _Batch()
        self._batches[number] = (weakref.ref(output_of, lambda _: self._forget(number)), batch)
        return batch

    def _forget(self, response: int) -> None:
        _, batch = self._batches.pop(response)
        for item in batch:
            if self._index.get(item) is batch:
                del self._index[item]
