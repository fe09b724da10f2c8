# A document, as prune.pyx makes it; see markup.pyx.

from lxml.includes.etreepublic cimport _Document
from lxml.includes.tree cimport xmlNode

from scrapy_stemmer._engine.lines cimport Room
from scrapy_stemmer._engine.nodes cimport Buffer
from scrapy_stemmer._engine.tree cimport Nodes


cdef struct Item:
    # What an element is written with: its name, the texts within and behind, or NULL, and attributes.
    const char* name
    const char* text
    const char* tail
    const char* raw  # HTML of a formula, or NULL
    int last  # the last child, -1 without
    int attributes, attributes_count
    int note  # the number of the label of a footnote, or -1
    int link  # the link whose text is at the beginning of a block, or -1


cdef struct Attribute:
    const char* name
    const char* value


cdef class Markup(Nodes):
    cdef Item* items
    cdef Py_ssize_t items_room
    cdef Attribute* attributes
    cdef int attributes_count, attributes_room, attributes_taken
    cdef Room texts
    cdef Buffer open_text
    cdef _Document document
    cdef int open_
    cdef bint is_begun

    cdef int begin(self, const char* name) except -1
    cdef int end(self) except -1
    cdef int add_attribute(self, const char* name, const char* value) except -1
    cdef int characters(self, const char* text, size_t size) except -1
    cdef int put_formula(self, xmlNode* node, str html, const char* display) except -1
    cdef bint is_amid_line(self) noexcept
    cdef int settle(self) except -1
    cdef str html(self)
    cdef int put_start(self, Buffer* written, int number) except -1
    cdef int read_text(self, int top) except -1
