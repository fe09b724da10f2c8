# The types of region.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence


cdef class UnitWeights:
    cdef readonly double against
    cdef readonly double chrome
    cdef readonly double hinted
    cdef readonly double hinted_link
    cdef readonly double free


@cython.locals(place=Place)
cpdef double unit_of(Evidence found, UnitWeights weights=*)

cdef bint _is_against(Place place)

cpdef double value_of(Evidence found, double threshold)

@cython.locals(place=Place)
cpdef double own_unit_of(Evidence found, UnitWeights weights=*)

@cython.locals(found=Evidence, sums=list, parents=list, value=double, index=Py_ssize_t)
cpdef list summed_up(outline, evidence, values)

@cython.locals(place=Place, sums=dict, value=double)
cpdef dict path_values(places, values)
