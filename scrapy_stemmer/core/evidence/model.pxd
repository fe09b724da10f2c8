# The types of model.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence._texts cimport Texts
from scrapy_stemmer.core.evidence.classes cimport profile_of
from scrapy_stemmer.core.evidence.outline cimport Outline, TextBlock
from scrapy_stemmer.core.evidence.paths cimport PathTree
from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence, block_odds, evidence_of, place_odds, with_class


cdef class Reading:
    cdef readonly Outline outline
    cdef readonly PathTree paths
    cdef readonly list places
    cdef readonly list evidence
    cdef readonly object own
    cdef readonly object regions
    cdef readonly dict views
    cdef readonly list inside


cpdef Reading without_regions(Reading page)


cdef class SiteModel:
    cdef readonly Py_ssize_t pages
    cdef readonly frozenset names
    cdef readonly dict repeats
    cdef readonly dict singles
    cdef readonly PathTree paths
    cdef readonly object classes
    cdef readonly double threshold
    cdef readonly dict votes
    cdef readonly dict shares
    cdef readonly double dominance
    cdef readonly double article_share
    cdef readonly frozenset title_parts
    cdef readonly dict regions
    cdef readonly frozenset outposts
    cdef readonly frozenset without

    @cython.locals(spread=double)
    cpdef double openness_with(self, double article_share)


cdef Py_ssize_t _KNOWN_LEVEL


@cython.locals(found=Evidence, total=Py_ssize_t, known=Py_ssize_t, weight=Py_ssize_t)
cpdef double known_share(Reading reading)

@cython.locals(block=TextBlock, total=Py_ssize_t, shared=dict, told=Py_ssize_t)
cpdef own_page(blocks, SiteModel model, Texts known)

@cython.locals(
    block=TextBlock, place=Place, others=Py_ssize_t, share=double, base=double, prior=double, evidence=list,
    told=Py_ssize_t
)
cpdef list weighed(Outline outline, PathTree paths, list places, SiteModel model, Texts known, own)

@cython.locals(number=Py_ssize_t)
cdef Py_ssize_t _pages_with(Py_ssize_t told, own) except -1
