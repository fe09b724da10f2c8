# cython: boundscheck=False, wraparound=False
"""Whether a page is read as it stands; see :mod:`scrapy_stemmer.core.shown`."""

from libc.string cimport strcmp

cimport lxml.includes.etreepublic as cetree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport XML_CDATA_SECTION_NODE, XML_ELEMENT_NODE, XML_TEXT_NODE, xmlAttr, xmlNode

from scrapy_stemmer._native.nodes cimport attribute_of, bytes_of, length_of, node_of

cetree.import_lxml__etree()


def is_plain(_Element body not None, Py_ssize_t few):
    """See :func:`scrapy_stemmer.core.shown.is_plain_in_python`."""
    cdef xmlNode* top = node_of(body)
    cdef xmlNode* node = top
    cdef xmlNode* unread = NULL
    cdef Py_ssize_t size = 0
    while True:
        if node.type == XML_ELEMENT_NODE and node.ns is NULL:
            if strcmp(<const char*>node.name, "template") == 0 and is_built(node):
                return False
            if strcmp(<const char*>node.name, "textarea") == 0 and may_be_code(node):
                return False
            if unread is NULL and is_unread(<const char*>node.name):
                unread = node
        if unread is NULL and size < few and (node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE):
            size += length_of(<const unsigned char*>node.content)
        if node.type == XML_ELEMENT_NODE and node.children is not NULL:
            node = node.children
            continue
        while node is not top and node.next is NULL:
            if node is unread:
                unread = NULL
            node = node.parent
        if node is unread:
            unread = NULL
        if node is top:
            return size >= few
        node = node.next


cdef bint is_built(xmlNode* template) except -1:
    """Whether browsers may put something in place of a template."""
    cdef xmlAttr* identifier = attribute_of(template, "id")
    if attribute_of(template, "shadowrootmode") is not NULL or attribute_of(template, "shadowroot") is not NULL:
        return True
    return identifier is not NULL and b":" in bytes_of(template, identifier)


cdef bint may_be_code(xmlNode* textarea) except -1:
    """Whether nobody may change what a field shows, or a script shows it as code."""
    cdef xmlAttr* name = attribute_of(textarea, "name")
    return attribute_of(textarea, "readonly") is not NULL or (name is not NULL and bytes_of(textarea, name) == b"code")


cdef inline bint is_unread(const char* name) noexcept:
    """Whether the text of elements of a name is not read anyway."""
    if name[0] == c"s":
        return (
            strcmp(name, "script") == 0 or strcmp(name, "svg") == 0 or strcmp(name, "style") == 0
            or strcmp(name, "select") == 0
        )
    if name[0] == c"t":
        return strcmp(name, "template") == 0 or strcmp(name, "textarea") == 0
    if name[0] == c"b":
        return strcmp(name, "button") == 0
    return (name[0] == c"n" and strcmp(name, "noscript") == 0) or (name[0] == c"i" and strcmp(name, "iframe") == 0)
