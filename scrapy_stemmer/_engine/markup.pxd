# A document of movable elements; see markup.pyx.

from lxml.includes.etreepublic cimport _Document
from lxml.includes.tree cimport xmlNode

from scrapy_stemmer._engine.lines cimport Room
from scrapy_stemmer._engine.nodes cimport Buffer


cdef enum:
    # Facts about an element.
    HOLDS_BLOCK = 1
    STYLED = 1 << 1
    IN_ROW = 1 << 2
    DEFINED = 1 << 3
    CELL_KNOWN = 1 << 4
    CELL_HOLDS_LINE = 1 << 5


cdef enum:
    # Names of attributes.
    GONE
    HREF
    NAME
    ID
    STYLE
    CLASS
    START
    REVERSED
    VALUE
    TYPE
    CHECKED
    DISABLED
    SRC
    SRCSET
    ALT
    TITLE
    LANG
    DIR
    COLSPAN
    ROWSPAN
    SCOPE
    DATETIME
    CITE
    DISPLAY


cdef struct Item:
    # An element: its name, the texts within and behind, or NULL, and its place in the document, -1 without.
    const char* name
    const char* text
    const char* tail
    const char* raw  # HTML of a formula, or NULL
    xmlNode* node  # of a formula, or NULL
    int tag
    unsigned int facts  # of the name
    unsigned int flags
    int parent, first, last, next, before
    int attributes, attributes_count
    int note  # the number of the label of a footnote
    int mark  # the number of an item


cdef struct Attribute:
    int name
    const char* value


cdef class Markup:
    cdef Item* items
    cdef int count, room
    cdef Attribute* attributes
    cdef int attributes_count, attributes_room, attributes_taken
    cdef Room texts
    cdef Buffer text_read, open_text
    cdef _Document document
    cdef int open_
    cdef bint is_begun

    cdef int begin(self, const char* name) except -1
    cdef int end(self) except -1
    cdef int add_attribute(self, int name, const char* value) except -1
    cdef int characters(self, const char* text, size_t size) except -1
    cdef int put_formula(self, xmlNode* node, str html, const char* display) except -1
    cdef bint is_amid_line(self) noexcept
    cdef int settle(self) except -1
    cdef str html(self)
    cdef int put_start(self, Buffer* written, Item* item) except -1
    cdef int add_item(self, const char* name, int parent) except -1
    cdef int name_item(self, int item, const char* name) except -1
    cdef const char* get(self, int item, int name) noexcept nogil
    cdef int drop(self, int item, int name) noexcept nogil
    cdef int following(self, int item, int top) noexcept nogil
    cdef int first_of(self, int top, int tag) noexcept nogil
    cdef int first_with(self, int top, unsigned int facts) noexcept nogil
    cdef int around(self, int item, int tag) noexcept nogil
    cdef int around_with(self, int item, unsigned int facts) noexcept nogil
    cdef int read_text(self, int top) except -1
    cdef int put_text(self, const char* text) except -1
    cdef int put_behind(self, int item, int parent) noexcept nogil
    cdef int take_out(self, int item) noexcept nogil


cdef int attribute_number(const char* name) noexcept
