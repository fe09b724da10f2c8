"""The names of months and days of the week in many languages, from CLDR.

``python -m training.months`` writes the names for reading dates: for each language a line a month, or day. Requires
babel, unlike the package itself.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

from babel import Locale

from scrapy_stemmer.fields.dates import folded, key_of

PATH = Path(__file__).parent.parent / "scrapy_stemmer" / "fields" / "months.json"

LANGUAGES = (
    "en es de fr it pt nl ru pl sv da nb nn fi cs sk hu ro bg el tr uk be sr sr_Latn hr sl bs mk et lv lt ca gl eu is "
    "ga cy sq af id ms vi sw fil zh ja ko ar ar_SY ar_DZ ar_MA he fa hi bn ta te mr gu kn ml ne pa ur ps th lo km my "
    "ka hy am az kk ky tg uz"
).split()
"""Languages to read. If languages disagree about a word's month, the first language decides in unknown languages."""


JOINED = {"he": "ב{}", "km": "ខែ{}", "my": "{}လ"}
"""Words around a month in a date: "in", or "month"."""


def is_word(text: str) -> bool:
    """Return True for a single word: letters with their marks, and the dots of short forms."""
    return len(text) > 1 and all(unicodedata.category(letter)[0] in "LM" or letter == "." for letter in text)


def words_of(language: str) -> dict[str, int]:
    """The names of months and their short forms, each as one folded word."""
    months = Locale.parse(language).months
    numbers: dict[str, int] = {}
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in months[context][width].items():
                word = key_of(name)
                if is_word(word.replace("_", "") if language.startswith("ar") else word):
                    numbers.setdefault(word, number)
    joined = JOINED.get(language, "{}")
    return {**numbers, **{joined.format(word): number for word, number in numbers.items()}}


def days() -> dict[str, int]:
    """The names of the days of the week, written out, each as one folded word, with their numbers from 1 for Monday."""
    numbers: dict[str, int] = {}
    for language in LANGUAGES:
        for number, name in Locale.parse(language).days["stand-alone"]["wide"].items():
            word = folded(name)
            if is_word(word):
                numbers.setdefault(word, number + 1)
    return numbers


def months() -> dict[str, dict[str, int]]:
    """Return by "" the words and their months; by language the words of a different month there; by "days" the days."""
    by_language = {language: words_of(language) for language in LANGUAGES}
    usual: dict[str, int] = {}
    for words in by_language.values():
        usual = {**words, **usual}
    others: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for language, words in by_language.items():
        others[language.partition("_")[0]] |= {word: month for word, month in words.items() if usual[word] != month}
    ordered = {"": usual, "days": days(), **{language: words for language, words in others.items() if words}}
    return {language: dict(sorted(words.items())) for language, words in sorted(ordered.items())}


def main() -> None:
    """Write the file, and say how much is in it."""
    by_language = months()
    by_number: dict[str, dict[int, str]] = {language: {} for language in by_language}
    for language, words in by_language.items():
        for number in sorted(set(words.values())):
            by_number[language][number] = " ".join(word for word in words if words[word] == number)
    PATH.write_text(json.dumps(by_number, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    counts = Counter({language: len(words) for language, words in by_language.items()})
    usual, days_of_weeks = counts.pop(""), counts.pop("days")
    print(f"{usual} months and {days_of_weeks} days, and others in {len(counts)} languages, now in {PATH.name}")


if __name__ == "__main__":
    main()
