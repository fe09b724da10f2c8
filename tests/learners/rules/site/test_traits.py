"""Traits of elements by tags and names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.site.columns import Signature, Signatures
from scrapy_stemmer.learners.rules.site.hints import (
    _OF_NAMES,
    APART,
    BOX,
    CAPTION,
    CELL,
    COMMENTS,
    CONSENT,
    ERROR,
    FORUM,
    MAYBE_CONSENT,
    PARTS_OF_NAMES,
    REVIEWS,
    SALE,
    SignatureList,
    has_trait,
    traits_of,
)
from scrapy_stemmer.page.text import has_word
from tests.learners.rules.made import columns


@pytest.mark.parametrize(
    ("trait", "names", "others"),
    [
        (CONSENT, "onetrust-pc-sdk ot-desc-cntr CybotCookiebotDialog", "trusted-shop spot-desc cookie-recipe"),
        (MAYBE_CONSENT, "cookie-bar GDPR sp_message_1", "cook trust"),
        (COMMENTS, "comments comment-list commentsContainer post-comments disqus_thread", "comment comments-count"),
        (REVIEWS, "reviews product-reviews seo-reviews customerReviews yotpo-main bv-content", "review previews"),
        (FORUM, "forum node-forum Forums", "informal reforum"),
        (SALE, "add-to-cart addToBag product-form js-buybox order_button", "border-box cartoon buyer"),
        (BOX, "author-box about-the-author ad ads-label Newsletter sign-up", "authority header padding ad1"),
        (ERROR, "error-404 page404 not-found errorpage", "errors 404 found"),
    ],
)
def test_traits_by_name(trait: int, names: str, others: str) -> None:
    for name in names.split():
        assert traits_of(Signature("div", id=name)) & trait
        assert traits_of(Signature("div", classes=f"wide {name}")) & trait
    assert not any(traits_of(Signature("div", other, f"wide {other}")) & trait for other in others.split())


ASCII = st.characters(codec="ascii", exclude_categories=["Lu", "Cc", "Zs"])


@pytest.mark.parametrize("expression", _OF_NAMES.values())
@given(st.data())
def test_names_with_a_trait_have_a_telling_part(expression: re.Pattern[str], data: st.DataObject) -> None:
    name = data.draw(st.from_regex(expression, alphabet=ASCII))
    assert has_word(name, PARTS_OF_NAMES)


@pytest.mark.parametrize(
    ("tag", "traits"),
    [("aside", APART), ("figure", APART), ("amp-ad", BOX), ("figcaption", CAPTION), ("th", CELL), ("table", 0)],
)
def test_traits_by_tag(tag: str, traits: int) -> None:
    assert traits_of(Signature(tag)) == traits
    assert traits_of(Signature(tag, "errors", "wide forum")) == traits | FORUM


def test_traits_of_a_page() -> None:
    page, other = columns("<aside id=forum>a", signatures := Signatures()), columns("<td>a", signatures)
    known = SignatureList(list(signatures)[:2])
    assert known.traits == [0, APART | FORUM]
    known += list(signatures)[2:]
    for each in (known, list(known)):
        assert [has_trait(each, page, trait) for trait in (BOX, APART, BOX | FORUM)] == [False, True, True]
        assert not has_trait(each, other, APART)
