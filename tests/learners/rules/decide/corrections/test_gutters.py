"""Line numbers beside code are dropped, further numbers stay; ``tests/writing/test_code.py`` has more highlighters."""

from __future__ import annotations

import re

import pytest
from lxml.html import document_fromstring

from scrapy_stemmer import Page, Stripped, strip
from scrapy_stemmer.page.document import parse
from tests.writing.test_code import written

URL = "https://a.example/course/area"
LINES = ["def area(width, height):", "    total = width * height", "", "    return total"]
CODE = "\n".join(LINES)

BEFORE = (
    "<p>The function that follows computes the area of a rectangle from its width and its height, both of which are "
    "numbers of any kind.</p><p>It is the first one that readers of this course have written by themselves, and there "
    "is nothing wrong with it so far.</p>"
)
AFTER = (
    "<p>It gives the product of both, which is what readers expect from a function of that name, and it raises nothing "
    "at all.</p><p>What becomes of areas that are negative is left to those who call it.</p>"
)


def each(number: str, first: int = 1) -> str:
    """Return HTML for the number of each line, at each ``#``."""
    return "".join(number.replace("#", str(first + at)) for at in range(len(LINES)))


def rows(row: str, first: int = 1) -> str:
    """Return HTML for each line with its number: ``@`` stands for the line, ``~`` for the line with fixed spaces."""
    return "".join(
        row.replace("#", str(first + at)).replace("@", line).replace("~", line.replace(" ", "\xa0") or "\xa0")
        for at, line in enumerate(LINES)
    )


PRE = f"<pre><code>{CODE}\n</code></pre>"

GUTTERS = {
    "a block of lines": f"<div class=box><div class=gutter>{each('#<br>')}</div>{PRE}</div>",
    "not from one": f"<div><div class=gutter>{each('<div>#</div>', 117)}</div>{PRE}</div>",
    "a list within, of CSDN": f"<pre><code>{CODE}</code><ul class=pre-numbering>{each('<li>#</li>')}</ul></pre>",
    "code within, of react-syntax-highlighter": (
        f"<pre><code style='float:left'>{each('<span>#' + chr(10) + '</span>')}</code><code>{CODE}</code></pre>"
    ),
    "Prism, with text": (
        f"<pre class='language-x line-numbers'><code>{CODE}<span aria-hidden=true class=line-numbers-rows>"
        f"{each('<span>#</span>')}</span></code></pre>"
    ),
    "VitePress": (
        f"<div><button class=copy></button>{PRE}<div class=line-numbers-wrapper aria-hidden=true>"
        f"{each('<span class=line-number>#</span><br>')}</div></div>"
    ),
    "rustdoc": (
        f"<div><pre class=src-line-numbers>{each('<a href=##>#</a>' + chr(10))}</pre><pre class=rust>{CODE}</pre></div>"
    ),
    "cgit": (
        f"<table><tr><td class=linenumbers><pre>{each('<a href=#n#>#</a>' + chr(10))}</pre></td>"
        f"<td class=lines>{PRE}</td></tr></table>"
    ),
    "Hexo": (
        f"<figure class=highlight><table><tr><td class=gutter><pre>{each('<span class=line>#</span><br>')}</pre></td>"
        f"<td class=code><pre>{rows('<span class=line>@</span><br>')}</pre></td></tr></table></figure>"
    ),
    "YARD, which numbers no line above": (
        f"<table><tr><td><pre class=lines>\n\n\n{each('#' + chr(10), 17)}</pre></td>"
        f"<td><pre class=code>Of areas.rb\n\n{CODE}</pre></td></tr></table>"
    ),
    "Rouge, a row a line": (
        "<table class=rouge-line-table>"
        + rows("<tr class=lineno><td class=gl><pre>#</pre></td><td class=rouge-code><pre>@\n</pre></td></tr>")
        + "</table>"
    ),
    "GitHub, with text": (
        f"<table>{rows('<tr><td class=blob-num data-line-number=#>#</td><td class=blob-code>@</td></tr>')}</table>"
    ),
    "rows of pre": f"<table>{rows('<tr><td class=num>#</td><td><pre>@</pre></td></tr>')}</table>",
    "rows of code with fixed spaces": (
        f"<table>{rows('<tr><td class=line-number>#</td><td>' + chr(10) + '<code>~</code></td></tr>', 40)}</table>"
    ),
    "SyntaxHighlighter": (
        f"<div><table><tr><td class=gutter>{each('<div class=line>#</div>')}</td><td class=code>"
        f"<div class=container>{rows('<div class=line><code>~</code></div>')}</div></td></tr></table></div>"
    ),
    "Crayon": (
        f"<div><textarea class='crayon-plain print-no' readonly>{CODE}</textarea><table class=crayon-table><tr>"
        f"<td class=crayon-nums><div>{each('<div class=crayon-num>#</div>')}</div></td><td class=crayon-code>"
        f"<div class=crayon-pre>{rows('<div class=crayon-line>@</div>')}</div></td></tr></table></div>"
    ),
    "Crayon without a table": (
        f"<div><div class=crayon-nums>{each('<div class=crayon-num>#</div>')}</div>"
        f"<div class=crayon-pre>{rows('<div class=crayon-line>~</div>')}</div></div>"
    ),
}

CONTENT = {
    "a paragraph before code": "<p>1 2</p><pre>first\nsecond</pre>",
    "the output of code": "<pre>for i in 1 2 3\ndo echo $i\ndone</pre><pre>1\n2\n3</pre>",
    "output behind code, whatever it is": "<div><pre>print(1)\nprint(2)</pre><div>1<br>2</div></div>",
    "numbers of a text": "<pre>     1\tfirst\n     2\tsecond</pre>",
    "a list beside no code": "<ol><li>1</li><li>2</li></ol><p>first second</p>",
    "more than there are lines": "<div><div>1<br>2<br>3</div><pre>first\nsecond</pre></div>",
    "not consecutive": "<div><div>1<br>3</div><pre>first\nsecond</pre></div>",
    "one number": "<div><div>1</div><pre>first</pre></div>",
    "a table of what numbers mean": "<table><tr><td class=num>1</td><td><code>SIGHUP</code></td></tr>"
    "<tr><td class=num>2</td><td><code>SIGINT</code></td></tr></table>",
    "numbers beside fewer lines, in a table": "<table><tr><td><pre>1\n2\n3</pre></td>"
    "<td><pre>first\nsecond</pre></td></tr></table>",
    "not alone with the code": "<p>The values:</p><ul><li>1</li><li>2</li></ul><pre>a = 1\nb = 2</pre>",
    "lines that are no code": "<div><div>1999<br>2000</div><pre>The first year\nThe second one</pre></div>",
    "what comes out of what goes in": "<table><tr><th>In</th><th>Out</th></tr><tr><td><pre>5\n6</pre></td>"
    "<td><pre>odd\neven</pre></td></tr></table>",
    "a table of codes": "<table><tr><td>404</td><td><pre>Not Found</pre></td></tr>"
    "<tr><td>405</td><td><pre>Not Allowed</pre></td></tr></table>",
    "columns of a table of a database": "<div><div><pre>1\n2</pre></div><div><pre>ann\nbob</pre></div></div>",
    "a number that a message names": "<pre>Error on line <span class=line-number>17</span>: no token\n"
    "a.py:<span class=lineno>3</span>:import os</pre>",
    "numbers beside numbers": "<div><div>1<br>2</div><pre>1\n2</pre></div>",
}  # fmt: skip


def stripped(html: str) -> Stripped:
    return strip(Page("http://site.example/areas", f"<html><body><h1>Areas</h1>{BEFORE}{html}{AFTER}</body></html>"))


def code_in(text: str) -> str:
    """The lines of a text, or of HTML, from the first line of the code to the last."""
    lines = re.sub(r"</?(?:pre|code)\b[^>]*>", "\n", text).replace("\xa0", " ").split("\n")
    at = [number for number, line in enumerate(lines) if line and line in LINES]
    return "\n".join(line.rstrip() for line in lines[at[0] : at[-1] + 1])


@pytest.mark.parametrize("name", GUTTERS)
def test_numbers_of_lines(name: str) -> None:
    found = stripped(GUTTERS[name])
    assert len(list(parse(found.html).iter("pre"))) == 1
    for text in (found.text, found.html, found.markdown):
        assert code_in(text) == CODE
        assert re.search(r"\d", re.sub("</?h1>", "", text)) is None


@pytest.mark.parametrize("name", ["a block of lines", "cgit", "Hexo", "Crayon", "SyntaxHighlighter", "VitePress"])
def test_blocks_of_numbers_are_neither_text_nor_sub_text(name: str) -> None:
    found = stripped(GUTTERS[name])
    numbers = [block for block in found.blocks if re.fullmatch(r"[\d ]+", block.text)]
    assert numbers
    assert not set(numbers) & set(found.main)
    assert found.sub_text == ""
    if name == "cgit":
        assert {block.evidence for block in numbers} == {("numbers of lines",)}


@pytest.mark.parametrize("name", CONTENT)
def test_numbers_that_are_content(name: str) -> None:
    assert numbers_in(written(CONTENT[name])) == numbers_in(CONTENT[name])


@pytest.mark.parametrize("part", [*GUTTERS.values(), *CONTENT.values()], ids=[*GUTTERS, *CONTENT])
def test_comments_which_trees_of_scrapy_have_make_no_difference(part: str) -> None:
    html = f"<html><body>{BEFORE}{part}{AFTER}</body></html>"
    bare, commented = (strip(Page(URL, document_fromstring(text))) for text in (html, html.replace("<", "<!--c--><")))
    assert (commented.text, commented.html, commented.sub_text) == (bare.text, bare.html, bare.sub_text)


def numbers_in(html: str) -> list[str]:
    return re.findall(r"\d", re.sub("<[^>]*>", " ", html))


def test_something_called_a_line_in_a_line_ends_none() -> None:
    pre = "<pre>draw a <span class=line>line</span> and a <span class=line>curve</span> here</pre>"
    assert "\ndraw a line and a curve here\n" in stripped(pre).text
