"""Fuzzes the targets with inputs mutated at random: ``python -m tests.fuzz.asan SECONDS [SEED] [FOLDER...]``.

For native modules that were built with ``-fsanitize=address``: atheris doesn't work with AddressSanitizer of gcc. Only
the corpus guides the mutations, and folders of inputs found by atheris. ``make fuzz`` runs both.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"

MAX_BYTES = 20_000

TOKENS = (
    "<", ">", "</", "<!--", "-->", "&", "&#0;", "\0", "\n=====\n", "<html", "<head>", "<body>", "<main>", "<svg>",
    " hidden", ' style="display:none"', ' class="sr-only"', ' href="javascript:a"', " onclick=a", "<script>",
    "<plaintext>", "<table>", "<tr>", "<time>", "<template>", "\ud83d", "\U0001f600", "日本", "\u2028", "\ufeff",
    '{"', '":', "[", "]", "\\(", "\\)", "$$", "$", "`", "](", "]: javascript:a", "<img onerror=a>", "&lt;",
    "\x1b[2J", "\x85",
)  # fmt: skip
"""Strings inserted by mutations."""


def mutated(data: bytes, random: Random, others: list[bytes]) -> bytes:
    """Return an input with parts cut, repeated, changed, or replaced by parts of further inputs."""
    for _ in range(random.randint(1, 6)):
        at = random.randint(0, len(data))
        end = min(len(data), at + random.choice((1, 2, 8, 64, 512)))
        part = random.choice(
            (
                b"",
                data[at:end] * random.choice((2, 3, 50)),
                random.choice(TOKENS).encode("utf-8", "surrogatepass"),
                random.randbytes(random.randint(1, 4)),
                random.choice(others)[at:end],
            )
        )
        data = data[:at] + part + data[end:]
    return data[:MAX_BYTES]


def main(seconds: float, seed: int = 0, *folders: str) -> None:
    """Fuzz for some time, and print how many inputs were run."""
    random, until, count = Random(seed), time.monotonic() + seconds, 0
    corpora = {
        name: [
            path.read_bytes()
            for folder in (CORPUS, *map(Path, folders))
            for path in sorted((folder / name).glob("*"))
            if path.is_file()
        ]
        or [b""]
        for name in TARGETS
    }
    while time.monotonic() < until:
        name = random.choice(("pages", "pages", "pages", *TARGETS))
        data = mutated(random.choice(corpora[name]), random, corpora[name])
        try:
            TARGETS[name](data)
        except BaseException:
            Path(f"crash-{name}-{seed}-{count}").write_bytes(data)
            raise
        count += 1
    print(f"{count:,} inputs, seed {seed}: no promise broken")


if __name__ == "__main__":
    main(float(sys.argv[1]), int((sys.argv[2:3] or ["0"])[0]), *sys.argv[3:])
