# The types of decision.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.model cimport Reading
from scrapy_stemmer.core.evidence.outline cimport TextBlock
from scrapy_stemmer.core.evidence.prior cimport Evidence
from scrapy_stemmer.core.evidence.surroundings cimport PlaceScore, Standing, Surroundings
from scrapy_stemmer.core.evidence.terms cimport BlockTerms
from scrapy_stemmer.core.evidence.weighing cimport block_terms, place_score


@cython.final
cdef class Decision:
    cdef readonly double score
    cdef readonly PlaceScore shared
    cdef readonly BlockTerms own
    cdef readonly bint inside
    cdef readonly bint is_title


cdef double _SUBTITLE_SCORE
cdef Py_ssize_t _MIN_DUPLICATE


@cython.locals(found=Evidence, shared=PlaceScore, standing=Standing, own=BlockTerms, score=double)
cpdef Decision decision_on(Py_ssize_t index, Reading reading, Surroundings around)

@cython.locals(hints=long)
cdef bint _is_subtitle(Surroundings around, Py_ssize_t index, Evidence found, Standing standing)

@cython.locals(index=Py_ssize_t, decision=Decision, block=TextBlock, first=TextBlock, score=double, seen=dict)
cdef list _without_copies(Reading reading, list decisions)
