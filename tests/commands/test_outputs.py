"""Output files of sub-commands: never inputs, and complete or missing."""

from __future__ import annotations

import gzip
import json
import stat
from pathlib import Path

import pytest

from scrapy_stemmer import StemmerError
from scrapy_stemmer.commands import learn_stored, strip_stored
from scrapy_stemmer.commands.outputs import replaced
from scrapy_stemmer.commands.strip_stored import StrippedBatch
from scrapy_stemmer.crawl.spool import Spool, Use, packed
from tests.commands.subcommand import run
from tests.commands.test_subcommands import learned
from tests.crawl.website import Article


def feed(path: Path) -> Path:
    """Write six pages of a site, plain or compressed."""
    pages = [{"url": f"http://a.example/{n}", "html": Article(n).html()} for n in range(6)]
    content = "\n".join(map(json.dumps, pages)).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        ("strip p.jsonl pages.jsonl --format jsonl -o pages.jsonl", "pages.jsonl"),
        ("strip p.jsonl pages.jsonl.gz --format jsonl -o pages.jsonl.gz", "pages.jsonl.gz"),
        ("strip p.jsonl pages.jsonl --format jsonl -o link.jsonl", "pages.jsonl"),
        ("strip p.jsonl all.list --format jsonl -o pages.jsonl", "pages.jsonl"),
        ("strip --alone pages.jsonl --format jsonl -o pages.jsonl", "pages.jsonl"),
        ("strip p.jsonl pages.jsonl -o p.jsonl", "p.jsonl"),
        ("export p.jsonl -o p.jsonl", "p.jsonl"),
        ("learn pages.jsonl -o new.jsonl --write-linkinfo pages.jsonl", "pages.jsonl"),
        ("learn pages.jsonl -o new.jsonl --write-linkinfo new.jsonl", "pages.jsonl"),
        ("learn pages.jsonl -o pages.jsonl", "pages.jsonl"),
        ("import p.jsonl -o p.jsonl", "p.jsonl"),
        ("report p.jsonl --pages folder -o folder", "p.jsonl"),
    ],
)
def test_no_input_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, kept: str) -> None:
    monkeypatch.chdir(tmp_path)
    learned(Path("p.jsonl"), "a")
    feed(Path("pages.jsonl"))
    feed(Path("pages.jsonl.gz"))
    Path("link.jsonl").symlink_to("pages.jsonl")
    Path("all.list").write_text("pages.jsonl\n")
    Path("folder").mkdir()
    before = Path(kept).read_bytes()
    with pytest.raises(StemmerError, match="would be overwritten"):
        run(*command.split())
    assert Path(kept).read_bytes() == before
    assert not Path("new.jsonl").exists()


def test_merge_replaces_pattern_files_only(tmp_path: Path) -> None:
    patterns, pages = learned(tmp_path / "p.jsonl", "a"), feed(tmp_path / "pages.jsonl")
    before = pages.read_bytes()
    with pytest.raises(StemmerError, match="not a pattern file"):
        run("merge", patterns, "-o", pages)
    assert pages.read_bytes() == before
    assert run("merge", patterns, "-o", patterns)  # an input, as the help says


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_what_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def failing(*_: object) -> StrippedBatch:
        raise error

    monkeypatch.setattr(strip_stored, "strip_pages", failing)
    pages, output = feed(tmp_path / "pages.jsonl"), tmp_path / "out.jsonl"
    output.write_text("old")
    with pytest.raises(type(error)):
        run("strip", "--alone", pages, "--format", "jsonl", "--processes", 1, "-o", output)
    assert output.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "pages.jsonl"]


def test_a_replaced_file_keeps_its_mode_and_the_links_to_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o640)
    (tmp_path / "b").symlink_to("a")
    with replaced(tmp_path / "b") as file:
        file.write(b"new")
    assert (tmp_path / "b").is_symlink()
    assert (tmp_path / "a").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_what_is_no_file_is_written_to() -> None:
    with replaced("/dev/null") as file:
        file.write(b"new")
    assert not Path("/dev/null").is_file()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that takes no file from anybody")
@pytest.mark.parametrize(
    "command",
    [
        "learn pages.jsonl -o /proc/x.jsonl",
        "learn pages.jsonl -o new.jsonl --write-linkinfo /proc/x",
        "strip --alone pages.jsonl --format jsonl -o /proc/x.jsonl",
    ],
)
def test_unwritable_outputs_are_told_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    def begun(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(learn_stored, "PageSample", begun)
    monkeypatch.setattr(strip_stored, "strip_pages", begun)
    monkeypatch.setattr("scrapy_stemmer.stores.file.LOCK_SECONDS", 5)
    feed(Path("pages.jsonl"))
    with pytest.raises(StemmerError, match=r"/proc/x.* can't be written") as told:
        run(*command.split())
    assert "/tmp" not in str(told.value)  # the name of a file beside it


@pytest.mark.parametrize(
    ("content", "said"), [("", "There is no page to .* Name a folder"), ("\n", "no page"), ("<p>", "a JSON object")]
)
@pytest.mark.parametrize(
    "command",
    [
        "strip --alone empty.jsonl --format jsonl -o out.jsonl",
        "strip --alone empty.jsonl --format jsonl",
        "learn empty.jsonl -o out.jsonl --write-linkinfo out.linkinfo",
        "report p.jsonl --pages empty.jsonl -o out",
    ],
)
def test_no_page_is_an_error_that_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, content: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    learned(Path("p.jsonl"), "a")
    Path("empty.jsonl").write_text(content)
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(StemmerError, match=said):
        run(*command.split())
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def spool_of(path: Path) -> Path:
    """Write a spool with an item."""
    spool = Spool(path)
    spool.add_item("a.example", "http://a.example/1", None, '{"n":1}')
    spool.close(remove=False)
    return path


def test_recovering_nothing_writes_nothing(tmp_path: Path) -> None:
    told = run("recover", "-o", tmp_path / "out.jsonl", STEMMER_STATE_DIR=str(tmp_path))
    assert told == [f"There was no item to recover; nothing was written to {tmp_path / 'out.jsonl'}"]
    assert not (tmp_path / "out.jsonl").exists()
    with pytest.raises(StemmerError, match="is a folder"):
        run("recover", tmp_path)


def test_a_spool_that_cant_be_read_does_not_keep_others_from_being_recovered(tmp_path: Path) -> None:
    spool_of(tmp_path / "b.sqlite")
    (tmp_path / "a.sqlite").write_text("no spool")
    out = tmp_path / "out.jsonl"
    with pytest.raises(StemmerError, match=r"a\.sqlite can't be read as a spool"):
        run("recover", "-o", out, "--delete", STEMMER_STATE_DIR=str(tmp_path))
    assert (out.read_text(), *sorted(path.name for path in tmp_path.glob("*.sqlite"))) == ('{"n": 1}\n', "a.sqlite")


def test_a_spool_named_twice_is_recovered_once_and_into_no_table(tmp_path: Path) -> None:
    path = spool_of(tmp_path / "a.sqlite")
    assert run("recover", path, tmp_path / "." / "a.sqlite") == ['{"n": 1}']
    with pytest.raises(StemmerError, match=r"out\.csv: items are written as JSON Lines"):
        run("recover", "-o", tmp_path / "out.csv", path)


def test_recovered_addresses_have_the_title_and_text_of_their_pages(tmp_path: Path) -> None:
    spool, article = Spool(tmp_path / "a.sqlite"), Article(1)
    page = spool.add_page("a.example", "http://a.example/0", packed(article.html()), Use.ITEMS)
    for number, item in enumerate(['{"url": "http://a.example/0"}', '{"url": "http://a.example/1", "title": "Own"}']):
        spool.add_item("a.example", f"http://a.example/{number}", page, item)
    spool.close(remove=False)
    address, own = map(json.loads, run("recover", tmp_path / "a.sqlite"))
    assert (address["url"], address["title"]) == ("http://a.example/0", article.headline)
    assert article.body[0] in address["text"]
    assert own == {"url": "http://a.example/1", "title": "Own"}


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_items_are_recovered_into_a_new_feed_only(tmp_path: Path, name: str) -> None:
    out, spools = tmp_path / name, spool_of(tmp_path / "a.sqlite").read_bytes()
    run("recover", "-o", out, STEMMER_STATE_DIR=str(tmp_path))
    written = out.read_bytes()
    assert (gzip.decompress(written) if name.endswith(".gz") else written) == b'{"n": 1}\n'
    for taken in (out, tmp_path / "a.sqlite"):
        with pytest.raises(StemmerError, match="is there already: name another file"):
            run("recover", "-o", taken, "--delete", STEMMER_STATE_DIR=str(tmp_path))
    assert (out.read_bytes(), (tmp_path / "a.sqlite").read_bytes()) == (written, spools)


@pytest.mark.parametrize(
    "command",
    [
        "demo --port 99999",
        "demo --port -1",
        "demo --port x",
        "learn pages.jsonl -o p.jsonl --processes 0",
        "strip p.jsonl pages.jsonl --processes -1",
        "report p.jsonl --pages pages.jsonl -o report --samples -1",
        "check p.jsonl examples.jsonl --pages 0",
    ],
)
def test_a_number_out_of_bounds_is_a_mistake_of_usage(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(*command.split())
    assert "must be a number, " in capsys.readouterr().err
