# The types of region.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence._sums cimport Sums
from scrapy_stemmer.core.evidence.outline cimport Outline, TextBlock
from scrapy_stemmer.core.evidence.paths cimport PathTree
from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence


cdef class UnitWeights:
    cdef readonly double against
    cdef readonly double chrome
    cdef readonly double hinted
    cdef readonly double hinted_link
    cdef readonly double free


cdef double _COMMON
cdef long _HIDDEN
cdef long _NAV_OR_FOOTER
cdef long _BESIDE_TEXT


@cython.locals(place=Place)
cpdef double unit_of(Evidence found, UnitWeights weights=*)

cdef bint _is_against(Place place)

cpdef double value_of(Evidence found, double threshold)

@cython.locals(found=Evidence, value=double)
cpdef double value_of_all(list evidence, double threshold)

@cython.locals(place=Place)
cpdef double own_unit_of(Evidence found, UnitWeights weights=*)

@cython.locals(found=Evidence, values=Sums)
cpdef Sums element_values(Outline outline, list evidence, double threshold)

@cython.final
cdef class PlaceMass:
    cdef readonly Py_ssize_t text
    cdef readonly Py_ssize_t own


@cython.final
cdef class RegionMass:
    cdef readonly Py_ssize_t weight
    cdef readonly Py_ssize_t own
    cdef readonly Py_ssize_t linked
    cdef readonly dict places


@cython.locals(mass=RegionMass, place=Place, found=Evidence, of_place=PlaceMass, block=TextBlock)
cpdef RegionMass region_mass(list inside, double threshold)

@cython.locals(found=PlaceMass)
cdef PlaceMass _mass_of(dict places, Place place)

@cython.locals(sums=dict, place=Place, of_place=PlaceMass, path=object, weight=Py_ssize_t, least=double)
cpdef frozenset dominant_paths(RegionMass mass)


@cython.locals(found=Evidence, sums=Sums, unit=double)
cdef Sums _own_sums(Outline outline, list evidence, bint is_open)

@cython.locals(least=double, most=double, candidates=list, value=double, place=Place)
cpdef Py_ssize_t region_by_vote(PathTree paths, list places, Sums values, dict sums, dict votes) except -1

@cython.locals(line=tuple)
cpdef Py_ssize_t climbed(PathTree paths, Py_ssize_t region, dict sums) except -1

@cython.locals(most=double, least=double, vote=double, value=double, held=list, found=Py_ssize_t, regions=list)
cpdef list further_regions(PathTree paths, Py_ssize_t region, dict sums, dict votes)

@cython.locals(other=Py_ssize_t)
cdef bint _is_near(PathTree paths, Py_ssize_t path, list others) except -1

cpdef Py_ssize_t around_text(PathTree paths, Py_ssize_t path) except -1
