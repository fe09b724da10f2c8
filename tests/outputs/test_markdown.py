"""Markdown by html-to-markdown."""

from __future__ import annotations

import sys

import pytest

from scrapy_stemmer import MissingExtra, Stripped
from scrapy_stemmer.outputs.markdown import markdown_of, markdown_page

HTML = """<div><h2>Heading</h2><p>A <a href="/a">link</a>, <b>bold</b>, <code>x * y</code>.</p>
<ul><li>one</li><li>two</li></ul><ol start="3"><li>three</li></ol>
<table><tr><th>A</th><th>B</th></tr><tr><td>1|2</td><td>3</td></tr></table>
<pre>def f():
    return 1
</pre><blockquote><p>Said</p></blockquote><img src="i.png" alt="Image"></div>"""

MARKDOWN = """## Heading

A [link](http://a.example/a), **bold**, `x * y`.

- one
- two

3. three

| A | B |
| --- | --- |
| 1\\|2 | 3 |

```
def f():
    return 1
```

> Said

![Image](http://a.example/d/i.png)"""


def test_headings_lists_tables_code_and_links() -> None:
    lines = [line for line in markdown_of(HTML, "http://a.example/d/p").split("\n") if line]
    assert lines == [line for line in MARKDOWN.split("\n") if line]


def test_links_stay_as_they_are_without_a_url() -> None:
    assert markdown_of('<a href="/a">link</a>') == "[link](/a)"
    assert markdown_of("") == ""


def test_a_page_without_text_has_its_front_matter() -> None:
    head = '---\nurl: "http://a.example/"\ntitle: null\nmatched: false\n---\n\n'
    assert markdown_page("http://a.example/", Stripped(matched=False)).startswith(head)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "html_to_markdown", None)
    with pytest.raises(MissingExtra, match=r"pip install 'scrapy-stemmer\[markdown\]'"):
        markdown_of("<p>")
