# What other compiled modules use of _scan.pyx.

cimport lxml.includes.etreepublic as cetree
from lxml.includes.tree cimport xmlNode

from scrapy_stemmer.core.evidence._buffer cimport Buffer


cdef class Scan:
    cdef cetree._Element root
    cdef set holders
    cdef readonly object head
    cdef str title
    cdef list metas, scripts

    cdef xmlNode* body(self) noexcept
    cdef int _look_through(self) except -1
    cdef int _look(self, Buffer* waiting) except -1
    cdef int _note(self, xmlNode* element) except -1
    cdef int _note_heading(self, xmlNode* element) except -1
    cdef int _note_meta(self, xmlNode* element) except -1
