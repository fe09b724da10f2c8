# The types of reading.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence._texts cimport Texts
from scrapy_stemmer.core.evidence.model cimport Reading, SiteModel, own_page, weighed, without_regions
from scrapy_stemmer.core.evidence.paths cimport PathTree
from scrapy_stemmer.core.evidence.places cimport Place, Places
from scrapy_stemmer.core.evidence.region cimport value_of_all
from scrapy_stemmer.core.evidence.surroundings cimport blocks_in, extent_of


@cython.final
cdef class _Known:
    cdef readonly Places places
    cdef readonly dict views
    cdef readonly list trails


@cython.final
cdef class Route:
    cdef readonly Py_ssize_t number
    cdef readonly tuple regions
    cdef readonly frozenset targets
    cdef readonly frozenset ways
    cdef readonly bint is_whole
    cdef readonly double least


@cython.locals(path=Py_ssize_t, place=Place)
cdef bint _stand_in(list places, tuple paths)


cdef class SiteReader:
    cdef readonly SiteModel model
    cdef list _routes
    cdef Texts _texts
    cdef object _reader
    cdef _Known _remembered

    @cython.locals(route=Route, reading=Reading, whole=Reading, value=double, known=_Known)
    cpdef Reading read_tree(self, tree)

    cdef Reading _all_of(self, tree, _Known known)

    @cython.locals(route=Route, known=_Known)
    cdef object _again(self, tree, regions)

    cdef Route _route_to(self, regions)

    cdef _Known _known(self)

    @cython.locals(own=object, paths=PathTree, evidence=list, inside=list)
    cdef Reading _reading(self, walk, tree, _Known known, regions=*)
