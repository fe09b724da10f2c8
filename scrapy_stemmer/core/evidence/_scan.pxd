# What other compiled modules use of _scan.pyx.

cimport lxml.includes.etreepublic as cetree
from lxml.includes.tree cimport xmlNode

from scrapy_stemmer.core.evidence._buffer cimport Buffer
from scrapy_stemmer.core.evidence.head cimport LateHead


cdef class Scan:
    cdef cetree._Element root
    cdef bint is_scanned
    cdef LateHead late_head
    cdef str title
    cdef list metas, scripts
    cdef Buffer waiting

    cdef xmlNode* body(self) noexcept
    cdef int forget(self) except -1
    cdef int look_around(self, xmlNode* body, bint behind) except -1
    cdef int look(self, xmlNode* top, bint noting, set holders) except -1
    cdef int note(self, xmlNode* element) except -1
    cdef int _note_meta(self, xmlNode* element) except -1
