"""Formulas on a line: as TeX, and as text."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_stemmer.page.document import parse
from scrapy_stemmer.writing.formulas import formula_line, tex_from


def formula(mathml: str) -> etree._Element:
    math = parse(f"<p><math>{mathml}</math></p>").find(".//math")
    assert math is not None
    return math


@pytest.mark.parametrize(
    ("mathml", "tex", "text"),
    [
        ("<mi>x</mi><mo>+</mo><mn>10</mn>", "x+10", "x+10"),
        ("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>-</mo><mi>c</mi></mrow></mfrac>", r"\frac a {b-c}", "a/(b-c)"),
        ("<msup><mi>x</mi><mn>10</mn></msup>", "x^{10}", "x^(10)"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2", "x_i^2"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>i</mi>", "∑_i^n i", "∑_i^n i"),
        ("<msqrt><mi>x</mi><mo>-</mo><mn>1</mn></msqrt>", r"\sqrt {x-1}", "√(x-1)"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3] x", "3√x"),
        ("<mi>sin</mi><mo>⁡</mo><mi>x</mi>", r"\mathrm{sin}x", "sin x"),
        ("<mtext>50 % {of}</mtext>", r"\text{50 \% \{of\}}", "50 % {of}"),
        ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>",
         r"\begin{matrix} 1 & 2 \\ 3 \end{matrix}", "1, 2; 3"),
        ("<semantics><mi>x</mi><annotation encoding=StarMath>x over y</annotation></semantics>", "x", "x"),
        ("<semantics><mi>x</mi><annotation encoding=application/x-tex>\\xi</annotation></semantics>", "\\xi", "x"),
        ("<msup><mi>x</mi></msup>y<mi>z</mi>", "xyz", "xyz"),
    ],
)  # fmt: skip
def test_a_formula_on_a_line(mathml: str, tex: str, text: str) -> None:
    assert (tex_from(formula(mathml)), formula_line(formula(mathml))) == (tex, text)


def test_deep_formulas() -> None:
    assert formula_line(formula("<msqrt>" * 500 + "<mi>x</mi>")).count("x") == 1
