"""Guesses of charsets that nothing declares, alike in the library, in crawls and in commands."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse

from scrapy_stemmer import Page, strip
from scrapy_stemmer.crawl.pages import as_declared
from scrapy_stemmer.page.charset_guess import MAX_GUESSED, guess_charset
from scrapy_stemmer.page.document import CHARSETS, Document, decode

TEXTS = {
    "cp1252": "Die Brücke über den Fluß wurde für Fußgänger geöffnet. Später fällt der Müll täglich größer aus.",
    "cp1250": "Příliš žluťoučký kůň úpěl ďábelské ódy. Včera jsme se vrátili z výletu, ještě štěstí že šlo všechno.",
    "iso8859-2": "Zażółć gęślą jaźń. Wczoraj wróciliśmy późno, ponieważ książki były już sprzedane, więc śpimy dłużej.",
    "cp1251": "Вчера вечером мост через реку был открыт для пешеходов, и рынок снова работает каждый день.",
    "koi8-r": "Вчера вечером мост через реку был открыт для пешеходов, и рынок снова работает каждый день.",
    "cp1253": "Χθες το βράδυ η γέφυρα άνοιξε για τους πεζούς και η αγορά λειτουργεί ξανά κάθε μέρα.",
    "cp1256": "تم افتتاح الجسر فوق النهر للمشاة مساء أمس، ويعمل السوق مرة أخرى كل يوم.",
    "gb18030": "昨天晚上，河上的桥向行人开放，市场每天又开始营业了。我们回家的时候已经很晚了。",
    "cp932": "昨日の夜、川にかかる橋が歩行者に開放され、市場は毎日また開いています。",
    "euc_jp": "昨日の夜、川にかかる橋が歩行者に開放され、市場は毎日また開いています。",
    "cp949": "어제 저녁 강 위의 다리가 보행자에게 개방되었고 시장은 매일 다시 열립니다.",
    "big5hkscs": "昨天晚上，河上的橋向行人開放，市場每天又開始營業了。我們回家的時候已經很晚了。",
}


def html(text: str) -> str:
    return f"<html><head><title>{text[:20]}</title></head><body><div class=menu>Home</div><p>{text}</p></body></html>"


@pytest.mark.parametrize("charset", TEXTS)
def test_a_page_that_declares_no_charset_is_read_in_it_everywhere(charset: str) -> None:
    text = TEXTS[charset]
    body = html(text).encode(charset)
    assert decode(body) == html(text)
    assert text in strip(Page("http://a.example/", body)).text
    assert as_declared(HtmlResponse("http://a.example/", body=body)).body.decode(charset) == html(text)
    assert as_declared(HtmlResponse("http://a.example/", body=body)).text == html(text)


@pytest.mark.parametrize("charset", TEXTS)
@pytest.mark.parametrize("broken", [1, 3])
def test_utf_8_with_some_broken_bytes_stays_utf_8(charset: str, broken: int) -> None:
    body, drawn = bytearray(html(TEXTS[charset]).encode()), Random(broken)
    places = [at for at, byte in enumerate(body) if byte >= 0x80]
    for at in drawn.sample(places, broken):
        body[at] = drawn.choice(b"\x20\x92\xe9\xff")
    assert guess_charset(bytes(body)) == "utf-8"
    assert guess_charset(bytes(body[: places[-1]])) == "utf-8"


def test_a_few_signs_of_windows_are_read_as_such() -> None:
    assert "It’s late" in decode("<p>It’s late – very late, and the ferry has left.".encode("cp1252"))


def test_a_declared_or_a_given_charset_comes_first() -> None:
    body = html(TEXTS["cp1251"]).encode("cp1251")
    assert decode(body, "koi8-r") == body.decode("koi8-r")
    assert decode(body, None, "koi8-r") == body.decode("koi8-r")
    assert decode(b"<meta charset=koi8-r>" + body) == "<meta charset=koi8-r>" + body.decode("koi8-r")


def test_a_charset_set_by_a_spider_stays() -> None:
    body = html(TEXTS["cp1251"]).encode("cp1251")
    response = HtmlResponse("http://a.example/", body=body, encoding="koi8-r")
    assert as_declared(response) is response


@given(st.binary(max_size=300))
def test_any_bytes_have_a_charset_that_browsers_know(body: bytes) -> None:
    assert guess_charset(body) in CHARSETS
    assert isinstance(decode(body), str)


@pytest.mark.parametrize("magic", [b"", b"\x89PNG\r\n\x1a\n", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", b"\xff\xd8\xff\xe0"])
def test_binary_data_is_no_text_in_an_old_charset(magic: bytes) -> None:
    data = magic + Random(5).randbytes(500 if magic else 5000)
    assert Document(Page("http://a.example/", data)).refusal is not None


def test_few_bytes_of_a_page_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def noted(text: bytes, **_: object) -> dict[str, None]:
        sizes.append(len(text))
        return {"encoding": None}

    monkeypatch.setattr("chardet.detect", noted)
    guess_charset("".join(f"<p>{TEXTS['cp1251']}" for _ in range(1000)).encode("cp1251"))
    guess_charset((TEXTS["cp1251"] * 1000).encode("cp1251"))
    assert max(sizes) <= MAX_GUESSED
