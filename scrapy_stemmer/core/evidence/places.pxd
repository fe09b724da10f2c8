# The types of places.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.classes cimport Profile
from scrapy_stemmer.core.evidence.names cimport Namer
from scrapy_stemmer.core.evidence.outline cimport Shape
from scrapy_stemmer.core.evidence.paths cimport PathTree


@cython.final
cdef class Place:
    cdef readonly Place above
    cdef public dict below
    cdef public dict apart
    cdef public str tag
    cdef public Py_ssize_t path
    cdef public Py_ssize_t depth
    cdef public long within
    cdef public long own_hints
    cdef public long hinted
    cdef public bint is_headline
    cdef public bint hinted_near
    cdef public bint in_chrome
    cdef public bint in_boilerplate_role
    cdef public Profile profile
    cdef public Py_ssize_t level
    cdef public object base


cdef long _MAIN
cdef long _CHROME
cdef long _NEGATIVE
cdef dict _WITHIN_TAGS
cdef Py_ssize_t _MAX_DEPTH


@cython.locals(place=Place)
cpdef Place place_of(Place above, Shape shape, Py_ssize_t path, long hints)

cdef _stand(Place place, Place above, Shape shape, Py_ssize_t path, long hints)

@cython.locals(_=int)
cdef bint _is_hinted_near(Place place)

@cython.locals(place=Place)
cdef _part(list places)


cdef class Places:
    cdef readonly PathTree paths
    cdef public object met
    cdef Namer _namer
    cdef bint _has_names
    cdef bint _has_elements
    cdef object _lock
    cdef dict _bodies
    cdef Place _body
    cdef Py_ssize_t _count

    cpdef list of(self, outline)
    @cython.locals(
        places=list, index=Py_ssize_t, shape=Shape, parent=Py_ssize_t, above=Place, place=Place, found=Place
    )
    cdef list _all_of(self, outline)
    @cython.locals(met=set, waiting=list, place=Place)
    cpdef set keep(self, targets, ways)
    @cython.locals(reached=list, dropped=list, waiting=list, kept=dict, left=set, place=Place, below=Place)
    cdef list _pruned(self, targets, ways, set met)
    @cython.locals(place=Place)
    cpdef Place body(self, Shape shape)
    cdef Place _new_body(self, Shape shape)
    @cython.locals(place=Place)
    cpdef object path_below(self, Place above, Shape shape)
    @cython.locals(place=Place)
    cpdef Place below(self, Place above, Shape shape)
    @cython.locals(place=Place, path=Py_ssize_t, hints=long, key=tuple)
    cdef Place _new_below(self, Place above, Shape shape)
    cdef Place _placed(self, Place place)
