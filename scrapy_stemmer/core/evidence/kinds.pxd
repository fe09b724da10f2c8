# The types of kinds.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.decision cimport Verdict
from scrapy_stemmer.core.evidence.prior cimport Evidence
from scrapy_stemmer.core.evidence.surroundings cimport PlaceScore


cdef double _COMMON_TEXT
cdef double _MOSTLY_LINKS


@cython.locals(inside=list, index=Py_ssize_t, shared=PlaceScore)
cdef list _inside(Verdict verdict)

@cython.locals(own=list, found=Evidence)
cdef list _own(list inside)

@cython.locals(found=Evidence, weight=Py_ssize_t)
cdef Py_ssize_t _plain_weight(list own)

@cython.locals(found=Evidence, total=Py_ssize_t, linked=Py_ssize_t)
cdef bint _is_list(paths, list inside, list own, bint is_article)

@cython.locals(found=Evidence, links=list)
cdef list _links(list own)

@cython.locals(found=Evidence, weight=Py_ssize_t, reach=Py_ssize_t)
cdef Py_ssize_t _teaser_weight(list inside)
