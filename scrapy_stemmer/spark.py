"""Learning and stripping pages of any number of sites with Apache Spark. Needs the extra ``spark``.

>>> pages = pages_of(spark, paths)                          # doctest: +SKIP
>>> learn(pages).write.parquet("patterns")                  # doctest: +SKIP
>>> strip(pages, spark.read.parquet("patterns"))            # doctest: +SKIP

Results equal the results of ``scrapy stemmer learn`` and ``strip``, however the pages are spread.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_stemmer.commands.learn_stored import learn_site
from scrapy_stemmer.commands.page_forms import RESULTS
from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.warc import pages_of_warc
from scrapy_stemmer.commands.stored_pages import Rank
from scrapy_stemmer.exceptions import StemmerError, needed
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.learning import MAX_SAMPLED_CHARS
from scrapy_stemmer.page.blocks import Reason
from scrapy_stemmer.page.document import Page, site_of
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import StripOptions
from scrapy_stemmer.patternset import PatternMemory, PatternSet
from scrapy_stemmer.settings import StemmerConfig
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import PatternsInMemory

if TYPE_CHECKING:
    from pyspark import Accumulator
    from pyspark.sql import DataFrame, SparkSession

PAGES = "url string, html binary, charset string"  # columns of pages, see :class:`Page`; other columns are ignored

LEARNED = "site string, pages int, patterns string, error string"
"""Columns of learned sites, a row a site: number of pages, patterns as the text of a pattern file (or ``null``), and
error."""

STRIPPED = (
    "url string, matched boolean, pattern string, similarity double, kind string, confidence double, reason string, "
    "skipped_hidden int, source string, title string, text string, sub_text string, html string, error string"
)
"""Columns of stripped pages: the fields of ``scrapy stemmer strip --format jsonl``."""

FIELDS_COLUMN = "fields string"  # optional column with the page fields as JSON

MARKDOWN_COLUMN = "markdown string"  # optional column

_RANKED = "site string, rank binary, digest binary, id bigint"
SparkRow = dict[str, Any]


def pages_of(spark: SparkSession, paths: Sequence[str], unreadable: Accumulator[int] | None = None) -> DataFrame:
    """Read the HTML pages of WARC files, a task a file. Needs the extra ``warc`` too.

    :param paths: files that all workers can open; URLs such as ``s3://…`` are opened with fsspec.
    :param unreadable: counts files read in part or not at all; without it, a file without any readable page ends the
        job. A file read twice counts twice.
    :returns: columns :data:`PAGES`.
    """
    names = spark.sparkContext.parallelize([(path,) for path in paths], max(1, len(paths))).toDF("path string")
    return _mapped(names, partial(_read, unreadable), PAGES)


def learn(pages: DataFrame, settings: Mapping[str, Any] | None = None) -> DataFrame:
    """Learn each site from a sample of its pages, as ``scrapy stemmer learn`` does.

    First the hashes of pages are compared; then only the samples are collected by site. So ``pages`` is read
    twice. A site with a failure has an ``error``.

    :param pages: columns :data:`PAGES`.
    :param settings: settings of Scrapy, such as ``STEMMER_SAMPLE_SIZE``.
    :returns: columns :data:`LEARNED`; sites with fewer pages than ``STEMMER_MIN_SAMPLE`` have no patterns.
    :raises SettingError: for an invalid setting.
    """
    functions = needed("pyspark.sql.functions", "spark", "to learn with Spark")
    window = needed("pyspark.sql.window", "spark", "to learn with Spark").Window
    config = _config(settings)
    ranked = _mapped(pages, partial(_ranked, config.accepts, with_page=False), _RANKED)
    # Keep the smallest content of a URL, then the smallest URL of a content: see PageSample.
    for column, others in (("rank", ("digest", "id")), ("digest", ("rank", "id"))):
        smallest = functions.min(functions.struct(*others)).alias("smallest")
        ranked = ranked.groupBy("site", column).agg(smallest).select("site", column, "smallest.*")
    order = functions.row_number().over(window.partitionBy("site").orderBy("rank"))
    ids = ranked.withColumn("order", order).where(f"order <= {config.sample_size}").select("id")
    with_ids = _mapped(pages, partial(_ranked, config.accepts, with_page=True), f"{PAGES}, {_RANKED}")
    sample = with_ids.join(functions.broadcast(ids), "id", "left_semi")
    by_site = sample.select("site", "url", "html", "charset").repartition("site").sortWithinPartitions("site", "url")
    function = partial(_learned, config.make_learner(), config)
    return _mapped(by_site, function, LEARNED)


def strip(
    pages: DataFrame,
    patterns: DataFrame,
    settings: Mapping[str, Any] | None = None,
    fields: bool = False,
    markdown: bool = False,
) -> DataFrame:
    """Strip pages by the patterns of their sites, joined to the pages.

    A page with a failure has an ``error``.

    :param pages: columns :data:`PAGES`.
    :param patterns: result of :func:`learn` or :func:`read_patterns`. ``pyspark.sql.functions.broadcast(patterns)``
        sends the patterns to all workers and leaves the pages in place: up to 8 GB, for about 3 million sites.
    :param settings: settings of Scrapy, such as ``STEMMER_TEXT_ROLES``.
    :param fields: read authors, dates and other fields too.
    :param markdown: return Markdown too.
    :returns: columns :data:`STRIPPED`, with :data:`FIELDS_COLUMN` and :data:`MARKDOWN_COLUMN` if requested.
    :raises SettingError: for an invalid setting.
    """
    functions = needed("pyspark.sql.functions", "spark", "to strip with Spark")
    config = _config(settings)
    site = functions.udf(site_of, "string", useArrow=False)("url")
    joined = pages.select("url", "html", "charset", site.alias("site")).join(
        patterns.select("site", "patterns"), "site", "left"
    )
    columns = ", ".join([STRIPPED, *([FIELDS_COLUMN] if fields else []), *([MARKDOWN_COLUMN] if markdown else [])])
    names = (*RESULTS, "markdown") if markdown else RESULTS
    return _mapped(joined, partial(_stripped, config.strip_options, config.charset, names, fields), columns)


def read_patterns(spark: SparkSession, uri: str) -> DataFrame:
    """Return the patterns of a pattern file by site, for :func:`strip`; raise PatternFileError on failure."""
    known = PatternSet.load(uri)
    rows = ((site, len(known.of_site(site)), codec.dumps(known.of_site(site)), None) for site in known.sites)
    return spark.createDataFrame(rows, LEARNED)


def save(learned: DataFrame, uri: str, stamp: str | None = None) -> None:
    """Merge learned patterns into a pattern file, keeping its other sites and rules by hand, as a crawl does.

    :param learned: columns :data:`LEARNED`.
    :param stamp: ISO 8601 time of learning in UTC; by default now.
    :raises PatternFileError: if writing fails.
    """
    stamp = stamp or datetime.now(UTC).isoformat(timespec="seconds")
    rows = learned.where("patterns is not null").orderBy("site").select("patterns").toLocalIterator()
    sites = (PatternSet(codec.loads(row["patterns"]))._stamped(stamp).patterns for row in rows)
    if open_store(uri).exists():
        PatternSet(pattern for site in sites for pattern in site).merge_into(uri)
    else:
        open_store(uri).write(PatternsInMemory(site) for site in sites)


def _config(settings: Mapping[str, Any] | None) -> StemmerConfig:
    from scrapy.settings import Settings  # on the driver only: workers import no Scrapy

    return StemmerConfig.from_settings(Settings(dict(settings or {})), "")


def _mapped(frame: DataFrame, function: Callable[[Iterator[SparkRow]], Iterator[SparkRow]], columns: str) -> DataFrame:
    return frame.mapInArrow(partial(_in_batches, function, columns), columns)


def _in_batches(
    function: Callable[[Iterator[SparkRow]], Iterator[SparkRow]], columns: str, batches: Iterable[Any]
) -> Any:
    arrow = needed("pyarrow", "spark", "to exchange pages with Spark")
    types = {"string": "string", "binary": "binary", "bigint": "int64", "int": "int32", "double": "float64"}
    named = [column.split(" ") for column in columns.split(", ")]
    schema = arrow.schema([(name, arrow.type_for_alias(types.get(type_, "bool"))) for name, type_ in named])
    # Rows are taken out of a batch one by one, to avoid two copies of all its pages.
    rows = function(batch.slice(row, 1).to_pylist()[0] for batch in batches for row in range(batch.num_rows))
    while pages := list(islice(rows, 64)):  # about 100 kB each
        yield arrow.RecordBatch.from_pylist(pages, schema)


def _read(unreadable: Accumulator[int] | None, paths: Iterator[SparkRow]) -> Iterator[SparkRow]:
    for row in paths:
        path, left_out = row["path"], LeftOut()
        try:
            remote = needed("fsspec", "fsspec", f"to open {path}") if "://" in path else None
            with remote.open(path, "rb").open() if remote else Path(path).open("rb") as file:
                for page in pages_of_warc(file, path, left_out):
                    url = page.url.encode("utf-8", "backslashreplace").decode()
                    yield {"url": url, "html": page.html, "charset": page.charset}
        except (OSError, StemmerError):
            if unreadable is None:
                raise
            unreadable.add(1)


def _page(row: SparkRow) -> Page:
    return Page(row["url"], bytes(row["html"]), charset=row["charset"])


def _ranked(accepts: Callable[[str], bool], rows: Iterator[SparkRow], *, with_page: bool) -> Iterator[SparkRow]:
    """Yield pages to learn from, or only the keys that decide on the sample of their site."""
    for row in rows:
        html = row["html"]
        if html is None or len(html) > MAX_SAMPLED_CHARS or not accepts(row["url"]):
            continue
        page = _page(row)
        rank = Rank.of(page, html)
        ranked = {"site": page.site, "rank": rank.url, "digest": rank.digest, "id": rank.id}
        yield {**ranked, "url": page.url, "html": html, "charset": page.charset} if with_page else ranked


def _learned(learner: Learner, config: StemmerConfig, rows: Iterator[SparkRow]) -> Iterator[SparkRow]:
    for site, of_site in groupby(rows, key=itemgetter("site")):
        pages = list({row["url"]: _page(row) for row in of_site}.values())  # a page stored twice comes twice
        learned_row: SparkRow = {"site": site, "pages": len(pages), "patterns": None, "error": None}
        if len(pages) >= config.min_sample:
            learned = learn_site(learner, config, (site, pages, None))
            learned_row["error"] = learned.error
            if learned.patterns:
                learned_row["patterns"] = codec.dumps(learned.patterns)
        yield learned_row


def _stripped(
    options: StripOptions, charset: str, names: Sequence[str], with_fields: bool, rows: Iterator[SparkRow]
) -> Iterator[SparkRow]:
    memory = PatternMemory()

    @lru_cache(1000)
    def known(text: str | None) -> PatternSet:
        return PatternSet(codec.loads(text) if text else ())._within(memory)

    for row in rows:
        page = _page(row)
        try:
            stripped = known(row["patterns"]).strip(page, options, default_charset=charset)
            results = {name: getattr(stripped, name) for name in names}
            results |= {"fields": json.dumps(stripped.fields.as_dict(), ensure_ascii=False)} if with_fields else {}
        except Exception as error:  # one page must not end the task
            results = {"matched": False, "reason": Reason.FAILED, "error": f"{type(error).__name__}: {error}"}
        yield {"url": page.url, **results}
