"""Learning and stripping with Spark gives the results of the commands, to the byte."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer import PatternSet, spark
from scrapy_stemmer.commands.page_forms import RESULTS
from scrapy_stemmer.exceptions import PatternFileError, SettingError
from tests.commands.sources.archives import compressed, record
from tests.commands.subcommand import run
from tests.crawl.website import Article
from tests.documentation import ROOT, the_block
from tests.documentation import run as run_block

pytest.importorskip("pyspark", reason="pyspark is not installed: make spark")
pytestmark = [pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java 17 or newer"), pytest.mark.slow]

SAMPLED = {"STEMMER_SAMPLE_SIZE": 6}

HOWTO = "docs/howto/archives.md"


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Spark on two cores of this machine, with this Python."""
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
        builder = SparkSession.builder.master("local[2]")
        quiet = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2", "spark.log.level": "ERROR"}
        for name, value in quiet.items():
            builder = builder.config(name, value)
        spark_session = builder.getOrCreate()
        yield spark_session
        spark_session.stop()


def html(number: int) -> bytes:
    return Article(number).html().encode()


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three archives with pages of four sites; two hosts have most and hardly any."""
    records = [record(f"http://a.example/{number}", html(number)) for number in range(40)]
    records += [record(f"http://b.example/{number}", html(number)) for number in range(5)]
    records += [record(f"http://c.example/{number}", html(number)) for number in range(2)]
    odd = [
        *(record(f"http://d.example/error/{number}", html(100)) for number in range(9)),
        *(record(f"http://d.example/?a={number}&b=2", html(200 + number)) for number in range(4)),
        *(record(f"http://d.example/?b=2&a={number}", html(300 + number)) for number in range(4)),
        *[record("http://d.example/twice", html(400))] * 2,
        record("http://d.example/gone", html(500), status="404 Not Found"),
        record(
            "http://d.example/latin",
            html(600).replace(b"Copyright", "Café".encode("latin-1")),
            headers={"Content-Type": "text/html; charset=latin-1"},
        ),
        record("http://d.example/empty", b""),
    ]
    folder = tmp_path_factory.mktemp("archives")
    paths = [folder / f"{number}.warc.gz" for number in range(3)]
    for number, path in enumerate(paths):
        path.write_bytes(compressed(*(records + odd)[number::3]))
    return [str(path) for path in paths]


@pytest.fixture(scope="module")
def known(archives: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The patterns learned by the command."""
    path = tmp_path_factory.mktemp("known") / "known.jsonl"
    run("learn", *archives, "-o", path, "--processes", 1, **SAMPLED)
    return path


def stamp_of(path: Path) -> str:
    return re.findall(r'"learned": "([^"]+)"', path.read_text(encoding="utf-8"))[0]


def test_patterns_are_those_of_the_command_to_the_byte(
    session: Any, archives: list[str], known: Path, tmp_path: Path
) -> None:
    learned = spark.learn(spark.pages_of(session, archives), SAMPLED).cache()
    counts = {row.site: (row.pages, row.patterns is None, row.error) for row in learned.collect()}
    assert counts == {
        "a.example": (6, False, None),
        "b.example": (5, False, None),
        "c.example": (2, True, None),
        "d.example": (6, False, None),
    }
    spark.save(learned, str(tmp_path / "p.jsonl"), stamp_of(known))
    assert (tmp_path / "p.jsonl").read_bytes() == known.read_bytes()


@pytest.mark.parametrize("sent_to_all", [True, False])
def test_text_is_that_of_the_command_to_the_byte(
    session: Any, archives: list[str], known: Path, *, sent_to_all: bool
) -> None:
    from pyspark.sql.functions import broadcast

    patterns = spark.read_patterns(session, str(known))
    stripped = spark.strip(spark.pages_of(session, archives), broadcast(patterns) if sent_to_all else patterns)
    lines = [
        json.dumps({"url": row["url"], **{name: row[name] for name in RESULTS}}, ensure_ascii=False)
        for row in stripped.collect()
    ]
    assert sorted(lines) == sorted(run("strip", known, *archives, "--format", "jsonl", "--processes", 1))
    assert stripped.where("matched").count() > 50


def test_a_site_that_fails_is_counted_and_does_not_end_the_others(session: Any, archives: list[str]) -> None:
    settings = {**SAMPLED, "STEMMER_LEARNER": "tests.crawl.learners.Picky"}
    learned = spark.learn(spark.pages_of(session, archives), settings).cache()
    assert learned.where("error is not null").count() == 1
    assert learned.where("error = 'RuntimeError: too odd' and site = 'a.example' and patterns is null").count() == 1
    assert learned.where("patterns is not null").count() == 2


def test_a_page_that_fails_does_not_end_the_others(session: Any) -> None:
    rows = [("http://a.example/1", bytearray(b"<p>Text"), None), ("http://b.example/1", bytearray(b"<p>Text"), None)]
    patterns = session.createDataFrame([("a.example", 1, "no patterns", None)], spark.LEARNED)
    rows_of = {row.url: row for row in spark.strip(session.createDataFrame(rows, spark.PAGES), patterns).collect()}
    assert rows_of["http://a.example/1"].error.startswith("PatternFileError: line 1: The line is not JSON")
    assert rows_of["http://a.example/1"].reason == "failed"
    other = rows_of["http://b.example/1"]
    assert (other.matched, other.error, other.reason, other.text) == (False, None, None, "Text")


def test_a_file_that_cant_be_read_ends_the_job_unless_it_is_counted(session: Any, archives: list[str]) -> None:
    paths = [archives[0], "/nowhere/0.warc.gz"]
    with pytest.raises(Exception, match="No such file"):
        spark.pages_of(session, paths).count()
    unreadable = session.sparkContext.accumulator(0)
    assert spark.pages_of(session, paths, unreadable).count() == spark.pages_of(session, archives[:1]).count()
    assert unreadable.value == 1


def test_rules_by_hand_stay_in_a_pattern_file_that_is_there(session: Any, known: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    text = known.read_text(encoding="utf-8").replace('"rules": [\n', '"rules": [\n  {"drop": "div.promo"},\n', 1)
    path.write_text(text, encoding="utf-8")
    patterns = spark.read_patterns(session, str(known))
    spark.save(patterns.where("site != 'b.example'"), str(path))
    assert '{"drop": "div.promo"}' in path.read_text(encoding="utf-8")
    assert PatternSet.load(str(path)).sites == ("a.example", "b.example", "d.example")


def test_mistakes_are_told_before_anything_is_read(session: Any, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="STEMMER_SAMPLE_SIZE"):
        spark.learn(spark.pages_of(session, ["/nowhere"]), {"STEMMER_SAMPLE_SIZE": "many"})
    with pytest.raises(PatternFileError):
        spark.read_patterns(session, str(tmp_path / "missing.jsonl"))


def test_markdown_and_fields_where_they_are_asked_for(session: Any, archives: list[str], known: Path) -> None:
    pages = spark.pages_of(session, archives)
    patterns = spark.read_patterns(session, str(known))
    rows = spark.strip(pages, patterns, fields=True, markdown=True).where("text != ''").collect()
    assert rows
    for row in rows:
        assert row.text.splitlines()[-1] in row.markdown
        assert "sources" in json.loads(row.fields)
    assert "markdown" not in spark.strip(pages, patterns).columns


def test_the_job_of_the_how_to_page(session: Any, archives: list[str], known: Path, tmp_path: Path) -> None:
    block = the_block(HOWTO, "pages_of")
    names = {"archives": archives, "patterns": str(tmp_path / "patterns"), "texts": str(tmp_path / "texts")}
    run_block(block, **names)
    texts = session.read.parquet(names["texts"])
    assert texts.where("matched").count() > 50
    assert session.read.parquet(names["patterns"]).count() == 4
