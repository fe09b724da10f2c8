# HTML as movable elements; see markup.pyx.

from lxml.includes.etreepublic cimport _Document
from lxml.includes.tree cimport xmlNode

from scrapy_stemmer._engine.lines cimport Room
from scrapy_stemmer._engine.nodes cimport Buffer

cdef enum:
    # Names of elements. Further names get numbers of their own, 0 if nothing is known.
    TAG_OTHER
    TAG_A
    TAG_IMG
    TAG_BR
    TAG_HR
    TAG_MATH
    TAG_PRE
    TAG_INPUT
    TAG_OL
    TAG_UL
    TAG_MENU
    TAG_DIR
    TAG_LI
    TAG_DD
    TAG_DT
    TAG_P
    TAG_DIV
    TAG_SPAN
    TAG_TABLE
    TAG_TR
    TAG_TD
    TAG_TH
    TAG_CAPTION
    TAG_BLOCKQUOTE
    TAG_SUB
    TAG_SUP
    TAG_RT
    TAG_RP
    TAG_ASIDE
    TAG_LABEL
    TAG_CODE
    TAG_BODY
    TAG_BASE
    TAG_H1
    TAG_H2
    TAG_H3
    TAG_H4
    TAG_H5
    TAG_H6
    TAG_B
    TAG_STRONG
    TAG_I
    TAG_EM
    TAG_CITE
    TAG_DEL
    TAG_S
    TAG_STRIKE


cdef enum:
    # Facts about a name.
    BLOCK = 1
    LIST = 1 << 1
    HEADING = 1 << 2
    CELL = 1 << 3
    NO_CODE = 1 << 4
    CODE = 1 << 5
    NOTE = 1 << 6
    NO_CELL = 1 << 7
    ODD_IN_CODE = 1 << 8
    IN_CODE_BLOCK = 1 << 9
    AROUND_BOX = 1 << 10
    EMPHASIS = 1 << 11
    EMPTY = 1 << 12
    PARSED_OTHERWISE = 1 << 13
    # Facts about an element.
    HOLDS_BLOCK = 1
    STYLED = 1 << 1
    IN_ROW = 1 << 2
    DEFINED = 1 << 3
    CELL_KNOWN = 1 << 4
    CELL_HOLDS_LINE = 1 << 5


cdef enum:
    # Attributes read.
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
    ALT
    COLSPAN
    ROWSPAN
    DISPLAY
    HIDDEN
    LINE_NUMBER
    LANG
    LANGUAGE
    CODE_LANG
    OTHER_LANGUAGE


cdef struct Item:
    # An element: its name, the texts within and behind, or NULL, and its place in the tree, -1 without.
    const char* name
    const char* text
    const char* tail
    xmlNode* node  # NULL unless read from a tree
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
    cdef int attributes_count, attributes_room
    cdef Room texts
    cdef Buffer text_read
    cdef _Document document
    cdef char* own
    cdef str html
    cdef list elements

    cdef int read_tree(self, root) except -1
    cdef int read_run(self, xmlNode* node, const char** text) except -1
    cdef int read_attributes(self, xmlNode* node) except -1
    cdef bint read_html(self, str html) except -1
    cdef bint read_parts(self, char* at, char* end) except -1
    cdef char* read_start(self, char* at, int parent, int* item) except? NULL
    cdef int add_item(self, const char* name, int parent) except -1
    cdef int add_attribute(self, int item, const char* name, const char* value) except -1
    cdef int name_item(self, int item, const char* name) except -1
    cdef element_of(self, int number)
    cdef const char* get(self, int item, int name) noexcept nogil
    cdef int drop(self, int item, int name) noexcept nogil
    cdef int following(self, int item, int top) noexcept nogil
    cdef int first_of(self, int top, int tag) noexcept nogil
    cdef int first_with(self, int top, unsigned int facts) noexcept nogil
    cdef int around(self, int item, int tag) noexcept nogil
    cdef int around_with(self, int item, unsigned int facts) noexcept nogil
    cdef bint is_in(self, int item, int outer) noexcept nogil
    cdef int read_text(self, int top) except -1
    cdef int put_text(self, const char* text) except -1
    cdef int put_behind(self, int item, int parent) noexcept nogil
    cdef int take_out(self, int item) noexcept nogil
