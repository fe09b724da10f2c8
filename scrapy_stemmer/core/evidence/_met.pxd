# What the compiled walk remembers from page to page; see _met.pyx.

cimport cython
from cpython.ref cimport PyObject
from libc.stdint cimport uint32_t, uint64_t

from scrapy_stemmer.core.evidence._buffer cimport Buffer
from scrapy_stemmer.core.evidence._measure cimport Measure
from scrapy_stemmer.core.evidence.outline cimport Shape
from scrapy_stemmer.core.evidence.places cimport Place


ctypedef struct Slot:
    # Half of the hash of a record, and where that stands among the records; nothing stands at 0.
    uint32_t hash
    uint32_t record


ctypedef struct Record:
    # An element that was met: what it holds, the number of words of its key, which follow, and the record before it;
    # where it is remembered for a route, whether it is a target of that or leads to one.
    PyObject* above
    PyObject* shape
    PyObject* place
    uint32_t words
    uint32_t before
    int step


ctypedef struct Desk:
    # What walks lend from each other: see _walk.pyx.
    Buffer text, linked, key, stack, elements, names


@cython.final
cdef class Met:
    cdef Slot* slots
    cdef size_t room
    cdef Py_ssize_t count, most
    cdef uint64_t telling
    cdef uint32_t last
    cdef Buffer records
    cdef Desk desk
    cdef Measure measure

    cdef Record* find(self, const PyObject* above, const Buffer* key) noexcept
    cdef int add(self, PyObject* above, const Buffer* key, Shape shape, Place place, int step) except -1
    cdef uint64_t _hash(self, const PyObject* above, const uint64_t* words, size_t count) noexcept
    cdef Slot* _free_slot(self, uint64_t hash) noexcept
    cdef int _grow(self) except -1
    cdef int _forget(self) except -1
    cdef Measure lend(self, Desk* desk)
    cdef int take_back(self, Desk* desk, Measure measure) noexcept


cdef int free_desk(Desk* desk) noexcept
