"""Converter of local copies of published benchmarks into sets for ``benchmarks.quality``.

    python -m benchmarks.convert wcxb path/to/copy sets/wcxb.jsonl.gz --min-pages 3
    python -m benchmarks.quality --data sets

Nothing is fetched. The pages stay their publishers': don't publish the sets.

``fundus``
    fundus-evaluation: ``dataset/ground_truth.json``, from file names to ``{"body": [paragraphs], "url": ...}``, and
    ``dataset/html/<Publisher>_<n>.html.gz``. The site is the publisher.
``cleanportaleval``
    CleanPortalEval: ``input/<site>_<n>.html``, a page within ``<text id="URL">``, and ``GoldStandard/<site>_<n>.txt``
    with a line ``URL: ...`` and marks ``<h>``, ``<p>``, ``<l>``, as in CleanEval.
``wcxb``
    The Web Content Extraction Benchmark: ``{dev,test}/ground-truth/<n>.json`` with ``url`` and ``ground_truth``
    (``title``, ``main_content``), and ``{dev,test}/html/<n>.html`` or ``.html.gz``. The site is the host.
``article-extraction``
    article-extraction-benchmark: ``ground-truth.json``, from ids to ``{"articleBody": ..., "url": ...}``, and
    ``html/<id>.html.gz``. The site is the host.
"""

from __future__ import annotations

import argparse
import gzip
import html
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.progress import say
from benchmarks.sets import GoldPage
from scrapy_stemmer.page.document import decode, site_of
from scrapy_stemmer.page.text import visible

TEXT_ELEMENT = re.compile(r"\A\s*<text\b[^>]*?\bid=[\"']([^\"']*)[\"'][^>]*>|</text>\s*\Z")
GOLD_URL = re.compile(r"^\s*URL:\s*(\S+)[^\n]*\n?", re.MULTILINE)
GOLD_MARK = re.compile(r"</?[hpl]>", re.IGNORECASE)

Read = Callable[[Path], Iterator[GoldPage]]


class ConvertError(Exception):
    """A folder without the files of a kind of benchmark; the message says what is missing."""


def text_of(path: Path) -> str:
    """Return a file as text, unpacked if it ends in ``.gz``: as UTF-8 if valid, else by its own charset."""
    body = path.read_bytes()
    if path.suffix == ".gz":
        body = gzip.decompress(body)
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return decode(body)


def json_of(path: Path) -> Any:
    """Return the contents of a JSON file.

    :raises ConvertError: when the file is missing.
    """
    if not path.is_file():
        raise ConvertError(f"no {path}")
    return json.loads(path.read_text(encoding="utf-8"))


def page_file(*candidates: Path) -> Path:
    """Return the first existing file.

    :raises ConvertError: when all are missing.
    """
    for path in candidates:
        if path.is_file():
            return path
    raise ConvertError(f"no {candidates[0]}")


def read_fundus(folder: Path) -> Iterator[GoldPage]:
    """fundus-evaluation. Optional paragraphs, which are in square brackets, are part of the gold text."""
    dataset = folder / "dataset" if (folder / "dataset").is_dir() else folder
    truth: Mapping[str, Mapping[str, Any]] = json_of(dataset / "ground_truth.json")
    for name, row in truth.items():
        page = text_of(page_file(dataset / "html" / name))
        yield GoldPage(name.rpartition("_")[0], name, row["url"], page, "\n".join(_paragraphs(row["body"])))


def _paragraphs(body: Any) -> Iterator[str]:
    """The paragraphs of a body: a list of texts, or of lists of them."""
    for part in [body] if isinstance(body, str) else body:
        yield from [part] if isinstance(part, str) else _paragraphs(part)


def read_cleanportaleval(folder: Path) -> Iterator[GoldPage]:
    """CleanPortalEval."""
    golds = sorted((folder / "GoldStandard").glob("*.txt"))
    if not golds:
        raise ConvertError(f"no {folder / 'GoldStandard'}/*.txt")
    for path in golds:
        whole = text_of(page_file(folder / "input" / f"{path.stem}.html"))
        gold = path.read_text(encoding="utf-8", errors="replace")
        named = GOLD_URL.search(gold) or TEXT_ELEMENT.search(whole)
        if named is None:
            raise ConvertError(f"{path}: no line URL:, and no <text id=...> in the page")
        text = html.unescape(GOLD_MARK.sub("", GOLD_URL.sub("", gold, count=1))).strip()
        url = html.unescape(named[1])
        yield GoldPage(path.stem.rpartition("_")[0], path.stem, url, TEXT_ELEMENT.sub("", whole).strip(), text)


def read_wcxb(folder: Path) -> Iterator[GoldPage]:
    """The Web Content Extraction Benchmark, both parts as far as they are there."""
    golds = sorted(folder.glob("*/ground-truth/*.json"))
    if not golds:
        raise ConvertError(f"no {folder}/dev/ground-truth/*.json")
    for path in golds:
        row, part = json_of(path), path.parent.parent
        pages = part / "html"
        page = text_of(page_file(pages / f"{path.stem}.html.gz", pages / f"{path.stem}.html"))
        truth = row["ground_truth"]
        kind = row.get("_internal", {}).get("page_type", {}).get("primary")
        name = f"{part.name}/{path.stem}"
        text = truth.get("main_content") or ""
        yield GoldPage(site_of(row["url"]), name, row["url"], page, text, truth.get("title"), kind)


def read_article_extraction(folder: Path) -> Iterator[GoldPage]:
    """article-extraction-benchmark."""
    truth: Mapping[str, Mapping[str, str]] = json_of(folder / "ground-truth.json")
    for name, row in truth.items():
        page = text_of(page_file(folder / "html" / f"{name}.html.gz"))
        url = row.get("url") or f"https://{name}.invalid/"
        yield GoldPage(site_of(url), name, url, page, row["articleBody"])


KINDS: Mapping[str, Read] = {
    "fundus": read_fundus,
    "cleanportaleval": read_cleanportaleval,
    "wcxb": read_wcxb,
    "article-extraction": read_article_extraction,
}


def of_larger_sites(pages: Iterable[GoldPage], least: int) -> list[GoldPage]:
    """The pages of sites that have at least ``least``."""
    kept = list(pages)
    counts = Counter(page.site for page in kept)
    return [page for page in kept if counts[page.site] >= least]


def row_of(page: GoldPage) -> dict[str, str | None]:
    """A page as a line of a set."""
    row: dict[str, str | None] = {
        "site": page.site,
        "id": page.id,
        "url": page.url,
        "html": page.html,
        "text": page.text,
        "title": page.title,
    }
    return row | ({"type": page.type} if page.type else {})


def write_set(path: Path, pages: Iterable[GoldPage]) -> None:
    """Write a set; equal pages give equal bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row_of(page), ensure_ascii=False) + "\n" for page in pages)
    body = text.encode("utf-8", "replace")
    path.write_bytes(gzip.compress(body, mtime=0) if path.suffix == ".gz" else body)


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.convert",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("folder", type=Path, help="the local copy")
    parser.add_argument("out", type=Path, help="the set to write: .jsonl.gz or .jsonl")
    parser.add_argument("--min-pages", type=int, default=1, metavar="N", help="leave out sites with fewer pages")
    options = parser.parse_args(arguments)
    try:
        pages = of_larger_sites(KINDS[options.kind](options.folder), options.min_pages)
    except ConvertError as error:
        print(visible(f"benchmarks.convert: {options.folder} is no copy of {options.kind}: {error}"), file=sys.stderr)
        return 1
    write_set(options.out, pages)
    say(f"{options.out}: {len(pages)} pages of {len({page.site for page in pages})} sites")
    return 0


if __name__ == "__main__":
    sys.exit(main())
