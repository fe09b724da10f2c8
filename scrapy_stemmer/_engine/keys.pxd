# Keys of texts; see keys.pyx.

from scrapy_stemmer._engine.nodes cimport Buffer


cdef class Keys:
    cdef Buffer room
    cdef long long of(self, str text) except -1
