# The types of surroundings.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.model cimport Reading
from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence
from scrapy_stemmer.core.evidence.region cimport own_unit_of, value_of
from scrapy_stemmer.core.evidence.terms cimport PlaceTerms


cdef class Standing:
    cdef readonly bint inside
    cdef readonly bint is_running
    cdef readonly bint is_sibling
    cdef readonly long hints
    cdef readonly long within
    cdef readonly double link
    cdef readonly double static


@cython.final
cdef class PlaceScore:
    cdef readonly double score
    cdef readonly PlaceTerms terms
    cdef readonly Standing standing


cdef class Standings:
    cdef readonly object regions
    cdef readonly frozenset dominant
    cdef readonly frozenset parents
    cdef object _paths
    cdef object _shares
    cdef dict _known
    cdef readonly dict _scores

    cpdef Standing of(self, Place place)
    @cython.locals(waiting=list, found=Standing, above=Place, below=Place)
    cdef Standing _from_above(self, Place place)
    cdef Standing _standing(self, Place place, Standing above)


cdef class Surroundings:
    cdef readonly Standings standings
    cdef readonly Py_ssize_t first
    cdef readonly Py_ssize_t last
    cdef readonly object title
    cdef readonly double openness
    cdef readonly long telling
    cdef readonly double threshold
    cdef readonly double dominance
    cdef readonly dict scores

    @cython.locals(title=Py_ssize_t)
    cpdef bint is_below_title(self, Py_ssize_t index)


@cython.locals(index=Py_ssize_t, first=Py_ssize_t, last=Py_ssize_t, found=Evidence)
cdef tuple _running(list evidence, frozenset dominant, double threshold)

@cython.locals(found=Evidence, known=dict, within=list)
cpdef list blocks_within(Reading reading, regions)

@cython.locals(found=Evidence, value=double)
cpdef double value_within(Reading reading, regions, double threshold)

@cython.locals(found=Evidence, weight=Py_ssize_t, linked=Py_ssize_t, share=double)
cpdef double openness_of_links(inside)

@cython.locals(index=Py_ssize_t, found=Evidence, indices=list)
cdef list _headlines(list evidence)

@cython.locals(found=Evidence, total=Py_ssize_t, mass=Py_ssize_t, hints=long, under=dict)
cpdef long telling_hints(inside, Standings standings)
