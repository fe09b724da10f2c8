# A tree as an array of nodes, and the names of elements; see tree.pyx.

cimport cython
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Document, _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer._engine.nodes cimport Buffer

cdef enum:
    # Names of elements. Further names are 0.
    TAG_OTHER
    TAG_A
    TAG_IMG
    TAG_BR
    TAG_HR
    TAG_MATH
    TAG_PRE
    TAG_INPUT
    TAG_LABEL
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
    TAG_CODE
    TAG_TT
    TAG_BODY
    TAG_FIGURE
    TAG_FIGCAPTION
    TAG_NOSCRIPT
    TAG_PICTURE
    TAG_SOURCE
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
    # Facts about a name of an element or an attribute.
    WITHOUT_TEXT = 1
    BLOCK = 1 << 1
    ANEW = 1 << 2
    SHOWN_ALONE = 1 << 3
    WHOLE = 1 << 4
    WRAPPER = 1 << 5
    LIST = 1 << 6
    HEADING = 1 << 7
    CELL = 1 << 8
    INLINE_CODE = 1 << 9
    NOTE = 1 << 10
    NO_CELL = 1 << 11
    EMPHASIS = 1 << 12
    ODD_IN_CODE = 1 << 13
    AROUND_BOX = 1 << 14
    UNREAD = 1 << 15
    VOID = 1 << 16
    COPIED = 1 << 17
    IS_CHECKED = 1 << 18


cdef struct Name:
    # A name of an element or an attribute: what is written in its place, and what is known of it.
    const char* key
    const char* written
    int tag
    unsigned int facts


cdef struct Node:
    # A node: the numbers of its parent and of the node before, -1 without, and of the node behind its content.
    xmlNode* node  # of a tree
    int parent
    int before
    int end
    int tag
    unsigned int facts  # of the name
    unsigned int flags


cdef Name* place_of(const char* name) noexcept nogil
cdef Name* name_of(xmlNode* node) noexcept nogil
cdef str label_of(int number, char form)


cdef inline bint is_text(const xmlNode* node) noexcept nogil:
    return node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE


cdef class Nodes:
    cdef Node* nodes
    cdef Py_ssize_t count, room
    cdef Buffer scratch

    @cython.final
    cdef inline int first_in(self, int number) noexcept nogil:
        """The first child of a node, -1 without."""
        return number + 1 if self.nodes[number].end > number + 1 else -1

    @cython.final
    cdef inline int behind(self, int number) noexcept nogil:
        """The next sibling of a node, -1 without."""
        cdef int parent = self.nodes[number].parent
        return -1 if parent < 0 or self.nodes[number].end == self.nodes[parent].end else self.nodes[number].end

    @cython.final
    cdef inline bint is_a(self, int number, unsigned int fact) noexcept nogil:
        """Return True if anything is known of a node by its name."""
        return self.nodes[number].facts & fact != 0

    cdef int add_node(self, xmlNode* node, Name* name, int parent, int before) except -1
    cdef int first_of(self, int top, int tag) noexcept nogil
    cdef bint has_inner(self, int top, int tag) noexcept nogil
    cdef int around(self, int number, int tag) noexcept nogil
    cdef const char* get(self, int number, const char* name) except? NULL
    cdef char form_of(self, int items) except? 0
    cdef int number_items(self, int items, dict numbers) except -1


cdef class Tree(Nodes):
    cdef dict numbers, looks
    cdef list held
    cdef bint has_bases
    cdef _Document document

    cdef int read(self, xmlNode* top) except -1
    cdef int number_of(self, xmlNode* node) except -2
    cdef _Element element_of(self, int number)
    cdef const char* value(self, xmlNode* node, xmlAttr* attribute) except? NULL
    cdef int read_run(self, xmlNode* run) except -1
    cdef int read_text(self, int top) except -1
    cdef str found_text(self)
    cdef str signs_in(self, int cell)
    cdef bint has_words_in(self, int top) noexcept
    cdef bint has_own_words(self, int number) noexcept
    cdef bint is_one_line(self, int pre) except -1
    cdef bint may_be_code(self, int table) except -1
    cdef bint may_be_numbers(self, int number) noexcept
    cdef bint read_plain_code(self, int pre, bint* has_links) except -1
    cdef bint is_odd_in_code(self, xmlNode* node, xmlAttr* attribute) except -1
    cdef int task_of(self, int item, int* box) except -1
