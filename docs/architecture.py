"""The pictures of ``docs/development/architecture.md``, made from the code: ``python -m docs.architecture --write``.

The tree of the package has each module with the first line of its docstring. The ways of a page and of an item are
recorded while a small site is crawled: the called functions of a hand-made list are shown, each below its caller.
Functions of native modules are not seen.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import re
import sys
import tempfile
import textwrap
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "scrapy_stemmer"
PAGE = ROOT / "docs" / "development" / "architecture.md"

SITE = "http://news.example"

WIDTH = 92
"""Characters that fit into a line of the built page."""

NAMES = 30
"""Characters of a line for the name of a module."""


# The tree


def tree() -> str:
    """The modules of the package, with what each is."""
    return "\n".join(_folder(PACKAGE, ""))


def _folder(folder: Path, indent: str) -> Iterator[str]:
    yield from _rows(f"{indent}{folder.name}/", summary_of(folder / "__init__.py"))
    inside = [*folder.glob("*.py"), *folder.glob("*.pyx")]
    for path in sorted(path for path in inside if path.name != "__init__.py"):
        yield from _rows(f"{indent}  {path.name}", summary_of(path))
    for sub in sorted(path.parent for path in folder.glob("*/__init__.py")):
        yield from _folder(sub, f"{indent}  ")


def _rows(name: str, summary: str) -> Iterator[str]:
    lines = textwrap.wrap(summary, WIDTH - NAMES) or [""]
    yield f"{name:{NAMES}}{lines[0]}".rstrip()
    yield from (" " * NAMES + line for line in lines[1:])


def summary_of(path: Path) -> str:
    """The first sentence of a module's docstring, as far as it is in the first line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        docstring = ast.get_docstring(ast.parse(text)) or ""
    else:
        match = re.search(r'"""(.*?)"""', text, re.DOTALL)
        docstring = match[1] if match else ""
    first = re.split(r"(?<=\.)\s|\n", docstring.strip())[0]
    return re.sub(r":\w+:`~?(.*?)`", r"\1", first).replace("``", "")


# The ways


STEPS = frozenset(
    """
    StemmerSpiderMiddleware.process_spider_input ResponsePages.of Samples.add_response anchors_of look_of
    SampleChoice.take Spool.add_page
    StemmerSpiderMiddleware.process_spider_output_async own_page PageRegistry.put LearningSession.has_to_wait
    HeldItems.hold dumps Spool.hold
    CrawlState.learn_site learn RulesLearner.learn_from sample_page page_fields sorted_out copies_in learned_pattern
    Scorer.odds fewest_rules levelled
    StemmerPipeline.process_item PageRegistry.take CrawlPatterns.of_site PatternSet.of_site ItemPage.stripped
    strip_by RulesPattern.match shown Site.place Placer.place_page Stripped.is_unusual
    confidence_of Stripped.title Stripped.text Stripped.html StemmerPipeline._write
    """.split()
)
"""The functions that are the steps of a page's ways."""


class Recorder:
    """The steps of a call, each below its first caller, and the modules crossed."""

    def __init__(self) -> None:
        self._callers: dict[str, str] = {}
        self._modules: dict[str, str] = {}
        self._crossed: set[str] = set()

    def __len__(self) -> int:
        return len(self._crossed)

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Called by Python with each call of a function; see :func:`sys.setprofile`."""
        module = _module_of(frame.f_code.co_filename) if event == "call" else None
        if module is None or frame.f_code.co_name.startswith("<"):
            return
        self._crossed.add(module)
        step = frame.f_code.co_qualname
        if step in STEPS and step not in self._callers:
            self._modules[step] = module
            self._callers[step] = self._step_around(frame)

    def record(self, function: Callable[[], Any]) -> None:
        """Call a function."""
        sys.setprofile(self)
        try:
            function()
        finally:
            sys.setprofile(None)

    def lines(self, caller: str = "", indent: str = "") -> Iterator[str]:
        """The steps, in the order in which they were made."""
        called = [step for step, by in self._callers.items() if by == caller]
        for step in called:
            is_last = step == called[-1]
            line, below = ("", "") if not caller else ("└─ ", "   ") if is_last else ("├─ ", "│  ")
            yield f"{indent}{line}{step}".ljust(52) + f" {self._modules[step]}"
            yield from self.lines(step, indent + below)

    def _step_around(self, frame: FrameType) -> str:
        """Return the step around a call; empty for the first step."""
        around = frame.f_back
        while around is not None and around.f_code.co_qualname not in self._callers:
            around = around.f_back
        return around.f_code.co_qualname if around is not None else ""


@cache
def _module_of(file: str) -> str | None:
    path = Path(file)
    return path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else None


def ways() -> dict[str, str]:
    """The ways through a crawl, by name."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/patterns.jsonl"
        return {"sample": _sampled(file, folder), "item": _stripped(file, folder)}


def _sampled(file: str, folder: str) -> str:
    """Record the way of a page, and of its item, while its site is being learned, and the learning itself."""
    from scrapy_stemmer.crawl.learning import site_learner
    from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware
    from scrapy_stemmer.crawl.spool import texts_of

    settings = {"STEMMER_PATTERNS": file, "STEMMER_STATE_DIR": folder, "STEMMER_LEARN": True}
    middleware = StemmerSpiderMiddleware(_crawler(**settings))
    session: Any = middleware._session
    # Background learning is run below, where it is recorded.
    with patch.object(site_learner, "run_in_background", lambda coroutine: coroutine.close()):
        for number in range(8):
            middleware.process_spider_input(_response(number))
    page, hold, learn = Recorder(), Recorder(), Recorder()
    response = _response(9)
    page.record(lambda: middleware.process_spider_input(response))
    hold.record(lambda: _output(middleware, response, {}))
    sample = texts_of(session._spool.rows("news.example"))
    learned = []
    learn.record(lambda: learned.append(session._state.learn_site(sample)))
    learned[0].save(file)
    session._spool.close(remove=True)
    return "\n\n".join("\n".join(recorder.lines()) for recorder in (page, hold, learn))


def _stripped(file: str, folder: str) -> str:
    """The way of an item whose site is known."""
    from scrapy_stemmer.crawl.pipeline import StemmerPipeline
    from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware

    crawler = _crawler(STEMMER_PATTERNS=file, STEMMER_STATE_DIR=folder, STEMMER_FIELDS=["html", "matched"])
    middleware, pipeline = StemmerSpiderMiddleware(crawler), StemmerPipeline(crawler)
    output, strip = Recorder(), Recorder()
    for number in (20, 21):
        response, item = _response(number), {"url": f"{SITE}/{number}"}
        if number == 20:  # everything is read and imported with the first one
            _output(middleware, response, item)
            pipeline.process_item(item)
        else:
            output.record(lambda: _output(middleware, response, item))  # noqa: B023 - called at once
            strip.record(lambda: pipeline.process_item(item))  # noqa: B023
            if not item["stemmer_matched"]:
                raise RuntimeError("the page that is recorded does not match")
    return "\n\n".join("\n".join(recorder.lines()) for recorder in (output, strip)) + f"\n\n{len(strip)} modules"


def _output(middleware: Any, response: Any, item: Any) -> None:
    async def items() -> AsyncIterator[Any]:
        yield item

    async def run() -> list[Any]:
        return [output async for output in middleware.process_spider_output_async(response, items())]

    asyncio.run(run())


def _crawler(**settings: Any) -> Any:
    """Return the parts of a crawler that components read."""
    from scrapy import Spider
    from scrapy.settings import Settings
    from scrapy.statscollectors import MemoryStatsCollector

    own = Settings(settings)
    stats = MemoryStatsCollector(SimpleNamespace(settings=own))  # type: ignore[arg-type]
    return SimpleNamespace(
        settings=own,
        stats=stats,
        spider=None,
        spidercls=Spider,
        crawling=True,
        engine=SimpleNamespace(_slot=None),
        signals=SimpleNamespace(connect=lambda *_, **__: None),
    )


def _response(number: int) -> Any:
    from scrapy import Request
    from scrapy.http import HtmlResponse

    url = f"{SITE}/{number}"
    response = HtmlResponse(url, body=_html(number), encoding="utf-8", request=Request(url))
    response.selector  # noqa: B018 - as a spider does
    return response


def _html(number: int) -> str:
    """An article of some length, with a menu and a footer."""
    words = "river market school garden station council harbour library bridge theatre".split()
    said = " ".join(words[(number * 7 + place * place) % len(words)] for place in range(40))
    body = "".join(f"<p class=text>Part {part} of story {number}: {said}.</p>" for part in range(8))
    menu = "".join(f"<li><a href=/{word}>{word.title()}</a></li>" for word in words)
    title = f"Story {number} of the {words[number % 10]}"
    return (
        f"<html><head><title>{title} | News</title></head><body><ul class=menu>{menu}</ul>"
        f"<div class=story><h1 class=headline>{title}</h1>{body}</div>"
        "<div class=footer>All rights reserved. Write to the editors.</div></body></html>"
    )


# The page


def pictures() -> dict[str, str]:
    """The pictures by the names of their places on the page."""
    return {"tree": tree(), **ways()}


def with_pictures(text: str, pictures: dict[str, str]) -> str:
    """The page's text with pictures in their places.

    :raises ValueError: when a picture has no place.
    """
    for name, picture in pictures.items():
        block = f"<!-- {name}: begin -->\n```text\n{picture}\n```\n<!-- {name}: end -->"
        pattern = rf"<!-- {name}: begin -->.*?<!-- {name}: end -->"
        text, count = re.subn(pattern, lambda _: block, text, flags=re.DOTALL)  # noqa: B023 - called at once
        if count != 1:
            raise ValueError(f"{PAGE} has {count} places for {name!r} instead of one")
    return text


def main(arguments: Iterable[str] | None = None) -> None:
    """Print the page with its pictures made anew, or write it."""
    parser = argparse.ArgumentParser(prog="python -m docs.architecture", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    options = parser.parse_args(arguments if arguments is None else list(arguments))
    text = with_pictures(PAGE.read_text(encoding="utf-8"), pictures())
    if options.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
