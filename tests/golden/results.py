"""Results of the package for the golden pages, as files.

``pages/NAME/`` holds a page, ``page.html`` or, for a tree that no HTML makes, ``page.xml``, and what is made of it:

- ``blocks.txt``: metadata, elements and blocks as they are read, with the roles by the scorer.
- ``text.txt``, ``kept.html``, ``page.md``: the outputs of all blocks.
- ``some.html``: the HTML of every second block.
- ``bare.md``: the Markdown of the page's own HTML, without links and images.
- ``features.txt``, of pages that have one: the features of the scorer, a column for each block.

``sites/NAME/`` holds ``site.json``, which names the folder of a learned site, rules by hand and some pages. Beside it
are the learned rules, and these pages stripped.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from lxml import etree

from scrapy_stemmer import Page, PatternSet, Stripped, learn
from scrapy_stemmer.learners.rules.decide.features import FEATURE_NAMES, PageFacts
from scrapy_stemmer.learners.rules.decide.head import title_keys
from scrapy_stemmer.learners.rules.decide.page import RulesPage
from scrapy_stemmer.learners.rules.decide.scorer import features, measures_of
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site.columns import Signature, body_of
from scrapy_stemmer.learners.rules.site.hints import PathFeatures
from scrapy_stemmer.learners.rules.site.paths import Selector
from scrapy_stemmer.learners.rules.site.reading import SamplePage
from scrapy_stemmer.learners.rules.site.rules import Rule
from scrapy_stemmer.learners.rules.site.site import Site
from scrapy_stemmer.outputs import markdown_of, markdown_page, site_config
from scrapy_stemmer.page.blocks import Role
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.writing.pruned_html import pruned_html

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage
    from scrapy_stemmer.learners.rules.site.columns import Columns

FOLDER = Path(__file__).parent
PAGES, SITES = FOLDER / "pages", FOLDER / "sites"
ROOT = FOLDER.parents[1]

URL = "https://golden.example/d/p?q=1"

SOURCES = ("page.html", "page.xml", "site.json")

FEATURES = "features.txt"

ALL = frozenset(Role)

DEEPEST = 30  # levels of indentation

Results = Mapping[str, str]
"""Contents of files by name."""


def found_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir())


def write(folder: Path, results: Results) -> None:
    """Write the files of a folder, and remove those that nothing makes any more."""
    for name, text in results.items():
        (folder / name).write_bytes(text.encode())
    for path in folder.iterdir():
        if path.name not in results and path.name not in SOURCES:
            path.unlink()


def stored(folder: Path) -> Results:
    return {path.name: path.read_bytes().decode() for path in sorted(folder.iterdir()) if path.name not in SOURCES}


# A page alone


def page_in(folder: Path) -> Page:
    source = folder / "page.html"
    if source.is_file():
        return Page(URL, source.read_bytes())
    parser = etree.XMLParser(resolve_entities=False, strip_cdata=False, huge_tree=True)
    return Page(URL, etree.fromstring((folder / "page.xml").read_bytes(), parser))


def of_page(folder: Path) -> Results:
    page = page_in(folder)
    found = results_of(page)
    if isinstance(page.html, bytes):
        source = page.html.decode()
        found["bare.md"] = markdown_of(source, links=False, images=False)
    if (folder / FEATURES).is_file():
        found[FEATURES] = features_of(page)
    return {name: ended(text) for name, text in found.items()}


def ended(text: str) -> str:
    return f"{text}\n" if text else ""


def results_of(page: Page) -> dict[str, str]:
    """Return the results of a page, whatever holds it: text, bytes or a tree."""
    document = Document(page)
    placed = Site.of_page(document)
    labels = RulesPage(placed)
    columns, root = placed.columns, placed.shown.root
    html = labels.html(ALL) if labels.has_text else ""
    some = [piece for block in range(0, len(columns), 2) for piece in columns.pieces_of(block)]
    return {
        "blocks.txt": "\n".join([*facts_of(labels), *outline(labels)]),
        "text.txt": labels.text(ALL) if labels.has_text else "",
        "kept.html": html,
        "some.html": pruned_html(root, some, URL, body_of(root)),
        "page.md": markdown_of(html, URL),
    }


def facts_of(labels: RulesPage) -> Iterator[str]:
    """Yield what a page says of itself and what is said of it."""
    shown = labels.placed.shown
    yield f"source: {shown.source}"
    if labels.has_text:
        yield f"title: {labels.title()!r}"
        yield f"kind: {labels.kind()}"
    for tag, names, content in shown.metadata:
        yield f"metadata: {' '.join([tag, *(f'{name}' or '-' for name in names)])} {content!r}"
    for element in shown.parted:
        yield f"parted: {element.tag} {''.join(element.itertext())!r}"
    yield ""


def outline(labels: RulesPage) -> Iterator[str]:
    """Yield the elements of a page, each with its number in the tree, and below them blocks (``-``), signs (``~``), and
    links that begin in a block or right before it (``>``)."""
    columns, signatures = labels.placed.columns, labels.placed.site.signatures
    roles = [str(block.role) for block in labels.blocks()] if labels.has_text else []
    depths = [0]
    for parent in columns.parents[1:]:
        depths.append(depths[parent] + 1)
    elements, signs, links = (list(each) for each in (range(len(depths)), columns.signs, columns.links))
    for block in range(len(columns) + 1):
        is_last = block == len(columns)
        while elements and (is_last or _is_before(columns, elements[0], block)):
            element = elements.pop(0)
            name = _named(signatures[columns.signatures[element]])
            yield _line(depths[element], f"{name} @{columns.numbers[element]}")
        while signs and (is_last or signs[0][0] <= block):
            _, element, pieces, text, is_spaced = signs.pop(0)
            yield _line(depths[element] + 1, f"~ {text!r} ({_told(pieces, is_spaced)})")
        depth = 0 if is_last else depths[columns.elements[block]] + 1
        if not is_last:
            size = f"{columns.lengths[block]} characters, {columns.linked[block]} linked"
            time = ", time" if columns.times[block] else ""
            pieces = _told(columns.pieces_of(block), columns.spaced[block])
            yield _line(depth, f"- {columns.texts[block]!r} ({roles[block]}, {size}{time}, {pieces})")
        while links and (is_last or links[0][0] <= block):
            yield _line(depth + 1, f"> {links.pop(0)[1]!r}")


def _is_before(columns: ReadPage, element: int, block: int) -> bool:
    """Return True for an element that begins before a block, or has it."""
    return element <= columns.elements[block] or columns.numbers[element] <= columns.pieces_of(block)[0] >> 1


def _line(depth: int, text: str) -> str:
    """Indent a line, as far as a person reads it."""
    return f"{'  ' * min(depth, DEEPEST)}{f'[{depth}] ' if depth > DEEPEST else ''}{text}"


def _named(signature: Signature) -> str:
    said = (f" {name}={value!r}" for name, value in zip(("id", "class", "role"), signature[1:4], strict=True) if value)
    return f"{signature.tag}{''.join(said)}{' hidden' if signature.hidden else ''}"


def _told(pieces: Sequence[int], is_spaced: bool) -> str:
    """Return the places of a block's text: numbers of elements, with ``+`` for their tails."""
    places = " ".join(f"{piece >> 1}{'+' if piece & 1 else ''}" for piece in pieces)
    return f"{'spaced, ' if is_spaced else ''}{places}"


def features_of(page: Page) -> str:
    """Return a line for each feature that any block has, with the value of each block."""
    document = Document(page)
    placed = Site.of_page(document)
    columns, head = placed.columns, placed.shown.head
    repeated = [number % 4 / 4 for number in range(len(columns))]
    found = ["blocks: " + " | ".join(columns.texts)]
    for others in (0, 12):
        facts = PageFacts(
            page=SamplePage(page.url, cast("Columns", columns), head, ()),
            paths=placed.paths,
            measures=measures_of(columns),
            others=others,
            repeated=repeated,
            title_keys=title_keys(head, frozenset()),
        )
        rows = features([facts], PathFeatures(placed.site.paths))
        found.append(f"\nbeside {others} other pages")
        for name, values in zip(FEATURE_NAMES, rows.T, strict=True):
            if np.any(values):
                found.append(f"{name}: {' '.join(map(_number, values.tolist()))}")
    return "\n".join(found)


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.4g}"


# A learned site


def of_site(folder: Path) -> Results:
    """Return the rules learned from a site, and results of some of its pages."""
    told = json.loads((folder / "site.json").read_text(encoding="utf-8"))
    source = ROOT / told["folder"]
    names = sorted(path.relative_to(source).as_posix() for path in source.rglob("*.html"))
    pages = {name: Page(f"{told['url']}{name}", (source / name).read_bytes()) for name in names}
    (pattern,) = learn(pages.values()).patterns
    assert isinstance(pattern, RulesPattern)
    by_hand = (line.partition(" ") for line in told["by_hand"])
    users = [Rule(action, Selector.parse(selector), is_users=True) for action, _, selector in by_hand]
    patterns = PatternSet([replace(pattern, rules=(*users, *pattern.rules))])
    found = {"rules.txt": "\n".join(rule.line for rule in pattern.rules), "site_config.txt": site_config(pattern)}
    for path in told["stripped"]:
        stripped = patterns.strip(pages[path])
        name = path.removesuffix(".html").replace("/", "-")
        found |= {f"{name}.{kind}": text for kind, text in _of_stripped(pages[path], stripped).items()}
    return {name: ended(text.removesuffix("\n")) for name, text in found.items()}


def _of_stripped(page: Page, stripped: Stripped) -> Results:
    blocks = (f"{block.role} {block.text!r} {block.path} ({'; '.join(block.evidence)})" for block in stripped.blocks)
    assert stripped.matched
    lines = markdown_page(page.url, stripped).splitlines()
    return {
        "blocks.txt": "\n".join([f"kind: {stripped.kind}", f"similarity: {stripped.similarity}", *blocks]),
        "text.txt": stripped.text,
        "kept.html": stripped.html,
        "page.md": "\n".join(line for line in lines if not line.startswith("confidence: ")),
    }
