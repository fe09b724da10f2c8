from lxml import etree

from scrapy_stemmer.learners.rules.columns import Columns, Signatures

def read(body: etree._Element, signatures: Signatures, with_stretches: bool = False) -> Columns: ...
