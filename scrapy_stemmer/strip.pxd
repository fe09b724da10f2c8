# The types of strip.py where it is compiled.

cimport cython


cdef class Stripped:
    cdef readonly bint matched
    cdef readonly object pattern
    cdef readonly double similarity
    cdef readonly object blocks
    cdef readonly object sections
    cdef readonly object text_roles
    cdef readonly object _labels
    cdef readonly object _root
    cdef readonly dict _known
