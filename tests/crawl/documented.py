"""Components of the docs, for the settings of real crawls."""

from __future__ import annotations

from tests.documentation import run, the_block

WithoutText = run(the_block("docs/reasons.md", "class WithoutText"))["WithoutText"]
