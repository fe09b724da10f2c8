# The types of paths.py where it is compiled.

cimport cython


@cython.locals(index=Py_ssize_t, char=Py_UCS4)
cpdef str tag_of(str component)


cdef class PathTree:
    cdef public list rows
    cdef dict _numbers
    cdef dict _lines
    cdef dict _suffixes

    cpdef child(self, parent, component)
    cpdef find(self, row)
    cpdef tuple row(self, Py_ssize_t path)
    cpdef parent(self, Py_ssize_t path)
    @cython.locals(waiting=list, line=tuple)
    cpdef tuple line(self, path)
    cpdef bint is_within(self, Py_ssize_t path, Py_ssize_t ancestor) except -1
    cpdef str tag(self, Py_ssize_t path)
    @cython.locals(found=list)
    cpdef list suffixes(self, path)
    @cython.locals(above=Py_ssize_t, tail=str, component=str, suffixes=list)
    cdef list _suffixes_of(self, Py_ssize_t path)


cdef class PagePaths(PathTree):
    cdef PathTree _site
    cdef Py_ssize_t _first_own
