# Shared by the native modules: nodes of libxml2 as shown by lxml, growing arrays of bytes, turns of other threads.
# Only fields of nodes are read: libxml2's functions are within lxml's own module.

from cpython.bytes cimport PyBytes_FromString
from libc.stdint cimport uint32_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy, memset, strcmp

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode


cdef inline xmlNode* node_of(_Element element) except NULL:
    """Return the node of an element, in memory as long as any element of the tree."""
    if element is None or element._c_node is NULL:
        raise TypeError(f"{type(element)} is no element of a tree")
    return element._c_node


cdef inline xmlNode* parent_of(xmlNode* node) noexcept:
    """The element around a node, NULL without any."""
    cdef xmlNode* parent = node.parent
    return parent if parent is not NULL and cetree._isElement(parent) else NULL


cdef inline xmlNode* first_of(xmlNode* node) noexcept:
    """Return the first child shown by lxml. Entities point to their declarations, not to children."""
    if node.type != tree.XML_ELEMENT_NODE:
        return NULL
    cdef xmlNode* child = node.children
    while child is not NULL and not cetree._isElement(child):
        child = child.next
    return child


cdef inline xmlNode* next_of(xmlNode* node) noexcept:
    """Return the next sibling shown by lxml."""
    node = node.next
    while node is not NULL and not cetree._isElement(node):
        node = node.next
    return node


cdef inline xmlNode* following(xmlNode* node, xmlNode* top) noexcept:
    """Return the next node within an element; NULL behind the last."""
    cdef xmlNode* found = first_of(node)
    while found is NULL and node is not top:
        found = next_of(node)
        node = node.parent
    return found


cdef inline xmlNode* run_from(xmlNode* node) noexcept:
    """Return the first text of a run that may begin with a node, or NULL."""
    while node is not NULL:
        if node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE:
            return node
        if node.type != tree.XML_XINCLUDE_START and node.type != tree.XML_XINCLUDE_END:
            return NULL
        node = node.next
    return NULL


cdef inline const char* value_of(const xmlAttr* attribute) noexcept nogil:
    """Return the value of an attribute; NULL for the rare values with entities."""
    cdef const xmlNode* value = attribute.children
    if value is NULL:
        return b""
    if value.next is not NULL or value.type != tree.XML_TEXT_NODE:
        return NULL
    return <const char*>value.content


cdef inline bytes bytes_of(xmlNode* element, xmlAttr* attribute):
    """The value of an attribute."""
    cdef const char* value = value_of(attribute)
    return cetree.attributeValue(element, attribute).encode() if value is NULL else PyBytes_FromString(value)


ctypedef struct Buffer:
    # Growing bytes. The owner frees the data.
    char* data
    size_t size
    size_t room


cdef inline void* resized(void* data, size_t size) except NULL:
    """Return an array with another number of bytes."""
    data = realloc(data, size)
    if data is NULL:
        raise MemoryError
    return data


cdef inline int reserve(Buffer* buffer, size_t size) except -1:
    """Make room for more bytes."""
    cdef size_t room = buffer.size + size
    if room > buffer.room:
        room += room // 2 + 256
        buffer.data = <char*>resized(buffer.data, room)
        buffer.room = room
    return 0


cdef inline int put(Buffer* buffer, const char* data, size_t size) except -1:
    """Append some bytes."""
    if buffer.size + size > buffer.room:
        reserve(buffer, size)
    memcpy(buffer.data + buffer.size, data, size)
    buffer.size += size
    return 0


cdef inline xmlAttr* attribute_of(xmlNode* element, const char* name) noexcept:
    """Return an attribute without namespace by its name, or NULL."""
    cdef xmlAttr* attribute = element.properties
    while attribute is not NULL and (attribute.ns is not NULL or strcmp(<const char*>attribute.name, name) != 0):
        attribute = attribute.next
    return attribute


cdef inline str text_of(xmlNode* node):
    """Return the text that may begin with a node."""
    cdef bytes text = b""
    node = run_from(node)
    while node is not NULL:
        text += <const char*>node.content
        node = run_from(node.next)
    return text.decode()


cdef inline int space_at(const unsigned char* at) noexcept nogil:
    """Return the bytes in UTF-8 of a character that is white space to Python, else 0. A NUL must follow the text."""
    if at[0] < 128:
        return at[0] == 32 or 9 <= at[0] <= 13 or 28 <= at[0] <= 31
    if at[0] == 0xC2:
        return 2 if at[1] == 0x85 or at[1] == 0xA0 else 0
    if at[0] == 0xE2:
        if at[1] == 0x80:
            return 3 if 0x80 <= at[2] <= 0x8A or at[2] == 0xA8 or at[2] == 0xA9 or at[2] == 0xAF else 0
        return 3 if at[1] == 0x81 and at[2] == 0x9F else 0
    if at[0] == 0xE1:
        return 3 if at[1] == 0x9A and at[2] == 0x80 else 0
    return 3 if at[0] == 0xE3 and at[1] == 0x80 and at[2] == 0x80 else 0


cdef inline int sign_at(const unsigned char* at, uint32_t* sign) noexcept nogil:
    """Set a sign to the character at the start of a text in UTF-8, and return its bytes. A NUL must follow the text."""
    cdef int size = 1 if at[0] < 0xC0 else 2 if at[0] < 0xE0 else 3 if at[0] < 0xF0 else 4, each
    sign[0] = at[0] if size == 1 else at[0] & (0x7F >> size)
    for each in range(1, size):
        if at[each] & 0xC0 != 0x80:
            return each
        sign[0] = sign[0] << 6 | (at[each] & 0x3F)
    return size


cdef inline bint is_blank(const unsigned char* text) noexcept:
    """Return True if a text is white space."""
    cdef int size = space_at(text)
    while size:
        text += size
        size = space_at(text)
    return not text[0]


cdef inline Py_ssize_t length_of(const unsigned char* text) noexcept:
    """The number of characters of a text, white space left out."""
    cdef Py_ssize_t count = 0
    cdef int size
    while text[0]:
        size = space_at(text)
        if not size:
            # Bytes behind the first of a character are 80 to BF.
            count += text[0] & 0xC0 != 0x80
            size = 1
        text += size
    return count


cdef inline bint has_start(const char* text, const char* start) noexcept nogil:
    """Return True if a text begins with small letters, in any case."""
    while start[0] and (text[0] | 0x20) == start[0]:
        text += 1
        start += 1
    return not start[0]


cdef inline bint says_word(const char* text, tuple words) noexcept:
    """Return True if a text has any of some words in small letters, in any case."""
    cdef bytes word
    cdef unsigned char[1024] pairs  # of letters that begin words
    memset(pairs, 0, sizeof(pairs))
    for word in words:
        pairs[pair_at(word)] = True
    while text[0]:
        if pairs[pair_at(text)]:
            for word in words:
                if has_start(text, word):
                    return True
        text += 1
    return False


cdef inline int pair_at(const char* text) noexcept nogil:
    return (text[0] & 31) << 5 | (text[1] & 31)


# Turns of other threads, such as an event loop, during loops

cdef enum:
    # Steps of a loop between turns.
    TURN = 100


cdef inline int give_turn(Py_ssize_t step, turn) except -1:
    """Let waiting threads have the interpreter, once in many steps of a loop.

    :param turn: :func:`scrapy_stemmer._engine.turn`.
    """
    if step % TURN == 0:
        turn()
    return 0


cdef inline int number_in(const char* value, int default) noexcept nogil:
    """Return the number at the start of a value, as read by browsers, or a default."""
    cdef int number = 0, digits = 0
    cdef bint is_negative = False
    if value is NULL:
        return default
    while value[0] == c" " or value[0] == c"\t" or value[0] == c"\n" or value[0] == c"\f" or value[0] == c"\r":
        value += 1
    if value[0] == c"+" or value[0] == c"-":
        is_negative = value[0] == c"-"
        value += 1
    while 48 <= value[0] <= 57:
        digits += 1
        if digits > 9:
            return default
        number = 10 * number + value[0] - 48
        value += 1
    if not digits:
        return default
    return -number if is_negative else number
