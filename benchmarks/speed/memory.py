"""The memory of a task, in its own process: ``python -m benchmarks.speed.memory {learn,load} FILE ...``.

The output is a JSON object of bytes and seconds. Resident memory is read from ``/proc`` if present: its peak begins
anew with the process, whereas ``ru_maxrss`` includes the peak of the parent process.
"""

from __future__ import annotations

import gc
import json
import re
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sets import as_pages, bundled_set
from scrapy_stemmer import PatternSet, learn
from scrapy_stemmer.crawl.spool import Spool, texts_of
from scrapy_stemmer.learning import DEFAULT_LEARNER

STATUS = Path("/proc/self/status")


def resident() -> int:
    """Bytes of this process that are in memory; the peak where there is no ``/proc``."""
    return _status("VmRSS") or peak()


def peak() -> int:
    """The most that there ever were."""
    unit = 1 if sys.platform == "darwin" else 1024
    return _status("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _status(name: str) -> int:
    match = re.search(rf"^{name}:\s*(\d+) kB", STATUS.read_text(), re.MULTILINE) if STATUS.exists() else None
    return 1024 * int(match[1]) if match else 0


def learn_spooled(path: Path, site: str, learner: str) -> dict[str, float]:
    """Learn a site from the spool of a crawl, just as a crawl does.

    :returns: ``baseline``: resident with everything imported; ``input``: what the compressed pages add; ``peak``:
        the most above the baseline while learning, the input included.
    """
    warm_up(learner)
    spool = Spool(path)
    baseline = resident()
    sample = texts_of(spool.rows(site))
    held = resident()
    begin = time.perf_counter()
    patterns = learn(sample, learner)
    spent = time.perf_counter() - begin
    highest = peak()
    if not len(patterns):
        raise RuntimeError(f"nothing was learned of {site}")
    spool.close(remove=False)
    return {"baseline": baseline, "input": held - baseline, "peak": highest - baseline, "seconds": spent}


def load_patterns(path: Path) -> dict[str, float]:
    """Load a pattern file.

    :returns: ``domains``, ``seconds``, and the ``bytes`` that are resident more than before.
    """
    warm_up(DEFAULT_LEARNER)
    gc.collect()
    baseline = resident()
    begin = time.perf_counter()
    patterns = PatternSet.load(str(path))
    spent = time.perf_counter() - begin
    gc.collect()
    return {"domains": len(patterns.sites), "seconds": spent, "bytes": resident() - baseline}


def warm_up(learner: str) -> None:
    """Import modules for learning and stripping, so that their memory is not counted."""
    pages = as_pages(bundled_set().pages[:3])
    learn(pages, learner).strip(pages[0])


def main(arguments: Sequence[str]) -> int:
    """Runs one task."""
    task, path, *more = arguments
    result = learn_spooled(Path(path), *more) if task == "learn" else load_patterns(Path(path))
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
