# The types of decision.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.model cimport Reading
from scrapy_stemmer.core.evidence.outline cimport TextBlock
from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence
from scrapy_stemmer.core.evidence.surroundings cimport PlaceScore, Standing, Surroundings
from scrapy_stemmer.core.evidence.terms cimport BlockTerms, terms_of_block
from scrapy_stemmer.core.evidence.weighing cimport block_terms, place_score


@cython.final
cdef class Decision:
    cdef readonly double score
    cdef readonly PlaceScore shared
    cdef readonly BlockTerms own
    cdef readonly bint inside
    cdef readonly bint is_title


@cython.locals(decision=Decision)
cpdef Decision decided(double score, PlaceScore shared, BlockTerms own, bint inside, bint is_title)


@cython.final
cdef class Verdict:
    cdef readonly list decisions
    cdef readonly Surroundings around


cdef double _SUBTITLE_SCORE
cdef Py_ssize_t _MIN_DUPLICATE
cdef Py_ssize_t _MIN_SUBTITLE
cdef long _SUBTITLE
cdef long _CAPTION_OR_BYLINE
cdef long _FIGURES_OR_ASIDE
cdef double _HALF


@cython.locals(
    around=Surroundings, decisions=list, index=Py_ssize_t, found=Evidence, place=Place, shared=PlaceScore
)
cpdef Verdict decide(Reading reading, model)

@cython.locals(found=Evidence, standing=Standing, own=BlockTerms, score=double)
cpdef Decision decision_on(Py_ssize_t index, Reading reading, Surroundings around, PlaceScore shared)

@cython.locals(hints=long)
cdef bint _is_subtitle(Surroundings around, Py_ssize_t index, Evidence found, Standing standing)

@cython.locals(index=Py_ssize_t, decision=Decision, found=Evidence, block=TextBlock, first=TextBlock, score=double, seen=dict, others=set)
cdef list _without_copies(Reading reading, list decisions)
