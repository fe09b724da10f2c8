"""Fitting and writing: the file agrees with LightGBM, missing values included, and never varies."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from scrapy_stemmer.learners.rules.decide.scorer import Scorer
from tests.training.tiny import site_of, write_set
from training.export import as_json, mean_of
from training.fit import Fitted, fitted
from training.samples import Sample, samples_of

pytest.importorskip("lightgbm", reason="LightGBM is part of the extra [training] only")

EASY = {"min_data_in_leaf": 5, "min_sum_hessian_in_leaf": 1e-3, "lambda_l2": 1.0, "num_threads": 1}
"""Parameters for few rows."""


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return [sample for number in range(8) for sample in samples_of(site_of(f"{number}.example", 6))]


@pytest.fixture(scope="module")
def found(samples: list[Sample]) -> Fitted:
    return fitted(samples, rounds=20, **EASY)


def test_text_is_told_from_the_rest(samples: list[Sample], found: Fitted) -> None:
    site = site_of("unseen.example", 5)
    for sample in samples_of(site):
        wanted = sample.wanted[~sample.optional]
        assert ((found.odds(sample.rows) > 0)[~sample.optional] == wanted).mean() > 0.9


def test_the_file_says_what_lightgbm_says(samples: list[Sample], found: Fitted) -> None:
    scorer = Scorer.of_json(as_json(found, {}, digits=17))
    rows = np.concatenate([sample.rows for sample in samples])
    assert np.isnan(rows).any()
    expected = found.odds(rows)
    assert scorer.odds(rows) == pytest.approx(expected, abs=1e-9)
    assert scorer.odds(rows, range(40)) == pytest.approx(expected[:40], abs=1e-9)


def test_missing_values_go_where_lightgbm_sends_them(found: Fitted, samples: list[Sample]) -> None:
    """Any feature may be missing in the rows, even if never in training."""
    rows = np.concatenate([sample.rows for sample in samples])[:200].copy()
    rows[np.random.default_rng(0).random(rows.shape) < 0.5] = np.nan
    scorer = Scorer.of_json(as_json(found, {}, digits=17))
    assert scorer.odds(rows) == pytest.approx(found.odds(rows), abs=1e-9)


def test_the_command_writes_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import folds
    from training import __main__ as command

    monkeypatch.setattr(folds, "WEIGHTS", tmp_path / "folds")
    monkeypatch.setattr(command, "fitted", partial(fitted, rounds=20, **EASY))
    monkeypatch.setattr(command, "SHIPPED", tmp_path / "scorer.json")
    monkeypatch.setattr(command, "CONFIDENCE", tmp_path / "confidence.json")
    write_set(tmp_path / "data", sites=12, pages=3)
    write_set(tmp_path / "data" / "onepage", sites=8, pages=1, name="single")
    arguments = ["--data", str(tmp_path / "data"), "--no-report", "--jobs", "1"]
    assert command.main(arguments) == 0
    files = [tmp_path / "confidence.json", tmp_path / "scorer.json", *sorted((tmp_path / "folds").iterdir())]
    assert [file.name for file in files[2:]] == [
        *(f"scorer-{fold}.json" for fold in range(1, 6)),
        "scorer-holdout.json",
    ]
    made = [file.read_bytes() for file in files]
    assert len(set(made)) > 2
    shipped, first = [json.loads(made[number])["provenance"] for number in (1, 2)]
    assert (shipped["sites"], shipped["single_pages"], shipped["without_fold"]) == (12, 8, None)
    assert first["without_fold"] == "1/5"
    assert first["sites"] + first["single_pages"] < 20
    assert first["data"] == shipped["data"]
    assert set(shipped["versions"]) == {"python", "lightgbm", "numpy", "lxml", "rapidfuzz"}
    assert command.main(arguments) == 0
    assert [file.read_bytes() for file in files] == made
    files[0].unlink()
    files[1].write_bytes(b"")
    assert command.main([*arguments, "--only", "confidence"]) == 0
    assert [file.read_bytes() for file in files[:2]] == [made[0], b""]


def test_the_mean_of_scorers() -> None:
    first = {"features": ["length"], "base": 1, "trees": [[0, 0.5, 1, -1, [0, 2, 0, 1, 3]]]}
    second = {"features": ["length"], "base": 0, "trees": [4, [0, 1, 0, 0.2, 0.4]]}
    found = mean_of([first, second])
    assert found["base"] == 0.5
    assert found["trees"] == [[0, 0.5, 1, -0.5, [0, 2, 0, 0.5, 1.5]], 2, [0, 1, 0, 0.1, 0.2]]
