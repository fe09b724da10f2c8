# What the elements of a page are worth, as numbers of C; see _sums.pyx.

cimport cython


@cython.final
cdef class Sums:
    cdef list parents
    cdef double* sums
    cdef Py_ssize_t count
    cdef readonly Py_ssize_t best
    cdef readonly double highest

    cdef inline Py_ssize_t _checked(self, Py_ssize_t element) except -1
    cpdef int add(self, Py_ssize_t element, double value) except -1
    cpdef int sum_up(self) except -1
    cpdef Py_ssize_t deepest(self, double least) except -1
    cpdef dict by_path(self, list places)
