"""The demonstration site: reproducible, with gold text found in the pages."""

from __future__ import annotations

import gzip
import html
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "example_project" / "demo_site"
PAGES = SITE / "pages"
WRONGLY_DECLARED = {"http://heron.example/food/pier-cafe-review.html": "windows-1252"}


def rows() -> list[dict[str, str]]:
    return [json.loads(line) for line in (SITE / "gold.jsonl").read_text(encoding="utf-8").splitlines()]


GOLD = {row["url"]: row for row in rows()}
CONTENT_TYPES = json.loads((SITE / "content_types.json").read_text(encoding="utf-8"))


def file_of(url: str) -> Path:
    name = url.removeprefix("http://")
    return PAGES / (f"{name}index.html" if name.endswith("/") else name)


def declared_charset(url: str) -> str:
    header = re.search("charset=(.*)", CONTENT_TYPES.get(url, ""))
    meta = re.search(rb"<meta[^>]*charset=\"?([\w-]+)", file_of(url).read_bytes())
    assert header or meta, f"{url} declares no charset at all"
    return header[1] if header else meta[1].decode()  # type: ignore[index]


def page_text(url: str) -> str:
    return file_of(url).read_bytes().decode(WRONGLY_DECLARED.get(url) or declared_charset(url))


def without_space(text: str) -> str:
    return "".join(text.split())


def files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_build_reproduces_the_committed_site_byte_for_byte(tmp_path: Path) -> None:
    command = [sys.executable, "-B", str(SITE / "build.py"), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    assert files_below(tmp_path / "pages") == files_below(PAGES)
    for name in ("gold.jsonl", "content_types.json"):
        assert (tmp_path / name).read_bytes() == (SITE / name).read_bytes()


def test_the_command_demo_has_the_same_pages() -> None:
    with gzip.open(ROOT / "scrapy_stemmer" / "commands" / "demo.jsonl.gz", "rt", encoding="utf-8") as lines:
        packed = {row["url"]: row["html"] for row in map(json.loads, lines)}
    assert packed == {url: page_text(url) for url in GOLD if url.startswith("http://heron.example/")}


def test_every_gold_line_and_the_title_occur_in_the_page() -> None:
    for url, row in GOLD.items():
        text = without_space(html.unescape(re.sub("<[^>]+>", "", page_text(url))))
        lines = [row["title"], *row["text"].split("\n")]
        assert [line for line in lines if without_space(line) not in text] == [], url
