# The types of decision.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.model cimport Reading, SiteModel
from scrapy_stemmer.core.evidence.outline cimport TextBlock
from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence
from scrapy_stemmer.core.evidence.surroundings cimport PlaceScore, Standing, Surroundings, surroundings_of
from scrapy_stemmer.core.evidence.terms cimport BlockTerms
from scrapy_stemmer.core.evidence.weighing cimport place_score, weigh_block


@cython.final
cdef class Verdict:
    cdef readonly Reading reading
    cdef readonly Surroundings around
    cdef readonly list scores
    cdef readonly list shared
    cdef readonly list copies


@cython.final
cdef class Taken:
    cdef list _blocks
    cdef Py_ssize_t _last

    @cython.locals(slot=Py_ssize_t, found=TextBlock)
    cpdef TextBlock first(self, TextBlock block)


cdef double _SUBTITLE_SCORE
cdef Py_ssize_t _MIN_DUPLICATE
cdef Py_ssize_t _MIN_SUBTITLE
cdef long _SUBTITLE
cdef long _CAPTION_OR_BYLINE
cdef long _FIGURES_OR_ASIDE
cdef double _HALF


@cython.locals(
    around=Surroundings, scores=list, shared=list, own=BlockTerms, index=Py_ssize_t, found=Evidence, place=Place,
    of_place=PlaceScore, copies=list
)
cpdef Verdict decide(Reading reading, SiteModel model)

@cython.locals(score=double)
cpdef double score_of(Py_ssize_t index, Reading reading, Surroundings around, PlaceScore shared, BlockTerms own)

@cython.locals(hints=long)
cdef bint _is_subtitle(Surroundings around, Py_ssize_t index, Evidence found, Standing standing)

@cython.locals(copies=list, taken=Taken, others=set, index=Py_ssize_t, found=Evidence, block=TextBlock, first=TextBlock)
cdef list _copies(list evidence, list scores)

@cython.locals(size=Py_ssize_t, taken=Taken)
cpdef Taken taken_up_to(Py_ssize_t most)
