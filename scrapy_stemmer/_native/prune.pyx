# cython: boundscheck=False, wraparound=False
"""The kept part of a tree as HTML, from the nodes of libxml2; see :mod:`scrapy_stemmer.core.document`.

The result is the same. No Python object is made for an element. The tree is not changed, and must not be changed by
others meanwhile.
"""

from functools import lru_cache

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uintptr_t
from libc.stdlib cimport free
from libc.string cimport strlen

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer._native.nodes cimport Buffer, bytes_of, first_of, next_of, node_of, parent_of, put, run_from

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

cdef bytes BLANKS = bytes(range(0x21))
# How values with an unsafe scheme begin; perhaps U+FFFE or U+FFFF begins with EF.
cdef bytes PERHAPS_UNSAFE = b"jvdJVD\xef"

# What is written for a byte; NULL for the byte itself.
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
    """See :func:`scrapy_stemmer.core.document.pruned_in_python`."""
    # The list keeps the elements, and with them their nodes, in memory.
    cdef list held = list(pieces)
    cdef _Writer writer = _Writer()
    for element, is_tail in held:
        writer.keep(node_of(element), is_tail)
    if not writer.has_holders:
        return ""
    writer.write(writer.smallest(node_of(root)))
    return PyUnicode_DecodeUTF8(writer.html.data, writer.html.size, NULL)


cdef class _Writer:
    """HTML that is being written.

    :ivar kept: what is kept of nodes, by their addresses.
    :ivar names: how elements of a name are written, and what it is, by its address: it is the same string wherever it
        stands in a document.
    """

    cdef dict kept, names
    cdef bint has_holders
    cdef Buffer html

    def __cinit__(self):
        self.kept, self.names = {}, {}

    def __dealloc__(self):
        free(self.html.data)

    cdef int keep(self, xmlNode* node, bint is_tail) except -1:
        """Keep the text of a node, or its tail."""
        cdef xmlNode* holder = parent_of(node) if is_tail else node
        cdef int flags = WITH_TEXT | HOLDER
        self.mark(node, TAIL if is_tail else TEXT)
        while holder is not NULL and not self.mark(holder, flags) & HOLDER:
            self.has_holders = True
            holder = parent_of(holder)
            flags = HOLDER
        return 0

    cdef int mark(self, xmlNode* node, int flags) except -1:
        """Add flags to those of a node, and tell what they were."""
        cdef int before = self.flags(node)
        self.kept[<uintptr_t>node] = before | flags
        return before

    cdef int flags(self, xmlNode* node) except -1:
        return self.kept.get(<uintptr_t>node, 0)

    cdef xmlNode* smallest(self, xmlNode* node) except NULL:
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

    cdef int write(self, xmlNode* top) except -1:
        """Write an element with what is kept of it; the way back up is by the nodes' own parents."""
        cdef xmlNode* node = top
        cdef xmlNode* child = first_of(top)
        cdef int flags
        cdef tuple name
        cdef bint keeps = self.begin(top)
        while True:
            if child is not NULL:
                flags = self.flags(child)
                if flags & HOLDER or (keeps and self.name_of(child)[2]):
                    node = child
                    keeps = self.begin(node)
                    child = first_of(node)
                    continue
                if flags & TAIL:
                    self.put_run(child.next)
                child = next_of(child)
                continue
            name = self.name_of(node)
            self.put(<bytes>name[1])
            if node is top:
                return 0
            if self.flags(node) & TAIL:
                self.put_run(node.next)
            elif name[3]:
                self.put("\n")
            child = next_of(node)
            node = node.parent
            keeps = self.keeps(node)

    cdef bint begin(self, xmlNode* node) except -1:
        """Write the start of an element, and tell whether it keeps elements without text."""
        self.put(<bytes>self.name_of(node)[0])
        if node.type == tree.XML_ELEMENT_NODE:
            self.put_attributes(node)
        self.put(">")
        if self.flags(node) & TEXT:
            self.put_text_of(node)
        return self.keeps(node)

    cdef bint keeps(self, xmlNode* node) except -1:
        return self.flags(node) & WITH_TEXT or self.name_of(node)[2]

    cdef tuple name_of(self, xmlNode* node):
        """How a node is written, and what it is; see :func:`facts_of`."""
        if node.type != tree.XML_ELEMENT_NODE or cetree._getNs(node) is not NULL:
            return OTHER
        return self.known(node.name)

    cdef tuple known(self, const unsigned char* name):
        found = self.names.get(<uintptr_t>name)
        if found is None:
            found = self.names[<uintptr_t>name] = facts_of(<bytes>name)
        return found

    cdef int put_attributes(self, xmlNode* node) except -1:
        """Write the attributes that carry content; what stands around values without a meaning is left out."""
        cdef xmlAttr* attribute = node.properties
        cdef bytes value
        while attribute is not NULL:
            if (attribute.ns is NULL or attribute.ns.href is NULL) and self.known(attribute.name)[4]:
                value = bytes_of(node, attribute).strip(BLANKS)
                if value[:1] not in PERHAPS_UNSAFE or not is_unsafe(value.decode()):
                    self.put(" ")
                    self.put(<const char*>attribute.name)
                    self.put('="')
                    self.put_escaped(value, len(value), True)
                    self.put('"')
            attribute = attribute.next
        return 0

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
        if node.content is not NULL:
            self.put_escaped(node.content, strlen(<const char*>node.content), False)
        return 0

    cdef int put_escaped(self, const unsigned char* start, size_t length, bint is_value) except -1:
        """Write text with its special characters escaped, and without those that no HTML may hold."""
        cdef const unsigned char* plain = start
        cdef const unsigned char* end = start + length
        cdef const char* written
        cdef int size
        while start < end:
            written = WRITTEN[start[0]]
            if written is NULL:
                start += 1
                continue
            size = 1
            if start[0] == 0xEF:
                size = 3 if start[1] == 0xBF and start[2] >= 0xBE else 0
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


@lru_cache(1024)
def facts_of(bytes key):
    """How an element of a name begins and ends; whether it is kept without text, ends a line; is kept as an attribute."""
    name = key.decode()
    written = OTHER_NAMES.get(name, name) if NAME.fullmatch(name) else OTHER_NAME
    end = "" if written in VOID else f"</{written}>"
    return f"<{written}".encode(), end.encode(), name in WITHOUT_TEXT, name in BREAKING, name in KEPT_ATTRIBUTES


# What is known of elements of that name is not so of others that are written by it.
OTHER = (*facts_of(OTHER_NAME.encode())[:2], False, False, False)
