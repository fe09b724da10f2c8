# The types of region.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.outline cimport TextBlock
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

@cython.locals(
    found=Evidence, sums=list, parents=list, number=Py_ssize_t, index=Py_ssize_t, above=Py_ssize_t
)
cpdef list summed_up(outline, list evidence, list values)

@cython.locals(found=Evidence, values=list)
cpdef list element_values(outline, list evidence, double threshold)

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


@cython.final
cdef class Sum:
    cdef public double value


@cython.locals(place=Place, sums=dict, index=Py_ssize_t, path=object, total=Sum, by_path=dict)
cpdef dict path_values(list places, list values)

@cython.locals(found=Evidence, masses=list, unit=double)
cdef list _unit_masses(list evidence, bint is_open)

@cython.locals(parents=list, depths=list, parent=Py_ssize_t)
cpdef list depths_of(outline)
