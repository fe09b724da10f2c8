from collections.abc import Sequence

from numpy import float32
from numpy.typing import NDArray

from scrapy_stemmer.learners.rules.hints import PathFeatures
from scrapy_stemmer.learners.rules.table import PageFacts

def features(pages: Sequence[PageFacts], paths: PathFeatures) -> NDArray[float32]: ...
