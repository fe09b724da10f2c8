"""Train the scorer of the default learner: ``python -m training``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.folds import ASIDE, FIVE, Fold, weights_of
from benchmarks.sets import ROOT, SHARED, SetError
from scrapy_stemmer.learners.rules.scorer import SHIPPED
from training.export import as_json, write
from training.fit import Fitted, fitted
from training.pages import read_sites
from training.report import write_report
from training.samples import Sample, samples_of

REPORT = ROOT / "docs" / "development" / "training.md"


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    made = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    made.add_argument(
        "--data", type=Path, default=SHARED, help="folder of sets with gold text; default: ../shared/data"
    )
    made.add_argument("--no-report", action="store_true", help=f"leave {REPORT.relative_to(ROOT)} as it is")
    return made


def told(done: str) -> None:
    """Say what was done."""
    sys.stderr.write(f"{done}\n")


def without(samples: Iterable[Sample], fold: Fold) -> list[Sample]:
    """The samples of the sites that are not in a fold."""
    return [sample for sample in samples if not fold.holds(sample.site.name)]


def trained(samples: Sequence[Sample]) -> Iterator[tuple[Fold | None, Fitted]]:
    """What is fitted on all sites, without each fold, and without the third that is kept aside."""
    yield None, fitted(samples)
    for fold in (*FIVE, ASIDE):
        yield fold, fitted(without(samples, fold))


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, train, write."""
    options = parser().parse_args(arguments)
    try:
        sites = list(read_sites(options.data))
    except SetError as error:
        told(str(error))
        return 2
    told(f"read {len(sites)} sites")
    samples = [sample for site in sites for sample in samples_of(site)]
    told(f"drew {len(samples)} samples")
    shipped = None
    for fold, found in trained(samples):
        path = weights_of(fold) if fold else SHIPPED
        write(as_json(found), path)
        shipped = shipped or found
        told(f"wrote {path}, {path.stat().st_size / 1000:.1f} kB")
    if shipped and not options.no_report:
        write_report(REPORT, options.data, shipped)
        told(f"wrote {REPORT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
