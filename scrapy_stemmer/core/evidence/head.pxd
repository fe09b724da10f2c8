# The types of head.py where it is compiled.

cimport cython


@cython.final
cdef class LateHead:
    cdef object _read
    cdef tuple _of
    cdef object _now
