"""A small website for crawls: a server in a thread, and pages of one layout with varying texts."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Self

from scrapy_stemmer.commands.demo import bundled_pages, handler_of

NAVIGATION = "Home World Sport Culture Weather Contact"
FOOTER = "Copyright Example Publishing House, all rights reserved"

WORDS = """amber anchor basket beacon bridge candle canyon castle cherry cinder copper cotton desert dragon eagle
ember falcon forest garden glacier hammer harbor island jacket jungle kettle ladder lantern lemon marble meadow
mirror mountain needle ocean orchard pepper pillow planet pocket prairie quartz rabbit river saddle scarlet shadow
silver spider station summer sunset temple thunder timber tunnel valley velvet violet walnut willow window winter
yellow zephyr""".split()


def sentence(words: random.Random, length: int = 12) -> str:
    """Some words and a full stop."""
    return " ".join(words.choice(WORDS) for _ in range(length)).capitalize() + "."


LONGEST = 180
"""Seconds that an answer waits for its event."""


@dataclass(frozen=True)
class Article:
    """An article, determined by its number."""

    number: int
    paragraphs: int = 3

    @property
    def headline(self) -> str:
        """Return the title."""
        return sentence(random.Random(self.number), 5).rstrip(".")

    @property
    def body(self) -> list[str]:
        """Return the paragraphs."""
        words = random.Random(self.number + 1_000_000)
        return [sentence(words) for _ in range(self.paragraphs)]

    @property
    def text(self) -> list[str]:
        """The lines of its text."""
        return [self.headline, *self.body]

    def html(self, links: str = "", padding: str = "") -> str:
        """Return the page."""
        navigation = "".join(f"<li><a href='/{word}'>{word}</a></li>" for word in NAVIGATION.split())
        text = "".join(f"<p>{paragraph}</p>" for paragraph in self.body)
        return (
            f"<!DOCTYPE html><html><head><title>{self.headline} - Example</title></head><body>"
            f"<ul class='nav'>{navigation}</ul><h1 class='headline'>{self.headline}</h1>"
            f"<div class='story'>{text}</div>{links}<!--{padding}--><div class='foot'>{FOOTER}</div></body></html>"
        )


def links_to(urls: Mapping[str, str]) -> str:
    """A list of links, from URLs to their texts."""
    return "<ul class='links'>" + "".join(f"<li><a href='{u}'>{t}</a></li>" for u, t in urls.items()) + "</ul>"


@dataclass
class Answer:
    """The answer to a path, after some seconds or after an event."""

    body: bytes
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0
    when: Callable[[], bool] = lambda: True


class _Server(ThreadingHTTPServer):
    """A server that a killed crawl does not bother."""

    def __init__(self, address: str, handler: type[BaseHTTPRequestHandler]) -> None:
        self.address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
        super().__init__((address, 0), handler)

    def handle_error(self, request: object, client_address: object) -> None:
        pass


class Website:
    """Server of given answers, which remembers its requests. Who has an answer with an ETag gets the status 304.

    :param address: address of the server; ``0.0.0.0`` is all addresses of this machine, each a site.
    """

    def __init__(self, address: str = "127.0.0.1") -> None:
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        self.not_modified: list[str] = []
        self._server = _Server(address, self._handler())
        self._server.daemon_threads = True

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def site(self) -> str:
        """Return the site key."""
        return f"127.0.0.1:{self._server.server_port}"

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """The URL of a path; the server has several hosts, and each is a site."""
        return f"http://{host}:{self._server.server_port}{path}"

    def add(self, path: str, body: str | bytes, **more: object) -> None:
        """Serve a page."""
        self.answers[path] = Answer(body.encode() if isinstance(body, str) else body, **more)  # type: ignore[arg-type]

    def add_articles(self, count: int, prefix: str = "/article/", paragraphs: int = 3, padding: str = "") -> None:
        """Serve articles ``{prefix}0.html`` and so on, and an index of them at ``{prefix}``."""
        articles = [Article(number, paragraphs) for number in range(count)]
        for article in articles:
            self.add(f"{prefix}{article.number}.html", article.html(padding=padding))
        self.add(
            prefix, f"<html><body>{links_to({f'{prefix}{a.number}.html': a.headline for a in articles})}</body></html>"
        )

    def hold_after(self, free: int) -> Event:
        """Answer the first requests, and any further ones once the returned event is set."""
        opened = Event()
        for path, answer in self.answers.items():
            answer.when = lambda path=path: opened.is_set() or self.asked.index(path) < free  # type: ignore[misc]
        return opened

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        website = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                website.asked.append(self.path)
                answer = website.answers.get(self.path) or Answer(b"not here", "text/plain", 404)
                time.sleep(answer.seconds)
                latest = time.monotonic() + LONGEST
                while not answer.when() and time.monotonic() < latest:
                    time.sleep(0.05)
                is_known = "ETag" in answer.headers and self.headers.get("If-None-Match") == answer.headers["ETag"]
                website.not_modified += [self.path] * is_known
                body = b"" if is_known else answer.body
                self.send_response(304 if is_known else answer.status)
                self.send_header("Content-Type", answer.content_type)
                self.send_header("Content-Length", str(len(body)))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def log_message(self, *_: object) -> None:
                pass

        return Handler


@contextmanager
def bundled_newspaper() -> Iterator[int]:
    """Serve the newspaper of the demo; the context is the port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler_of(bundled_pages())) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()
