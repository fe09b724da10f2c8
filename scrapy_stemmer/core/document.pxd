# The types of document.py where it is compiled.

cimport cython


@cython.final
cdef class Document:
    cdef readonly object page
    cdef object _root
    cdef object _default_charset
    cdef dict _blocks
