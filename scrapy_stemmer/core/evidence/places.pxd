# The types of places.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.classes cimport Profile


cdef class Place:
    cdef readonly Place above
    cdef public dict below
    cdef public str tag
    cdef public Py_ssize_t path
    cdef public Py_ssize_t depth
    cdef public long within
    cdef public long own_hints
    cdef public long hinted
    cdef public bint hinted_near
    cdef public bint in_chrome
    cdef public bint in_boilerplate_role
    cdef public Profile profile
    cdef public Py_ssize_t level
    cdef public object base


@cython.locals(places=list, above=Place, place=Place, parent=Py_ssize_t)
cdef list _places_of(known, shapes, parents)
