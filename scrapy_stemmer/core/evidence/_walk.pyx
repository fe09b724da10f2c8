# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The walk over a page's tree on the nodes of libxml2 themselves; see :mod:`scrapy_stemmer.core.evidence.walk`.

What is told of a page is the same. No Python object is made for an element, only for what is found. The tree is not
changed, and must not be changed by others while a walk or a scan is under way.
"""

from types import FunctionType

from cpython.list cimport PyList_New
from cpython.ref cimport Py_INCREF, Py_XDECREF, Py_XINCREF, PyObject
from libc.stdint cimport uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset, strchr, strcmp, strlen

cimport cython
cimport lxml.includes.etreepublic as cetree
from lxml.includes.tree cimport XML_ELEMENT_NODE, xmlAttr, xmlNode

from scrapy_stemmer.core._nodes cimport value_of
from scrapy_stemmer.core._prune cimport Kept
from scrapy_stemmer.core.evidence._buffer cimport Buffer, close, put, reserve
from scrapy_stemmer.core.evidence._measure cimport Measure, is_space
from scrapy_stemmer.core.evidence._met cimport Desk, Met, Record, free_desk
from scrapy_stemmer.core.evidence._nodes cimport (
    NO, PERHAPS, YES, Names, fill_names, has_name, is_blank, is_class, is_last_text, is_named, is_passed, is_style,
    is_text, may_have, may_hide, text_of,
)
from scrapy_stemmer.core.evidence._scan cimport Scan
from scrapy_stemmer.core.evidence.outline cimport Outline, Shape, TextBlock, shape_by
from scrapy_stemmer.core.evidence.places cimport Place, Places

from scrapy_stemmer.core.evidence import outline as _outline
from scrapy_stemmer.core.evidence._measure import measured
from scrapy_stemmer.core.evidence.outline import KINDS, UNSEEN_NAMES, hides, kind_of, shape_of

cdef extern from "Python.h":
    # Takes the reference.
    void PyList_SET_ITEM(list items, Py_ssize_t index, PyObject* item)

cetree.import_lxml__etree()

if isinstance(shape_of, FunctionType):
    raise ImportError("outline.py was not compiled: its classes have no fields for C")

__all__ = ("Tree", "Walk", "measured")


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

cdef str _HEADLINE = _outline.HEADLINE

cdef Names _unseen_names

fill_names(&_unseen_names, UNSEEN_NAMES)


ctypedef struct Known:
    # A name, what elements of it are, and its number in keys: 0 where it is none of those that are known beforehand.
    const unsigned char* name
    short kind
    short number


cdef enum:
    # Room for the names that are known beforehand, and of which no more than half is taken.
    ALL_NAMES = 512
    # Room for the names of a page, and how many are taken in.
    NAMES = 128
    MOST_NAMES = 64

cdef Known[ALL_NAMES] _names

# Hold the names.
cdef list _texts = []


cdef inline size_t _hash_of(const unsigned char* name) noexcept nogil:
    cdef size_t hash = 0
    while name[0]:
        hash = hash * 31 + name[0]
        name += 1
    return hash ^ (hash >> 9)


cdef inline Known* _known_name(const unsigned char* name) noexcept nogil:
    """What is known beforehand of a name; where it has none, the place for it."""
    cdef size_t index = _hash_of(name) % ALL_NAMES
    while _names[index].name is not NULL and strcmp(<const char*>_names[index].name, <const char*>name) != 0:
        index = (index + 1) % ALL_NAMES
    return &_names[index]


cdef int _fill_names() except -1:
    cdef Known* known
    cdef bytes name
    kinds = {**KINDS, _outline.TIME: TIME, _outline.HEADLINE: HEADLINE, "meta": META}
    assert "body" in kinds and 2 * len(kinds) <= ALL_NAMES and sizeof(Known) <= 2 * sizeof(void*)
    for number, (text, kind) in enumerate(kinds.items(), 1):
        name = text.encode()
        _texts.append(name)
        known = _known_name(name)
        known.name, known.kind, known.number = name, kind, number
    return 0

_fill_names()


@cython.final
cdef class Tree(Scan):
    """See walk.Tree."""

    def walk(self, reader, places=None, *, bint noting=False):
        """A walk over the tree; see :class:`Walk`."""
        return Walk(self, reader, places, noting)


cdef Met _met_by(holder):
    """What is remembered by a reader, by places or by a trail, which may have been made before there was this walk."""
    if holder.met is None:
        holder.met = Met()
    return holder.met


ctypedef struct Element:
    # A block-level element: its shape and its place, which are held, and the index of the one around it.
    PyObject* shape
    PyObject* place
    Py_ssize_t parent
    PyObject* number


ctypedef struct Named:
    # The attributes that a shape is made from.
    xmlAttr* classes
    xmlAttr* identifier
    xmlAttr* role
    bint hidden
    bint is_body


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
    WORD = sizeof(uint64_t)
    ASIDE = 0
    WAY = 1
    TARGET = 2


@cython.final
cdef class Walk:
    """See walk.Walk.

    :ivar met: what is remembered of elements: with their places, where those are to be told.
    :ivar shaped: what the reader remembers of elements by themselves.
    :ivar scans: whether what belongs into the head is noted on the way.
    :ivar holders: the addresses of elements around main headings, of places that are on no way.
    :ivar desk: the memory that is worked in: the text of the block that is read and the part of it in links, the key of an
        element and its attributes, the elements around the current one, those that were met, and the names of the page by
        their addresses, since libxml2 keeps each name of a document once.
    :ivar other: what is known of a name for which there is no room there.
    :ivar class_name: the name of the attribute ``class``, once it was met.
    """

    cdef Tree tree
    cdef object reader
    cdef Places known
    cdef Met met, shaped
    cdef set holders
    cdef bint noting, keep_texts, has_time, scans
    cdef list shapes, parents, blocks
    cdef readonly list places
    cdef Measure measure
    cdef Desk desk
    cdef Named named
    cdef Buffer spots
    cdef Py_ssize_t depth, start, count, name_count
    cdef Known other
    cdef const unsigned char* class_name

    def __cinit__(self, Tree tree not None, reader, Places known, bint noting):
        self.tree = tree
        self.reader = reader
        self.known = known
        self.noting = noting
        self.keep_texts = reader.keep_texts
        self.shaped = _met_by(reader)
        self.met = self.shaped if known is None else _met_by(known)
        self.shapes, self.parents, self.blocks, self.places = [], [], [], []

    def __dealloc__(self):
        self._let_go()
        free_desk(&self.desk)
        free(self.spots.data)

    def outline(self, head):
        """What was seen, on a page whose head says so."""
        cdef Outline outline = Outline.__new__(Outline)
        outline.shapes, outline.parents, outline.blocks, outline.head = self.shapes, self.parents, self.blocks, head
        return outline

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

    def along(self, targets, ways, trail):
        """Read what is in some places, and main headings; see walk.Walk."""
        cdef Met met = _met_by(trail)
        cdef xmlNode* body = self._begin()
        cdef Py_ssize_t node
        if self.known is None:
            raise ValueError("without places there is no way along them")
        node = self._enter_body(body)
        if (<Place>self._element(node).place).path in targets:
            self._read(body, node, 0)
        else:
            self._follow(body, node, targets, ways, met)
        self._end(body)
        return self

    cdef int _follow(self, xmlNode* body, Py_ssize_t node, targets, ways, Met trail) except -1:
        """Go through all elements on the ways, and read the targets."""
        cdef xmlNode* child
        cdef Known* known
        cdef Frame* frame
        cdef Record* record
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
            known = self._known(child)
            kind = known.kind
            if kind == BLOCK or kind == HEADLINE:
                self._make_key(child, known.number)
                record = trail.find(self._element(node).place, &self.desk.key)
                step = self._new_step(child, node, targets, ways, trail) if record is NULL else record.step
                if step == TARGET or kind == HEADLINE:
                    self._read(child, self._enter(child, node, record), links)
                    continue
                if step == ASIDE:
                    if not is_looked_through:
                        self.tree.look(child, self.scans, self.holders)
                        is_looked_through = True
                    if not self.holders or <size_t>child not in self.holders:
                        continue
                    # It may have moved: a finalizer that was run on the way may have read a page of the site.
                    record = NULL
                self._push(child, self._enter(child, node, record), BLOCK, links)
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

    cdef int _new_step(self, xmlNode* element, Py_ssize_t node, targets, ways, Met trail) except -1:
        """Whether a block-level element, met for the first time, is a target or leads to one; its key was made."""
        cdef PyObject* above = self._element(node).place
        cdef Shape shape = self._shape(element)
        cdef Place place = None
        cdef int step = ASIDE
        path = self.known.path_below(<Place>above, shape)
        if path in targets:
            step = TARGET
        elif path in ways:
            step = WAY
        if step != ASIDE:
            place = self.known.below(<Place>above, shape)
        trail.add(above, &self.desk.key, shape, place, step)
        return step

    cdef int _read(self, xmlNode* top, Py_ssize_t node, Py_ssize_t links) except -1:
        """Note all that is in a block-level element.

        :param links: how many links stand around it.
        """
        cdef Py_ssize_t base = self.depth
        cdef Buffer* text = &self.desk.text
        cdef xmlNode* child
        cdef xmlNode* inner
        cdef Known* known
        cdef Frame* frame
        cdef int kind
        self._push(top, node, TIME if self._known(top).kind == TIME else BLOCK, links)
        frame = self._top()
        while True:
            child = frame.next
            if child is NULL:
                if text.size and (frame.kind == BLOCK or self.depth == base + 1):
                    self._flush(frame.node)
                self.depth -= 1
                if self.depth == base:
                    return 0
                frame -= 1
                continue
            frame.next = child.next
            if is_text(child):
                if frame.shows:
                    frame.shows = False
                    if is_last_text(child):
                        self._text(child, frame.before or frame.element, frame.before is not NULL, frame.kind, frame.links)
                    else:
                        self._texts(child, frame)
                continue
            if child.type != XML_ELEMENT_NODE:
                if cetree._isElement(child):
                    frame.shows = True
                    frame.before = child
                elif not is_passed(child):
                    frame.shows = False
                continue
            frame.shows = True
            frame.before = child
            known = self._known(child)
            kind = known.kind
            node, links = frame.node, frame.links
            if kind == BLOCK or kind == HEADLINE:
                if text.size:
                    self._flush(node)
                # Where stretches stand is the same whatever the elements are called.
                if not self.noting:
                    self._make_key(child, known.number)
                    node = self._enter(child, node, NULL)
                kind = BLOCK
            elif kind == UNREAD or (child.properties is not NULL and self._hides(child)):
                if self.scans:
                    self.tree.look(child, True, None)
                continue
            elif kind == LINK:
                links += 1
            elif kind == CUTTER:
                if text.size:
                    self._flush(node)
            elif kind == META and self.scans:
                self.tree.note(child)
            inner = child.children
            if inner is NULL:
                continue
            if inner.next is NULL and is_text(inner):
                # Nothing but a text, as in most elements.
                self._text(inner, child, False, kind, links)
                if kind == BLOCK and text.size:
                    self._flush(node)
                continue
            self._push(child, node, kind, links)
            frame = self._top()

    cdef inline Frame* _top(self) noexcept:
        return <Frame*>self.desk.stack.data + (self.depth - 1)

    cdef inline int _push(self, xmlNode* element, Py_ssize_t node, int kind, Py_ssize_t links) except -1:
        cdef Frame* frame
        if (self.depth + 1) * <Py_ssize_t>sizeof(Frame) > self.desk.stack.room:
            reserve(&self.desk.stack, (self.depth + 1) * sizeof(Frame))
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

    cdef inline int _text(self, xmlNode* node, xmlNode* element, bint is_tail, int kind, Py_ssize_t links) except -1:
        """Note a stretch of text of one node: what an element begins with, or its tail. See :meth:`_texts`.

        :param kind: of the element that it stands in; ``links`` too.
        """
        cdef const unsigned char* content = <const unsigned char*>node.content
        cdef Py_ssize_t before
        if content is NULL:
            return 0
        if not self.desk.text.size:
            while is_blank(content[0]):
                content += 1
        if not content[0]:
            return 0
        before = self.desk.text.size
        self._append(<const char*>content)
        if links or kind == TIME or self.noting or (not before and <unsigned char>self.desk.text.data[0] >= 128):
            return self._stretch(before, element, is_tail, kind, links)
        self.count += 1
        return 0

    cdef int _append(self, const char* content) except -1:
        """Append to the text of the block."""
        return put(&self.desk.text, content, strlen(content))

    cdef int _texts(self, xmlNode* node, Frame* frame) except -1:
        """Note a stretch of text, which may be several nodes, and go on behind it.

        White space before a block is left out.
        """
        cdef Py_ssize_t before = self.desk.text.size
        cdef const unsigned char* content
        while node is not NULL and (is_text(node) or is_passed(node)):
            content = <const unsigned char*>node.content
            if is_text(node) and content is not NULL:
                if not self.desk.text.size:
                    while is_blank(content[0]):
                        content += 1
                if content[0]:
                    self._append(<const char*>content)
            node = node.next
        frame.next = node
        if self.desk.text.size == before:
            return 0
        return self._stretch(
            before, frame.before or frame.element, frame.before is not NULL, frame.kind, frame.links
        )

    cdef int _stretch(
        self, Py_ssize_t before, xmlNode* element, bint is_tail, int kind, Py_ssize_t links
    ) except -1:
        """Note where the last stretch of text stands.

        :param before: the size of the text before it.
        """
        cdef Py_ssize_t size = self.desk.text.size - before
        cdef Spot spot
        if not before and <unsigned char>self.desk.text.data[0] >= 128:
            close(&self.desk.text)
            if is_space(<const unsigned char*>self.desk.text.data, size):
                self.desk.text.size = 0
                return 0
        if links:
            put(&self.desk.linked, self.desk.text.data + before, size)
        if kind == TIME and not is_tail:
            self.has_time = True
        self.count += 1
        if self.noting:
            spot.element = element
            spot.is_tail = is_tail
            put(&self.spots, <char*>&spot, sizeof(Spot))
        return 0

    cdef int _flush(self, Py_ssize_t node) except -1:
        """End the block that was being read."""
        cdef Measure measure = self.measure
        cdef TextBlock block
        cdef bint keep
        if not self.noting:
            keep = self.keep_texts or (<Shape>self._element(node).shape).tag == _HEADLINE
            close(&self.desk.text)
            if measure.of(self.desk.text.data, self.desk.text.size, keep, True):
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
        self.desk.text.size = self.desk.linked.size = 0
        self.has_time = False
        return 0

    cdef Py_ssize_t _anchor_weight(self, Py_ssize_t weight) except -1:
        """The weight of the linked part of a text of some weight."""
        if not self.desk.linked.size or self.desk.linked.size == self.desk.text.size:
            return weight if self.desk.linked.size else 0
        close(&self.desk.linked)
        if not self.measure.of(self.desk.linked.data, self.desk.linked.size, False, False):
            return 0
        return min(weight, self.measure.weight)

    cdef xmlNode* _begin(self) except NULL:
        """Forget the walk before this one, if there was any, and what an error may have left; tell the body."""
        cdef xmlNode* body
        self._let_go()
        self.shapes, self.parents, self.blocks, self.places = [], [], [], []
        if self.measure is None:
            self.measure = self.shaped.lend(&self.desk)
        reserve(&self.desk.names, NAMES * sizeof(Known))
        memset(self.desk.names.data, 0, NAMES * sizeof(Known))
        self.name_count = 0
        self.class_name = NULL
        self.desk.text.size = self.desk.linked.size = self.spots.size = 0
        self.depth = self.start = self.count = 0
        self.has_time = False
        self.holders = set()
        self.scans = not self.tree.is_scanned
        body = self.tree.body()
        if self.scans:
            self.tree.forget()
            self.tree.look_around(body, False)
        return body

    cdef int _end(self, xmlNode* body) except -1:
        """Note what stands behind the body, and what was met."""
        if self.scans:
            self.tree.look_around(body, True)
            self.tree.is_scanned = True
        self._list_elements()
        self.shaped.take_back(&self.desk, self.measure)
        self.measure = None
        return 0

    cdef int _list_elements(self) except -1:
        """List the elements that were met. Their parents are few: the number of each is made once."""
        cdef Py_ssize_t count = self.desk.elements.size // <Py_ssize_t>sizeof(Element), index
        cdef Element* element = <Element*>self.desk.elements.data
        cdef Element* parent
        cdef list shapes = PyList_New(count)
        cdef list parents = PyList_New(count)
        cdef list places = PyList_New(0 if self.known is None else count)
        cdef object number
        for index in range(count):
            if element[index].parent < 0:
                number = -1
                Py_INCREF(number)
                PyList_SET_ITEM(parents, index, <PyObject*>number)
                continue
            parent = element + element[index].parent
            if parent.number is NULL:
                number = element[index].parent
                parent.number = <PyObject*>number
            Py_XINCREF(parent.number)
            PyList_SET_ITEM(parents, index, parent.number)
        for index in range(count):
            PyList_SET_ITEM(shapes, index, element[index].shape)
            if self.known is not None:
                PyList_SET_ITEM(places, index, element[index].place)
        self.desk.elements.size = 0
        self.shapes, self.parents, self.places = shapes, parents, places
        return 0

    cdef int _let_go(self) noexcept:
        """Let go of the elements that were not listed, the last first."""
        cdef Element* element
        while self.desk.elements.size:
            self.desk.elements.size -= sizeof(Element)
            element = <Element*>(self.desk.elements.data + self.desk.elements.size)
            Py_XDECREF(element.place)
            Py_XDECREF(element.shape)
        return 0

    cdef inline Element* _element(self, Py_ssize_t node) noexcept:
        return <Element*>self.desk.elements.data + node

    cdef Py_ssize_t _enter_body(self, xmlNode* body) except -1:
        self._make_key(body, _known_name(b"body").number)
        self.named.is_body = True
        return self._enter(body, -1, NULL)

    cdef Py_ssize_t _enter(self, xmlNode* element, Py_ssize_t parent, Record* record) except -1:
        """Note a block-level element whose key was made, and tell its index.

        :param record: what is remembered of it, where that is known; it is looked for where its place is not.
        """
        cdef Buffer* elements = &self.desk.elements
        cdef PyObject* above = NULL if parent < 0 else self._element(parent).place
        cdef Element* entered
        if record is NULL or record.place is NULL:
            record = self.met.find(above, &self.desk.key)
        if elements.size + <Py_ssize_t>sizeof(Element) > elements.room:
            reserve(elements, elements.size + sizeof(Element))
        entered = <Element*>(elements.data + elements.size)
        if record is NULL:
            self._meet(element, parent, entered)
        else:
            entered.shape, entered.place = record.shape, record.place
            Py_XINCREF(entered.shape)
            Py_XINCREF(entered.place)
        entered.parent = parent
        entered.number = NULL
        elements.size += sizeof(Element)
        return entered - <Element*>elements.data

    cdef int _meet(self, xmlNode* element, Py_ssize_t parent, Element* entered) except -1:
        """The shape and the place of an element that was not met yet."""
        cdef Shape shape = self._shape(element)
        cdef Place place = None
        cdef PyObject* above = NULL
        if self.known is not None:
            if parent < 0:
                place = self.known.body(shape)
            else:
                above = self._element(parent).place
                place = self.known.below(<Place>above, shape)
            self.met.add(above, &self.desk.key, shape, place, 0)
        entered.shape = <PyObject*>shape
        entered.place = NULL if place is None else <PyObject*>place
        Py_XINCREF(entered.shape)
        Py_XINCREF(entered.place)
        return 0

    cdef Shape _shape(self, xmlNode* element):
        """The shape of an element whose key was made."""
        cdef Record* record = self.shaped.find(NULL, &self.desk.key)
        cdef Shape shape
        if record is not NULL:
            return <Shape>record.shape
        tag = "body" if self.named.is_body else cetree.namespacedName(element)
        classes, identifier, role = (
            text_of(element, self.named.classes),
            text_of(element, self.named.identifier),
            text_of(element, self.named.role),
        )
        shape = shape_by(tag, classes, identifier, role, self.named.hidden)
        self.shaped.add(NULL, &self.desk.key, shape, None, 0)
        return shape

    cdef int _make_key(self, xmlNode* element, int number) except -1:
        """Put together what the shape of an element is made from.

        The first word tells its name by the number of that, and what else there is; texts follow, each with a NUL.
        """
        cdef xmlAttr* attribute = element.properties
        cdef xmlAttr* style = NULL
        cdef Named* named = &self.named
        cdef Buffer* key = &self.desk.key
        cdef const unsigned char* name
        cdef uint64_t first = 0
        memset(named, 0, sizeof(Named))
        while attribute is not NULL:
            name = <const unsigned char*>attribute.name
            if attribute.ns is not NULL:
                pass
            elif self._is_class(name):
                if named.classes is NULL:
                    named.classes = attribute
            elif named.identifier is NULL and name[0] == c"i" and is_named(name, b"id"):
                named.identifier = attribute
            elif named.role is NULL and name[0] == c"r" and is_named(name, b"role"):
                named.role = attribute
            elif style is NULL and is_style(name):
                style = attribute
            elif name[0] == c"h" and is_named(name, b"hidden"):
                named.hidden = True
            attribute = attribute.next
        if style is not NULL and not named.hidden:
            named.hidden = self._is_hiding(element, style)
        if key.room < WORD:
            reserve(key, WORD)
        key.size = WORD
        first = <uint64_t>number << 4 | <uint64_t>named.hidden
        if not number:
            self._put_name(element)
        if named.classes is not NULL:
            first |= 2
            self._put_value(element, named.classes)
        if named.identifier is not NULL:
            first |= 4
            self._put_value(element, named.identifier)
        if named.role is not NULL:
            first |= 8
            self._put_value(element, named.role)
        (<uint64_t*>key.data)[0] = first
        return 0

    cdef int _put_name(self, xmlNode* element) except -1:
        """Append the name of an element to the key."""
        if element.ns is NULL or element.ns.href is NULL:
            return self._put_text(<const char*>element.name, strlen(<const char*>element.name))
        return self._put_str(cetree.namespacedName(element))

    cdef int _put_value(self, xmlNode* element, xmlAttr* attribute) except -1:
        """Append the value of an attribute to the key."""
        cdef const unsigned char* value = value_of(attribute)
        if value is NULL:
            return self._put_str(text_of(element, attribute))
        return self._put_text(<const char*>value, strlen(<const char*>value))

    cdef int _put_str(self, str text) except -1:
        cdef bytes data = text.encode()
        return self._put_text(data, len(data))

    cdef inline int _put_text(self, const char* text, Py_ssize_t size) except -1:
        """Append a text to the key, and NULs up to a whole word, at least one."""
        cdef Buffer* key = &self.desk.key
        cdef Py_ssize_t whole = (size // WORD + 1) * WORD
        if key.size + whole > key.room:
            reserve(key, key.size + whole)
        (<uint64_t*>(key.data + key.size + whole - WORD))[0] = 0
        memcpy(key.data + key.size, text, size)
        key.size += whole
        return 0

    cdef bint _is_hiding(self, xmlNode* element, xmlAttr* style) except -1:
        cdef const unsigned char* value = value_of(style)
        return (value is NULL or may_hide(value)) and hides(text_of(element, style))

    cdef bint _hides(self, xmlNode* element) except -1:
        """Whether an inline element is not shown, or only read aloud."""
        cdef xmlAttr* attribute = element.properties
        cdef xmlAttr* classes = NULL
        cdef xmlAttr* style = NULL
        cdef const unsigned char* value
        while attribute is not NULL:
            if attribute.ns is NULL:
                if self._is_class(<const unsigned char*>attribute.name):
                    if classes is NULL:
                        classes = attribute
                elif style is NULL and is_style(<const unsigned char*>attribute.name):
                    style = attribute
            attribute = attribute.next
        if style is not NULL:
            return self._is_unseen(element, classes, style)
        if classes is NULL:
            return False
        value = value_of(classes)
        return (value is NULL or may_have(&_unseen_names, value)) and self._is_unseen(element, classes, NULL)

    cdef bint _is_unseen(self, xmlNode* element, xmlAttr* classes, xmlAttr* style) except -1:
        """The same, by attributes either of which may be NULL. Python is asked only where it must be."""
        cdef const unsigned char* value
        cdef int found = NO
        if classes is not NULL:
            value = value_of(classes)
            found = PERHAPS if value is NULL else has_name(&_unseen_names, value)
            if found == YES:
                return True
        if style is not NULL and found == NO:
            value = value_of(style)
            found = PERHAPS if value is NULL or may_hide(value) else NO
        return found != NO and self.reader.is_unseen(text_of(element, classes), text_of(element, style))

    cdef inline bint _is_class(self, const unsigned char* name) noexcept:
        """Whether the name of an attribute is ``class``, of which there is one for all of the page."""
        if name == self.class_name:
            return True
        if not is_class(name):
            return False
        self.class_name = name
        return True

    cdef inline Known* _known(self, xmlNode* element) except NULL:
        """What an element is to the walk."""
        cdef const unsigned char* name = <const unsigned char*>element.name
        cdef size_t index = (<size_t>name ^ (<size_t>name >> 9)) % NAMES
        cdef Known* known = <Known*>self.desk.names.data + index
        if element.ns is not NULL and element.ns.href is not NULL:
            return self._known_in_namespace(element)
        return known if known.name == name else self._met_name(name, index)

    cdef Known* _known_in_namespace(self, xmlNode* element) except NULL:
        if self.scans:
            self.tree.note(element)
        self.other.kind, self.other.number = kind_of(cetree.namespacedName(element)), 0
        return &self.other

    cdef Known* _met_name(self, const unsigned char* name, size_t index) noexcept:
        """What elements of a name are, which is noted where there is room for it."""
        cdef Known* names = <Known*>self.desk.names.data
        cdef Known* known
        while names[index].name is not NULL:
            if names[index].name == name:
                return names + index
            index = (index + 1) % NAMES
        known = _known_name(name)
        if known.name is NULL:
            self.other.kind = INLINE if strchr(<const char*>name, c"-") is NULL else BLOCK
            self.other.number = 0
            known = &self.other
        if self.name_count >= MOST_NAMES:
            return known
        self.name_count += 1
        names[index].name = name
        names[index].kind, names[index].number = known.kind, known.number
        return names + index
