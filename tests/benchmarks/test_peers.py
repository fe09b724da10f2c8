"""Calls of peers; installed peers are tried."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from benchmarks import peers
from benchmarks.peers import PEERS, PeerMissingError, attempt, load_peers
from benchmarks.sets import ROOT

SAID = (
    "the council had met on the evening before, and what it had to say about the bridge was not what they had hoped",
    "nobody who had been there could tell us how it was that the boats came to be on the wrong side of the river",
    "it will be some time before there is money for all of this, and until then they are to go by the other road",
)

PAGE = (
    "<html lang='en'><head><title>The title</title></head><body><ul><li><a href='/a'>Home</a></li></ul>"
    "<article><h1>The title</h1>"
    + "".join(f"<p>We were told that <b>{said}</b>, and that {said} as well.</p>" for said in SAID)
    + "</article><footer>All rights reserved</footer></body></html>"
)


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_finds_the_article(name: str) -> None:
    try:
        extract = PEERS[name]()
    except PeerMissingError:
        pytest.skip("the group bench is not installed")
    text, failed = attempt(extract, PAGE, "https://news.example/story")
    assert not failed
    assert "We were told that nobody who had been there" in " ".join(text.split())
    assert "All rights reserved" not in text


def test_a_missing_peer_names_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(peers, "import_module", missing)
    with pytest.raises(PeerMissingError, match=r"--group bench; or.*--no-peers"):
        load_peers(["trafilatura"])


def test_an_exception_counts_as_empty_text() -> None:
    def broken(html: str, url: str) -> str:
        raise RecursionError

    assert attempt(broken, "<p>x</p>", "") == ("", True)
    assert attempt(lambda html, url: html, "<p>x</p>", "") == ("<p>x</p>", False)


def test_peers_are_imported_when_used() -> None:
    code = "import sys, benchmarks.peers; sys.exit(bool({'trafilatura', 'newspaper', 'justext'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
