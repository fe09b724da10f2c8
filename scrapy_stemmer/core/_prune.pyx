"""What :mod:`scrapy_stemmer.core.prune` does, over the tree of libxml2 itself: no element becomes a Python object.

See ``_nodes.pxd`` for what may be done with its nodes.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, strcmp, strlen
cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer.core._nodes cimport first_of, next_of, node_of, parent_of, value_of

from scrapy_stemmer.core.markup import (
    BREAKING,
    KEPT_ATTRIBUTES,
    OTHER_NAME,
    OTHER_NAMES,
    UNSAFE_SCHEMES,
    VOID,
    WITHOUT_TEXT,
)

cetree.import_lxml__etree()

# What is kept of a node.
cdef enum:
    TEXT = 1
    TAIL = 2
    WITH_TEXT = 4
    HOLDER = 8

# What an element is by its name.
cdef enum:
    IS_VOID = 1
    IS_WITHOUT_TEXT = 2
    IS_BREAKING = 4

cdef enum:
    FIRST_MARKS = 256
    FIRST_BYTES = 16384
    NAMES = 64
    MAX_SCHEME = 16

# How a byte is written.
cdef enum:
    PLAIN = 0
    DROPPED = 1
    AMPERSAND = 2
    LESS = 3
    GREATER = 4
    RETURN = 5
    # Perhaps the start of U+FFFE or U+FFFF, which no HTML may hold.
    PERHAPS_DROPPED = 6
    QUOTE = 7

cdef unsigned char[256] IN_TEXT
cdef unsigned char[256] IN_VALUE


cdef void _fill_tables() noexcept:
    cdef int code
    for code in range(256):
        IN_TEXT[code] = DROPPED if code < 0x20 else PLAIN
    IN_TEXT[9] = IN_TEXT[10] = PLAIN
    IN_TEXT[13] = RETURN
    IN_TEXT[38] = AMPERSAND
    IN_TEXT[60] = LESS
    IN_TEXT[62] = GREATER
    IN_TEXT[0xEF] = PERHAPS_DROPPED
    for code in range(256):
        IN_VALUE[code] = IN_TEXT[code]
    IN_VALUE[34] = QUOTE


_fill_tables()


cdef int _bits(str name):
    return (
        (IS_VOID if OTHER_NAMES.get(name, name) in VOID else 0)
        | (IS_WITHOUT_TEXT if name in WITHOUT_TEXT else 0)
        | (IS_BREAKING if name in BREAKING else 0)
    )


# Elements that are not written by their own name, or of which more is known; and the kept attributes and the schemes.
cdef dict KNOWN = {
    name.encode(): (OTHER_NAMES.get(name, name).encode(), _bits(name))
    for name in {*OTHER_NAMES, *VOID, *WITHOUT_TEXT, *BREAKING}
}
cdef bytes OTHER = OTHER_NAME.encode()
cdef list ATTRIBUTES = sorted(name.encode() for name in KEPT_ATTRIBUTES)
cdef list SCHEMES = [scheme.encode() for scheme in UNSAFE_SCHEMES]

cdef const char* KEPT_NAMES[32]
cdef const char* UNSAFE[8]
cdef size_t LONGEST_SCHEME = max(map(len, SCHEMES))
cdef int kept_names = len(ATTRIBUTES)
cdef int unsafe = len(SCHEMES)
if kept_names > 32 or unsafe > 8 or LONGEST_SCHEME >= MAX_SCHEME:
    raise ImportError("the tables for attributes and schemes are too small")
cdef int number
for number in range(kept_names):
    KEPT_NAMES[number] = PyBytes_AS_STRING(ATTRIBUTES[number])
for number in range(unsafe):
    UNSAFE[number] = PyBytes_AS_STRING(SCHEMES[number])


def pruned_html(_Element root not None, pieces):
    """See :func:`scrapy_stemmer.core.prune.pruned_html`."""
    # The list keeps the elements, and with them their nodes, in memory.
    cdef list held = list(pieces)
    cdef Kept kept = Kept()
    for element, is_tail in held:
        kept.add(node_of(element), is_tail)
    return kept.html(root)


cdef class Kept:
    """What is kept of a tree: a hash table of its nodes.

    The nodes must stay in memory, and the tree must stay as it is, until the HTML is written.
    """

    def __cinit__(self):
        self._has_holders = False
        self._used = 0
        self._size = FIRST_MARKS
        self._marks = <Mark*>calloc(FIRST_MARKS, sizeof(Mark))
        if self._marks is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self._marks)

    cdef int add(self, xmlNode* node, bint is_tail) except -1:
        """Keep the text of a node, or its tail."""
        cdef xmlNode* holder = parent_of(node) if is_tail else node
        self._put(node, TAIL if is_tail else TEXT)
        if holder is not NULL:
            self._has_holders = True
            if self._put(holder, WITH_TEXT | HOLDER) & HOLDER:
                return 0
            holder = parent_of(holder)
        while holder is not NULL and not self._put(holder, HOLDER) & HOLDER:
            holder = parent_of(holder)
        return 0

    cdef str html(self, _Element root):
        """The HTML of what is kept of a tree."""
        if not self._has_holders:
            return ""
        cdef _Writer writer = _Writer(self)
        writer.write(self._smallest(node_of(root)))
        return writer.result()

    cdef int _put(self, xmlNode* node, unsigned char flags) except -1:
        """Add flags to those of a node, and tell what they were."""
        cdef Mark* mark = _find(self._marks, self._size, node)
        cdef unsigned char before = mark.flags
        if mark.node is NULL:
            if 2 * self._used >= self._size:
                self._grow()
                mark = _find(self._marks, self._size, node)
            mark.node = node
            self._used += 1
        mark.flags = before | flags
        return before

    cdef int _grow(self) except -1:
        cdef Mark* old = self._marks
        cdef size_t index, size = 4 * self._size
        cdef Mark* marks = <Mark*>calloc(size, sizeof(Mark))
        if marks is NULL:
            raise MemoryError
        for index in range(self._size):
            if old[index].node is not NULL:
                _find(marks, size, old[index].node)[0] = old[index]
        self._marks = marks
        self._size = size
        free(old)
        return 0

    cdef unsigned char _flags(self, xmlNode* node) noexcept:
        return _find(self._marks, self._size, node).flags

    cdef xmlNode* _smallest(self, xmlNode* node) noexcept:
        """The deepest node that holds all kept texts."""
        cdef xmlNode* child
        cdef xmlNode* inside
        cdef size_t count
        while not self._flags(node) & WITH_TEXT:
            inside = NULL
            count = 0
            child = first_of(node)
            while child is not NULL and count < 2:
                if self._flags(child) & HOLDER:
                    inside = child
                    count += 1
                child = next_of(child)
            if count != 1:
                break
            node = inside
        return node


cdef inline Mark* _find(Mark* marks, size_t size, xmlNode* node) noexcept:
    """The place of a node in a hash table, that is empty or holds it. The size is a power of 2."""
    cdef size_t index = (<uintptr_t>node >> 4) * <size_t>0x9E3779B97F4A7C15 >> 20 & (size - 1)
    while marks[index].node is not NULL and marks[index].node is not node:
        index = (index + 1) & (size - 1)
    return marks + index


cdef struct _Name:
    # How an element is written, by its own name, which is the same string wherever it stands in a document.
    const unsigned char* key
    const char* written
    size_t length
    int bits


cdef class _Writer:
    """HTML that is being written, and the names of elements met so far."""

    cdef Kept kept
    cdef char* buffer
    cdef size_t length
    cdef size_t room
    cdef _Name[NAMES] names
    cdef _Name other

    def __cinit__(self, Kept kept not None):
        cdef int index
        self.kept = kept
        self.length = 0
        self.room = FIRST_BYTES
        self.buffer = <char*>realloc(NULL, FIRST_BYTES)
        if self.buffer is NULL:
            raise MemoryError
        for index in range(NAMES):
            self.names[index].key = NULL
        self.other.key = NULL
        self.other.written = PyBytes_AS_STRING(OTHER)
        self.other.length = PyBytes_GET_SIZE(OTHER)
        self.other.bits = 0

    def __dealloc__(self):
        free(self.buffer)

    cdef str result(self):
        return PyUnicode_DecodeUTF8(self.buffer, self.length, NULL)

    cdef int write(self, xmlNode* top) except -1:
        """Write an element with what is kept of it; the way back up is by the nodes' own parents."""
        cdef xmlNode* node = top
        cdef xmlNode* child
        cdef unsigned char flags
        cdef bint keeps = self.enter(top)
        cdef _Name* name
        child = first_of(top)
        while True:
            if child is NULL:
                name = self.name_of(node)
                if not name.bits & IS_VOID:
                    self.put("</", 2)
                    self.put(name.written, name.length)
                    self.put(">", 1)
                if node is top:
                    return 0
                if self.kept._flags(node) & TAIL:
                    self.put_texts(node.next)
                elif name.bits & IS_BREAKING:
                    self.put("\n", 1)
                child = next_of(node)
                node = node.parent
                keeps = self.keeps(node)
                continue
            flags = self.kept._flags(child)
            if flags & HOLDER or (keeps and self.name_of(child).bits & IS_WITHOUT_TEXT):
                node = child
                keeps = self.enter(node)
                child = first_of(node)
                continue
            if flags & TAIL:
                self.put_texts(child.next)
            child = next_of(child)

    cdef int enter(self, xmlNode* node) except -1:
        """Write the start of an element, and tell whether it keeps elements without text."""
        cdef _Name* name = self.name_of(node)
        self.put("<", 1)
        self.put(name.written, name.length)
        if node.type == tree.XML_ELEMENT_NODE and node.properties is not NULL:
            self.put_attributes(node)
        self.put(">", 1)
        if self.kept._flags(node) & TEXT:
            self.put_text_of(node)
        return self.keeps(node)

    cdef int keeps(self, xmlNode* node) except -1:
        return self.kept._flags(node) & WITH_TEXT or self.name_of(node).bits & IS_WITHOUT_TEXT

    cdef _Name* name_of(self, xmlNode* node) except NULL:
        cdef _Name* name
        if node.type != tree.XML_ELEMENT_NODE or node.name is NULL or cetree._getNs(node) is not NULL:
            return &self.other
        name = &self.names[(<uintptr_t>node.name >> 3) % NAMES]
        if name.key is not node.name:
            self.learn(name, node.name)
        return name

    cdef int learn(self, _Name* name, const unsigned char* key) except -1:
        cdef size_t length = strlen(<const char*>key)
        known = KNOWN.get(key[:length])
        name.key = key
        if known is not None:
            name.written, name.length = PyBytes_AS_STRING(known[0]), PyBytes_GET_SIZE(known[0])
            name.bits = known[1]
        elif _is_name(key):
            name.written, name.length, name.bits = <const char*>key, length, 0
        else:
            name.written, name.length, name.bits = self.other.written, self.other.length, 0
        return 0

    cdef int put_attributes(self, xmlNode* node) except -1:
        cdef xmlAttr* attribute = node.properties
        cdef const char* value
        cdef bytes made
        while attribute is not NULL:
            if attribute.type == tree.XML_ATTRIBUTE_NODE and _is_kept(attribute):
                value = <const char*>value_of(attribute)
                if value is not NULL:
                    self.put_attribute(<const char*>attribute.name, value, strlen(value))
                else:
                    made = cetree.attributeValue(node, attribute).encode("utf-8")
                    self.put_attribute(<const char*>attribute.name, made, len(made))
            attribute = attribute.next
        return 0

    cdef int put_attribute(self, const char* name, const char* value, size_t length) except -1:
        cdef const unsigned char* start = <const unsigned char*>value
        cdef const unsigned char* end = start + length
        if _is_unsafe(start, end):
            return 0
        while start < end and start[0] <= 0x20:
            start += 1
        while start < end and end[-1] <= 0x20:
            end -= 1
        self.put(" ", 1)
        self.put(name, strlen(name))
        self.put('="', 2)
        self.put_escaped(start, end, IN_VALUE)
        return self.put('"', 1)

    cdef int put_text_of(self, xmlNode* node) except -1:
        """Write what lxml calls the text of a node."""
        if node.type == tree.XML_ELEMENT_NODE:
            return self.put_texts(node.children)
        if node.type == tree.XML_ENTITY_REF_NODE:
            self.put("&amp;", 5)
            self.put(<const char*>node.name, strlen(<const char*>node.name))
            return self.put(";", 1)
        return self.put_content(node)

    cdef int put_texts(self, xmlNode* node) except -1:
        """Write a run of text that begins with a node."""
        while node is not NULL:
            if node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE:
                self.put_content(node)
            elif node.type != tree.XML_XINCLUDE_START and node.type != tree.XML_XINCLUDE_END:
                break
            node = node.next
        return 0

    cdef int put_content(self, xmlNode* node) except -1:
        cdef const unsigned char* content = <const unsigned char*>node.content
        if content is NULL:
            return 0
        return self.put_escaped(content, content + strlen(<const char*>content), IN_TEXT)

    cdef int put_escaped(self, const unsigned char* start, const unsigned char* end, unsigned char* how) except -1:
        """Write text with its special characters escaped, and without those that no HTML may hold."""
        cdef const unsigned char* plain = start
        cdef const unsigned char* looked_at = start
        cdef unsigned char kind
        while start < end:
            if start >= looked_at:
                while end - start >= 8 and _are_plain(start):
                    start += 8
                looked_at = start + 8
                if start >= end:
                    break
            kind = how[start[0]]
            if kind == PLAIN:
                start += 1
                continue
            if kind == PERHAPS_DROPPED:
                if end - start < 3 or start[1] != 0xBF or start[2] < 0xBE:
                    start += 1
                    continue
            self.put(<const char*>plain, start - plain)
            if kind == AMPERSAND:
                self.put("&amp;", 5)
            elif kind == LESS:
                self.put("&lt;", 4)
            elif kind == GREATER:
                self.put("&gt;", 4)
            elif kind == RETURN:
                self.put("&#13;", 5)
            elif kind == QUOTE:
                self.put("&quot;", 6)
            start += 3 if kind == PERHAPS_DROPPED else 1
            plain = start
        return self.put(<const char*>plain, end - plain)

    cdef inline int put(self, const char* text, size_t length) except -1:
        if self.room - self.length < length:
            self.grow(length)
        memcpy(self.buffer + self.length, text, length)
        self.length += length
        return 0

    cdef int grow(self, size_t length) except -1:
        cdef size_t room = 2 * self.room + length
        cdef char* buffer = <char*>realloc(self.buffer, room)
        if buffer is NULL:
            raise MemoryError
        self.buffer = buffer
        self.room = room
        return 0


cdef inline bint _are_plain(const unsigned char* text) noexcept:
    """Whether eight bytes are surely all written as they are, in texts and in values.

    A byte is below another one, or zero, where taking that one, or 1, from it sets its highest bit, if that was not set
    before. Two bytes that differ in one bit are looked for at once: quotes and ampersands, the two angle brackets.
    """
    cdef uint64_t ones = 0x0101010101010101
    cdef uint64_t bytes, found, beyond
    memcpy(&bytes, text, 8)
    found = bytes - 0x20 * ones
    found |= ((bytes | 0x04 * ones) ^ 0x26 * ones) - ones
    found |= ((bytes | 0x02 * ones) ^ 0x3E * ones) - ones
    found &= ~bytes
    beyond = bytes ^ 0xEF * ones
    found |= (beyond - ones) & ~beyond
    return not found & 0x80 * ones


cdef inline bint _is_kept(xmlAttr* attribute) noexcept:
    cdef const char* name = <const char*>attribute.name
    cdef int index
    if attribute.ns is not NULL and attribute.ns.href is not NULL:
        return False
    for index in range(kept_names):
        if KEPT_NAMES[index][0] == name[0] and strcmp(KEPT_NAMES[index], name) == 0:
            return True
    return False


cdef inline bint _is_letter(unsigned char code) noexcept:
    return 97 <= (code | 0x20) <= 122


cdef bint _is_name(const unsigned char* name) noexcept:
    """Whether a name is one for every parser; see :data:`scrapy_stemmer.core.markup.NAME`."""
    if not _is_letter(name[0]):
        return False
    while name[0]:
        if not (_is_letter(name[0]) or 48 <= name[0] <= 57 or name[0] == 45 or name[0] == 46 or name[0] == 95):
            return False
        name += 1
    return True


cdef bint _is_unsafe(const unsigned char* start, const unsigned char* end) noexcept:
    """Whether a value begins with an unsafe scheme, whatever stands between its characters that is left out."""
    cdef char[MAX_SCHEME] seen
    cdef size_t count = 0
    cdef int index
    while start < end and count < LONGEST_SCHEME:
        if start[0] == 0xEF and end - start >= 3 and start[1] == 0xBF and start[2] >= 0xBE:
            start += 3
            continue
        if start[0] > 0x20:
            seen[count] = start[0] | 0x20 if 65 <= start[0] <= 90 else start[0]
            count += 1
        start += 1
    seen[count] = 0
    for index in range(unsafe):
        if _starts_with(seen, UNSAFE[index]):
            return True
    return False


cdef inline bint _starts_with(const char* text, const char* start) noexcept:
    while start[0]:
        if text[0] != start[0]:
            return False
        text += 1
        start += 1
    return True
