# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What a pass over elements of a page tells: what its head says, and where main headings stand."""

from libc.stdlib cimport free
from libc.string cimport strstr

cimport lxml.includes.etreepublic as cetree
from lxml.includes.tree cimport XML_ELEMENT_NODE, xmlAttr, xmlDoc, xmlNode

from scrapy_stemmer.core.evidence._buffer cimport Buffer, put
from scrapy_stemmer.core._nodes cimport value_of
from scrapy_stemmer.core.evidence._nodes cimport (
    Names, attribute_of, fill_names, filled, is_tagged, may_have, prefetch, text_of,
)
from scrapy_stemmer.core.evidence.head cimport LateHead

from scrapy_stemmer.core.evidence.head import DATA_TYPE, METAS

cetree.import_lxml__etree()

cdef bytes _DATA_TYPE = DATA_TYPE.encode()

cdef Names _meta_names

fill_names(&_meta_names, METAS)


cdef bint can_walk(cetree._Element root):
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

    :ivar is_scanned: whether all that belongs into the head was noted: by the first walk as it goes, which so meets each
        element once, or by a pass of its own where the head is asked for before.
    """

    def __cinit__(self, cetree._Element root not None):
        if not can_walk(root):
            raise ValueError("not a tree for this walk")
        self.root = root
        self.forget()

    def __dealloc__(self):
        free(self.waiting.data)

    @property
    def head(self):
        """See walk.Tree."""
        cdef LateHead head
        if self.late_head is None:
            if not self.is_scanned:
                self.forget()
                self.look(self.root._c_node, True, None)
                self.is_scanned = True
            self.late_head = head = LateHead.__new__(LateHead)
            head._parts = (self.title, self.metas, self.scripts)
        return self.late_head

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

    cdef int forget(self) except -1:
        """Forget what was noted of the head."""
        self.title = None
        self.metas = []
        self.scripts = []
        return 0

    cdef int look_around(self, xmlNode* body, bint behind) except -1:
        """Note what belongs into the head before the body, or behind it."""
        cdef xmlNode* root = self.root._c_node
        cdef xmlNode* child
        if not behind:
            self.note(root)
        if body is root:
            return 0
        child = body.next if behind else root.children
        while child is not NULL and child is not body:
            if child.type == XML_ELEMENT_NODE:
                self.look(child, True, None)
            child = child.next
        return 0

    cdef int look(self, xmlNode* top, bint noting, set holders) except -1:
        """One pass over an element and all elements in it.

        :param noting: whether to note what belongs into the head.
        :param holders: takes the addresses of the elements around main headings, up to this one; ``None`` where nobody
            wants to know.
        """
        cdef Buffer* waiting = &self.waiting
        cdef xmlNode* node = top
        cdef xmlNode* next = NULL
        cdef const unsigned char* name
        waiting.size = 0
        while True:
            if node.type == XML_ELEMENT_NODE:
                name = <const unsigned char*>node.name
                if name[0] == c"h":
                    if name[1] == c"1" and holders is not None and is_tagged(node, b"h1"):
                        _note_heading(node, top, holders)
                elif noting and may_be_of_head(name):
                    self.note(node)
                if node.children is not NULL:
                    # No element is fetched from memory a second time: what follows those around the current one waits.
                    if next is not NULL:
                        put(waiting, <char*>&next, sizeof(xmlNode*))
                    node = node.children
                    next = node.next
                    prefetch(next)
                    continue
            if next is NULL:
                if not waiting.size:
                    return 0
                waiting.size -= sizeof(xmlNode*)
                next = (<xmlNode**>(waiting.data + waiting.size))[0]
            node = next
            next = node.next
            prefetch(next)

    cdef int note(self, xmlNode* element) except -1:
        """Note an element if it belongs into the head."""
        cdef xmlAttr* kind
        cdef const unsigned char* value
        if is_tagged(element, b"meta"):
            self._note_meta(element)
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


cdef inline bint may_be_of_head(const unsigned char* name) noexcept nogil:
    """Whether a name begins as one of those that :meth:`Scan.note` knows."""
    if name[0] == c"m" or name[0] == c"t":
        return name[1] == c"e" or name[1] == c"i"
    return name[0] == c"s" and name[1] == c"c"


cdef int _note_heading(xmlNode* element, xmlNode* top, set holders) except -1:
    while element is not top:
        element = element.parent
        key = <size_t>element
        if key in holders:
            break
        holders.add(key)
    return 0


cdef bint _is_in_drawing(const xmlNode* element) noexcept nogil:
    cdef const xmlNode* above = element.parent
    while above is not NULL and above.type == XML_ELEMENT_NODE:
        if is_tagged(above, b"svg"):
            return True
        above = above.parent
    return False
