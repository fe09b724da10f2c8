# A document, as prune.pyx makes it; see markup.pyx.

from lxml.includes.etreepublic cimport _Document
from lxml.includes.tree cimport xmlNode

from scrapy_stemmer._engine.nodes cimport Buffer
from scrapy_stemmer._engine.tree cimport Nodes


cdef class Markup(Nodes):
    cdef list names, texts, tails, attributes
    cdef dict given
    cdef Buffer open_text
    cdef _Document document
    cdef int open_, ended
    cdef bint is_begun

    cdef int begin(self, const char* name) except -1
    cdef int end(self) except -1
    cdef int add_attribute(self, str name, str value) except -1
    cdef int characters(self, const char* text) except -1
    cdef int put_formula(self, xmlNode* node, str html, const char* display) except -1
    cdef bint is_amid_line(self) noexcept
    cdef int settle(self) except -1
    cdef str value_of(self, int number, str name)
    cdef str text_in(self, int top)
    cdef str html(self)
    cdef int put_start(self, Buffer* written, int number) except -1
