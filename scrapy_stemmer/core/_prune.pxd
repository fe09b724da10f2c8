# The parts of _prune.pyx for other compiled modules.

from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlNode


cdef struct Mark:
    xmlNode* node
    unsigned char flags


cdef class Kept:
    cdef Mark* _marks
    cdef size_t _size
    cdef size_t _used
    cdef bint _has_holders

    cdef int add(self, xmlNode* node, bint is_tail) except -1
    cdef str html(self, _Element root)
    cdef int _put(self, xmlNode* node, unsigned char flags) except -1
    cdef int _grow(self) except -1
    cdef unsigned char _flags(self, xmlNode* node) noexcept
    cdef xmlNode* _smallest(self, xmlNode* node) noexcept
