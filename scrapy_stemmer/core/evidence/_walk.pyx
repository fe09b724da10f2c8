# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The walk over a page's tree on the nodes of libxml2 themselves; see :mod:`scrapy_stemmer.core.evidence.walk`.

What is told of a page is the same. No Python object is made for an element, only for what is found. The tree is not
changed, and must not be changed by others while a walk or a scan is under way.
"""

from types import FunctionType

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItemWithError
from cpython.list cimport PyList_GET_ITEM
from cpython.ref cimport PyObject
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset, strchr, strlen

cimport cython
cimport lxml.includes.etreepublic as cetree
from lxml.includes.tree cimport XML_ELEMENT_NODE, xmlAttr, xmlNode

from scrapy_stemmer.core._nodes cimport value_of
from scrapy_stemmer.core._prune cimport Kept
from scrapy_stemmer.core.evidence._buffer cimport Buffer, close, put, reserve
from scrapy_stemmer.core.evidence._measure cimport Measure, is_space
from scrapy_stemmer.core.evidence._nodes cimport (
    Names, fill_names, is_blank, is_class, is_named, is_passed, is_text, may_have, may_hide, text_of,
)
from scrapy_stemmer.core.evidence._scan cimport Scan
from scrapy_stemmer.core.evidence.outline cimport Shape, TextBlock
from scrapy_stemmer.core.evidence.places cimport Place

from scrapy_stemmer.core.evidence import outline as _outline
from scrapy_stemmer.core.evidence._measure import measured
from scrapy_stemmer.core.evidence._scan import can_walk
from scrapy_stemmer.core.evidence.memo import MAX_KNOWN
from scrapy_stemmer.core.evidence.outline import KINDS, UNSEEN_NAMES, Outline, hides, kind_of, shape_of
from scrapy_stemmer.core.evidence.places import Places

cetree.import_lxml__etree()

if isinstance(shape_of, FunctionType) or isinstance(Places.body, FunctionType):
    raise ImportError("outline.py or places.py was not compiled: their classes have no fields for C")

__all__ = ("Tree", "Walk", "can_walk", "measured")


# What an element is to the walk: the kinds of outline.Kind, and some that are told apart here.

cdef enum:
    INLINE = 1
    BLOCK = 2
    UNREAD = 3
    CUTTER = 4
    LINK = 5
    TIME = 6
    HEADLINE = 7
    META = 8

cdef dict _kinds = {name.encode(): kind for name, kind in KINDS.items()}
_kinds[_outline.TIME.encode()] = TIME
_kinds[_outline.HEADLINE.encode()] = HEADLINE
_kinds[b"meta"] = META

cdef Py_ssize_t _MAX_KNOWN = MAX_KNOWN
cdef str _HEADLINE = _outline.HEADLINE

cdef Names _unseen_names

fill_names(&_unseen_names, UNSEEN_NAMES)


ctypedef struct Known:
    const unsigned char* name
    int kind


cdef enum:
    NAMES = 256
    MOST_NAMES = 128


@cython.final
cdef class Tree(Scan):
    """See walk.Tree.

    :ivar names: the kinds of names by the addresses of those: libxml2 keeps each name of a document once, in ``dict``.
    """

    cdef Known* names
    cdef const void* dict
    cdef Py_ssize_t known_names

    def __dealloc__(self):
        free(self.names)

    cdef Known* known(self) except NULL:
        """The kinds of names for a walk that begins; those of other walks are kept unless their names may be gone."""
        cdef const void* dict = self.root._c_node.doc.dict
        if self.names is NULL:
            self.names = <Known*>calloc(NAMES, sizeof(Known))
            if self.names is NULL:
                raise MemoryError
        elif dict is NULL or dict is not self.dict:
            memset(self.names, 0, NAMES * sizeof(Known))
            self.known_names = 0
        self.dict = dict
        return self.names

    def walk(self, reader, places=None, *, bint noting=False):
        """A walk over the tree; see :class:`Walk`."""
        return Walk(self, reader, places, noting)


ctypedef struct Frame:
    # An element around the current one, what it is, and the last of its children that was seen.
    xmlNode* element
    xmlNode* next
    xmlNode* before
    Py_ssize_t node
    Py_ssize_t links
    int kind
    bint shows
    bint is_looked_through


ctypedef struct Spot:
    # Where a stretch of text stands.
    xmlNode* element
    bint is_tail


cdef enum:
    PREFIX = sizeof(void*)
    ASIDE = 0
    WAY = 1
    TARGET = 2


@cython.final
cdef class Walk:
    """See walk.Walk.

    :ivar key: the address of the place around an element, then what its shape is made from.
    :ivar scans: whether what belongs into the head is noted on the way.
    :ivar holders: the addresses of elements around main headings, of places that are on no way.
    :ivar names: see Tree.
    """

    cdef Tree tree
    cdef object reader, known
    cdef dict keys
    cdef set holders
    cdef bint noting, keep_texts, has_time, scans
    cdef list shapes, parents, blocks
    cdef readonly list places
    cdef Measure measure
    cdef Buffer text, linked, key, stack, spots
    cdef Py_ssize_t depth, start, count
    cdef Known* names

    def __cinit__(self, Tree tree not None, reader, known, bint noting):
        self.tree = tree
        self.reader = reader
        self.known = known
        self.noting = noting
        self.keys = reader.keys
        self.keep_texts = reader.keep_texts
        self.shapes, self.parents, self.blocks, self.places = [], [], [], []
        self.measure = Measure()

    def __dealloc__(self):
        free(self.text.data)
        free(self.linked.data)
        free(self.key.data)
        free(self.stack.data)
        free(self.spots.data)

    def outline(self, head):
        """What was seen, on a page whose head says so."""
        return Outline(self.shapes, self.parents, self.blocks, head)

    def stretches_of(self, blocks not None):
        """Where the texts of some blocks stand, of a walk that notes it; see walk.Walk."""
        return [self._spots(block.start, block.end) for block in blocks]

    def html_of(self, blocks not None):
        """The HTML of the texts of some blocks; see walk.Walk."""
        cdef Spot* spots = <Spot*>self.spots.data
        cdef Py_ssize_t index, end, count = self.spots.size // <Py_ssize_t>sizeof(Spot)
        cdef TextBlock block
        cdef Kept kept = Kept()
        for block in blocks:
            end = min(block.end, count)
            for index in range(max(block.start, 0), end):
                kept.add(spots[index].element, spots[index].is_tail)
        return kept.html(self.tree.root)

    cdef list _spots(self, Py_ssize_t start, Py_ssize_t end):
        cdef Spot* spots = <Spot*>self.spots.data
        cdef Py_ssize_t index
        end = min(end, self.spots.size // <Py_ssize_t>sizeof(Spot))
        return [
            (cetree.elementFactory(self.tree.root._doc, spots[index].element), bool(spots[index].is_tail))
            for index in range(max(start, 0), end)
        ]

    def whole(self):
        """Read all of the body."""
        cdef xmlNode* body = self._begin()
        self._read(body, self._enter_body(body), 0)
        self._end(body)
        return self

    def along(self, targets, ways, dict trail not None):
        """Read what is in some places, and main headings; see walk.Walk."""
        cdef xmlNode* body = self._begin()
        cdef Py_ssize_t node
        if self.known is None:
            raise ValueError("without places there is no way along them")
        node = self._enter_body(body)
        if self.places[0].path in targets:
            self._read(body, node, 0)
        else:
            self._follow(body, node, targets, ways, trail)
        self._end(body)
        return self

    cdef int _follow(self, xmlNode* body, Py_ssize_t node, targets, ways, dict trail) except -1:
        """Go through all elements on the ways, and read the targets."""
        cdef xmlNode* child
        cdef Frame* frame
        cdef Py_ssize_t links
        cdef int kind, step
        cdef bint is_looked_through
        self._push(body, node, BLOCK, 0)
        while self.depth:
            frame = self._top()
            child = frame.next
            if child is NULL:
                self.depth -= 1
                continue
            frame.next = child.next
            if child.type != XML_ELEMENT_NODE:
                continue
            node, links, is_looked_through = frame.node, frame.links, frame.is_looked_through
            kind = self._kind(child)
            if kind == BLOCK or kind == HEADLINE:
                step = self._step(child, node, targets, ways, trail)
                if step == TARGET or kind == HEADLINE:
                    self._read(child, self._enter(self._shape(), node), links)
                    continue
                if step == ASIDE:
                    if not is_looked_through:
                        self.tree.look(child, self.scans, self.holders)
                        is_looked_through = True
                    if not self.holders or <size_t>child not in self.holders:
                        continue
                self._push(child, self._enter(self._shape(), node), BLOCK, links)
            elif kind == UNREAD or (child.properties is not NULL and self._hides(child)):
                if self.scans:
                    self.tree.look(child, True, None)
                continue
            else:
                if kind == META and self.scans:
                    self.tree.note(child)
                if child.children is NULL:
                    continue
                self._push(child, node, kind, links + (kind == LINK))
            self._top().is_looked_through = is_looked_through
        return 0

    cdef int _step(self, xmlNode* element, Py_ssize_t node, targets, ways, dict trail) except -1:
        """Whether a block-level element is a target, or leads to one; its key is made."""
        cdef void* place = PyList_GET_ITEM(self.places, node)
        cdef PyObject* found
        self._make_key(element, NULL)
        memcpy(self.key.data, &place, PREFIX)
        key = PyBytes_FromStringAndSize(self.key.data, self.key.size)
        found = PyDict_GetItemWithError(trail, key)
        if found is not NULL:
            return <object>found
        path = self.known.path_below(<object>place, self._shape())
        step = TARGET if path in targets else WAY if path in ways else ASIDE
        if len(trail) >= _MAX_KNOWN:
            trail.clear()
        trail[key] = step
        return step

    cdef int _read(self, xmlNode* top, Py_ssize_t node, Py_ssize_t links) except -1:
        """Note all that is in a block-level element.

        :param links: how many links stand around it.
        """
        cdef Py_ssize_t base = self.depth
        cdef xmlNode* child
        cdef Frame* frame
        cdef int kind
        self._push(top, node, TIME if self._kind(top) == TIME else BLOCK, links)
        while self.depth > base:
            frame = self._top()
            child = frame.next
            if child is NULL:
                if self.text.size and (frame.kind == BLOCK or self.depth == base + 1):
                    self._flush(frame.node)
                self.depth -= 1
                continue
            if is_text(child):
                if frame.shows:
                    frame.shows = False
                    self._stretch(child, frame)
                else:
                    frame.next = child.next
                continue
            frame.next = child.next
            if not cetree._isElement(child):
                if not is_passed(child):
                    frame.shows = False
                continue
            frame.shows = True
            frame.before = child
            if child.type != XML_ELEMENT_NODE:
                continue
            kind = self._kind(child)
            node, links = frame.node, frame.links
            if kind == BLOCK or kind == HEADLINE:
                if self.text.size:
                    self._flush(node)
                # Where stretches stand is the same whatever the elements are called.
                if not self.noting:
                    self._make_key(child, NULL)
                    node = self._enter(self._shape(), node)
                kind = BLOCK
            elif kind == UNREAD or (child.properties is not NULL and self._hides(child)):
                if self.scans:
                    self.tree.look(child, True, None)
                continue
            elif kind == LINK:
                links += 1
            elif kind == CUTTER and self.text.size:
                self._flush(node)
            elif kind == META and self.scans:
                self.tree.note(child)
            if child.children is not NULL:
                self._push(child, node, kind, links)
        return 0

    cdef inline Frame* _top(self) noexcept:
        return <Frame*>self.stack.data + (self.depth - 1)

    cdef int _push(self, xmlNode* element, Py_ssize_t node, int kind, Py_ssize_t links) except -1:
        cdef Frame* frame
        if (self.depth + 1) * <Py_ssize_t>sizeof(Frame) > self.stack.room:
            reserve(&self.stack, (self.depth + 1) * sizeof(Frame))
        self.depth += 1
        frame = self._top()
        frame.element = element
        frame.next = element.children
        frame.before = NULL
        frame.node = node
        frame.links = links
        frame.kind = kind
        frame.shows = True
        frame.is_looked_through = False
        return 0

    cdef int _stretch(self, xmlNode* node, Frame* frame) except -1:
        """Note a stretch of text, which may be several nodes, and go on behind it.

        White space before a block is left out.
        """
        cdef Py_ssize_t before = self.text.size, size
        cdef const unsigned char* content
        cdef Spot spot
        while node is not NULL and (is_text(node) or is_passed(node)):
            content = <const unsigned char*>node.content
            if is_text(node) and content is not NULL:
                if not self.text.size:
                    while is_blank(content[0]):
                        content += 1
                if content[0]:
                    put(&self.text, <const char*>content, strlen(<const char*>content))
            node = node.next
        frame.next = node
        size = self.text.size - before
        if not size:
            return 0
        if not before and <unsigned char>self.text.data[0] >= 128:
            close(&self.text)
            if is_space(<const unsigned char*>self.text.data, size):
                self.text.size = 0
                return 0
        if frame.links:
            put(&self.linked, self.text.data + before, size)
        if frame.kind == TIME and frame.before is NULL:
            self.has_time = True
        self.count += 1
        if self.noting:
            spot.element = frame.element if frame.before is NULL else frame.before
            spot.is_tail = frame.before is not NULL
            put(&self.spots, <char*>&spot, sizeof(Spot))
        return 0

    cdef int _flush(self, Py_ssize_t node) except -1:
        """End the block that was being read."""
        cdef Measure measure = self.measure
        cdef TextBlock block
        cdef bint keep
        if not self.noting:
            keep = self.keep_texts or (<Shape>self.shapes[node]).tag == _HEADLINE
            close(&self.text)
            if measure.of(self.text.data, self.text.size, keep, True):
                block = TextBlock.__new__(TextBlock)
                block.node = node
                block.text = measure.text if keep else ""
                block.weight = measure.weight
                block.hash = measure.hash
                block.start = self.start
                block.end = self.count
                block.has_time = self.has_time
                block.has_braces = keep and measure.has_braces
                block.anchor_weight = self._anchor_weight(block.weight)
                self.blocks.append(block)
        self.start = self.count
        self.text.size = self.linked.size = 0
        self.has_time = False
        return 0

    cdef Py_ssize_t _anchor_weight(self, Py_ssize_t weight) except -1:
        """The weight of the linked part of a text of some weight."""
        if not self.linked.size or self.linked.size == self.text.size:
            return weight if self.linked.size else 0
        close(&self.linked)
        if not self.measure.of(self.linked.data, self.linked.size, False, False):
            return 0
        return min(weight, self.measure.weight)

    cdef xmlNode* _begin(self) except NULL:
        """Forget the walk before this one, if there was any, and what an error may have left; tell the body."""
        cdef xmlNode* body
        self.shapes, self.parents, self.blocks, self.places = [], [], [], []
        self.text.size = self.linked.size = self.spots.size = 0
        self.depth = self.start = self.count = 0
        self.has_time = False
        self.names = self.tree.known()
        self.holders = set()
        self.scans = not self.tree.is_scanned
        body = self.tree.body()
        if self.scans:
            self.tree.forget()
            self.tree.look_around(body, False)
        return body

    cdef int _end(self, xmlNode* body) except -1:
        """Note what stands behind the body."""
        if self.scans:
            self.tree.look_around(body, True)
            self.tree.is_scanned = True
        return 0

    cdef Py_ssize_t _enter_body(self, xmlNode* body) except -1:
        self._make_key(body, b"body")
        return self._enter(self._shape(), -1)

    cdef Py_ssize_t _enter(self, Shape shape, Py_ssize_t parent) except -1:
        """Note a block-level element, and tell its index."""
        cdef PyObject* found
        cdef Place above
        self.shapes.append(shape)
        self.parents.append(parent)
        if self.known is not None:
            if parent < 0:
                self.places.append(self.known.body(shape))
            else:
                above = <Place?>PyList_GET_ITEM(self.places, parent)
                found = PyDict_GetItemWithError(above.below, shape)
                self.places.append(self.known.below(above, shape) if found is NULL else <object>found)
        return len(self.shapes) - 1

    cdef Shape _shape(self):
        """The shape of the element whose key was made."""
        cdef PyObject* found
        key = PyBytes_FromStringAndSize(self.key.data + PREFIX, self.key.size - PREFIX)
        found = PyDict_GetItemWithError(self.keys, key)
        if found is not NULL:
            return <Shape>found
        tag, classes, identifier, role, hidden = key.decode().split("\0")
        shape = shape_of((tag, classes, identifier, role, None, "" if hidden else None))
        if len(self.keys) >= _MAX_KNOWN:
            self.keys.clear()
        self.keys[key] = shape
        return shape

    cdef int _make_key(self, xmlNode* element, const char* tag) except -1:
        """Put together what the shape of an element is made from.

        :param tag: what its name is to be, NULL for its own one.
        """
        cdef xmlAttr* attribute = element.properties
        cdef xmlAttr* classes = NULL
        cdef xmlAttr* identifier = NULL
        cdef xmlAttr* role = NULL
        cdef xmlAttr* style = NULL
        cdef bint hidden = False
        cdef const unsigned char* name
        self.key.size = 0
        reserve(&self.key, PREFIX)
        self.key.size = PREFIX
        if tag is not NULL:
            put(&self.key, tag, strlen(tag))
        elif element.ns is NULL or element.ns.href is NULL:
            put(&self.key, <const char*>element.name, strlen(<const char*>element.name))
        else:
            self._put_text(cetree.namespacedName(element))
        while attribute is not NULL:
            name = <const unsigned char*>attribute.name
            if attribute.ns is not NULL:
                pass
            elif classes is NULL and is_class(name):
                classes = attribute
            elif identifier is NULL and name[0] == c"i" and is_named(name, b"id"):
                identifier = attribute
            elif role is NULL and name[0] == c"r" and is_named(name, b"role"):
                role = attribute
            elif style is NULL and name[0] == c"s" and is_named(name, b"style"):
                style = attribute
            elif name[0] == c"h" and is_named(name, b"hidden"):
                hidden = True
            attribute = attribute.next
        self._put_value(element, classes)
        self._put_value(element, identifier)
        self._put_value(element, role)
        if style is not NULL and not hidden:
            hidden = self._is_hiding(element, style)
        put(&self.key, b"\0h", 2 if hidden else 1)
        return 0

    cdef int _put_value(self, xmlNode* element, xmlAttr* attribute) except -1:
        """Append a NUL and the value of an attribute to the key."""
        cdef const unsigned char* value
        put(&self.key, b"\0", 1)
        if attribute is not NULL:
            value = value_of(attribute)
            if value is NULL:
                self._put_text(text_of(element, attribute))
            else:
                put(&self.key, <const char*>value, strlen(<const char*>value))
        return 0

    cdef int _put_text(self, str text) except -1:
        cdef bytes data = text.encode()
        return put(&self.key, data, len(data))

    cdef bint _is_hiding(self, xmlNode* element, xmlAttr* style) except -1:
        cdef const unsigned char* value = value_of(style)
        return (value is NULL or may_hide(value)) and hides(text_of(element, style))

    cdef bint _hides(self, xmlNode* element) except -1:
        """Whether an inline element is not shown, or only read aloud."""
        cdef xmlAttr* attribute = element.properties
        cdef xmlAttr* classes = NULL
        cdef xmlAttr* style = NULL
        cdef const unsigned char* value
        cdef bint perhaps = False
        while attribute is not NULL:
            if attribute.ns is not NULL:
                pass
            elif classes is NULL and is_class(attribute.name):
                classes = attribute
            elif style is NULL and attribute.name[0] == c"s" and is_named(attribute.name, b"style"):
                style = attribute
            attribute = attribute.next
        if classes is not NULL:
            value = value_of(classes)
            perhaps = value is NULL or may_have(&_unseen_names, value)
        if style is not NULL and not perhaps:
            value = value_of(style)
            perhaps = value is NULL or may_hide(value)
        return perhaps and self.reader.is_unseen(text_of(element, classes), text_of(element, style))

    cdef int _kind(self, xmlNode* element) except -1:
        """What an element is to the walk."""
        cdef const unsigned char* name = <const unsigned char*>element.name
        cdef size_t index = (<size_t>name ^ (<size_t>name >> 9)) % NAMES
        if element.ns is not NULL and element.ns.href is not NULL:
            if self.scans:
                self.tree.note(element)
            return kind_of(cetree.namespacedName(element))
        while self.names[index].name is not NULL:
            if self.names[index].name == name:
                return self.names[index].kind
            index = (index + 1) % NAMES
        return self._new_kind(name, index)

    cdef int _new_kind(self, const unsigned char* name, size_t index) except -1:
        """The kind of a name that was not met yet, noted where there is room for it."""
        cdef int kind = _kinds.get(<bytes>(<const char*>name), 0)
        if not kind:
            kind = INLINE if strchr(<const char*>name, c"-") is NULL else BLOCK
        if self.tree.known_names < MOST_NAMES:
            self.tree.known_names += 1
            self.names[index].name = name
            self.names[index].kind = kind
        return kind
