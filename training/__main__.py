"""Train the scorer of the default learner: ``python -m training``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.folds import ASIDE, FIVE, Fold, weights_of
from benchmarks.sets import ROOT, SHARED, SetError
from scrapy_stemmer.learners.rules.scorer import SHIPPED
from training.export import as_json, provenance, write
from training.fit import fitted
from training.pages import Site, read_sites
from training.report import write_report
from training.samples import samples_of

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


def without(sites: Sequence[Site], fold: Fold | None) -> list[Site]:
    """The sites that are not in a fold; all without one."""
    return [site for site in sites if fold is None or not fold.holds(site.brand)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, train, write."""
    options = parser().parse_args(arguments)
    try:
        sites = list(read_sites(options.data))
    except SetError as error:
        told(str(error))
        return 2
    told(f"read {len(sites)} sites")
    samples = {site: list(samples_of(site)) for site in sites}
    told(f"drew {sum(map(len, samples.values()))} samples")
    shipped = None
    for fold in (None, *FIVE, ASIDE):
        chosen = without(sites, fold)
        found = fitted([sample for site in chosen for sample in samples[site]])
        path = weights_of(fold) if fold else SHIPPED
        write(as_json(found, provenance(options.data, chosen, fold)), path)
        shipped = shipped or found
        told(f"wrote {path}, {path.stat().st_size / 1000:.1f} kB")
    if shipped and not options.no_report:
        write_report(REPORT, options.data, shipped)
        told(f"wrote {REPORT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
