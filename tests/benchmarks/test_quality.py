"""The quality benchmark: runs over small sets, and its tables."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.folds import ASIDE, FIVE, Fold, FoldError, fold_of
from benchmarks.quality import __main__ as command
from benchmarks.quality import runs
from benchmarks.quality.__main__ import chosen_sets, main, parser
from benchmarks.quality.plan import ITSELF, SIZES, Measured, Plan, Workers, measure, measure_alone, run_title_rule
from benchmarks.quality.report import Told, comparison_table, report
from benchmarks.quality.runs import (
    first_heading,
    likest_heading,
    of_same_pages,
    run_alone,
    run_curve,
    run_folds,
    run_learner,
    run_peer,
    stripped_result,
)
from benchmarks.scoring import PageResult, Score, score
from benchmarks.sets import GoldPage, PageSet, bundled_set
from scrapy_stemmer import Page, learn, strip
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.learners.literature.text_mdl.learner import TextMdlLearner
from scrapy_stemmer.learners.rules.scorer import Scorer
from scrapy_stemmer.learning import DEFAULT_LEARNER
from tests.learners.rules.made import scorer


def result(page: int, f1: float, **more: object) -> PageResult:
    return PageResult("news", f"site{page % 2}", str(page), Score(f1, f1, f1), **more)  # type: ignore[arg-type]


BUNDLED = bundled_set()


def test_a_learner_is_tested_on_pages_that_it_has_not_seen() -> None:
    results = run_learner(BUNDLED, DEFAULT_LEARNER)
    assert len(results) == len(BUNDLED.pages) - 2 * 10
    assert all(result.score.f1 > 0.5 for result in results)
    assert sum(bool(result.title) for result in results) > 0.9 * len(results)


@pytest.mark.parametrize("size", [ITSELF, 2])
def test_the_curve_tests_twelve_pages_a_site(size: int) -> None:
    assert len(run_curve(partial(run_learner, BUNDLED.capped(20), "text_mdl"), size)) == 20
    assert len(run_curve(partial(run_learner, BUNDLED, "text_mdl"), size)) == 24


def test_a_peer_is_run_on_every_page_and_its_failures_count() -> None:
    def extract(html: str, url: str) -> str:
        if url.endswith("/"):
            raise ValueError
        return "word"

    results = run_peer(BUNDLED, extract)
    assert len(results) == len(BUNDLED.pages)
    assert sum(found.failed for found in results) == sum(page.url.endswith("/") for page in BUNDLED.pages) > 0


def test_optional_text_is_forgiven_and_the_groups_of_a_page_are_told() -> None:
    gold = GoldPage("s", "1", "http://s.example/1", "", "gold text", None, "docs", "By Ann", "en", "wiki")
    (found,) = run_peer(PageSet("x", (gold,)), lambda html, url: "By Ann gold text")
    stripped = SimpleNamespace(pattern="site", text="Ann gold text", title=None, confidence=1.0)
    patterns = SimpleNamespace(strip=lambda page: stripped)
    ours = stripped_result("x", gold, Page(gold.url, ""), patterns)  # type: ignore[arg-type]
    assert found == replace(ours, confidence=None)
    assert (found.score.f1, found.type, found.lang, found.sort) == (1, "docs", "en", "wiki")


def test_peers_are_compared_on_the_pages_that_were_tested() -> None:
    assert of_same_pages([result(1, 1), result(2, 1)], [result(2, 0)]) == [result(2, 1)]


def test_confidence_and_links_to_the_page_are_used_where_they_are() -> None:
    def strip(page: Page) -> object:
        title = page.anchors[0] if page.anchors else "other"
        return SimpleNamespace(pattern="site", text="gold", title=title, confidence=0.75)

    gold = GoldPage("s", "1", "http://s.example/1", "", "gold", "Title")
    page = Page(gold.url, "", ("Title",))
    found = stripped_result("x", gold, page, SimpleNamespace(strip=strip))  # type: ignore[arg-type]
    assert (found.title, found.anchored_title, found.confidence, found.score.f1) == (False, True, 0.75, 1)


@pytest.mark.parametrize("learner", [TextMdlLearner(), DEFAULT_LEARNER])
def test_a_learner_is_not_given_the_scorers_text(learner: Learner | str) -> None:
    """The package alone strips a page even if no pattern fits."""
    gold = BUNDLED.pages[0]
    page = Page(gold.url, gold.html, ("Title",))
    assert learn([], learner).strip(page).text
    found = stripped_result("x", replace(gold, title="Title"), page, learn([], learner))
    assert (found.score.f1, found.title, found.anchored_title, found.confidence) == (0, False, False, None)


def test_rules_for_titles() -> None:
    html = "<head><title>Storm | Daily</title></head><h1></h1><h1>The <i>Daily</i></h1><h1>Storm</h1>"
    page = GoldPage("s", "1", "u", html, "", "storm")
    assert first_heading(page) == "The Daily"
    assert likest_heading(page) == "Storm"
    assert run_title_rule(PageSet("x", (page,)), "h1 most like the head's title") == {("s", "1"): True}
    assert likest_heading(GoldPage("s", "1", "u", "<title>A</title><p>x", "")) == "A"


@pytest.fixture
def folds_learned(monkeypatch: pytest.MonkeyPatch) -> list[Fold]:
    """The folds for which a simple learner was made."""
    made: list[Fold] = []

    def learner_for(fold: Fold) -> Learner:
        made.append(fold)
        return TextMdlLearner()

    monkeypatch.setattr(runs, "learner_for", learner_for)
    return made


FOUR_SITES = PageSet(
    "four",
    tuple(
        replace(page, site=f"site{n % 4}", url=page.url.replace(page.site, f"site{n % 4}"))
        for n, page in enumerate(BUNDLED.pages[:12])
    ),
)


def test_by_folds_each_site_is_stripped_once_by_the_learner_of_its_fold(folds_learned: list[Fold]) -> None:
    results = run_folds(FOUR_SITES)
    assert folds_learned == list(FIVE)
    assert sorted(results, key=repr) == sorted(run_learner(FOUR_SITES, "text_mdl"), key=repr)
    numbers = [fold_of(result.site, 5) for result in results]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 1


def test_figures_by_folds_stand_for_those_of_the_default_learner(folds_learned: list[Fold]) -> None:
    with Workers(1) as workers:
        found = measure(FOUR_SITES, Plan((DEFAULT_LEARNER,), (), jobs=1, folds=True), workers)
    assert found.default == run_folds(FOUR_SITES)
    assert found.shipped == run_learner(FOUR_SITES, DEFAULT_LEARNER) != found.default
    assert found.aside
    assert {result.site for result in found.aside} == {site for site in FOUR_SITES.sites if ASIDE.holds(site)}
    assert found.curve[2] == run_curve(partial(run_folds, FOUR_SITES), 2)


def test_a_plan_is_measured_the_same_in_one_process_and_in_two() -> None:
    found = []
    for jobs in (1, 2):
        plan = Plan(("text_mdl", DEFAULT_LEARNER), (), more=False, jobs=jobs)
        with Workers(jobs) as workers:
            found.append(measure(BUNDLED, plan, workers))
    assert found[0] == found[1]
    assert found[0].default == run_learner(BUNDLED, DEFAULT_LEARNER)


MEASURED = Measured(
    "news",
    4,
    ("site0", "site1"),
    {
        "layout": [result(n, 0.5) for n in range(4)],
        DEFAULT_LEARNER: [result(n, 0.95, type="article", lang="en") for n in range(4)],
    },
    {"trafilatura": [result(n, 0.25 * n, failed=n == 0) for n in range(5)]},
    {size: [result(n, 0.9) for n in range(1 if size > 4 else 2 if size > 2 else 4)] for size in SIZES},
)


def test_the_report_has_a_table_for_all_that_was_measured() -> None:
    text = report([MEASURED], Told("versions", 2))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for line in (
        "| set (pages, sites) | news (4, 2) |",
        f"| {DEFAULT_LEARNER} | 95.00 (100) |",
        "| trafilatura | 37.50 (0) |",
        f"| news | {DEFAULT_LEARNER} | 4 | 95.00 | 95.00 | 95.00 | 100.0 | 2 | 100.0 | 0 | |",
        "| news | trafilatura | 4 | 37.50 | 37.50 | 37.50 | 0.0 | 2 | 0.0 | 2 | 1 |",
        "| news | 95.00 (2) | 95.00 (2) |",
        "| news | article | 4 | **95.00 (100)** | 37.50 (0) |",
        "| news | en | 4 | **95.00 (100)** | 37.50 (0) |",
        "| news | 90.00 / 37.50 (4) | 90.00 / 37.50 (4) | 90.00 / 37.50 (4) | 90.00 / 12.50 (2) | | | |",
        "| news | site0 | 0 | 95.0 | 95.0 | 95.0 |",
    ):
        assert line in lines
    for title in ("Confidence", "Titles", "Five folds", "By sort of site"):
        assert f"## {title}" not in text


def test_the_report_puts_folds_beside_the_shipped_weights_and_a_peer() -> None:
    shipped = [result(n, 1) for n in range(4)]
    text = report([replace(MEASURED, shipped=shipped, aside=[result(2, 0.8), result(4, 0.6)])], Told())
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "| news | 100.00 (100) | 95.00 (100) | 37.50 (0) | 2 | 70.00 (0) | 75.00 (50) |" in lines


def test_the_report_has_confidence_and_titles_where_pages_have_them() -> None:
    pages = [
        result(0, 1, confidence=0.97, title=True, anchored_title=True),
        result(1, 0.5, confidence=0.97, title=False, anchored_title=True),
        result(2, 0.5, confidence=0.4),
    ]
    text = report(
        [
            Measured(
                "x",
                3,
                ("site0",),
                {DEFAULT_LEARNER: pages},
                titles={"first h1": {("site0", "0"): False, ("site1", "1"): True, ("site0", "9"): True}},
            )
        ],
        Told(),
    )
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "| 0.95 to 1 | 2 | 0.970 | 50.0 |" in lines
    assert "| all | 3 | 2 | 50.0 | 1 | 0.0 |" in lines
    assert "| x | 2 | 50.0 | 100.0 | 50.0 |" in lines


def test_the_best_of_a_set_is_bold() -> None:
    lines = [" ".join(line.split()) for line in comparison_table([MEASURED]).splitlines()]
    assert lines[2:] == [f"| **{DEFAULT_LEARNER}** | **95.00** |", "| trafilatura | 37.50 |"]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"site": "s", "id": page.id, "url": page.url, "html": page.html, "text": page.text, "title": page.title}
        for page in BUNDLED.pages[:4]
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    arguments = ["--data", str(tmp_path), "--learners", DEFAULT_LEARNER, "--no-peers", "--jobs", "1"]
    assert main(arguments) == 0
    assert "mine (4, 1)" in capsys.readouterr().out
    assert main(["nowhere", *arguments]) == 1
    assert "there are mine, bundled" in capsys.readouterr().err
    assert main([*arguments, "--learners", "nobody"]) == 1
    assert "nobody" in capsys.readouterr().err


def test_weights_that_are_missing_stop_the_command_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def learner_for(fold: Fold) -> Learner:
        raise FoldError(f"no weights without {fold}")

    monkeypatch.setattr(command, "learner_for", learner_for)
    assert main([BUNDLED.name, "--no-peers", "--folds"]) == 1
    assert capsys.readouterr().err == "benchmarks.quality: no weights without 1/5\n"


# Single pages


ALONE_ROWS = [
    {"site": page.site, "id": page.id, "url": page.url, "html": page.html, "text": page.text, "type": page.type}
    for page in BUNDLED.pages[:6]
]


@pytest.fixture
def single_pages(tmp_path: Path) -> Path:
    """A folder of sets, with a set of single pages."""
    (tmp_path / "onepage").mkdir()
    for name in ("mine", "onepage/aeb", "onepage/fixtures"):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, ALONE_ROWS)), encoding="utf-8")
    return tmp_path


def test_each_page_alone_is_stripped_without_patterns() -> None:
    pages = BUNDLED.capped(6)
    results = run_alone(pages)
    assert [result.id for result in results] == [page.id for page in pages.pages]
    stripped = strip(Page(pages.pages[0].url, pages.pages[0].html))
    gold = pages.pages[0].text
    assert (results[0].score, results[0].confidence) == (score(stripped.text, gold), stripped.confidence)


def test_alone_too_each_site_has_the_scorer_of_its_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_fold(fold: Fold) -> Scorer:
        return scorer(base=fold.part / 2)

    monkeypatch.setattr(runs, "with_fold", with_fold)
    with Workers(1) as workers:
        found = measure_alone(FOUR_SITES, Plan((), (), jobs=1, folds=True), workers)
    assert sorted(result.id for result in found.default) == sorted(page.id for page in FOUR_SITES.pages)
    of_folds = {fold: {result.site for result in run_alone(FOUR_SITES, fold)} for fold in FIVE}
    assert of_folds == {fold: {site for site in FOUR_SITES.sites if fold.holds(site)} for fold in FIVE}
    confidence = {result.site: result.confidence for result in found.default}
    assert len(set(confidence.values())) == len(list(filter(None, of_folds.values())))


SINGLE = replace(MEASURED, name="onepage/aeb")


def test_the_report_has_a_part_of_its_own_for_single_pages() -> None:
    text = report([MEASURED, SINGLE], Told("versions", 2))
    lines = [" ".join(line.split()) for line in text.partition("## One page, nothing known")[2].splitlines()]
    assert "| | aeb (4, 2) |" in lines
    assert f"| **{DEFAULT_LEARNER}** | **95.00** |" in lines
    assert "| aeb | trafilatura | 4 | 37.50 | 37.50 | 37.50 | 0.0 | 2 | 0.0 | 2 | 1 |" in lines
    assert "| set (pages, sites) | news (4, 2) |" in " ".join(text.partition("One page")[0].split())


def test_without_single_pages_the_part_is_left_out() -> None:
    assert "One page" not in report([MEASURED], Told())
    assert report([SINGLE], Told()).startswith("## One page, nothing known")


def test_types_are_told_of_the_set_that_has_most_of_them() -> None:
    typed = [result(n, 0.5, type="forum" if n % 2 else "product") for n in range(4)]
    wcxb = replace(SINGLE, name="onepage/wcxb", learners={DEFAULT_LEARNER: typed})
    lines = [" ".join(line.split()) for line in report([SINGLE, wcxb], Told()).splitlines()]
    assert "| wcxb | product | 2 | **50.00 (0)** | 25.00 (0) |" in lines
    assert not [line for line in lines if line.startswith("| aeb | article")]


@pytest.mark.parametrize(
    ("named", "there"),
    [
        ([], ["mine", "onepage/aeb"]),
        (["mine"], ["mine"]),
        (["onepage"], ["onepage/aeb", "onepage/fixtures"]),
        (["onepage/fixtures", "mine"], ["onepage/fixtures", "mine"]),
    ],
)
def test_the_command_takes_single_pages_where_they_are(single_pages: Path, named: list[str], there: list[str]) -> None:
    options = parser().parse_args([*named, "--data", str(single_pages)])
    assert [found.name for found in chosen_sets(options)] == there


def test_the_command_writes_the_literature_into_its_page(single_pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = single_pages / "literature.md"
    page.write_text("<!-- measured: begin -->\nold\n<!-- measured: end -->\n")
    monkeypatch.setattr(command, "README", single_pages / "README.md")
    command.README.write_text(
        "<!-- comparison: begin --><!-- comparison: end --><!-- alone: begin --><!-- alone: end -->"
    )
    monkeypatch.setattr(command, "LITERATURE", page)
    learners = [DEFAULT_LEARNER, "shingle"]
    arguments = ["mine", "--data", str(single_pages), "--learners", *learners, "--no-peers", "--brief", "--readme"]
    assert main([*arguments, "--jobs", "1"]) == 0
    assert [line.split()[1] for line in page.read_text().splitlines()[1:-1]] == ["set", "------------------", "shingle"]


def test_the_command_writes_both_tables_into_the_readme(single_pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readme = single_pages / "README.md"
    readme.write_text(
        "".join(f"<!-- {mark}: begin -->\nold\n<!-- {mark}: end -->\n" for mark in ("comparison", "alone"))
    )
    monkeypatch.setattr(command, "README", readme)
    arguments = ["--data", str(single_pages), "--learners", DEFAULT_LEARNER, "--no-peers", "--brief", "--readme"]
    assert main([*arguments, "--jobs", "1"]) == 0
    learned, alone = readme.read_text().split("<!-- alone: begin -->")
    assert ("mine (6, 1)" in learned, "aeb" in learned, "aeb (6, 1)" in alone, "old" in learned + alone) == (
        True, False, True, False,
    )  # fmt: skip
    assert main(["mine", *arguments, "--jobs", "1"]) == 0
    assert readme.read_text().split("<!-- alone: begin -->")[1] == alone
