# What the walk asks of nodes and their attributes; beside what all compiled modules do, see core/_nodes.pxd.

from libc.stdint cimport uint64_t
from libc.stdlib cimport malloc
from libc.string cimport memcpy, memset, strcmp

cimport lxml.includes.etreepublic as cetree
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_TEXT_NODE,
    XML_XINCLUDE_END,
    XML_XINCLUDE_START,
    xmlAttr,
    xmlNode,
)

from scrapy_stemmer.core._nodes cimport value_of


cdef extern from *:
    """
    #if defined(__GNUC__)
    #define stemmer_prefetch(address) __builtin_prefetch(address)
    #else
    #define stemmer_prefetch(address) ((void)(address))
    #endif
    """
    # Have what stands at an address, or NULL, fetched from memory while other things are done.
    void prefetch "stemmer_prefetch"(const void* address) noexcept nogil


cdef enum:
    # What a byte is to names: their first letter or their second one in either case.
    FIRST = 1
    SECOND = 2

cdef enum:
    # Whether a value has a name: for non-ASCII values Python has to say.
    NO = 0
    YES = 1
    PERHAPS = 2


ctypedef struct Names:
    # Some lower-case names: their lengths, what each byte is to them, and all of them, each with a NUL, an empty one behind the
    # last.
    uint64_t lengths
    unsigned char[256] kinds
    char* texts


cdef inline int fill_names(Names* names, given) except -1:
    """Note some names, of two letters or more, for good."""
    cdef bytes texts = "\0".join([*given, ""]).encode()
    memset(names, 0, sizeof(Names))
    names.texts = <char*>malloc(len(texts) + 1)
    if names.texts is NULL:
        raise MemoryError
    memcpy(names.texts, <const char*>texts, len(texts) + 1)
    for name in given:
        assert 2 <= len(name) < 64 and name.isascii() and name == name.lower()
        names.lengths |= <uint64_t>1 << <int>len(name)
        for letter in {name[0], name[0].upper()}:
            names.kinds[<int>ord(letter)] |= FIRST
        for letter in {name[1], name[1].upper()}:
            names.kinds[<int>ord(letter)] |= SECOND
    return 0


cdef inline bint is_blank(unsigned char char) noexcept nogil:
    """Whether an ASCII character is white space to Python."""
    return char == 32 or 9 <= char <= 13 or 28 <= char <= 31


cdef inline unsigned char lowered(unsigned char char) noexcept nogil:
    """An ASCII character in lower case."""
    return char | 0x20 if 65 <= char <= 90 else char


cdef inline bint may_have(const Names* names, const unsigned char* value) noexcept nogil:
    """Whether one of the words of a value may be one of some names, whatever its case; quickly told."""
    cdef const unsigned char* start
    while True:
        start = value
        value = behind_word(value)
        if value[0] >= 128:
            return True
        if looks_like(names, start, value - start):
            return True
        if not value[0]:
            return False
        value += 1


cdef inline int has_name(const Names* names, const unsigned char* value) noexcept nogil:
    """Whether one of the words of a value is one of some names, whatever its case."""
    cdef const unsigned char* start
    while True:
        start = value
        value = behind_word(value)
        if value[0] >= 128:
            return PERHAPS
        if looks_like(names, start, value - start) and is_name(names, start, value - start):
            return YES
        if not value[0]:
            return NO
        value += 1


cdef inline const unsigned char* behind_word(const unsigned char* value) noexcept nogil:
    """Where white space, a character beyond ASCII or the end is."""
    while True:
        # From the character behind the space to the last one of ASCII.
        while <signed char>value[0] > c" ":
            value += 1
        if value[0] >= 128 or not value[0] or is_blank(value[0]):
            return value
        value += 1


cdef inline bint looks_like(const Names* names, const unsigned char* word, Py_ssize_t size) noexcept nogil:
    """Whether an ASCII word begins like a name and is as long as one."""
    if names.kinds[word[0]] & FIRST and names.kinds[word[1]] & SECOND:
        return size < 64 and (names.lengths >> size) & 1
    return False


cdef inline bint is_name(const Names* names, const unsigned char* word, Py_ssize_t size) noexcept nogil:
    """Whether an ASCII word is one of some names, whatever its case."""
    cdef const unsigned char* name = <const unsigned char*>names.texts
    cdef Py_ssize_t index
    while name[0]:
        index = 0
        while index < size and name[index] == lowered(word[index]):
            index += 1
        if index == size and not name[index]:
            return True
        while name[0]:
            name += 1
        name += 1
    return False


cdef inline bint may_hide(const unsigned char* style) noexcept nogil:
    """Whether a value of ``style`` may be one that hides: with ``none`` or ``hidden`` behind a colon."""
    cdef bint after_colon = False
    while style[0]:
        if style[0] >= 128:
            return True
        if style[0] == c":":
            after_colon = True
        elif not is_blank(style[0]):
            if after_colon and (lowered(style[0]) == c"n" or lowered(style[0]) == c"h"):
                return True
            after_colon = False
        style += 1
    return False


cdef inline str text_of(xmlNode* element, xmlAttr* attribute):
    """The value of an attribute, "" without one."""
    return "" if attribute is NULL else <str>cetree.attributeValue(element, attribute)


cdef inline bint is_named(const unsigned char* name, const char* wanted) noexcept nogil:
    return strcmp(<const char*>name, wanted) == 0


cdef inline bint is_class(const unsigned char* name) noexcept nogil:
    """Whether a name is ``class``, without a call."""
    return (
        name[0] == c"c" and name[1] == c"l" and name[2] == c"a" and name[3] == c"s" and name[4] == c"s" and not name[5]
    )


cdef inline bint is_style(const unsigned char* name) noexcept nogil:
    """The same of ``style``."""
    return (
        name[0] == c"s" and name[1] == c"t" and name[2] == c"y" and name[3] == c"l" and name[4] == c"e" and not name[5]
    )


cdef inline bint is_tagged(const xmlNode* element, const char* name) noexcept nogil:
    """Whether an element has a name, and no namespace."""
    if not is_named(<const unsigned char*>element.name, name):
        return False
    return element.ns is NULL or element.ns.href is NULL or element.ns.href[0] == 0


cdef inline bint is_text(const xmlNode* node) noexcept nogil:
    return node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE


cdef inline bint is_passed(const xmlNode* node) noexcept nogil:
    """Whether lxml passes over a node amid text."""
    return node.type == XML_XINCLUDE_START or node.type == XML_XINCLUDE_END


cdef inline bint is_last_text(const xmlNode* text) noexcept nogil:
    """Whether a text ends where the next element begins, or with that around it."""
    return text.next is NULL or text.next.type == XML_ELEMENT_NODE


cdef inline xmlAttr* attribute_of(xmlNode* element, const char* name) noexcept nogil:
    """The attribute of a name without a namespace, NULL without one."""
    cdef xmlAttr* attribute = element.properties
    while attribute is not NULL:
        if attribute.ns is NULL and strcmp(<const char*>attribute.name, name) == 0:
            return attribute
        attribute = attribute.next
    return NULL


cdef inline xmlAttr* filled(xmlNode* element, const char* name) noexcept nogil:
    """The same of an attribute whose value is not empty."""
    cdef xmlAttr* attribute = attribute_of(element, name)
    cdef const unsigned char* value
    if attribute is NULL:
        return NULL
    value = value_of(attribute)
    return NULL if value is not NULL and value[0] == 0 else attribute
