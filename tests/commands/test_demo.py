"""Sub-command ``demo``: its output and its pages."""

from __future__ import annotations

import http.client
import re

from scrapy_stemmer.commands.demo import DEMO_PAGE, HOST, bundled_pages, demonstration


def get(port: int, path: str, host: str | None = None) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path, headers={"Host": host} if host else {})
    response = connection.getresponse()
    return response.status, response.read().decode("utf-8")


def test_the_sitemap_names_all_pages(port: int) -> None:
    named = re.findall(r"<loc>(.*?)</loc>", get(port, "/sitemap.xml", "localhost:8033")[1])
    assert named == [url.replace(f"//{HOST}", "//localhost:8033") for url in bundled_pages()]


def test_what_is_no_page_is_not_found_and_no_other_host_gets_into_a_page(port: int) -> None:
    assert get(port, "/../../etc/passwd")[0] == 404
    assert get(port, "/robots.txt")[0] == 404
    assert "<script>alert" not in get(port, "/", "x<script>alert(1)</script>")[1]


def test_a_page_is_shown_before_and_after_with_the_rules() -> None:
    lines = list(demonstration(bundled_pages()))
    after = next(number for number, line in enumerate(lines) if line.startswith("\nafter"))
    before, stripped = "\n".join(lines[:after]), "\n".join(lines[after:])
    assert re.search(r"20 of \d+ pages of heron.example were learned in \d+\.\d s, with the time to load", lines[0])
    assert lines[1] == DEMO_PAGE
    assert "Subscribe" in before
    assert "Subscribe" not in stripped
    assert "title: Old Weir Bridge to close" in stripped
    assert re.search(r"^  drop +body +[01]\.", stripped, re.MULTILINE)
    assert max(map(len, lines)) <= 120
    assert any(line.endswith(" …") for line in lines)
    assert "of a title the share of pages" in stripped
