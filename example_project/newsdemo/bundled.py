"""Server of the bundled demonstration site from its files, so that the demo needs neither network nor port."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from scrapy.http import HtmlResponse, TextResponse

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.http import Response

SITE = Path(__file__).resolve().parent.parent / "demo_site"
HOSTS = frozenset({"heron.example", "ja.heron.example"})


class BundledSiteMiddleware:
    """A downloader middleware that answers requests for the bundled hosts and passes on the rest."""

    def __init__(self, site: Path = SITE) -> None:
        self.pages = site / "pages"
        types: Mapping[str, str] = json.loads((site / "content_types.json").read_text(encoding="utf-8"))
        self.content_types = types

    def process_request(self, request: Request, spider: Spider | None = None) -> Response | None:
        """The stored page, a 404 when there is none, or ``None`` for hosts that aren't bundled."""
        if urlsplit(request.url).hostname not in HOSTS:
            return None
        path = self.file_of(request.url)
        if path is None:
            return TextResponse(request.url, status=404, body=b"not found", headers={"Content-Type": "text/plain"})
        if path.suffix == ".txt":
            return TextResponse(request.url, body=path.read_bytes(), headers={"Content-Type": "text/plain"})
        headers = {"Content-Type": self.content_types.get(request.url, "text/html")}
        return HtmlResponse(request.url, body=path.read_bytes(), headers=headers)

    def file_of(self, url: str) -> Path | None:
        """The file of a URL: ``index.html`` for a folder; never one outside the host's folder."""
        parts = urlsplit(url)
        home = self.pages / (parts.hostname or "")
        path = (home / unquote(parts.path).lstrip("/")).resolve()
        if parts.path.endswith("/") or not parts.path:
            path /= "index.html"
        return path if path.is_relative_to(home.resolve()) and path.is_file() else None
