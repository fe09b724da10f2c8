"""The sub-commands of ``scrapy stemmer``; each yields the lines of its output."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_stemmer.crawl.check_examples import check
from scrapy_stemmer.crawl.learn_stored import learn_
from scrapy_stemmer.crawl.progress import counted
from scrapy_stemmer.crawl.recover_items import recover
from scrapy_stemmer.crawl.report_stored import report
from scrapy_stemmer.crawl.show_patterns import chosen, show
from scrapy_stemmer.crawl.strip_stored import strip
from scrapy_stemmer.crawl.teach_patterns import teach
from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.learners.layout import webstemmer
from scrapy_stemmer.learners.layout.pattern import LayoutPattern
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.outputs.selectors import file_name, site_config
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.stores.by_uri import open_store
from scrapy_stemmer.stores.merging import Change

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def import_(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """Webstemmer's patterns, put into a pattern file; its other sites stay."""
    try:
        text = Path(options.webstemmer).read_text(encoding="utf-8", errors="replace")
        imported = PatternSet(webstemmer.loads(text, options.site))
    except PatternFileError as error:
        raise error.at(uri=options.webstemmer) from error
    imported.merge_into(options.output)
    yield f"{len(imported)} patterns of {', '.join(imported.sites) or 'no site'} are now in {options.output}"


def export(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """The patterns of a file, as other programs read them."""
    patterns = chosen(PatternSet.load(options.patterns), options.site, options.patterns)
    yield from {"webstemmer": _export_layouts, "selectors": _export_selectors, "ftr": _export_ftr}[options.format](
        patterns, options
    )


def _export_selectors(patterns: PatternSet, options: Namespace) -> Iterator[str]:
    """A line of JSON for each site that has rules."""
    rules = _with_rules(patterns)
    found = [{"site": pattern.site, **asdict(pattern.to_selectors())} for pattern in rules]
    lines = [json.dumps(each, ensure_ascii=False) for each in found]
    Path(options.output).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    yield _exported(rules, patterns, options.output)


def _export_ftr(patterns: PatternSet, options: Namespace) -> Iterator[str]:
    """A file for each site that has rules."""
    rules = _with_rules(patterns)
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in rules:
        (folder / file_name(pattern.site)).write_text(site_config(pattern), encoding="utf-8")
    yield _exported(rules, patterns, options.output)


def _with_rules(patterns: PatternSet) -> list[RulesPattern]:
    return [pattern for pattern in patterns.patterns if isinstance(pattern, RulesPattern)]


def _exported(rules: Sequence[RulesPattern], patterns: PatternSet, output: str) -> str:
    return f"{len(rules)} of {len(patterns)} patterns are now in {output}; only those with rules can be"


def _export_layouts(patterns: PatternSet, options: Namespace) -> Iterator[str]:
    """The layout patterns of a file, as Webstemmer reads them."""
    Path(options.output).write_text(webstemmer.dumps(patterns.patterns), encoding="utf-8")
    layouts = [pattern for pattern in patterns.patterns if isinstance(pattern, LayoutPattern)]
    yield f"{len(layouts)} of {len(patterns)} patterns are now in {options.output}; only layout patterns can be"
    unlike = [pattern for pattern in layouts if webstemmer.unlike_original(pattern)]
    if unlike:
        reasons = sorted({reason for pattern in unlike for reason in webstemmer.unlike_original(pattern)})
        yield (
            f"extract.py will find few pages of {len(unlike)} of them: it has no {', no '.join(reasons)}. "
            "For patterns that it can use, learn with STEMMER_LEARNER = 'layout' and STEMMER_PRESET = 'original'."
        )


def merge(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """Pattern files made one: of a site in several of them the last one's patterns, with the rules by hand of all."""
    merged = PatternSet()
    for name in options.patterns:
        others = PatternSet.load(name)
        both = sorted({*merged.sites} & {*others.sites})
        corrected = [PatternSet(others.of_site(site)).corrected_by(merged.of_site(site)) for site in both]
        merged = merged.replace(others, *corrected)
    merged.save(options.output)
    yield f"{_counted_of(merged)} are now in {options.output}"


def forget(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """A pattern file without some sites, which the next crawl that learns will learn again."""
    patterns = PatternSet.load(options.patterns)
    for site in options.sites:
        chosen(patterns, site, options.patterns)
    left = patterns.without(options.sites)
    open_store(options.patterns).merge({site: Change(()) for site in options.sites})
    forgotten = counted(len(patterns.sites) - len(left.sites), "site")
    yield f"{forgotten} forgotten; {_counted_of(left)} are in {options.patterns}"


def _counted_of(patterns: PatternSet) -> str:
    return f"{counted(len(patterns), 'pattern')} of {counted(len(patterns.sites), 'site')}"


Subcommand = Callable[[Namespace, "BaseSettings | None"], Iterator[str]]

SUBCOMMANDS: Mapping[str, Subcommand] = {
    "learn": learn_,
    "strip": strip,
    "show": show,
    "report": report,
    "check": check,
    "merge": merge,
    "forget": forget,
    "teach": teach,
    "import": import_,
    "export": export,
    "recover": recover,
}
"""The sub-commands."""
