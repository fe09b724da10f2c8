"""Pattern files: as text, by URI, and read site by site."""

from __future__ import annotations

import os
import pickle
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from scrapy_stemmer import PatternFileError, PatternSet
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern, Section
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Sample
from scrapy_stemmer.stores import file as patternfile
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import PatternStore
from scrapy_stemmer.stores.file import FileStore
from tests.stores.contract import PATTERNS, StoreContract, load, save

PATTERN = LayoutPattern(
    site="0.com", name="n", support=3, score=4.5, sections=(Section("div:class=日本", 0.5, 12.0, 3),)
)


@pytest.fixture(autouse=True)
def _no_file_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patternfile, "CHECKED_WHOLE", 0)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the numbers of lines read completely."""
    lines: list[int] = []
    read_line = codec.read_line

    def counting(number: int, row: str | bytes) -> Any:
        lines.append(number)
        return read_line(number, row)

    monkeypatch.setattr(codec, "read_line", counting)
    return lines


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "patterns.jsonl"
    PatternSet(replace(PATTERN, site=f"{number}.com") for number in range(10)).save(str(path))
    return path


def edit(path: Path, change: Callable[[list[bytes]], list[bytes]]) -> None:
    """Change the lines of a file in place, with a later time."""
    before = path.stat()
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000))


def test_a_line_is_read_when_its_site_is_used_and_then_once(path: Path, read: list[int]) -> None:
    patterns = PatternSet.load(str(path))
    assert (len(patterns), len(patterns.sites), "5.com" in patterns.sites) == (10, 10, True)
    assert read == []
    assert [patterns.of_site("5.com") for _ in range(3)] == 3 * [(replace(PATTERN, site="5.com"),)]
    assert patterns.of_site("55.com") == ()
    assert read == [7]


def test_replacing_and_saving_copies_the_lines_of_other_sites_unread(path: Path, read: list[int]) -> None:
    before = path.read_bytes().splitlines()
    new = PatternSet([replace(PATTERN, site="3.com", support=99)])
    PatternSet.load(str(path)).replace(new).save(str(path))
    after = path.read_bytes().splitlines()
    assert read == []
    assert [number for number in range(11) if before[number] != after[number]] == [4]
    assert PatternSet.load(str(path)).of_site("3.com")[0].support == 99


def test_a_small_file_is_read_whole(path: Path, read: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patternfile, "CHECKED_WHOLE", path.stat().st_size)
    PatternSet.load(str(path))
    assert read == list(range(2, 12))


def test_a_wrong_field_is_told_when_its_site_is_used(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    edit(
        path,
        lambda lines: [
            line.replace(b'"support": 3', b'"support": "3"') if b"7.com" in line else line for line in lines
        ],
    )
    patterns = PatternSet.load(str(path))
    assert patterns.of_site("6.com")
    assert caplog.text == ""
    for _ in range(2):
        assert patterns.of_site("7.com") == ()
    (message,) = [record.message for record in caplog.records]
    assert f"7.com ({path}, line 9, field support: " in message
    assert len(patterns.patterns) == len(patterns) == 9
    assert "7.com" not in patterns.sites


@pytest.mark.parametrize(
    ("change", "broken", "place"),
    [
        pytest.param(lambda lines: [*lines[:4], lines[4][:-9] + b"\n", *lines[5:]], ["3.com"], (5, None), id="torn"),
        pytest.param(lambda lines: [*lines[:4], lines[4][:-9]], ["3.com"], (5, None), id="torn at the end"),
        pytest.param(lambda lines: [*lines, lines[3]], ["2.com"], (12, "name"), id="the same name twice"),
        pytest.param(lambda lines: [*lines, b'{"site": "x"}\n'], ["x"], (12, "kind"), id="fields missing"),
        pytest.param(
            lambda lines: [*lines, b"\n", b"# x\n", b"{}\n"], ["(no site), line 14"], (14, "kind"), id="no site"
        ),
        pytest.param(lambda lines: [*lines[:4], lines[4][:-9], *lines[5:]], ["3.com"], (5, None), id="its end is lost"),
        pytest.param(lambda lines: [*lines[:4], b" " + lines[4], *lines[5:]], ["2.com"], (4, None), id="indented"),
    ],
)
def test_broken_lines_of_a_file_stay_as_they_are_until_their_site_is_learned(
    path: Path, change: Callable[[list[bytes]], list[bytes]], broken: list[str], place: tuple[int, str | None]
) -> None:
    edit(path, change)
    patterns = PatternSet.load(str(path))
    for site in (*patterns.sites, *broken):
        patterns.of_site(site)
    assert list(patterns.broken) == broken
    error = patterns.broken[broken[0]]
    assert (error.uri, error.line, error.field) == (str(path), *place)
    before = sorted(path.read_bytes().splitlines())
    patterns.save(str(path))
    assert sorted(path.read_bytes().splitlines()) == before


BYTES = st.lists(st.sampled_from(b'{}[]",:\\~.0-ea\0\xff\xc3<='), max_size=8).map(bytes)


@given(st.integers(1, 400), st.integers(0, 400), BYTES, st.sampled_from([0, 1 << 20]))
@example(start=18, length=400, junk=b"", whole=0)  # ends with a space
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
def test_whatever_becomes_of_the_inside_of_a_line_the_others_stay(
    path: Path, start: int, length: int, junk: bytes, whole: int
) -> None:
    lines = [codec.line_of(replace(PATTERN, site=f"{number}.com")).encode() for number in range(3)]
    damaged = lines[1][:start] + junk + lines[1][start + length :]
    path.write_bytes(b"\n".join([codec.header().encode(), lines[0], damaged, lines[2], b""]))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(patternfile, "CHECKED_WHOLE", whole)
        patterns = PatternSet.load(str(path))
        assert [len(patterns.of_site(site)) for site in ("0.com", "2.com")] == [1, 1]
        patterns.save(str(path))
    assert damaged in path.read_bytes().splitlines()


def test_lines_of_any_form_are_read(path: Path) -> None:
    """Keys, white space, comments and patterns come in an unusual order."""
    other = codec.line_of(replace(PATTERN, site="1.com", name="first", score=9.0)).encode()
    moved = b"{" + other[1:-1].replace(b'"site": "1.com", ', b"") + b', "site":"1.com"}'
    edit(path, lambda lines: [lines[0], b" # mine\r\n", *reversed(lines[1:]), b"\r\n", moved + b" \r\n"])
    patterns = PatternSet.load(str(path))
    assert patterns.sites == tuple(f"{number}.com" for number in range(10))
    assert [pattern.name for pattern in patterns.of_site("1.com")] == ["first", "n"]
    patterns.save(str(path))
    assert PatternSet.load(str(path)) == patterns


def test_a_set_that_is_sent_to_another_process_takes_its_patterns_along(path: Path) -> None:
    patterns = PatternSet.load(str(path))
    assert pickle.loads(pickle.dumps(patterns)) == patterns


RULES = """\
# What scrapy stemmer has learned.
{"format": "scrapy-stemmer patterns", "version": 1}
{"site": "a.com", "score": 1, "name": "site", "kind": "rules", "rules": [
  {"keep": "body"},
  # {"drop": ".old"},
\t{"drop": ".ad"}
 ],
 "support": 3}
# Another site.
{"site": "b.com", "score": 1, "name": "site", "kind": "rules", "rules": [{"keep": "main"}], "support": 3}
"""
"""File edited by a person."""


@pytest.mark.parametrize("text", [RULES, RULES.replace("\n", "\r\n"), RULES.rstrip("\n"), f"\n{RULES}\n\n  # end\n"])
def test_a_pattern_may_go_on_over_several_lines_with_comments_between(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(text.encode())
    patterns = PatternSet.load(str(path))
    assert patterns.sites == ("a.com", "b.com")
    lines = [[rule.line for rule in pattern.rules] for pattern in patterns.patterns]  # type: ignore[attr-defined]
    assert lines == [["keep body", "drop .ad"], ["keep main"]]
    assert list(patterns.patterns) == codec.loads(text)


def test_such_patterns_are_copied_as_they_stand(tmp_path: Path) -> None:
    path, copy = tmp_path / "p.jsonl", tmp_path / "q.jsonl"
    path.write_text(RULES, encoding="utf-8")
    patterns = PatternSet.load(str(path))
    patterns.replace(PatternSet([PATTERN])).save(str(copy))
    assert PatternSet.load(str(copy)).of_site("a.com") == patterns.of_site("a.com")
    assert '  # {"drop": ".old"},\n' in copy.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ('\t{"drop"', '\t{"dorp"', 3, "rules[1]"),
        ('{"drop": ".ad"', '{"drop": "[x]"', 3, "rules[1].drop"),
        ('{"keep": "body"},', '{"keep": "body"}', 3, None),
        ('"main"', "7", 10, "rules[0].keep"),
    ],
)
def test_errors_in_them_name_the_line_that_they_begin_with(
    tmp_path: Path, old: str, new: str, line: int, field: str | None
) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(RULES.replace(old, new), encoding="utf-8")
    with pytest.raises(PatternFileError) as caught:
        PatternSet.load(str(path), strict=True)
    assert (caught.value.line, caught.value.field) == (line, field)


# Pattern files on the local disk


class TestFile(StoreContract):
    def uri(self, folder: Path) -> str:
        return str(folder / "patterns.jsonl")

    def put(self, uri: str, data: bytes) -> None:
        FileStore(uri).path.write_bytes(data)

    def get(self, uri: str) -> bytes:
        return FileStore(uri).path.read_bytes()

    def test_nothing_can_be_saved_too(self, store: PatternStore) -> None:
        save(store, [])
        assert store.exists()
        assert load(store) == []

    def test_what_is_opened_stays_when_it_is_replaced(self, store: PatternStore) -> None:
        save(store, PATTERNS)
        opened = store.open()
        save(store, [])
        assert opened["example.com"].read() == tuple(PATTERNS)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        pytest.param("patterns/news.jsonl", "patterns/news.jsonl", id="relative path"),
        pytest.param("/a/b.jsonl", "/a/b.jsonl", id="absolute path"),
        pytest.param("file:///a/b%20c.jsonl", "/a/b c.jsonl", id="URI, unquoted"),
        pytest.param("FILE:///a/b.jsonl", "/a/b.jsonl", id="URI, upper case"),
        pytest.param("a%20b.jsonl", "a%20b.jsonl", id="a path is not unquoted"),
    ],
)
def test_the_path_of_a_uri(uri: str, path: str) -> None:
    store = open_store(uri)
    assert isinstance(store, FileStore)
    assert store.path == Path(path)


def test_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "patterns.jsonl"
    save(open_store(str(path)), PATTERNS)
    assert path.read_text(encoding="utf-8") == codec.dumps(PATTERNS)


def test_a_file_is_written_aside_and_put_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash during a write leaves the old file whole and no temporary file."""
    path = tmp_path / "patterns.jsonl"
    store = open_store(str(path))
    save(store, PATTERNS)
    before = path.read_bytes()

    def crash(*_: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", crash)
    with pytest.raises(PatternFileError, match=r"disk full.*The old one, if any, is as it was"):
        save(store, PATTERNS[:1])
    assert path.read_bytes() == before
    assert {entry.name for entry in tmp_path.iterdir()} - {".patterns.jsonl.lock"} == {"patterns.jsonl"}


def test_what_a_killed_writer_has_left_is_removed_by_the_next(tmp_path: Path) -> None:
    for name in (".p.jsonl.abc_1234.tmp", ".p.jsonl.b.abc_1234.tmp", ".p2jsonl.abc_1234.tmp", "p.jsonl.abc_1234.tmp"):
        (tmp_path / name).write_text("half a pattern")
    save(open_store(str(tmp_path / "p.jsonl")), PATTERNS)
    left = {entry.name for entry in tmp_path.iterdir()} - {".p.jsonl.lock", "p.jsonl"}
    assert left == {".p.jsonl.b.abc_1234.tmp", ".p2jsonl.abc_1234.tmp", "p.jsonl.abc_1234.tmp"}


class TestCheckWritable:
    def check(self, path: Path) -> None:
        FileStore(str(path)).check_writable()

    def test_leaves_nothing_behind(self, tmp_path: Path) -> None:
        self.check(tmp_path / "p.jsonl")
        self.check(tmp_path / "new" / "newer" / "p.jsonl")
        assert list(tmp_path.iterdir()) == []

    def test_a_lock_that_cant_be_made_is_an_error(self, tmp_path: Path) -> None:
        (tmp_path / ".p.jsonl.lock").mkdir()
        with pytest.raises(PatternFileError, match="can't be written"):
            self.check(tmp_path / "p.jsonl")

    @pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that takes no file from anybody")
    def test_a_lock_that_cant_be_made_is_not_waited_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A file that cannot be created may look to the lock like a held file."""
        monkeypatch.setattr(patternfile, "FileLock", lambda *_, **__: pytest.fail("waited"))
        with pytest.raises(PatternFileError, match="can't be written"):
            FileStore("/proc/x.jsonl").write([])

    def test_another_writer_does_not_make_a_file_unwritable(self, tmp_path: Path) -> None:
        with FileLock(tmp_path / ".p.jsonl.lock"), ThreadPoolExecutor(1) as pool:
            pool.submit(self.check, tmp_path / "p.jsonl").result()


@pytest.mark.skipif(os.name == "nt", reason="Windows has neither")
@pytest.mark.parametrize("kind", ["folder", "pipe", "loop", "link to a pipe"])
def test_neither_a_folder_nor_a_pipe_nor_a_loop_of_links_is_a_pattern_file(tmp_path: Path, kind: str) -> None:
    """Opening a pipe would wait for ever."""
    path = tmp_path / "patterns.jsonl"
    if kind == "loop":
        path.symlink_to(path)
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    if kind == "link to a pipe":
        path = tmp_path / "link.jsonl"
        path.symlink_to(tmp_path / "patterns.jsonl")
    store = FileStore(str(path))
    with pytest.raises(PatternFileError, match="can't be read"):
        load(store)
    with pytest.raises(PatternFileError, match="can't be written"):
        store.check_writable()
    with pytest.raises(PatternFileError, match="can't be written"):
        store.merge({})


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "patterns.jsonl"
    store = open_store(str(path))
    save(store, PATTERNS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o600)
    save(store, PATTERNS[:1])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_an_editor_has_saved_differently(tmp_path: Path) -> None:
    """With a byte order mark, and line ends of Windows."""
    path = tmp_path / "patterns.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + codec.dumps(PATTERNS).encode().replace(b"\n", b"\r\n"))
    assert load(open_store(str(path))) == PATTERNS


def test_half_a_character_is_written_as_json_writes_it(tmp_path: Path) -> None:
    """A URL that was cut off, or decoded with ``surrogateescape``, has lone surrogates, and is a name of patterns."""
    odd = [replace(PATTERNS[0], name="half a pair \ud800", samples=(Sample("http://example.com/\udce9"),))]
    path = tmp_path / "patterns.jsonl"
    save(open_store(str(path)), odd)
    assert rb"half a pair \ud800" in path.read_bytes()
    assert load(open_store(str(path))) == odd
