from lxml import etree

from scrapy_stemmer.learners.rules.columns import Columns, Signatures
from scrapy_stemmer.learners.rules.read_py import Stretch

def read(body: etree._Element, signatures: Signatures) -> Columns: ...
def stretches(body: etree._Element) -> list[Stretch]: ...
