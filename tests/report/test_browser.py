"""The report in a real Chromium, opened from disk: readable, of use by keyboard, and safe from the pages in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.learners.rules.site.paths import Selector
from tests.browser import ARGUMENTS, EXECUTABLE, needs_browser
from tests.commands.subcommand import run
from tests.crawl.website import Article, Website

pytestmark = [needs_browser, pytest.mark.slow]

SIZES = {"desk": (1280, 800), "phone": (390, 800)}

SITE, HOSTILE = "a.example", 'evil.example"><script>pwn()<'

BOXES = """(selectors) => selectors.flatMap((selector) => [...document.querySelectorAll(selector)])
  .map((element) => [element, element.getBoundingClientRect()]).filter(([, box]) => box.width && box.height)
  .map(([element, box]) => [element.outerHTML.slice(0, 80), box.left, box.top, box.right, box.bottom])"""

TEXTS = """() => {
  const parsed = (color) => (color.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
    .map((part) => part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [.2126, .7152, .0722][at], 0);
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = parsed(getComputedStyle(each).backgroundColor);
      if (color.length === 3 || color[3] > .99) return color;
    }
    return [255, 255, 255];
  };
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, style = getComputedStyle(element);
    if (!walker.currentNode.data.trim() || !element.getClientRects().length || element.tagName === "SCRIPT") continue;
    const [a, b] = [light(parsed(style.color)), light(behind(element))];
    found.push([walker.currentNode.data, (Math.max(a, b) + .05) / (Math.min(a, b) + .05), parseFloat(style.fontSize)]);
  }
  return found;
}"""


def hostile(number: int, website: str) -> str:
    """Return an article with typical attacks: success would request the website or define ``pwned``."""
    pwn = f"pwned=1;fetch('{website}/fetch')"
    attacks = [
        f'<script>top.pwned=1;{pwn}</script><img src=x onerror="{pwn}"><svg onload="{pwn}"></svg>',
        f"<a id=link href=\"javascript:{pwn}\" target=_top>script</a><a href='{website}/a' target=_blank>window</a>",
        f"<form action='{website}/form' target=_top><input autofocus onfocus=\"{pwn}\"><button>Send</button></form>",
        f"<iframe src='{website}/frame'></iframe><object data='{website}/o'></object><embed src='{website}/e'>",
        f'<p style="background:url(\'{website}/style\')">"></iframe><script>{pwn}</script></p>',
        f"&quot;&gt;&lt;/iframe&gt;&lt;img src=x onerror=&quot;{pwn}&quot;&gt;</script><script>{pwn}</script>",
        f"<noscript><p title=\"</noscript><img src='{website}/n' onerror='{pwn}'>\"></noscript>",
        f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror={pwn}&gt;">',
        f'<details open ontoggle="{pwn}"><summary>x</summary></details><plaintext></body></html><script>{pwn}',
    ]
    head = (
        f"<base href='{website}/' target=_top><meta http-equiv=refresh content='0;url={website}/refresh'>"
        f"<link rel=stylesheet href='{website}/css'><link rel=prefetch href='{website}/prefetch'>"
        f"<style>@import '{website}/import'; body {{ background: url({website}/body) }}</style>"
        f"<title>&lt;/title&gt;&lt;script&gt;{pwn}&lt;/script&gt;</title>"
    )
    html = Article(number).html("".join(attacks)).replace("<head>", f"<head>{head}")
    return html.replace("class='story'", "class='story x\"onclick=\"pwn() </script><script>pwn()</script>'")


@pytest.fixture(scope="module")
def website() -> Iterator[Website]:
    with Website() as site:
        yield site


def reported(folder: Path, pages: Sequence[Page], *options: object) -> Path:
    """Write a report of pages by the patterns in a folder, learned from the pages at first."""
    patterns, feed, out = folder / "p.jsonl", folder / "pages.jsonl", folder / "report"
    if not patterns.exists():
        learn(pages).save(str(patterns))
    feed.write_text("\n".join(json.dumps({"url": page.url, "html": page.html}) for page in pages), encoding="utf-8")
    run("report", patterns, "--pages", feed, "-o", out, *options, "--processes", 1)
    return out


def teach(folder: Path, page: Any) -> None:
    """Teach the corrections kept by the browser to the patterns in a folder."""
    corrections = folder / "corrections.json"
    corrections.write_text(page.evaluate("localStorage.getItem(localStorage.key(0))"), encoding="utf-8")
    run("teach", folder / "p.jsonl", corrections)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, website: Website) -> Path:
    """Write a report of a site, and of one that is hostile down to its name."""
    folder = tmp_path_factory.mktemp("browser")
    style = "<style>body { font: 17px Georgia } .nav li { display: inline; margin: 0 1em }</style>"
    pages = [Page(f"http://{SITE}/{n}.html", Article(n).html(style)) for n in range(14)]
    pages += [Page(f"http://{HOSTILE}/{n}'\"<>.html", hostile(n, website.url(""))) for n in range(6)]
    assert pages[-1].site not in ("", SITE)
    return reported(folder, pages, "--samples", 2)


class Tab:
    """Page of the browser with a record of forbidden actions."""

    def __init__(self, browser: Any, report: Path, size: str = "desk") -> None:
        width, height = SIZES[size]
        self.noted: list[str] = []
        context = browser.new_context(viewport={"width": width, "height": height})
        self.page = context.new_page()
        self._report = report
        within = report.as_uri()
        context.on("request", lambda asked: self._note(asked.url, asked.url.startswith((within, "data:", "blob:"))))
        context.on("page", lambda other: self._note("a window", False))
        self.page.on("console", lambda message: self._note(message.text, False))
        self.page.on("pageerror", lambda error: self._note(str(error), False))
        self.page.on("dialog", lambda dialog: self._note("a dialog", False))

    def _note(self, what: str, is_right: bool) -> None:
        if not is_right:
            self.noted.append(what)

    def open(self, *parts: str) -> Any:
        """Open a file of the report."""
        self.page.goto(self._report.joinpath(*parts).as_uri())
        return self.page

    def sample(self, folder: str = SITE, name: str = "page-1.html") -> Any:
        """Open a sample page and wait until its frame is observed."""
        page = self.open(folder, name)
        page.frame_locator("#frame").locator("stemmer-block").first.wait_for(state="attached")
        page.locator("#blocks [role=option]").first.wait_for(state="attached")
        return page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=ARGUMENTS)
        yield browser
        browser.close()


Open = Callable[..., Tab]


@pytest.fixture
def tab(browser: Any, report: Path) -> Iterator[Open]:
    """Open tabs; tests fail on any forbidden action."""
    tabs: list[Tab] = []

    def open_tab(size: str = "desk") -> Tab:
        tabs.append(Tab(browser, report, size))
        return tabs[-1]

    yield open_tab
    for opened in tabs:
        opened.page.context.close()
        assert opened.noted == []


def overlaps(boxes: list[list[Any]]) -> list[tuple[str, str]]:
    """Return the pairs of boxes that overlap by more than a pixel."""
    return [
        (first[0], second[0])
        for at, first in enumerate(boxes)
        for second in boxes[at + 1 :]
        if min(first[3], second[3]) - max(first[1], second[1]) > 1
        and min(first[4], second[4]) - max(first[2], second[2]) > 1
    ]


PAGES = {
    ("index.html",): ["h1", "main > p", "tbody th", "tbody td"],
    (SITE, "layout-1.html"): ["nav", "h1", ".facts > div", "figure", "h2", ".rules td", ".samples li"],
    (SITE, "page-1.html"): ["nav", "h1", ".facts > div", ".views", ".legend", "#frame", "#inspector", "#blocks"],
}


@pytest.mark.parametrize("size", SIZES)
def test_all_is_readable_and_nothing_overlaps(tab: Open, size: str) -> None:
    opened = tab(size)
    for parts, selectors in PAGES.items():
        page = opened.open(*parts)
        if parts[-1] == "page-1.html":
            page.locator("#blocks [role=option]:visible").first.click()
            page.click("#add")
            page.frame_locator("#frame").locator(".story stemmer-block").first.hover()
            assert page.is_visible("#tip")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), parts
        # On a phone the actions stand above the page.
        sheet = 'id="inspector"' if size == "phone" else "nothing"
        assert [pair for pair in overlaps(page.evaluate(BOXES, selectors)) if sheet not in pair[1]] == []
        for scheme, background in {"light": "rgb(250, 250, 249)", "dark": "rgb(22, 21, 20)"}.items():
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == background
            texts = page.evaluate(TEXTS)
            assert len(texts) > 10
            assert [text for text in texts if text[1] < 4.5 or text[2] < 12] == []


def test_a_page_is_drawn_with_tints_and_can_be_seen_stripped(tab: Open) -> None:
    page = tab().sample()
    frame = page.frame_locator("#frame")
    story, menu = frame.locator(".story stemmer-block").first, frame.locator(".nav stemmer-block").first
    tint = "(each) => getComputedStyle(each).backgroundColor"
    assert (story.evaluate(tint), menu.evaluate(tint)) != ("rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)")
    assert story.evaluate(tint) != menu.evaluate(tint)
    assert frame.locator("body").evaluate("(each) => getComputedStyle(each).fontFamily") == "Georgia"
    page.keyboard.press("3")
    assert (story.is_visible(), menu.is_visible()) == (True, False)
    page.click("[data-view=original]")
    assert (story.evaluate(tint), menu.is_visible()) == ("rgba(0, 0, 0, 0)", True)


def test_a_block_tells_its_path_and_what_decided_to_mouse_and_keyboard(tab: Open) -> None:
    page = tab().sample()
    page.frame_locator("#frame").locator(".story stemmer-block").first.hover()
    assert "div.story > p" in page.inner_text("#tip")
    page.focus("#blocks")
    page.keyboard.press("End")
    about = page.inner_text("#about")
    assert about.startswith("template")
    assert "rule: drop" in about
    assert "div.foot" in about
    assert page.frame_locator("#frame").locator("[data-stemmer-on]").inner_text().startswith("Copyright")


def test_corrections_are_collected_over_pages_and_downloaded(tab: Open, tmp_path: Path) -> None:
    opened = tab()
    page = opened.sample()
    page.frame_locator("#frame").locator(".story stemmer-block").first.click()
    assert page.inner_text("#selector") == ".story > p"
    assert "takes 3 blocks of this page, 6 blocks on 2 sample pages" in page.inner_text("#takes")
    page.click("#wider")
    assert json.loads(page.inner_text("#line").rstrip(",")) == {"drop": page.inner_text("#selector")}
    page.click("#narrower")
    page.click("#add")
    page = opened.sample(name="page-2.html")
    page.focus("#blocks")
    for key in ("End", "k", "Enter", "Home", "t", "Enter", "a", "Enter"):
        page.keyboard.press(key)
    page.click("[data-action=published]")
    page.click("#add")
    with page.expect_download() as downloading:
        page.click("#download")
    downloading.value.save_as(tmp_path / "corrections.json")
    assert downloading.value.suggested_filename == "corrections.json"
    corrections = json.loads((tmp_path / "corrections.json").read_text(encoding="utf-8"))
    assert [(correction["site"], correction["action"], correction["selector"]) for correction in corrections] == [
        (SITE, "drop", ".story > p"),
        (SITE, "keep", ".foot"),
        (SITE, "title", ".nav > li"),
        (SITE, "authors", ".nav > li"),
        (SITE, "published", ".nav > li"),
    ]
    assert all(correction["url"].startswith(f"http://{SITE}/") for correction in corrections)
    assert all(Selector.parse(correction["selector"]) for correction in corrections)


def test_what_was_taught_is_shown_so_and_no_longer_offered(browser: Any, tmp_path: Path) -> None:
    pages = [Page(f"http://{SITE}/{n}.html", Article(n).html()) for n in range(4)]
    opened = Tab(browser, reported(tmp_path, pages))
    page = opened.sample()
    page.frame_locator("#frame").locator(".story stemmer-block").first.click()
    page.keyboard.press("Enter")
    assert page.is_visible("#basket")
    teach(tmp_path, page)
    reported(tmp_path, pages)
    page = opened.sample()
    assert not page.is_visible("#basket")
    page.frame_locator("#frame").locator(".story stemmer-block").first.click()
    assert "your rule: drop .story > p" in page.inner_text("#about")
    page.keyboard.press("d")
    assert page.inner_text("#add") == "Taught already"
    assert page.is_disabled("#add")
    page.context.close()


def test_a_click_on_a_price_within_a_line_makes_a_field_of_the_users_own(browser: Any, tmp_path: Path) -> None:
    line = "<div class=buy>Now only <b class='now big'>{}.50 €</b> for each of them, as long as we have some</div>"
    pages = [Page(f"http://{SITE}/{n}.html", Article(n).html(line.format(n))) for n in range(4)]
    opened = Tab(browser, reported(tmp_path, pages))
    page = opened.sample()
    page.frame_locator("#frame").locator("b.now stemmer-block").click()
    page.keyboard.press("f")
    assert (page.inner_text("#selector"), page.inner_text("#takes")) == (".now", "takes 1 element of this page")
    assert (page.inner_text("#add"), page.is_disabled("#add")) == ("Name the field", True)
    page.keyboard.type("offer")
    assert json.loads(page.inner_text("#line").rstrip(",")) == {"field": "offer", "at": ".now"}
    page.keyboard.press("Enter")
    assert page.inner_text("#corrections").startswith("offer")
    teach(tmp_path, page)
    assert PatternSet.load(str(tmp_path / "p.jsonl")).strip(pages[3]).fields["offer"] == "3.50 €"
    reported(tmp_path, pages)
    page = opened.sample()
    assert not page.is_visible("#basket")
    page.keyboard.press("4")
    assert "offer\t" in page.inner_text("#result table")
    page.context.close()


def test_a_hostile_page_can_do_nothing(tab: Open, report: Path, website: Website) -> None:
    folder = next(path.name for path in report.iterdir() if path.is_dir() and path.name != SITE)
    opened = tab()
    opened.open("index.html")
    assert opened.open(folder, "layout-1.html").evaluate("window.pwned") is None
    page = opened.sample(folder)
    address = page.url
    assert page.locator("iframe").count() == 1
    frame = page.frame_locator("#frame")
    for target in [*frame.locator("a").all(), *frame.locator("button, input, summary").all()]:
        target.click(force=True)
        target.click(force=True, button="middle")
    page.focus("#blocks")
    for key in ("End", "d", "Enter", "3", "1", "2"):
        page.keyboard.press(key)
    page.wait_for_timeout(500)
    assert page.url == address
    assert page.evaluate("window.pwned") is None
    assert page.evaluate("document.querySelector('#frame').contentWindow.pwned") is None
    assert page.evaluate("document.querySelector('#frame').contentDocument.URL") == "about:srcdoc"
    assert website.asked == []


def test_the_sandbox_alone_would_hold_too(tab: Open, website: Website) -> None:
    """Neither the frame nor its policy allows an injected script anything."""
    opened = tab()
    page = opened.sample()
    page.evaluate(
        """(html) => { const frame = document.querySelector("#frame");
        frame.srcdoc = frame.srcdoc.replace("<body", html + "<body"); }""",
        f"<script>top.pwned=1</script><img src='{website.url('/image')}' onerror='top.pwned=1'>",
    )
    page.wait_for_timeout(500)
    assert page.evaluate("window.pwned") is None
    assert website.asked == []
    assert any("Blocked script execution" in message for message in opened.noted)
    assert any("Content Security Policy" in message for message in opened.noted)
    opened.noted.clear()
