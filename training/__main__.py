"""Train the scorer of the default learner, and fit its confidence: ``python -m training``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.folds import ASIDE, FIVE, Fold, FoldError, weights_of
from benchmarks.quality.plan import Workers, processors
from benchmarks.sets import ROOT, SHARED, SetError
from scrapy_stemmer.learners.rules.decide.confidence import CONFIDENCE
from scrapy_stemmer.learners.rules.decide.scorer import SHIPPED
from training import confidence
from training.export import as_json, mean_of, provenance, write
from training.fit import fitted
from training.pages import Site, read_sites
from training.report import write_confidence, write_report
from training.samples import samples_of
from training.weights import OF_SETS

REPORT = ROOT / "training" / "results.md"


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    command = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    command.add_argument(
        "--data", type=Path, default=SHARED, help="folder of sets with gold text; default: ../shared/data"
    )
    command.add_argument(
        "--only", choices=("scorers", "confidence"), help="make these alone; confidence goes by the scorers there are"
    )
    jobs = "processes that strip pages; default: %(default)s"
    command.add_argument("--jobs", type=int, default=processors(), help=jobs)
    command.add_argument("--no-report", action="store_true", help=f"leave {REPORT.relative_to(ROOT)} as it is")
    return command


def say(done: str) -> None:
    """Say what was done."""
    sys.stderr.write(f"{done}\n")


def without(sites: Sequence[Site], fold: Fold | None) -> list[Site]:
    """Return the sites outside a fold; all sites without a fold."""
    return [site for site in sites if fold is None or not fold.holds(site.brand)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, train, write."""
    options = parser().parse_args(arguments)
    report = None if options.no_report else REPORT
    try:
        if options.only != "confidence":
            train_scorers(options.data, report)
        if options.only != "scorers":
            with Workers(options.jobs) as workers:
                fit_confidence(options.data, report, workers)
    except (SetError, FoldError) as error:
        say(str(error))
        return 2
    if report:
        say(f"wrote {report}")
    return 0


def train_scorers(folder: Path, report: Path | None) -> None:
    """The scorers of all sites, and of all but those of a fold."""
    sites = list(read_sites(folder))
    say(f"read {len(sites)} sites")
    samples = {site: list(samples_of(site)) for site in sites}
    say(f"drew {sum(map(len, samples.values()))} samples")
    shipped = None
    for fold in (None, *FIVE, ASIDE):
        chosen = without(sites, fold)
        of_fold = [sample for site in chosen for sample in samples[site]]
        scorers = [fitted(of_fold, of_sets=of_sets) for of_sets in OF_SETS]
        path = weights_of(fold) if fold else SHIPPED
        made_from = provenance(folder, chosen, fold)
        write(mean_of([as_json(scorer, made_from) for scorer in scorers]), path)
        shipped = shipped or scorers[0]
        say(f"wrote {path}, {path.stat().st_size / 1000:.1f} kB")
    if shipped and report:
        write_report(report, folder, shipped)


def fit_confidence(folder: Path, report: Path | None, workers: Workers) -> None:
    """The weights of confidence, by the scorers of the folds."""
    seen = confidence.seen_in(folder, workers)
    say(f"stripped {len(seen)} pages")
    confidence.write(confidence.fitted_weights(seen), confidence.provenance(folder, seen), CONFIDENCE)
    say(f"wrote {CONFIDENCE}")
    if report:
        inside = [page for page in seen if not ASIDE.holds(page.brand)]
        write_confidence(report, seen, confidence.fitted_weights(inside))


if __name__ == "__main__":
    sys.exit(main())
