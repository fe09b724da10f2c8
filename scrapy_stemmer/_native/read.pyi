from lxml import etree

from scrapy_stemmer.learners.rules.read_py import Columns, Signatures

def read(body: etree._Element, signatures: Signatures, with_stretches: bool = False) -> Columns: ...
