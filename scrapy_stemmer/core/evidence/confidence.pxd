# The types of confidence.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.decision cimport Verdict
from scrapy_stemmer.core.evidence.model cimport Reading
from scrapy_stemmer.core.evidence.prior cimport Evidence
from scrapy_stemmer.core.evidence.surroundings cimport PlaceScore


cdef class RegionWeights:
    cdef public Py_ssize_t text
    cdef public Py_ssize_t repeated
    cdef public Py_ssize_t short_blocks
    cdef public Py_ssize_t unsure
    cdef public Py_ssize_t rivals
    cdef public Py_ssize_t changes


cdef Py_ssize_t _SHORT
cdef double _CLEAR
cdef double _COMMON_TEXT


@cython.locals(sums=RegionWeights, was_text=int, title=Py_ssize_t, index=Py_ssize_t, shared=PlaceScore, score=double, is_text=int)
cpdef RegionWeights region_weights(Reading reading, Verdict verdict)

@cython.locals(weight=Py_ssize_t)
cdef _count(RegionWeights sums, Evidence found, double score)
