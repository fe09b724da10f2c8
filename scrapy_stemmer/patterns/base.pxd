# The types of base.py where it is compiled.


cdef class PageMatch:
    cdef readonly object pattern
    cdef readonly double similarity
    cdef readonly object blocks
    cdef readonly object sections
    cdef readonly object text_roles
    cdef readonly object labels
