# A tree as an array of nodes; see tree.pyx.

cimport cython
from libc.stdint cimport uint32_t
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Document, _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer._engine.nodes cimport Buffer

cdef enum:
    # Facts about a name.
    WITHOUT = 1
    BLOCK = 1 << 1
    ANEW = 1 << 2
    SHOWN_ALONE = 1 << 3
    WHOLE = 1 << 4
    INLINE_WRAPPER = 1 << 5
    BLOCK_WRAPPER = 1 << 6
    IS_PRE = 1 << 7
    IS_FIGURE = 1 << 8
    COPIED = 1 << 9
    IS_CHECKED = 1 << 10
    PARTS = 1 << 11
    BREAKS = 1 << 12
    IS_IMAGE = 1 << 13
    IS_LINK = 1 << 14
    IS_SPAN = 1 << 15
    IS_CELL = 1 << 16
    IS_BOX = 1 << 17
    IS_RULE = 1 << 18
    IS_ITEM = 1 << 19
    IS_NOSCRIPT = 1 << 20
    IS_PARAGRAPH = 1 << 21
    IS_CAPTION = 1 << 22
    IS_TABLE = 1 << 23
    IS_ROW = 1 << 24
    IS_CODE = 1 << 25
    IS_PICTURE = 1 << 26
    ODD_IN_CODE = 1 << 28
    AROUND_CODE = 1 << 29
    IS_DIV = 1 << 30


cdef enum:
    # Answers remembered for a text.
    ODD_LOOK = 0
    CODE_TABLE = 1
    MEMORIES = 2


cdef struct Name:
    # Kinds of elements by name, with start and end; see :func:`facts_of`.
    const char* key
    const char* begins
    const char* ends
    unsigned int facts


cdef struct Node:
    # A node of the tree: the numbers of its parent and of the node before, -1 without, and of the node behind its
    # content.
    xmlNode* node
    int parent
    int before
    int end
    unsigned int facts  # of the name
    unsigned int flags


cdef struct Memo:
    # Numbers by texts, which must stay in memory. Colliding texts follow each other in the table.
    const char** keys
    int* values
    size_t room
    size_t count


cdef enum:
    SEEN = 128  # names remembered of a tree


cdef struct Seen:
    # The facts about a name, by its address.
    const char* key
    unsigned int facts


cdef Name* place_of(const char* name) noexcept nogil
cdef Name* name_of(xmlNode* node) noexcept nogil
cdef int* found_in(Memo* memo, const char* key) noexcept nogil
cdef int note(Memo* memo, const char* key, int value) except -1
cdef void free_memo(Memo* memo) noexcept nogil


cdef inline bint is_text(const xmlNode* node) noexcept nogil:
    return node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE


cdef class Tree:
    cdef Node* nodes
    cdef Py_ssize_t count, room
    cdef int* numbers
    cdef size_t numbers_room
    cdef list held
    cdef Memo[MEMORIES] memories
    cdef Seen[SEEN] seen
    cdef bint has_bases
    cdef Buffer scratch
    cdef _Document document

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

    cdef int read(self, xmlNode* top) except -1
    cdef int add_node(self, xmlNode* node, int parent, int before) except -1
    cdef unsigned int facts_of(self, xmlNode* node) noexcept
    cdef int number_of(self, xmlNode* node) except -2
    cdef size_t place_in_numbers(self, xmlNode* node) noexcept
    cdef bint holds_any(self, int top, unsigned int fact) noexcept nogil
    cdef int first_with(self, int top, unsigned int fact) noexcept nogil
    cdef _Element element_of(self, int number)
    cdef const char* get(self, int number, const char* name) except? NULL
    cdef const char* value(self, xmlNode* node, xmlAttr* attribute) except? NULL
    cdef const char* held_value(self, str text) except NULL
    cdef bint may_be_code(self, int table) except -1
    cdef bint may_be_numbers(self, int number) noexcept
    cdef bint remembered(self, int memory, const char* text) except -1
    cdef bint is_plain_code(self, int pre, bint* has_links, bint* has_lines, bint* has_parts) except -1
    cdef bint is_plain_in_code(self, xmlNode* node, xmlAttr* attribute, bint* has_lines) except -1
    cdef bint reads_as_lines(self, bint has_lines, bint is_html) noexcept
    cdef bint has_words_in(self, int top) noexcept
