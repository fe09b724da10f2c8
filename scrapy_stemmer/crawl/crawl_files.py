"""The files of a crawl: its spool, and the items that its end has left waiting."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured
from scrapy.utils.job import job_dir
from scrapy.utils.project import data_path

from scrapy_stemmer.exceptions import SettingError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_stemmer.crawl.config import StemmerConfig

TOKEN_BYTES = 8
"""What is drawn for the name of a temporary spool; it has two characters a byte."""


def spider_name(crawler: Crawler) -> str:
    """The spider's name, which its class need not have."""
    return getattr(crawler.spider or crawler.spidercls, "name", None) or "spider"


class CrawlFiles:
    """The paths of a crawl's files.

    With JOBDIR the spool is in it, in ``stemmer/``, and stays after the process; else it is a temporary file in
    STEMMER_STATE_DIR, by default the project's ``.scrapy/stemmer/``.

    :param config: gives STEMMER_STATE_DIR.
    """

    def __init__(self, crawler: Crawler, config: StemmerConfig) -> None:
        self._spider = re.sub(r"[^\w.-]", "_", spider_name(crawler))
        job = job_dir(crawler.settings)
        self.lasting = job is not None
        self._job = Path(job) / "stemmer" if job else None
        self._given = Path(config.state_dir) if config.state_dir else None

    @property
    def folder(self) -> Path:
        """The directory, which is made when it isn't there."""
        folder = self._given or self._job or project_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingError(
                f"STEMMER_STATE_DIR = {str(folder)!r}: the directory can't be made ({error.strerror}); name one that "
                f"can be written into."
            ) from error
        return folder

    def spool(self) -> Path:
        """The file for the spool."""
        if self._job:
            return self._job / f"{self._spider}.sqlite"
        return self.folder / f"{self._spider}-{token_hex(TOKEN_BYTES)}.sqlite"

    def left_spools(self) -> list[Path]:
        """The files of earlier spools of this spider that no JOBDIR holds; crawls that go on have some of them."""
        return sorted(self.folder.glob(f"{self._spider}-{'[0-9a-f]' * 2 * TOKEN_BYTES}.sqlite"))

    @property
    def has_spool(self) -> bool:
        """Whether a paused crawl has left its spool."""
        return self.lasting and self.spool().exists()

    def unreleased(self) -> Path:
        """The file for items that the end of the crawl has left waiting."""
        return self.folder / f"{self._spider}-unreleased-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl"


def project_folder() -> Path:
    """The directory for state where STEMMER_STATE_DIR names none."""
    try:
        return Path(data_path("stemmer"))
    except NotConfigured:  # settings from the environment, without a scrapy.cfg
        return Path(".scrapy", "stemmer")
