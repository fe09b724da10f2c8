# Keys of texts; see keys.pyx.

from libc.stdint cimport uint64_t

from scrapy_stemmer._engine.nodes cimport Buffer


cdef class Keys:
    cdef Buffer room
    cdef long long of(self, str text) except -1
    cdef long long of_bytes(self, const char* text, Py_ssize_t size) except -1
    cdef bint put_lower(self, const unsigned char* text, Py_ssize_t size) except -1


cdef bint is_ascii(const char* text, Py_ssize_t size) noexcept nogil
cdef uint64_t hash_of(const char* text, size_t size) noexcept nogil


cdef struct Entry:
    # A known text: its hash, its place among all texts, and its number.
    uint64_t hashed
    size_t start
    size_t size
    int number


cdef class Numbers:
    cdef Buffer texts
    cdef Entry* entries
    cdef size_t room, count
    cdef int find(self, const char* text, size_t size) noexcept
    cdef int add(self, const char* text, size_t size, int number) except -1
