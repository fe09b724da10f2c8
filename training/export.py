"""Writing of fitted trees as a readable file; see :mod:`scrapy_stemmer.learners.rules.decide.scorer`."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.folds import Fold
from benchmarks.sets import ALONE, set_files
from scrapy_stemmer.learners.rules.decide.scorer import FORMAT, VERSION
from training.fit import PARAMETERS, Fitted
from training.pages import Site

LIBRARIES = ("lightgbm", "numpy", "lxml", "rapidfuzz")  # what reads the pages and grows the trees

DIGITS = 4  # significant digits of thresholds and values: more make no difference to any page


def provenance(folder: Path, sites: Sequence[Site], fold: Fold | None) -> dict[str, Any]:
    """Return data and versions behind a scorer: enough to make equal bytes again, or to explain a difference.

    :param folder: the folder of the sets.
    :param sites: the training sites.
    :param fold: the fold left out.
    """
    return {
        "data": digest([*set_files(folder), *set_files(folder / ALONE)]),
        "sites": sum(not site.is_alone for site in sites),
        "single_pages": sum(site.is_alone for site in sites),
        "without_fold": str(fold) if fold else None,
        "seed": PARAMETERS["seed"],
        "versions": versions(LIBRARIES),
    }


def digest(paths: Iterable[Path]) -> str:
    """SHA-256 over the names and contents of files."""
    hashed = hashlib.sha256()
    for path in paths:
        hashed.update(path.name.encode() + b"\0" + path.read_bytes())
    return hashed.hexdigest()


def versions(libraries: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python and of some libraries."""
    return {"python": platform.python_version(), **{name: version(name) for name in libraries}}


def as_json(fitted: Fitted, made_from: Mapping[str, Any], digits: int = DIGITS) -> dict[str, Any]:
    """Return the contents of a scorer's file.

    :param made_from: see :func:`provenance`.
    """
    dump = fitted.booster.dump_model()
    return {
        "format": FORMAT,
        "version": VERSION,
        "provenance": made_from,
        "features": list(fitted.names),
        "base": rounded(fitted.base, digits),
        "trees": [_tree(tree["tree_structure"], digits) for tree in dump["tree_info"]],
    }


def mean_of(scorers: Sequence[dict[str, Any]], digits: int = DIGITS) -> dict[str, Any]:
    """Return the contents of a file whose log-odds are the mean of some scorers of equal features."""
    share = 1 / len(scorers)
    base = rounded(sum(scorer["base"] for scorer in scorers) * share, digits)
    trees = [_times(share, tree, digits) for scorer in scorers for tree in scorer["trees"]]
    return {**scorers[0], "base": base, "trees": trees}


def _times(factor: float, tree: Any, digits: int) -> Any:
    """A tree whose values are multiplied."""
    if isinstance(tree, list):
        return [*tree[:3], *(_times(factor, part, digits) for part in tree[3:])]
    return rounded(tree * factor, digits)


def _tree(node: dict[str, Any], digits: int) -> Any:
    """A tree of LightGBM's dump, as it is written."""
    if "split_feature" not in node:
        return rounded(node["leaf_value"], digits)
    if node["decision_type"] != "<=":
        raise ValueError(f"a scorer has no decision {node['decision_type']!r}")
    return [
        node["split_feature"],
        rounded(node["threshold"], digits),
        0 if _missing_goes_low(node) else 1,
        _tree(node["left_child"], digits),
        _tree(node["right_child"], digits),
    ]


def _missing_goes_low(node: dict[str, Any]) -> bool:
    """Return True if LightGBM sends NaN low: as learned from missing values in training, else with 0."""
    if node["missing_type"] == "NaN":
        return bool(node["default_left"])
    return bool(node["threshold"] >= 0)


def rounded(value: float, digits: int) -> float | int:
    """A number with ``digits`` significant digits."""
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() else short


def text_of(scorer: dict[str, Any]) -> str:
    """A scorer as text: a tree a line."""
    head = {key: value for key, value in scorer.items() if key != "trees"}
    lines = [f"{json.dumps(key)}:{_compact(value)}," for key, value in head.items()]
    trees = ",\n".join(map(_compact, scorer["trees"]))
    return "{" + "\n".join(lines) + f'\n"trees":[\n{trees}\n]}}\n'


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def write(scorer: dict[str, Any], path: Path) -> None:
    """Write a scorer to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(scorer), encoding="utf-8")
