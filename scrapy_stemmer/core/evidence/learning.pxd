# The types of learning.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.classes cimport ProfileTally, Tally, WorthTally, to_digits
from scrapy_stemmer.core.evidence.decision cimport score_of
from scrapy_stemmer.core.evidence.model cimport Reading
from scrapy_stemmer.core.evidence.outline cimport TextBlock
from scrapy_stemmer.core.evidence.paths cimport PathTree
from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence, clipped, with_class
from scrapy_stemmer.core.evidence.surroundings cimport Standing, Surroundings
from scrapy_stemmer.core.evidence.terms cimport BlockTerms
from scrapy_stemmer.core.evidence.weighing cimport place_score


@cython.locals(block=TextBlock, place=Place, path=Py_ssize_t, tally=ProfileTally)
cdef _count_profiles(blocks, list places, repeats, dict tallies)

@cython.locals(
    size=Py_ssize_t, path=Py_ssize_t, above=Py_ssize_t, tally=Tally, totals=list, linked=list, static=list, shares=dict
)
cdef dict _shares(tallies, PathTree paths)

cdef double _share(double part, double whole)

@cython.locals(found=Evidence, tally=WorthTally)
cdef _count_worths(list evidence, dict tallies)

@cython.locals(found=Evidence)
cdef _give_page_odds(list evidence, means)

@cython.locals(outposts=list, index=Py_ssize_t, found=Evidence, standing=Standing, own=BlockTerms, score=double)
cdef list _outposts(Reading reading, Surroundings around)
