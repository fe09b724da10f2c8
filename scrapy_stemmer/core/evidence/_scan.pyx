# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What one pass over all elements of a page tells: its head, and where main headings stand."""

from functools import partial

from libc.stdlib cimport free
from libc.string cimport memset, strstr

cimport lxml.includes.etreepublic as cetree
from lxml.includes.tree cimport XML_ELEMENT_NODE, xmlAttr, xmlDoc, xmlNode

from scrapy_stemmer.core.evidence._buffer cimport Buffer, put
from scrapy_stemmer.core._nodes cimport value_of
from scrapy_stemmer.core.evidence._nodes cimport (
    Names, attribute_of, fill_names, filled, is_named, is_tagged, may_have, text_of,
)

from scrapy_stemmer.core.evidence.head import DATA_TYPE, METAS, LateHead, head_from

cetree.import_lxml__etree()

cdef bytes _DATA_TYPE = DATA_TYPE.encode()

cdef Names _meta_names

fill_names(&_meta_names, METAS)


def can_walk(cetree._Element root not None):
    """Whether the tree of an element is one for this walk: an element's, without values that only its DTD has."""
    cdef xmlNode* node = root._c_node
    cdef xmlDoc* doc
    if node is NULL or node.type != XML_ELEMENT_NODE:
        return False
    doc = node.doc
    if doc is NULL or doc.extSubset is not NULL:
        return False
    return doc.intSubset is NULL or doc.intSubset.attributes is NULL


cdef class Scan:
    """The part of walk.Tree that is the same for each walk.

    :ivar holders: the addresses of all elements around main headings.
    """

    def __cinit__(self, cetree._Element root not None):
        if not can_walk(root):
            raise ValueError("not a tree for this walk")
        self.root = root
        self.holders = set()
        self.metas = []
        self.scripts = []
        self._look_through()
        self.head = LateHead(partial(head_from, self.title, self.metas, self.scripts))

    cdef xmlNode* body(self) noexcept:
        """The body, looked for anew, since a user may have changed the tree."""
        cdef xmlNode* root = self.root._c_node
        cdef xmlNode* child = root.children
        if is_tagged(root, b"body") and root.ns is NULL:
            return root
        while child is not NULL:
            if child.type == XML_ELEMENT_NODE and is_tagged(child, b"body"):
                return child
            child = child.next
        return root

    cdef int _look_through(self) except -1:
        """Find main headings, and what belongs into a head."""
        cdef Buffer waiting
        memset(&waiting, 0, sizeof(Buffer))
        try:
            self._look(&waiting)
        finally:
            free(waiting.data)
        return 0

    cdef int _look(self, Buffer* waiting) except -1:
        """One pass over all elements.

        :param waiting: the nodes that follow those around the current one, so that no element is fetched from memory
            a second time.
        """
        cdef xmlNode* node = self.root._c_node
        cdef xmlNode* next = NULL
        cdef unsigned char first
        while True:
            if node.type == XML_ELEMENT_NODE:
                first = node.name[0]
                if first == c"h" or first == c"m" or first == c"s" or first == c"t":
                    self._note(node)
                if node.children is not NULL:
                    if next is not NULL:
                        put(waiting, <char*>&next, sizeof(xmlNode*))
                    node = node.children
                    next = node.next
                    continue
            if next is NULL:
                if not waiting.size:
                    return 0
                waiting.size -= sizeof(xmlNode*)
                next = (<xmlNode**>(waiting.data + waiting.size))[0]
            node = next
            next = node.next

    cdef int _note(self, xmlNode* element) except -1:
        cdef xmlAttr* kind
        cdef const unsigned char* value
        if is_tagged(element, b"meta"):
            self._note_meta(element)
        elif is_tagged(element, b"h1"):
            self._note_heading(element)
        elif is_tagged(element, b"script"):
            kind = attribute_of(element, b"type")
            if kind is not NULL:
                value = value_of(kind)
                if value is NULL or strstr(<const char*>value, _DATA_TYPE) is not NULL:
                    if DATA_TYPE in text_of(element, kind):
                        self.scripts.append(cetree.textOf(element) or "")
        elif self.title is None and is_tagged(element, b"title"):
            if not _is_in_drawing(element):
                self.title = cetree.textOf(element) or None
        return 0

    cdef int _note_heading(self, xmlNode* element) except -1:
        while element is not self.root._c_node:
            element = element.parent
            key = <size_t>element
            if key in self.holders:
                break
            self.holders.add(key)
        return 0

    cdef int _note_meta(self, xmlNode* element) except -1:
        cdef xmlAttr* found = filled(element, b"property")
        cdef const unsigned char* value
        if found is NULL:
            found = filled(element, b"name")
        if found is NULL:
            found = filled(element, b"itemprop")
        if found is not NULL:
            value = value_of(found)
            if value is NULL or may_have(&_meta_names, value):
                content = text_of(element, attribute_of(element, b"content"))
                self.metas.append((text_of(element, found), content))
        return 0


cdef bint _is_in_drawing(const xmlNode* element) noexcept nogil:
    cdef const xmlNode* above = element.parent
    while above is not NULL and above.type == XML_ELEMENT_NODE:
        if is_tagged(above, b"svg"):
            return True
        above = above.parent
    return False
