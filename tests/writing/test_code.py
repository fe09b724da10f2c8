"""Code of any highlighter, by its lines and its language."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_stemmer.page.document import parse
from scrapy_stemmer.writing.code import code_language, code_of
from scrapy_stemmer.writing.pruned_html import pruned_html

LINES = "a = 1\n  b()"

HIGHLIGHTERS = {
    "Sphinx": ("python", '<div class="highlight-python3 notranslate"><div class="highlight"><pre><span></span>'
        '<span class="n">a</span> <span class="o">=</span> <span class="mi">1</span>\n  <span class="n">b</span>'
        "()\n</pre></div></div>"),
    "Pygments, a table of numbers": ("ruby", '<div class="highlight-ruby"><table class="highlighttable"><tr>'
        '<td class="linenos"><div class="linenodiv"><pre><span class="normal">1</span>\n<span class="normal">2'
        '</span></pre></div></td><td class="code"><div><pre><span></span>a = 1\n  b()\n</pre></div></td></tr>'
        "</table></div>"),
    "Pygments, numbers in lines": ("", '<div class="highlight"><pre><span class="linenos">1</span>a = 1\n'
        '<span class="linenos">2</span>  b()\n</pre></div>'),
    "Prism": ("js", '<pre class="language-js line-numbers"><code class="language-js">a = 1\n  b()'
        '<span class="line-numbers-rows"><span></span></span></code></pre>'),
    "highlight.js": ("python",
        '<pre><code class="hljs language-python"><span class="hljs-attr">a</span> = 1\n  b()</code></pre>'),
    "highlight.js before 11": ("python", '<pre><code class="hljs python">a = 1\n  b()</code></pre>'),
    "highlightjs-line-numbers": ("c", '<pre><code class="hljs language-c"><table class="hljs-ln"><tr>'
        '<td class="hljs-ln-numbers">1</td><td class="hljs-ln-code">a = 1</td></tr><tr>'
        '<td class="hljs-ln-numbers">2</td><td class="hljs-ln-code">  b()</td></tr></table></code></pre>'),
    "Shiki": ("ts", '<pre class="shiki github-dark" data-language="ts"><code><span class="line">'
        '<span>a</span> = 1</span>\n<span class="line">  b()</span></code></pre>'),
    "Docusaurus": ("bash", '<div class="language-bash codeBlockContainer"><pre class="prism-code language-bash">'
        '<code><span class="token-line">a = 1<br></span><span class="token-line">  b()<br></span></code></pre>'
        "<button>Copy</button></div>"),
    "Rouge": ("yaml", '<div class="language-yaml highlighter-rouge"><div class="highlight"><pre class="highlight">'
        "<code>a = 1\n  b()\n</code></pre></div></div>"),
    "Rouge, a table of numbers": ("yaml", '<div class="language-yaml highlighter-rouge"><pre><code>'
        '<table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td>'
        '<td class="rouge-code"><pre>a = 1\n  b()\n</pre></td></tr></tbody></table></code></pre></div>'),
    "Chroma": ("go", '<div class="highlight"><pre class="chroma"><code class="language-go" data-lang="go">'
        '<span class="line"><span class="ln">1</span><span class="cl">a = 1\n</span></span><span class="line">'
        '<span class="ln">2</span><span class="cl">  b()\n</span></span></code></pre></div>'),
    "Chroma, a table of numbers": ("go", '<div class="chroma"><table class="lntable"><tr><td class="lntd">'
        '<pre class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td>'
        '<td class="lntd"><pre class="chroma"><code class="language-go">a = 1\n  b()\n</code></pre></td></tr>'
        "</table></div>"),
    "Chroma, numbers by their style": ("go", '<pre><code class="language-go"><span style="display:flex">'
        '<span style="white-space:pre;user-select:none"> 1</span><span>a = 1\n</span></span>'
        '<span style="display:flex"><span style="white-space:pre;user-select:none"> 2</span><span>  b()\n</span>'
        "</span></code></pre>"),
    "Mintlify": ("tsx", '<pre class="shiki"><code language="tsx"><span class="line">a = 1</span>\n'
        '<span class="line">  b()</span></code></pre>'),
    "Docutils": ("rust", '<pre class="code rust literal-block"><small class="ln">1 </small>a = 1\n<small class="ln">'
        "2 </small>  b()</pre>"),
    "GitHub": ("shell",
        '<div class="highlight highlight-source-shell"><pre>a = 1\n  b()</pre><clipboard-copy></clipboard-copy></div>'),
    "GitHub, a file": ("", '<table class="highlight js-file-line-container">\n  <tr>'
        '\n    <td data-line-number="1" class="blob-num"></td>\n    <td class="blob-code">a = 1</td>\n  </tr><tr>'
        '<td data-line-number="2" class="blob-num"></td><td class="blob-code">  b()</td></tr></table>'),
    "SyntaxHighlighter": ("csharp", '<pre class="brush: csharp; toolbar: false">a = 1\n  b()</pre>'),
    "Pandoc": ("r", '<div class="sourceCode"><pre class="sourceCode r"><code class="sourceCode r"><span id="cb1-1">'
        '<a href="#cb1-1"></a>a = 1</span>\n<span>  b()</span></code></pre></div>'),
    "MediaWiki": ("lua", '<div class="mw-highlight mw-highlight-lang-lua"><pre>a = 1\n  b()</pre></div>'),
    "YARD": ("", '<table><tr><td><pre class="lines">\n1\n2</pre></td><td><pre class="code">a = 1\n  b()</pre></td>'
        "</tr></table>"),
    "Hexo": ("", '<figure class="highlight"><table><tr><td class="gutter"><pre><span class="line">1</span><br>'
        '<span>2</span></pre></td><td class="code"><pre>a = 1<br>  b()</pre></td></tr></table></figure>'),
    "lines that are blocks": ("", "<pre><div>a = 1</div><div>  b()</div></pre>"),
    "hidden text": ("",
        '<pre>a = 1<span style="display: none">x</span><span hidden> y</span>\n<i class="sr-only">z</i>  b()</pre>'),
    "text hidden by an attribute alone": ("", "<pre><code>a = 1<span hidden> y</span>\n  b()</code></pre>"),
    "Doxygen": ("", '<pre class="fragment"><div class="line"><a name="l1"></a>'
        '<span class="lineno">    1</span>&#160;a = 1</div>\n<div class="line">'
        '<span class="lineno">    2</span>&#160;  b()</div>\n</pre>'),
    "a button in it": ("", '<pre><button>Copy</button><span class="copy-btn">Copy</span>a = 1\n  b()</pre>'),
}  # fmt: skip


def written(html: str) -> str:
    root = parse(f"<html><body><div><p>Before</p>{html}<p>After</p></div></body></html>")
    every = [(element, is_tail) for element in root.iter() for is_tail in (False, True) if element.tail or not is_tail]
    return pruned_html(root, [piece for piece in every if piece[0].tag not in ("html", "body")])


@pytest.mark.parametrize("name", HIGHLIGHTERS)
def test_lines_and_language(name: str) -> None:
    language, html = HIGHLIGHTERS[name]
    (pre,) = parse(written(html)).iter("pre")
    assert "".join(pre.itertext()).strip("\n") == LINES
    codes = [code_element.get("class") for code_element in pre.iter("code")]
    assert codes == ([f"language-{language}"] if language else codes and [None])


@pytest.mark.parametrize("names", ["token number", "hljs-number", "mi", "num", "linecount"])
def test_numbers_that_are_code_stay(names: str) -> None:
    assert "<pre>a = 42\nb</pre>" in written(f'<pre>a = <span class="{names}">42</span>\nb</pre>')


@pytest.mark.parametrize(
    "html",
    [
        "<pre><p>A page</p><ul><li>in it</li></ul></pre>",
        '<table><tr><td class="num">1</td><td>One</td></tr></table>',
        "<p>x</p>",
    ],
)
def test_what_is_no_code(html: str) -> None:
    element = parse(html).find(".//body")
    assert element is not None
    assert code_of(element[0], lambda _: True) is None


def test_lines_that_are_not_kept_are_left_out() -> None:
    pre = etree.HTML("<pre><div>kept</div><div id='no'>dropped</div><div>{</div></pre>")[0][0]
    code = code_of(pre, lambda element: element.get("id") is None and "{" not in (element.text or ""))
    assert code is not None
    assert code.text == "kept\n{"


def test_links_in_code_stay() -> None:
    html = written('<pre><a class="l" id="L1"></a>from <a href="/a">a</a> import <a href="javascript:x">b</a></pre>')
    assert '<pre>from <a href="/a">a</a> import b</pre>' in html


@pytest.mark.parametrize(
    ("names", "language"),
    [("language-none", ""), ("lang-C++", "c++"), ("highlight-default", ""), ("language-<b>", ""), ("shiki nord", "")],
)
def test_names_that_tell_a_language_or_none(names: str, language: str) -> None:
    pre = etree.Element("pre", {"class": names})
    assert code_language(pre) == language


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    ["<b>1</b><pre>a = 1\nb</pre>", "<i>1</i><i>2</i><pre>x = 1\n y</pre>", "<span class=copy>x</span>\n"],
    ids=["a number before each", "several before each", "words of one cell"],
)
def test_of_many_elements_around_code_few_are_looked_at_for_each(part: str) -> None:
    looked_at: list[None] = []

    class Counted(etree.ElementBase):
        def _init(self) -> None:  # at each access from Python
            looked_at.append(None)

    parser = etree.HTMLParser()
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=Counted))
    cell = f"<table class=highlighttable><tr><td><pre>1\n2</pre></td><td>{part * 500}</td></tr></table>"
    root = etree.fromstring(f"<html><body><div>{part * 500}</div>{cell}</body></html>", parser)
    code_of(next(root.iter("table")), lambda _: True)
    assert len(looked_at) < 20 * 1_000
