from collections.abc import Sequence

from numpy import float32
from numpy.typing import NDArray

from scrapy_stemmer.learners.rules.features_py import PageFacts
from scrapy_stemmer.learners.rules.hints import PathFeatures

def features(pages: Sequence[PageFacts], paths: PathFeatures) -> NDArray[float32]: ...
