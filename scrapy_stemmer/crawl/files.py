"""Paths of a crawl's files, and the feed of kept pages."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.job import job_dir
from scrapy.utils.project import data_path

from scrapy_stemmer.exceptions import SettingError
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.settings import DIRECTORY, StemmerConfig, project_folder

PRIVATE_FOLDER = 0o700  # mode of folders for waiting items


def spider_name(crawler: Crawler) -> str:
    return getattr(crawler.spider or crawler.spidercls, "name", None) or "spider"


def state_folder(config: StemmerConfig) -> Path:
    """Return the state directory of crawls without JOBDIR, perhaps missing or read-only."""
    if config.state_dir:
        return Path(config.state_dir)
    try:
        return Path(data_path("stemmer"))
    except NotConfigured:  # settings from the environment, without a scrapy.cfg
        return project_folder() / ".scrapy" / "stemmer"
    except OSError as error:  # Scrapy makes its folder at once, even in a read-only project
        return Path(error.filename or ".scrapy", "stemmer")


class CrawlFiles:
    """The paths of a crawl's files. With JOBDIR the spool lies in ``JOBDIR/stemmer/`` and stays after the process.
    Without it the spool is temporary, in STEMMER_STATE_DIR, by default the project's ``.scrapy/stemmer/``."""

    def __init__(self, crawler: Crawler, config: StemmerConfig) -> None:
        self._spider = re.sub(r"[^\w.-]", "_", spider_name(crawler))
        job = job_dir(crawler.settings)
        self._job = Path(job) / "stemmer" if job else None
        self._folder = self._job if self._job and not config.state_dir else state_folder(config)
        self.lasting = self._job is not None

    @property
    def folder(self) -> Path:
        """Return the directory for files other than a JOBDIR's spool; made if missing."""
        try:
            self._folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        except OSError as error:
            raise SettingError(
                f"STEMMER_STATE_DIR = {str(self._folder)!r}: the directory can't be made ({error.strerror}); name one "
                f"that can be written into."
            ) from error
        return self._folder

    def spool(self) -> Path:
        if self._job:
            return self._job / f"{self._spider}.sqlite"
        return self.folder / f"{self._spider}-{token_hex(8)}.sqlite"

    def left_spools(self) -> list[Path]:
        return sorted(self._folder.glob(f"{self._spider}-{'[0-9a-f]' * 16}.sqlite"))

    def unreleased(self) -> Path:
        return self.folder / f"{self._spider}-unreleased-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl"


def make_private(path: Path) -> None:
    """Create a file for its owner only, or restrict a present file: request bodies and meta may hold passwords."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)


def append_pages(path: str, pages: Iterable[Page], fields: tuple[str, str]) -> None:
    """Append pages to a feed, with URL and HTML in ``fields``, compressed for a name in ``.gz``. A single write keeps
    lines whole."""
    rows = (dict(zip(fields, (page.url, str(page.html)), strict=True)) for page in pages)
    lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    content = lines.encode("utf-8", "backslashreplace")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with Path(path).open("ab") as file:
        file.write(gzip.compress(content) if path.endswith(".gz") else content)


def check_feed(path: str) -> None:
    """Check that a feed can be appended to; raise SettingError if not."""
    try:
        DIRECTORY(Path(path).parent)
    except ValueError as error:
        raise SettingError(f"STEMMER_KEEP_PAGES = {path!r} can't be written: it must be in {error}.") from None
