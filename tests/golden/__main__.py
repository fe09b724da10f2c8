"""Writes the golden files anew: ``make golden``."""

from __future__ import annotations

from tests.golden.results import PAGES, SITES, found_in, of_page, of_site, write


def main() -> None:
    for folder in found_in(PAGES):
        write(folder, of_page(folder))
    for folder in found_in(SITES):
        write(folder, of_site(folder))


if __name__ == "__main__":
    main()
