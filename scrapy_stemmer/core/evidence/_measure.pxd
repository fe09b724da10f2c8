# What other compiled modules use of _measure.pyx.

cimport cython
from libc.stdint cimport uint64_t

from scrapy_stemmer.core.evidence._buffer cimport Buffer


cdef bint is_space(const unsigned char* data, Py_ssize_t size) noexcept nogil


ctypedef struct Place:
    # How far a text was flattened: the index in it, the size of what was written, the spaces in that, and whether one
    # of them comes last, or nothing was written.
    Py_ssize_t index
    Py_ssize_t end
    Py_ssize_t spaces
    unsigned after_space


@cython.final
cdef class Measure:
    cdef Buffer flat, low, wide
    cdef Py_ssize_t weight, count, more
    cdef uint64_t hash
    cdef str text
    cdef unsigned char widest
    cdef bint has_braces

    cdef Py_ssize_t room(self) noexcept nogil
    cdef bint of(self, const char* data, Py_ssize_t size, bint keep_text, bint with_hash) except -1
    cdef bint _flatten(self, const unsigned char* data, Py_ssize_t size) noexcept nogil
    cdef bint _flatten_odd(self, const unsigned char* data, Py_ssize_t size, Place* place) noexcept nogil
    cdef const unsigned char* _behind_wide(self, const unsigned char* at) noexcept nogil
    cdef bint _of_long(self, bint with_hash) noexcept nogil
    cdef bint _of_short(self, bint with_hash) except -1
    cdef str _made(self)
    cdef bint _of_ascii(self, bint with_hash) except -1
    cdef int _of_utf8(self, const unsigned char* at, Py_ssize_t size, bint with_hash) except -2
    cdef bint _of_unicode(self, str raw, bint with_hash) except -1
    cdef Py_ssize_t _lowered(self, Py_ssize_t count) except -1
    cdef int _weigh(self, Py_ssize_t length) noexcept nogil
    cdef int _hash_wide(self, Py_ssize_t count) except -1
