"""Dates in texts, in metadata and in addresses."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.fields.dates import (
    ASSUMED,
    DMY,
    MDY,
    date_in_url,
    dates_in,
    first_date,
    is_before,
    is_plausible,
    iso_date,
    month_of,
    order_of_region,
    order_votes,
    swapped,
    winning_order,
)

WRITTEN = [
    ("2024-05-01", "2024-05-01"),
    ("Posted: Sun May 02, 2010 4:41 pm", "2010-05-02T16:41:00"),
    ("Mon Mar 29 09:26:03 MST 2004", "2004-03-29T09:26:03-07:00"),
    ("May 5, 2024 8:28am EST", "2024-05-05T08:28:00-05:00"),
    ("5 mai 2024 à 10h30 est", "2024-05-05T10:30:00"),
    ("Updated 10:30, 5 May 2024", "2024-05-05T10:30:00"),
    # numbers that are no times
    ("5 May 2024 John 3:16", "2024-05-05"),
    ("John 3:16, 5 May 2024", "2024-05-05"),
    ("Ann Moe 12.10.21", "2021-10-12"),
    ("$Date: 2001/02/21 00:35:43 $", "2001-02-21T00:35:43"),
    ("3.30 km, 5 May 2024", "2024-05-05"),
    ("5 May 2024, $3.30", "2024-05-05"),
    ("Thu, 01 Jan 2009 10:11:12 +0000", "2009-01-01T10:11:12+00:00"),
    ("6:50 PM on 08/21/2012", "2012-08-21T18:50:00"),
    ("12:05 AM, 1 May 2024", "2024-05-01T00:05:00"),
    ("24th of March, 2013 at 10.30", "2013-03-24T10:30:00"),
    ("Django 4.2.11 - March 24, 2013", "2013-03-24"),
    ("12.05.2008, 20:40", "2008-05-12T20:40:00"),
    ("Thu Mar 05 2020 10:00:00 GMT+0100 (CET)", "2020-03-05T10:00:00+01:00"),
    ("5 March 2020 10:00 UTC -05:30", "2020-03-05T10:00:00-05:30"),
    ("5 March 2020 10:00 GMT+1", "2020-03-05T10:00:00+01:00"),
    ("5 March 2020 10:00 GMT+5:30", "2020-03-05T10:00:00+05:30"),
    ("5 March 2020 10:00 UTC -3:30", "2020-03-05T10:00:00-03:30"),
    ("5 March 2020 10:00 GMT+530", "2020-03-05T10:00:00+05:30"),
    ("5 March 2020 10:00 GMT-0", "2020-03-05T10:00:00+00:00"),
    ("5 March 2020 10:00 GMT", "2020-03-05T10:00:00+00:00"),
    ("5 March 2020 10:00-20:30", "2020-03-05"),
    ("26 | 01 | 2022", "2022-01-26"),
    ("05 May 24", "2024-05-05"),
    ("30 de jun. de 2023", "2023-06-30"),
    ("le 12 février 2019 à 14h30", "2019-02-12T14:30:00"),
    ("vrijdag 23 mei 2008 om 19:00", "2008-05-23T19:00:00"),
    ("2024. május 1.", "2024-05-01"),
    ("1. März 2024", "2024-03-01"),
    ("18 января 2021", "2021-01-18"),
    ("2006年02月05日 21:55", "2006-02-05T21:55:00"),
    ("2024년 5월 1일", "2024-05-01"),
    ("周六 01 六月 2024", "2024-06-01"),
    ("1 tháng 5, 2024", "2024-05-01"),
]

SCRIPTS = {
    "Arabic": ["14 مارس 2025", "١٤ مارس ٢٠٢٥", "١٤/٠٣/٢٠٢٥", "14 مارس، 2025"],
    "Arabic of the Levant": ["14 آذار 2025", "14 آذار/مارس 2025"],
    "Bengali": ["১৪ মার্চ ২০২৫", "14 মার্চ 2025"],
    "Burmese": ["၂၀၂၅ ခုနှစ်၊ မတ်လ ၁၄ ရက်", "၁၄ မတ် ၂၀၂၅"],
    "Hebrew": ["14 במרץ 2025", "14 מרץ 2025"],
    "Hindi": ["14 मार्च 2025", "१४ मार्च २०२५", "मार्च 14, 2025"],
    "Khmer": ["ថ្ងៃទី១៤ ខែមីនា ឆ្នាំ២០២៥", "14 មីនា 2025"],
    "Lao": ["14 ມີນາ 2025", "14 ມ.ນ. 2025"],
    "Persian": ["۱۴ مارس ۲۰۲۵"],
    "Tamil": ["14 மார்ச் 2025"],
    "Thai": ["14 มีนาคม 2025", "14 มี.ค. 2025", "๑๔ มีนาคม ๒๐๒๕"],
    "Thai of Buddhist years": ["14 มีนาคม 2568", "14 มี.ค. 2568", "วันที่ 14 มีนาคม พ.ศ. 2568", "๑๔ มีนาคม ๒๕๖๘"],
    "numbers of full width": ["２０２５年３月１４日"],
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_dates_in_other_scripts(script: str) -> None:
    assert {found.value for text in SCRIPTS[script] for found in dates_in(text)} == {"2025-03-14"}
    assert all(map(dates_in, SCRIPTS[script]))


def test_months_of_two_words_and_of_other_arabic_countries() -> None:
    months = ("كانون الثاني", "شباط", "جويلية", "غشت", "تشرين الأول", "كانون الأول")
    assert [first_date(f"5 {month} 2024") for month in months] == [
        f"2024-{month}-05" for month in ("01", "02", "07", "08", "10", "12")
    ]


def test_a_buddhist_year_is_one_behind_a_thai_month_only() -> None:
    assert first_date("14 มีนาคม 2568") == "2025-03-14"
    assert first_date("14 March 2568") == "2568-03-14"


@pytest.mark.parametrize(("text", "expected"), WRITTEN)
def test_dates_as_people_write_them(text: str, expected: str) -> None:
    assert [found.value for found in dates_in(text)] == [expected]


NO_DATES = [
    *("", "12 comments", "May contain nuts", "31.31.2024", "30 February 2024", "call 555-1234", "1:2:3", "99/99/99"),
    # numbers of issues
    *("Issue 12, March 2024", "Vol. 3, May 2020", "Heft 5, Mai 2020", "No. 7 March 2021", "#12 March 2024"),
    # numbers of versions
    *("Django 2.2.11 release notes", "Release v3.2.15", "Postgres 9.6.12", "Section 4.5.10", "5.4.20 kernel"),
    *("Node 12.10.11", "v8.1.2024", "Version 8.1.2024"),
]


@pytest.mark.parametrize("text", NO_DATES)
def test_what_is_no_date(text: str) -> None:
    assert dates_in(text) == ()


def test_where_a_date_stands() -> None:
    text = "Posted by Ann on 4 May 2024 at 10:00 in News"
    (found,) = dates_in(text)
    assert text[found.start : found.end] == "4 May 2024 at 10:00"


@given(
    st.dates(date(1990, 1, 1), date(2069, 12, 31)), st.sampled_from(["%d %B %Y", "%B %d, %Y", "%Y/%m/%d", "%d-%b-%Y"])
)
def test_a_date_is_read_as_it_was_written(day: date, form: str) -> None:
    assert first_date(day.strftime(form)) == day.isoformat()


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for found in dates_in(text):
        assert 0 <= found.start < found.end <= len(text)
        date.fromisoformat(found.value[:10])


@pytest.mark.parametrize(
    ("text", "order", "expected"),
    [
        ("03/04/2024", "", ("2024-04-03", ASSUMED)),
        ("03/04/2024", MDY, ("2024-03-04", ASSUMED)),
        ("13/04/2024", MDY, ("2024-04-13", DMY)),
        ("04/13/2024", DMY, ("2024-04-13", MDY)),
        ("04/04/2024", "", ("2024-04-04", "")),
        ("03.04.2024", MDY, ("2024-04-03", "")),
        ("Wed, 07/12/2023", DMY, ("2023-07-12", MDY)),
        ("Thursday 08/02/2024", MDY, ("2024-02-08", DMY)),
    ],
)
def test_the_order_of_day_and_month(text: str, order: str, expected: tuple[str, str]) -> None:
    (found,) = dates_in(text, order)
    assert (found.value, found.order) == expected


def test_the_order_is_told_by_dates_that_are_plain_or_known() -> None:
    assert winning_order(order_votes([("2024-04-13", MDY), ("2024-04-03", ASSUMED)], ())) == MDY
    assert winning_order(order_votes([("2024-04-03", ASSUMED)], ["2024-04-03"])) == DMY
    assert winning_order(order_votes([("2024-04-03", ASSUMED)], ["2024-03-04"])) == MDY
    assert winning_order(order_votes([("2024-04-03", ASSUMED)], ())) == ""
    assert swapped("2024-04-03T10:00:00") == "2024-03-04T10:00:00"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-01", "2024-05-01"),
        (" 2024-05-01T14:00:00.512+0200", "2024-05-01T14:00:00+02:00"),
        ("2024-05-01 14:00", "2024-05-01T14:00:00"),
        ("2024-05-01T12:00:00Z", "2024-05-01T12:00:00+00:00"),
        ("1714564800", "2024-05-01T12:00:00+00:00"),
        ("20240501", "2024-05-01"),
        ("2024-13-01", None),
        ("2024-05-01T99:00", None),
        ("yesterday", None),
    ],
)
def test_dates_as_programs_write_them(text: str, expected: str | None) -> None:
    assert iso_date(text) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/2017/01/24/news", "2017-01-24"),
        ("https://a.example/news-2017-01-24.html", "2017-01-24"),
        ("https://a.example/20170124/news", "2017-01-24"),
        ("https://a.example/2006/02/post", "2006-02"),
        ("https://a.example/2006/99/post", None),
        ("https://a.example/12345678", None),
    ],
)
def test_dates_in_addresses(url: str, expected: str | None) -> None:
    assert date_in_url(url) == expected


def test_a_month_may_be_another_one_elsewhere() -> None:
    assert (month_of("listopad"), month_of("listopad", "hr")) == (11, 10)
    assert (month_of("Mai"), month_of("déc."), month_of("nothing")) == (5, 12, None)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("2020-03-05T00:30:00+00:00", "2020-03-04T23:00:00-05:00", True),
        ("2020-03-04T23:00:00-05:00", "2020-03-05T00:30:00+00:00", False),
        ("2020-03-05T00:30:00", "2020-03-05T10:00:00+00:00", False),
        ("2020-03-05", "2020-03-05T10:00:00+00:00", False),
        ("2020-03-04", "2020-03-05T10:00:00+00:00", True),
    ],
)
def test_which_of_two_dates_is_before_the_other(one: str, other: str, expected: bool) -> None:
    assert is_before(one, other) is expected


def test_dates_of_other_centuries_and_of_the_future_are_not_those_of_a_page() -> None:
    assert is_plausible("2024-05-01", "2026-11-24")
    assert not any(is_plausible(day, "2026-11-24") for day in ("1969-07-20", "2099-01-01"))


@pytest.mark.parametrize(
    ("language", "countries", "order"),
    [("en", ["us"], MDY), ("en", ["gb"], DMY), ("en", ["ca"], ""), ("en", [], MDY), ("de", [], DMY), ("", [], "")],
)
def test_countries_and_languages_tell_the_order(language: str, countries: list[str], order: str) -> None:
    assert order_of_region(language, countries) == order


@pytest.mark.parametrize(
    "text",
    ["3.5.21", "Posted on 3.5.21", "Published 3.5.21", "Montag 3.5.21", "Django 03.05.21", "Django 3.5.21, 10:00"],
)
def test_days_between_points_have_two_digits_or_a_short_word_in_front(text: str) -> None:
    assert [each.value[:10] for each in dates_in(text)] == ["2021-05-03"]
