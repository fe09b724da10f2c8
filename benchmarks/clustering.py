#!/usr/bin/env python3
"""Purity of clusters of pages, by their sites and, if the set has types, by their kinds.

    python benchmarks/clustering.py                     # every set in ../shared/data
    python benchmarks/clustering.py news mixed --data ../shared/data

A set is a gzip file of JSON lines with ``site``, ``html`` and sometimes ``type`` (algorithms §5). Its pages are
clustered all together, by each method, with no labels. Purity is the share of pages in the commonest group of their
cluster: a single page a cluster is pure, hence the number of clusters and of single pages beside it. The columns ``in
sites`` are for clusters of each site's pages alone, on sites with several types: purity against the type, clusters and
types.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from scrapy_stemmer import Page
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.literature.layout.learner import LayoutOptions
from scrapy_stemmer.learners.literature.layout.pattern import complete_link, runs_of, similar
from scrapy_stemmer.learners.literature.text_mdl.learner import (
    TextHashLearner,
    TextHashOptions,
    TextMdlLearner,
)
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.text import visible

DATA = Path("../shared/data")

Cluster = Callable[[Sequence[Page]], list[list[int]]]


def by_paths(learner: TextMdlLearner | TextHashLearner) -> Cluster:
    """Clusters by essential paths."""
    return lambda pages: learner.page_clusters(pages, [page.url for page in pages])


def by_layout(pages: Sequence[Page]) -> list[list[int]]:
    """Return the clusters of the layout learner: complete link at its default similarity."""
    runs, least = [runs_of(Document(page).blocks(BlockOptions())) for page in pages], LayoutOptions().cluster_threshold
    return complete_link([page.url for page in pages], lambda a, b: similar(runs[a], runs[b], least))


METHODS: dict[str, Cluster] = {
    "text_mdl": by_paths(TextMdlLearner()),
    "text_hash": by_paths(TextHashLearner()),
    "text_hash, nearest": by_paths(TextHashLearner(TextHashOptions(candidates="nearest"))),
    "layout": by_layout,
}


def purity(clusters: Sequence[Sequence[int]], labels: Sequence[str]) -> float:
    """The share of pages that are of the commonest group of their cluster."""
    commonest = sum(Counter(labels[page] for page in cluster).most_common(1)[0][1] for cluster in clusters)
    return commonest / len(labels)


def load(path: Path) -> list[dict[str, Any]]:
    """The pages of a set; two of one URL are told apart."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [{**row, "url": f"{row['url']}#{number}"} for number, row in enumerate(rows)]


def pages_of(rows: Sequence[dict[str, Any]]) -> list[Page]:
    """The rows as pages."""
    return [Page(url=row["url"], html=row["html"]) for row in rows]


def report(name: str, rows: Sequence[dict[str, Any]], methods: dict[str, Cluster]) -> None:
    """Print a set's table."""
    sites = [row["site"] for row in rows]
    kinds = [f"{row['site']} {row.get('type')}" for row in rows]
    typed = any(row.get("type") for row in rows)
    print(visible(f"\n{name}: {len(rows)} pages, {len(set(sites))} sites") + f", {len(set(kinds))} kinds" * typed)
    head = f"{'method':22}{'clusters':>9}{'single':>8}{'site':>7}" + f"{'kind':>7}{'in sites':>20}" * typed
    print(f"{head}{'ms/page':>9}")
    for method, cluster in methods.items():
        begin = time.perf_counter()
        clusters = cluster(pages_of(rows))
        spent = 1000 * (time.perf_counter() - begin) / len(rows)
        single = sum(len(members) == 1 for members in clusters)
        line = f"{method:22}{len(clusters):9}{single:8}{purity(clusters, sites):7.3f}"
        if typed:
            line += f"{purity(clusters, kinds):7.3f}{within_sites(rows, cluster):>20}"
        print(f"{line}{spent:9.1f}", flush=True)


def within_sites(rows: Sequence[dict[str, Any]], cluster: Cluster) -> str:
    """Purity, clusters and types, of sites with more than one type."""
    groups: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["site"]].append(row)
    pure = pages = clusters = types = 0
    for group in groups.values():
        kinds = [str(row.get("type")) for row in group]
        if len(set(kinds)) > 1:
            assigned = cluster(pages_of(group))
            pure += round(purity(assigned, kinds) * len(group))
            pages, clusters, types = pages + len(group), clusters + len(assigned), types + len(set(kinds))
    return f"{pure / pages:.3f} ({clusters} : {types})" if pages else "-"


def main() -> None:
    """Print the tables of the sets that are there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", help="names of sets; none: all")
    parser.add_argument("--data", type=Path, default=DATA, help="where the sets are (default: %(default)s)")
    parser.add_argument("--method", action="append", choices=METHODS, help="only this method; may be repeated")
    options = parser.parse_args()
    paths = [options.data / f"{name}.jsonl.gz" for name in options.sets] or sorted(options.data.glob("*.jsonl.gz"))
    if not paths:
        parser.exit(message=f"There are no sets (*.jsonl.gz) in {options.data}: nothing was measured.\n")
    methods = {name: METHODS[name] for name in options.method or METHODS}
    for path in paths:
        report(path.name.split(".")[0], load(path), methods)


if __name__ == "__main__":
    main()
