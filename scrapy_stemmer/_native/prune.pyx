# cython: boundscheck=False, wraparound=False
"""The kept part of a tree as HTML, from the nodes of libxml2; see :mod:`scrapy_stemmer.core.document`.

The result is the same. No Python object is made for an element. The tree is not changed, and must not be changed by
others meanwhile.
"""

from functools import lru_cache

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport strlen

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer._native.buffer cimport Buffer, put
from scrapy_stemmer._native.nodes cimport first_of, next_of, node_of, parent_of, run_from, value_of

from scrapy_stemmer.core.blocks import (
    BREAKING, KEPT_ATTRIBUTES, NAME, OTHER_NAME, OTHER_NAMES, VOID, WITHOUT_TEXT, is_unsafe,
)

cetree.import_lxml__etree()

cdef enum:
    # What is kept of a node.
    TEXT = 1
    TAIL = 2
    WITH_TEXT = 4
    HOLDER = 8

cdef enum:
    # What an element or an attribute is by its name.
    IS_VOID = 1
    IS_WITHOUT_TEXT = 2
    IS_BREAKING = 4
    IS_KEPT = 8

cdef enum:
    # Room for the nodes that are kept, at first, and for the names that are remembered.
    MARKS = 256
    NAMES = 512

# What is written for a byte; NULL for the byte itself. Perhaps U+FFFE or U+FFFF begins with EF.
cdef const char* WRITTEN[256]

for code in range(32):
    WRITTEN[<int>code] = ""
WRITTEN[c"\t"] = WRITTEN[c"\n"] = NULL
WRITTEN[c"\r"] = "&#13;"
WRITTEN[c"&"] = "&amp;"
WRITTEN[c"<"] = "&lt;"
WRITTEN[c">"] = "&gt;"
WRITTEN[c'"'] = "&quot;"
WRITTEN[0xEF] = ""


def pruned_html(_Element root not None, pieces):
    """See :func:`scrapy_stemmer.core.document.pruned_html`."""
    # The list keeps the elements, and with them their nodes, in memory.
    cdef list held = list(pieces)
    cdef _Kept kept = _Kept()
    cdef _Writer writer
    for element, is_tail in held:
        kept.add(node_of(element), is_tail)
    if not kept.has_holders:
        return ""
    writer = _Writer(kept)
    writer.write(kept.smallest(node_of(root)))
    return PyUnicode_DecodeUTF8(writer.html.data, writer.html.size, NULL)


cdef struct _Mark:
    xmlNode* node
    unsigned char flags


cdef class _Kept:
    """What is kept of a tree: a hash table of its nodes."""

    cdef _Mark* marks
    cdef size_t size, used
    cdef bint has_holders

    def __cinit__(self):
        self.size = MARKS
        self.marks = <_Mark*>calloc(MARKS, sizeof(_Mark))
        if self.marks is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.marks)

    cdef int add(self, xmlNode* node, bint is_tail) except -1:
        """Keep the text of a node, or its tail."""
        cdef xmlNode* holder = parent_of(node) if is_tail else node
        cdef unsigned char flags = WITH_TEXT | HOLDER
        self.mark(node, TAIL if is_tail else TEXT)
        while holder is not NULL and not self.mark(holder, flags) & HOLDER:
            self.has_holders = True
            holder = parent_of(holder)
            flags = HOLDER
        return 0

    cdef int mark(self, xmlNode* node, unsigned char flags) except -1:
        """Add flags to those of a node, and tell what they were."""
        cdef _Mark* mark = find(self.marks, self.size, node)
        cdef unsigned char before = mark.flags
        if mark.node is NULL:
            if 2 * self.used >= self.size:
                self.grow()
                mark = find(self.marks, self.size, node)
            mark.node = node
            self.used += 1
        mark.flags = before | flags
        return before

    cdef int grow(self) except -1:
        cdef _Mark* old = self.marks
        cdef size_t index, size = 4 * self.size
        cdef _Mark* marks = <_Mark*>calloc(size, sizeof(_Mark))
        if marks is NULL:
            raise MemoryError
        for index in range(self.size):
            if old[index].node is not NULL:
                find(marks, size, old[index].node)[0] = old[index]
        self.marks, self.size = marks, size
        free(old)
        return 0

    cdef unsigned char flags(self, xmlNode* node) noexcept:
        return find(self.marks, self.size, node).flags

    cdef xmlNode* smallest(self, xmlNode* node) noexcept:
        """The deepest node that holds all kept texts."""
        cdef xmlNode* child
        cdef xmlNode* inside
        while not self.flags(node) & WITH_TEXT:
            inside = NULL
            child = first_of(node)
            while child is not NULL:
                if self.flags(child) & HOLDER:
                    if inside is not NULL:
                        return node
                    inside = child
                child = next_of(child)
            if inside is NULL:
                return node
            node = inside
        return node


cdef inline _Mark* find(_Mark* marks, size_t size, xmlNode* node) noexcept:
    """The place of a node in a hash table, that is empty or holds it. The size is a power of 2."""
    cdef size_t index = <size_t>(<uint64_t>(<uintptr_t>node >> 4) * 0x9E3779B97F4A7C15U >> 20) & (size - 1)
    while marks[index].node is not NULL and marks[index].node is not node:
        index = (index + 1) & (size - 1)
    return marks + index


cdef struct _Name:
    # How elements of a name are written, and what is known of it. The name is the same string wherever it stands in a
    # document.
    const unsigned char* key
    const char* written
    int bits


cdef class _Writer:
    """HTML that is being written.

    :ivar held: what the names that are written stand in.
    """

    cdef _Kept kept
    cdef Buffer html
    cdef _Name[NAMES] names
    cdef _Name other
    cdef list held

    def __cinit__(self, _Kept kept not None):
        self.kept = kept
        self.held = []
        self.fill(&self.other, OTHER_NAME.encode())
        # What is known of elements of that name is not so of others that are written by it.
        self.other.bits = 0

    def __dealloc__(self):
        free(self.html.data)

    cdef int write(self, xmlNode* top) except -1:
        """Write an element with what is kept of it; the way back up is by the nodes' own parents."""
        cdef xmlNode* node = top
        cdef xmlNode* child = first_of(top)
        cdef unsigned char flags
        cdef _Name* name
        cdef bint keeps = self.begin(top)
        while True:
            if child is not NULL:
                flags = self.kept.flags(child)
                if flags & HOLDER or (keeps and self.name_of(child).bits & IS_WITHOUT_TEXT):
                    node = child
                    keeps = self.begin(node)
                    child = first_of(node)
                    continue
                if flags & TAIL:
                    self.put_run(child.next)
                child = next_of(child)
                continue
            name = self.name_of(node)
            if not name.bits & IS_VOID:
                self.put("</")
                self.put(name.written)
                self.put(">")
            if node is top:
                return 0
            if self.kept.flags(node) & TAIL:
                self.put_run(node.next)
            elif name.bits & IS_BREAKING:
                self.put("\n")
            child = next_of(node)
            node = node.parent
            keeps = self.keeps(node)

    cdef bint begin(self, xmlNode* node) except -1:
        """Write the start of an element, and tell whether it keeps elements without text."""
        self.put("<")
        self.put(self.name_of(node).written)
        if node.type == tree.XML_ELEMENT_NODE:
            self.put_attributes(node)
        self.put(">")
        if self.kept.flags(node) & TEXT:
            self.put_text_of(node)
        return self.keeps(node)

    cdef bint keeps(self, xmlNode* node) except -1:
        return self.kept.flags(node) & WITH_TEXT or self.name_of(node).bits & IS_WITHOUT_TEXT

    cdef _Name* name_of(self, xmlNode* node) except NULL:
        """How a node is written."""
        if node.type != tree.XML_ELEMENT_NODE or cetree._getNs(node) is not NULL:
            return &self.other
        return self.known(node.name)

    cdef _Name* known(self, const unsigned char* key) except NULL:
        """What is known of a name; remembered for one name of those that share a place."""
        cdef _Name* name = &self.names[(<uintptr_t>key >> 3) % NAMES]
        if name.key is not key:
            self.fill(name, <const char*>key)
            name.key = key
        return name

    cdef int fill(self, _Name* name, bytes key) except -1:
        cdef bytes written
        written, name.bits = facts_of(key)
        name.written = written
        self.held.append(written)
        return 0

    cdef int put_attributes(self, xmlNode* node) except -1:
        """Write the attributes that carry content."""
        cdef xmlAttr* attribute = node.properties
        cdef const char* value
        cdef bytes made
        while attribute is not NULL:
            if (attribute.ns is NULL or attribute.ns.href is NULL) and self.known(attribute.name).bits & IS_KEPT:
                value = value_of(attribute)
                if value is NULL:
                    made = cetree.attributeValue(node, attribute).encode()
                    value = made
                if not (may_be_unsafe(value) and is_unsafe(value.decode())):
                    self.put_attribute(<const char*>attribute.name, value)
            attribute = attribute.next
        return 0

    cdef int put_attribute(self, const char* name, const char* value) except -1:
        """Write an attribute; what stands around values without a meaning is left out."""
        cdef const unsigned char* start = <const unsigned char*>value
        cdef const unsigned char* end = start + strlen(value)
        while start < end and start[0] <= 0x20:
            start += 1
        while start < end and (end - 1)[0] <= 0x20:
            end -= 1
        self.put(" ")
        self.put(name)
        self.put('="')
        self.put_escaped(start, end, True)
        return self.put('"')

    cdef int put_text_of(self, xmlNode* node) except -1:
        """Write what lxml calls the text of a node."""
        if node.type == tree.XML_ELEMENT_NODE:
            return self.put_run(node.children)
        if node.type == tree.XML_ENTITY_REF_NODE:
            self.put("&amp;")
            self.put(<const char*>node.name)
            return self.put(";")
        return self.put_content(node)

    cdef int put_run(self, xmlNode* node) except -1:
        """Write the run of text that may begin with a node."""
        node = run_from(node)
        while node is not NULL:
            self.put_content(node)
            node = run_from(node.next)
        return 0

    cdef int put_content(self, xmlNode* node) except -1:
        cdef const unsigned char* content = <const unsigned char*>node.content
        if content is NULL:
            return 0
        return self.put_escaped(content, content + strlen(<const char*>content), False)

    cdef int put_escaped(self, const unsigned char* start, const unsigned char* end, bint is_value) except -1:
        """Write text with its special characters escaped, and without those that no HTML may hold."""
        cdef const unsigned char* plain = start
        cdef const char* written
        cdef int size
        while start < end:
            written = WRITTEN[start[0]]
            if written is NULL:
                start += 1
                continue
            size = 1
            if start[0] == 0xEF:
                size = 3 if is_no_character(start) else 0
            elif start[0] == c'"' and not is_value:
                size = 0
            if not size:
                start += 1
                continue
            put(&self.html, <const char*>plain, start - plain)
            self.put(written)
            start += size
            plain = start
        return put(&self.html, <const char*>plain, end - plain)

    cdef inline int put(self, const char* text) except -1:
        return put(&self.html, text, strlen(text))


cdef inline bint is_no_character(const unsigned char* at) noexcept:
    """Whether U+FFFE or U+FFFF stands at a place; a NUL must stand behind the text."""
    return at[0] == 0xEF and at[1] == 0xBF and at[2] >= 0xBE


cdef bint may_be_unsafe(const char* value) noexcept:
    """Whether a value may begin with an unsafe scheme: by its first character that counts."""
    cdef const unsigned char* at = <const unsigned char*>value
    while at[0] and (at[0] <= 0x20 or is_no_character(at)):
        at += 3 if at[0] == 0xEF else 1
    return (at[0] | 0x20) in (c"j", c"v", c"d")


def _facts_of(bytes key):
    name = key.decode()
    written = OTHER_NAMES.get(name, name) if NAME.fullmatch(name) else OTHER_NAME
    bits = IS_VOID if written in VOID else 0
    bits |= IS_WITHOUT_TEXT if name in WITHOUT_TEXT else 0
    bits |= IS_BREAKING if name in BREAKING else 0
    return written.encode(), bits | (IS_KEPT if name in KEPT_ATTRIBUTES else 0)


facts_of = lru_cache(1024)(_facts_of)
