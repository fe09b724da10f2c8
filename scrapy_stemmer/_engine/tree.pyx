# cython: boundscheck=False, wraparound=False
"""A tree as an array of nodes, read once from the nodes of libxml2, with the numbers of items of lists.

Later questions are walks over the array. Facts about names of elements and attributes are in one table. The tree must not change meanwhile.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint32_t, uintptr_t
from libc.stdlib cimport free
from libc.string cimport memset, strcmp, strlen, strstr

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer._engine.nodes cimport (
    attribute_of, bytes_of, first_of, give_turn, is_blank, next_of, number_in, put, resized, run_from, space_at, value_of,
)

from scrapy_stemmer._engine import turn
from scrapy_stemmer.writing import code
from scrapy_stemmer.page import elements
from scrapy_stemmer.page.elements import BLOCK_LEVEL, NAME, OTHER_NAME, OTHER_NAMES

cetree.import_lxml__etree()

# Names of elements and attributes

cdef enum:
    ROOM = 1024  # for known names; a power of two
    IN_ITEM = 4  # elements at most from an item to its box

cdef tuple ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"),
    (5, "v"), (4, "iv"), (1, "i"),
)

cdef Name[ROOM] NAMES
memset(NAMES, 0, sizeof(NAMES))

# For nodes without a name known to all parsers, and for names without facts.
cdef Name OTHER
OTHER.key, OTHER.written, OTHER.tag, OTHER.facts = "", "span", 0, 0

TAGS = (
    "", "a", "img", "br", "hr", "math", "pre", "input", "label", "ol", "ul", "menu", "dir", "li", "dd", "dt", "p", "div",
    "span", "table", "tr", "td", "th", "caption", "blockquote", "sub", "sup", "rt", "rp", "aside", "code", "tt", "body", "figure",
    "figcaption", "noscript", "picture", "source", "h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "i", "em", "cite",
    "del", "s", "strike",
)

IMAGES = {"img", "amp-img", "amp-anim"}

FACTS = {
    WITHOUT_TEXT: elements.WITHOUT_TEXT | IMAGES, BLOCK: BLOCK_LEVEL, ANEW: {"pre", "table", "picture", "math"} | IMAGES,
    SHOWN_ALONE: set(
        "figure p div a span li ul ol section article aside center picture img amp-img amp-anim noscript td th hr input label".split()
    ),
    WHOLE: elements.WHOLE, WRAPPER: elements.WRAPPERS, LIST: elements.LISTS, HEADING: elements.HEADINGS,
    CELL: {"td", "th"}, INLINE_CODE: {"code", "kbd", "samp", "tt"}, NOTE: {"li", "p", "div", "dd", "aside"},
    NO_CELL: elements.HEADINGS | {"table", "pre", "blockquote"},
    EMPHASIS: {"b", "strong", "i", "em", "cite", "del", "s", "strike"},
    ODD_IN_CODE: code.ODD_ELEMENTS | BLOCK_LEVEL | code.LINES, AROUND_BOX: {"label", "p", "div"},
    UNREAD: code.NO_CODE, VOID: elements.VOID, COPIED: elements.KEPT_ATTRIBUTES,
    IS_CHECKED: {"href", "cite", "style", "id", "name", "type"},
}

HELD = []  # targets of the table


def fill_names():
    cdef bytes key, written
    cdef Name* name
    for each in sorted(set(TAGS).union(*FACTS.values(), OTHER_NAMES)):
        key, written = each.encode(), (OTHER_NAMES.get(each, each) if NAME.fullmatch(each) else OTHER_NAME).encode()
        HELD.append((key, written))
        name = place_of(key)
        name.key, name.written = key, written
        name.tag = TAG_IMG if each in IMAGES else TAGS.index(each) if each in TAGS else 0
        name.facts = sum(fact for fact, names in FACTS.items() if each in names)


cdef Name* place_of(const char* name) noexcept nogil:
    """Return the place of a name in the table, or a free place for it."""
    cdef uint32_t at = 2166136261
    cdef const char* sign = name
    while sign[0]:
        at = (at ^ <unsigned char>sign[0]) * 16777619
        sign += 1
    at = (at ^ at >> 15) % ROOM
    while NAMES[at].key is not NULL and strcmp(NAMES[at].key, name) != 0:
        at = (at + 1) % ROOM
    return &NAMES[at]


fill_names()


cdef class Nodes:
    """Nodes in order: the children of a node follow it, and its next sibling stands at its end."""

    def __dealloc__(self):
        free(self.nodes)
        free(self.scratch.data)

    cdef int add_node(self, xmlNode* node, Name* name, int parent, int before) except -1:
        cdef Node* found
        if self.count == self.room:
            self.room = 2 * self.room + 512
            if self.room > 0x40000000:
                raise MemoryError
            self.nodes = <Node*>resized(self.nodes, self.room * sizeof(Node))
        found = &self.nodes[self.count]
        found.node, found.parent, found.before, found.flags = node, parent, before, 0
        found.tag, found.facts = name.tag, name.facts
        self.count += 1
        return <int>self.count - 1

    cdef int first_of(self, int top, int tag) noexcept nogil:
        """Return the first of a node and its descendants with a name, or -1."""
        cdef int number
        for number in range(top, self.nodes[top].end):
            if self.nodes[number].tag == tag:
                return number
        return -1

    cdef bint has_inner(self, int top, int tag) noexcept nogil:
        """Return True if any descendant has a name."""
        cdef int number
        for number in range(top + 1, self.nodes[top].end):
            if self.nodes[number].tag == tag:
                return True
        return False

    cdef int around(self, int number, int tag) noexcept nogil:
        """Return the innermost element around a node with a name, or -1."""
        number = self.nodes[number].parent
        while number >= 0 and self.nodes[number].tag != tag:
            number = self.nodes[number].parent
        return number

    cdef const char* get(self, int number, const char* name) except? NULL:
        """The value of an attribute; NULL without. Python's errors are told by the caller."""
        return NULL

    cdef char form_of(self, int items) except? 0:
        """Return the type of an ordered list's numbers, 0 without."""
        cdef const char* form = self.get(items, "type")
        return form[0] if form is not NULL and form[0] in b"aAiI" and not form[1] else 0

    cdef int number_items(self, int items, dict numbers) except -1:
        """Number the items of an ordered list, as browsers do."""
        cdef int child = self.first_in(items), count = 0, step = 1, number
        if self.get(items, "reversed") is not NULL:
            step = -1
            while child >= 0:
                count += self.nodes[child].tag == TAG_LI
                child = self.behind(child)
        number = number_in(self.get(items, "start"), count if step < 0 else 1)
        child = self.first_in(items)
        while child >= 0:
            if self.nodes[child].tag == TAG_LI:
                number = number_in(self.get(child, "value"), number)
                numbers[child] = number
                number += step
            child = self.behind(child)
        return 0


cdef class Tree(Nodes):
    """A tree as read.

    :ivar numbers: number of each node by address, made on demand.
    :ivar held: values of attributes in several parts, kept in memory.
    :ivar looks: whether class names and styles are odd in code, once asked.
    """

    def __cinit__(self):
        self.held, self.looks = [], {}

    # Nodes

    cdef int read(self, xmlNode* top) except -1:
        """Read the nodes of a tree, without recursion."""
        cdef xmlNode* node = top
        cdef xmlNode* child
        cdef int parent = -1, before = -1, number
        while True:
            give_turn(self.count + 1, turn)
            number = self.add_node(node, name_of(node), parent, before)
            if node.type == tree.XML_ELEMENT_NODE and node.name[0] == c"b" and node.ns is NULL:
                self.has_bases |= strcmp(<const char*>node.name, "base") == 0
            child = first_of(node)
            if child is not NULL:
                node, parent, before = child, number, -1
                continue
            while True:
                self.nodes[number].end = <int>self.count
                if node is top:
                    return 0
                child = next_of(node)
                if child is not NULL:
                    node, before = child, number
                    break
                node, number = node.parent, parent
                parent = self.nodes[number].parent

    cdef int number_of(self, xmlNode* node) except -2:
        """Return the number of a node, -1 for one of another tree."""
        cdef Py_ssize_t number
        if self.numbers is None:
            self.numbers = {<uintptr_t>self.nodes[number].node: number for number in range(self.count)}
        return self.numbers.get(<uintptr_t>node, -1)

    cdef _Element element_of(self, int number):
        return cetree.elementFactory(self.document, self.nodes[number].node)

    # Attributes

    cdef const char* get(self, int number, const char* name) except? NULL:
        cdef xmlNode* node = self.nodes[number].node
        cdef xmlAttr* attribute
        if node.type != tree.XML_ELEMENT_NODE:
            return NULL
        attribute = attribute_of(node, name)
        return NULL if attribute is NULL else self.value(node, attribute)

    cdef const char* value(self, xmlNode* node, xmlAttr* attribute) except? NULL:
        cdef const char* value = value_of(attribute)
        cdef bytes joined
        if value is NULL:  # entities inside
            joined = bytes_of(node, attribute)
            self.held.append(joined)
            value = PyBytes_AS_STRING(joined)
        return value

    # Texts

    cdef int read_run(self, xmlNode* run) except -1:
        """Add the run of text that may begin with a node to :attr:`scratch`."""
        run = run_from(run)
        while run is not NULL:
            if run.content is not NULL:
                put(&self.scratch, <const char*>run.content, strlen(<const char*>run.content))
            run = run_from(run.next)
        return 0

    cdef int read_text(self, int top) except -1:
        """Read the text in an element into :attr:`scratch`, followed by an uncounted NUL."""
        cdef int number = top, ended
        self.scratch.size = 0
        while True:
            if self.nodes[number].node.type == tree.XML_ELEMENT_NODE:
                self.read_run(self.nodes[number].node.children)
            ended = number
            number += 1
            while ended > top and self.nodes[ended].end == number:
                self.read_run(self.nodes[ended].node.next)
                ended = self.nodes[ended].parent
            if number >= self.nodes[top].end:
                put(&self.scratch, b"\0", 1)
                self.scratch.size -= 1
                return 0

    cdef str found_text(self):
        """Return the text read last."""
        return PyUnicode_DecodeUTF8(self.scratch.data, self.scratch.size, NULL) if self.scratch.size else ""

    cdef str signs_in(self, int cell):
        """Return the text of a cell, with white space collapsed, ``None`` for a text with words."""
        self.read_text(cell)
        text = self.found_text()
        return None if any(map(str.isalnum, text)) else " ".join(text.split())

    cdef bint has_words_in(self, int top) noexcept:
        """Return True if an element has any text but white space."""
        cdef int number
        for number in range(top, self.nodes[top].end):
            if self.has_own_words(number):
                return True
        return False

    cdef bint has_own_words(self, int number) noexcept:
        """Return True if any text right in an element is more than white space."""
        cdef xmlNode* node = self.nodes[number].node
        cdef xmlNode* child = node.children if node.type == tree.XML_ELEMENT_NODE else NULL
        while child is not NULL:
            if is_text(child) and child.content is not NULL and not is_blank(child.content):
                return True
            child = child.next
        return False

    # Code

    cdef bint is_one_line(self, int pre) except -1:
        """Return True if code has a single line."""
        self.read_text(pre)
        return b"\n" not in (<bytes>self.scratch.data[: self.scratch.size]).strip()

    cdef bint may_be_code(self, int table) except -1:
        """Return True if a table may hold the lines of code."""
        cdef const char* classes = self.get(table, "class")
        cdef int row = self.first_of(table, TAG_TR), cell, count = 0, first = -1
        if row < 0:
            return False
        if classes is not NULL and code.is_named_code_table(classes.decode()):
            return True
        cell = self.first_in(row)
        while cell >= 0:
            if self.is_a(cell, CELL):
                count += 1
                first = cell if count == 1 else first
            cell = self.behind(cell)
        return count == 2 and self.may_be_numbers(first)

    cdef bint may_be_numbers(self, int number) noexcept:
        """Return True if the text in an element may be only numbers and white space."""
        cdef xmlNode* run
        cdef int inside
        cdef const unsigned char* at
        for inside in range(number, self.nodes[number].end):
            run = self.nodes[inside].node.children if self.nodes[inside].node.type == tree.XML_ELEMENT_NODE else NULL
            while run is not NULL:
                if is_text(run) and run.content is not NULL:
                    at = run.content
                    while at[0]:
                        if at[0] < 128 and not (48 <= at[0] <= 57 or space_at(at)):
                            return False
                        at += 1
                run = run.next
        return True

    cdef bint read_plain_code(self, int pre, bint* has_links) except -1:
        """Read code of only words and links into :attr:`scratch`; return False for code to be read line by line."""
        cdef int number
        cdef xmlNode* node
        cdef xmlAttr* attribute
        cdef const unsigned char* at
        has_links[0] = False
        if self.may_be_numbers(pre):
            return False
        for number in range(pre + 1, self.nodes[pre].end):
            node = self.nodes[number].node
            if node.type == tree.XML_COMMENT_NODE or node.type == tree.XML_PI_NODE:
                continue
            if node.type != tree.XML_ELEMENT_NODE or self.is_a(number, ODD_IN_CODE):
                return False
            has_links[0] |= self.nodes[number].tag == TAG_A
            attribute = node.properties
            while attribute is not NULL:
                if attribute.ns is NULL and self.is_odd_in_code(node, attribute):
                    return False
                attribute = attribute.next
        self.read_text(pre)
        if self.nodes[pre].end == pre + 1:
            return True
        at = <const unsigned char*>self.scratch.data
        while at[0] == 32 or 9 <= at[0] <= 13:
            at += 1
        return at[0] < 128 and not 48 <= at[0] <= 57  # else it may begin with the numbers of its lines

    cdef bint is_odd_in_code(self, xmlNode* node, xmlAttr* attribute) except -1:
        """Return True if an attribute tells that an element may be no part of the code around."""
        cdef const char* name = <const char*>attribute.name
        if strcmp(name, "class") == 0 or strcmp(name, "style") == 0:
            value = <bytes>self.value(node, attribute)
            found = self.looks.get(value)
            if found is None:
                found = self.looks[value] = code.is_odd_look(value.decode())
            return found
        return strcmp(name, "hidden") == 0 or strcmp(name, "data-line-number") == 0

    # Tasks

    cdef int task_of(self, int item, int* box) except -1:
        """Return 1 for an item that is an open task, 2 for a finished one, else 0; and set its leading box.

        Choices of a form are no tasks: boxes of tasks are disabled, or a class name says ``task``.
        """
        cdef int inside = item, outer
        cdef const char* value
        cdef bint is_task
        for _ in range(IN_ITEM):
            self.scratch.size = 0
            self.read_run(self.nodes[inside].node.children)
            put(&self.scratch, b"\0", 1)
            if self.first_in(inside) < 0 or not is_blank(<const unsigned char*>self.scratch.data):
                return 0
            inside = self.first_in(inside)
            if not self.is_a(inside, AROUND_BOX):
                break
        value = self.get(inside, "type")
        if self.nodes[inside].tag != TAG_INPUT or value is NULL or (<bytes>value).lower() != b"checkbox":
            return 0
        is_task = self.get(inside, "disabled") is not NULL
        for outer in (item, self.nodes[item].parent):
            value = NULL if outer < 0 else self.get(outer, "class")
            is_task = is_task or (value is not NULL and strstr(value, "task") is not NULL)
        box[0] = inside
        return 0 if not is_task else 1 if self.get(inside, "checked") is NULL else 2


cdef str label_of(int number, char form):
    """Return the number of an item as its list shows it."""
    cdef str label = ""
    cdef int rest = number, value
    if form in b"iI" and 0 < number < 4000:
        for value, sign in ROMAN:
            label += sign * (rest // value)
            rest %= value
    elif form in b"aA" and number > 0:
        while rest:
            label = chr(97 + (rest - 1) % 26) + label
            rest = (rest - 1) // 26
    return (label.upper() if form in b"AI" else label) or str(number)


cdef Name* name_of(xmlNode* node) noexcept nogil:
    """Return the form and kind of a node, without a key for an unknown name, which is written."""
    cdef Name* found
    if node.type != tree.XML_ELEMENT_NODE or cetree._getNs(node) is not NULL:
        return &OTHER
    found = place_of(<const char*>node.name)
    if found.key is NULL and not is_plain_name(<const char*>node.name):
        return &OTHER
    return found


cdef bint is_plain_name(const char* name) noexcept nogil:
    """See :data:`scrapy_stemmer.page.elements.NAME`."""
    if not 97 <= (<unsigned char>name[0] | 0x20) <= 122:
        return False
    while 97 <= (<unsigned char>name[0] | 0x20) <= 122 or 48 <= name[0] <= 57 or 45 <= name[0] <= 46 or name[0] == c"_":
        name += 1
    return not name[0]
