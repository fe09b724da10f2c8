# What other compiled modules use of _measure.pyx.

cimport cython
from libc.stdint cimport uint64_t

from scrapy_stemmer.core.evidence._buffer cimport Buffer


cdef bint is_space(const unsigned char* data, Py_ssize_t size) noexcept nogil


@cython.final
cdef class Measure:
    cdef Buffer low, wide
    cdef Py_ssize_t weight, count, more, cjk
    cdef uint64_t hash
    cdef str text
    cdef bint is_ascii, single, has_braces

    cdef bint of(self, const char* data, Py_ssize_t size, bint keep_text, bint with_hash) except -1
    cdef bint _look(self, const unsigned char* data, Py_ssize_t size) noexcept nogil
    cdef bint _of_long(self, const unsigned char* data, Py_ssize_t size, bint keep_text, bint with_hash) except -1
    cdef str _made(self, const unsigned char* data, Py_ssize_t size)
    cdef int _of_ascii(self, const unsigned char* data, Py_ssize_t size, bint with_hash) except -2
    cdef uint64_t _hash_of_ascii(self, const unsigned char* sig, Py_ssize_t size) noexcept nogil
    cdef int _of_utf8(self, const unsigned char* data, Py_ssize_t size, bint with_hash) except -2
    cdef int _of_short(self, Py_ssize_t size, bint with_hash) except -2
    cdef bint _of_unicode(self, str raw, bint with_hash) except -1
    cdef Py_ssize_t _lowered(self, Py_ssize_t count) except -1
    cdef int _weigh(self, Py_ssize_t length) noexcept nogil
    cdef int _hash_wide(self, Py_ssize_t count) except -1
