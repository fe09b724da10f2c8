# cython: boundscheck=False, wraparound=False
"""HTML as movable elements, from a tree of lxml or as written by `prune`.

Output of `prune` is read without a parser: elements end where they say, values are in quotes, few characters are
escaped. Some elements end others to a parser. The parser is asked once for each pair of names.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdlib cimport free
from libc.string cimport memchr, memcpy, memset, strchr, strcmp, strlen, strncmp

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer._engine.lines cimport Room, free_room, kept
from scrapy_stemmer._engine.nodes cimport Buffer, bytes_of, first_of, give_turn, next_of, node_of, put, resized, run_from, value_of
from scrapy_stemmer._engine.tree cimport Memo, found_in, note

from lxml import etree

from scrapy_stemmer._engine import turn
from scrapy_stemmer.page import elements
from scrapy_stemmer.writing import code
from scrapy_stemmer.page.document import parse

cetree.import_lxml__etree()

# Names of elements and attributes

TAGS = (
    "", "a", "img", "br", "hr", "math", "pre", "input", "ol", "ul", "menu", "dir", "li", "dd", "dt", "p", "div", "span",
    "table", "tr", "td", "th", "caption", "blockquote", "sub", "sup", "rt", "rp", "aside", "label", "code", "body", "base",
    "h1", "h2", "h3", "h4", "h5", "h6", "b", "strong", "i", "em", "cite", "del", "s", "strike",
)

FACTS = {
    BLOCK: elements.BLOCK_LEVEL, LIST: {"ol", "ul", "menu", "dir"}, HEADING: elements.HEADINGS, CELL: {"td", "th"},
    NO_CODE: code.NO_CODE, CODE: {"code", "kbd", "samp", "tt"}, NOTE: {"li", "p", "div", "dd", "aside"},
    NO_CELL: elements.HEADINGS | {"table", "pre", "blockquote"},
    ODD_IN_CODE: code.ODD_ELEMENTS | elements.BLOCK_LEVEL | code.LINES, IN_CODE_BLOCK: code.AROUND,
    AROUND_BOX: {"label", "p", "div"},
    EMPHASIS: {"b", "strong", "i", "em", "cite", "del", "s", "strike"},
    EMPTY: elements.VOID,
    # Names with a special place in parsers, or without markup inside.
    PARSED_OTHERWISE: elements.RAW | frozenset(
        "html head body title textarea select option optgroup frameset frame base meta link isindex svg embed area "
        "basefont bgsound param object applet".split()
    ),
}

ATTRIBUTES = (
    "href", "name", "id", "style", "class", "start", "reversed", "value", "type", "checked", "disabled", "src", "alt",
    "colspan", "rowspan", "display", "hidden", "data-line-number", "data-lang", "data-language", "data-code-lang", "language",
)

cdef enum:
    NAMES = 256
    MAX_DEPTH = 200  # nested elements read without a parser

cdef Memo TAG_NUMBERS, ATTRIBUTE_NUMBERS
memset(&TAG_NUMBERS, 0, sizeof(Memo))
memset(&ATTRIBUTE_NUMBERS, 0, sizeof(Memo))
cdef unsigned int[NAMES] FACTS_OF
# By the names of two elements: 1 if the second does not end the first, 2 if it does, 0 if unknown.
cdef unsigned char[NAMES * NAMES] ENDS
memset(FACTS_OF, 0, sizeof(FACTS_OF))
memset(ENDS, 0, sizeof(ENDS))

HELD = []  # targets of the tables
NAMES_OF = [*TAGS, *sorted(set().union(*FACTS.values(), elements.INLINE).difference(TAGS))]


def fill_names():
    cdef bytes key
    if len(NAMES_OF) > NAMES:
        raise ImportError("there are more names than the tables have room for")
    for number, name in enumerate(NAMES_OF):
        key = name.encode()
        HELD.append(key)
        if name:
            note(&TAG_NUMBERS, key, number)
        FACTS_OF[<int>number] = sum(fact for fact, names in FACTS.items() if name in names)
    for number, name in enumerate(ATTRIBUTES):
        key = name.encode()
        HELD.append(key)
        note(&ATTRIBUTE_NUMBERS, key, number)


fill_names()


cdef bint ends(int outer, int inner) except -1:
    """Return True if the start of an element ends its parent, by the parser."""
    cdef unsigned char* found = &ENDS[outer * NAMES + inner]
    if not found[0]:
        first, second = NAMES_OF[outer] or "x-y", NAMES_OF[inner] or "x-z"
        inside = etree.fromstring(f"<div><{first}><{second}>", etree.HTMLParser()).find(f".//{first}//{second}")
        found[0] = 2 if inside is None or inside.getparent().tag != first else 1
    return found[0] == 2


cdef class Markup:
    """Elements of HTML.

    :ivar items: the elements in order, the root first, then added elements.
    :ivar texts: texts and values outside of trees and :attr:`own`.
    :ivar text_read: the text read last.
    :ivar own: the HTML if read without a parser, with texts and values as parts.
    :ivar elements: elements of lxml in order, made on demand.
    """

    def __dealloc__(self):
        free(self.items)
        free(self.attributes)
        free(self.text_read.data)
        free(self.own)
        free_room(&self.texts)

    # Reading a tree

    cdef int read_tree(self, root) except -1:
        cdef xmlNode* top = node_of(root)
        cdef xmlNode* node = top
        cdef xmlNode* child
        cdef int parent = -1, item
        self.document = (<_Element>root)._doc
        while True:
            give_turn(self.count, turn)
            item = self.add_item(<const char*>node.name, parent)
            self.items[item].node = node
            self.read_run(node.children, &self.items[item].text)
            if node is not top:
                self.read_run(node.next, &self.items[item].tail)
            self.read_attributes(node)
            child = first_of(node)
            if child is not NULL:
                node, parent = child, item
                continue
            while True:
                if node is top:
                    return 0
                child = next_of(node)
                if child is not NULL:
                    node = child
                    break
                node, parent = node.parent, self.items[parent].parent

    cdef int read_run(self, xmlNode* node, const char** text) except -1:
        """Read the run of text that may begin with a node."""
        cdef xmlNode* first = run_from(node)
        text[0] = NULL
        if first is NULL:
            return 0
        node = run_from(first.next)
        text[0] = <const char*>first.content
        if node is NULL:
            return 0
        self.text_read.size = 0
        node = first
        while node is not NULL:
            if node.content is not NULL:
                put(&self.text_read, <const char*>node.content, strlen(<const char*>node.content))
            node = run_from(node.next)
        text[0] = kept(&self.texts, self.text_read.data, self.text_read.size)
        return 0

    cdef int read_attributes(self, xmlNode* node) except -1:
        cdef xmlAttr* attribute = node.properties
        cdef const char* value
        while attribute is not NULL:
            if attribute.ns is NULL and found_in(&ATTRIBUTE_NUMBERS, <const char*>attribute.name) is not NULL:
                value = value_of(attribute)
                if value is NULL:  # entities inside
                    joined = bytes_of(node, attribute)
                    value = kept(&self.texts, joined, len(joined))
                self.add_attribute(self.count - 1, <const char*>attribute.name, value)
            attribute = attribute.next
        return 0

    # Reading HTML

    cdef bint read_html(self, str html) except -1:
        """Read HTML as written by `prune`, and return True on success. A parser may read the rest otherwise."""
        cdef bytes encoded = html.encode("utf-8", "replace")
        cdef Py_ssize_t size = PyBytes_GET_SIZE(encoded)
        self.html = html
        self.own = <char*>resized(NULL, size + 1)
        memcpy(self.own, PyBytes_AS_STRING(encoded), size + 1)
        self.add_item("html", -1)
        self.add_item("body", 0)
        if memchr(self.own, 0, size) is NULL and self.read_parts(self.own, self.own + size):
            return True
        self.count = self.attributes_count = 0
        return False

    cdef bint read_parts(self, char* at, char* end) except -1:
        """Read elements and texts into the text itself; return False where a parser is needed."""
        cdef int item = 1, depth = 0, begun
        cdef char* begin
        cdef bint is_end
        cdef size_t size
        cdef Py_ssize_t step = 0
        while at < end:
            give_turn(step, turn)
            step += 1
            if at[0] != c"<":
                begin = at
                at = <char*>memchr(at, c"<", end - at)
                if at is NULL or (item == 1 and self.items[1].first < 0) or not unescape(begin, at):
                    return False
                if self.items[item].last < 0:
                    self.items[item].text = begin
                else:
                    self.items[self.items[item].last].tail = begin
            if at[1] == c"/":
                size = strlen(self.items[item].name)
                if item == 1 or strncmp(at + 2, self.items[item].name, size) != 0 or at[2 + size] != c">":
                    return False
                at[0] = 0
                at += 3 + size
                item = self.items[item].parent
                depth -= 1
                continue
            at[0] = 0
            at = self.read_start(at + 1, item, &begun)
            if at is NULL:
                return False
            if not self.items[begun].facts & EMPTY:
                item = begun
                depth += 1
                if depth > MAX_DEPTH:
                    return False
        return item == 1

    cdef char* read_start(self, char* at, int parent, int* item) except? NULL:
        """Read the start of an element; NULL where a parser has to."""
        cdef char* name = at
        cdef char* value
        cdef char behind
        while 97 <= at[0] <= 122 or 48 <= at[0] <= 57 or at[0] == c"-" or at[0] == c"_" or at[0] == c".":
            at += 1
        behind = at[0]
        at[0] = 0
        if not 97 <= name[0] <= 122:
            return NULL
        item[0] = self.add_item(name, parent)
        if self.items[item[0]].facts & PARSED_OTHERWISE or ends(self.items[parent].tag, self.items[item[0]].tag):
            return NULL
        while behind == c" ":
            at += 1
            name = at
            while 97 <= at[0] <= 122 or 48 <= at[0] <= 57 or at[0] == c"-" or at[0] == c"_" or at[0] == c".":
                at += 1
            if at == name:
                return NULL
            behind = at[0]
            at[0] = 0
            value = at
            if behind == c"=":
                value = at + 2
                at = strchr(value, c'"') if at[1] == c'"' else NULL
                if at is NULL or not unescape(value, at):
                    return NULL
                at += 1
                behind = at[0]
            self.add_attribute(item[0], name, value)
        return at + 1 if behind == c">" else NULL

    # Elements

    cdef int add_item(self, const char* name, int parent) except -1:
        """Add an element as the last child of a parent."""
        cdef Item* item
        if self.count == self.room:
            if self.room > 0x20000000:
                raise MemoryError
            self.items = <Item*>resized(self.items, (2 * self.room + 256) * sizeof(Item))
            self.room = 2 * self.room + 256
        item = &self.items[self.count]
        memset(item, 0, sizeof(Item))
        item.parent = item.first = item.last = item.next = item.before = item.note = item.mark = -1
        item.attributes = self.attributes_count
        self.count += 1
        self.name_item(self.count - 1, name)
        if parent >= 0:
            self.put_behind(self.count - 1, parent)
        return self.count - 1

    cdef int name_item(self, int item, const char* name) except -1:
        """Give an element a name that stays in memory."""
        cdef int* found = found_in(&TAG_NUMBERS, name)
        self.items[item].name = name
        self.items[item].tag = 0 if found is NULL else found[0]
        self.items[item].facts = FACTS_OF[self.items[item].tag]
        return 0

    cdef int add_attribute(self, int item, const char* name, const char* value) except -1:
        """Add an attribute to the last element, if it is ever read."""
        cdef int* found = found_in(&ATTRIBUTE_NUMBERS, name)
        if found is NULL:
            return 0
        if self.attributes_count == self.attributes_room:
            self.attributes = <Attribute*>resized(self.attributes, (2 * self.attributes_room + 256) * sizeof(Attribute))
            self.attributes_room = 2 * self.attributes_room + 256
        self.attributes[self.attributes_count].name = found[0]
        self.attributes[self.attributes_count].value = value
        self.attributes_count += 1
        self.items[item].attributes_count += 1
        return 0

    cdef element_of(self, int number):
        """Return the lxml element of an element."""
        if self.items[number].node is not NULL:
            return cetree.elementFactory(self.document, self.items[number].node)
        if self.elements is None:
            self.elements = list(parse(self.html).iter())
        return self.elements[number]

    cdef const char* get(self, int item, int name) noexcept nogil:
        """The value of an attribute; NULL without."""
        cdef int number
        for number in range(self.items[item].attributes, self.items[item].attributes + self.items[item].attributes_count):
            if self.attributes[number].name == name:
                return self.attributes[number].value
        return NULL

    cdef int drop(self, int item, int name) noexcept nogil:
        """Take away an attribute."""
        cdef int number
        for number in range(self.items[item].attributes, self.items[item].attributes + self.items[item].attributes_count):
            if self.attributes[number].name == name:
                self.attributes[number].name = -1
        return 0

    cdef int following(self, int item, int top) noexcept nogil:
        """Return the next element within an ancestor; -1 behind the last."""
        if self.items[item].first >= 0:
            return self.items[item].first
        while item != top:
            if self.items[item].next >= 0:
                return self.items[item].next
            item = self.items[item].parent
        return -1

    cdef int first_of(self, int top, int tag) noexcept nogil:
        """Return the first descendant of a name, or -1."""
        cdef int item = self.following(top, top)
        while item >= 0 and self.items[item].tag != tag:
            item = self.following(item, top)
        return item

    cdef int first_with(self, int top, unsigned int facts) noexcept nogil:
        """Return the first descendant with a fact about its name, or -1."""
        cdef int item = self.following(top, top)
        while item >= 0 and not self.items[item].facts & facts:
            item = self.following(item, top)
        return item

    cdef int around(self, int item, int tag) noexcept nogil:
        """Return the innermost ancestor of a name, or -1."""
        item = self.items[item].parent
        while item >= 0 and self.items[item].tag != tag:
            item = self.items[item].parent
        return item

    cdef int around_with(self, int item, unsigned int facts) noexcept nogil:
        """Return the innermost ancestor with a fact about its name, or -1."""
        item = self.items[item].parent
        while item >= 0 and not self.items[item].facts & facts:
            item = self.items[item].parent
        return item

    cdef bint is_in(self, int item, int outer) noexcept nogil:
        """Return True if an element is within a second, or equal."""
        while item >= 0 and item != outer:
            item = self.items[item].parent
        return item >= 0

    cdef int read_text(self, int top) except -1:
        """Read the text of an element into :attr:`text_read`, followed by an uncounted NUL."""
        cdef int item = top
        self.text_read.size = 0
        while True:
            self.put_text(self.items[item].text)
            if self.items[item].first >= 0:
                item = self.items[item].first
                continue
            while item != top:
                self.put_text(self.items[item].tail)
                if self.items[item].next >= 0:
                    item = self.items[item].next
                    break
                item = self.items[item].parent
            else:
                put(&self.text_read, b"\0", 1)
                self.text_read.size -= 1
                return 0

    cdef int put_text(self, const char* text) except -1:
        return 0 if text is NULL else put(&self.text_read, text, strlen(text))

    # Moving

    cdef int put_behind(self, int item, int parent) noexcept nogil:
        """Put an element at the end of a second."""
        cdef Item* outer = &self.items[parent]
        self.items[item].parent, self.items[item].before, self.items[item].next = parent, outer.last, -1
        if outer.last >= 0:
            self.items[outer.last].next = item
        else:
            outer.first = item
        outer.last = item
        return 0

    cdef int take_out(self, int item) noexcept nogil:
        """Take an element, with its tail, out of its parent."""
        cdef Item* each = &self.items[item]
        cdef Item* outer = &self.items[each.parent]
        if each.before >= 0:
            self.items[each.before].next = each.next
        else:
            outer.first = each.next
        if each.next >= 0:
            self.items[each.next].before = each.before
        else:
            outer.last = each.before
        each.parent = each.before = each.next = -1
        return 0


cdef const char* ESCAPES[6]  # characters with their escapes
ESCAPES[:] = ["&&amp;", "<&lt;", ">&gt;", '"&quot;', "'&#x27;", "\r&#13;"]


cdef bint unescape(char* begin, char* end) noexcept nogil:
    """Replace the escapes of `prune` in place, and end the text with NUL; return False for further escapes."""
    cdef char* at = <char*>memchr(begin, c"&", end - begin)
    cdef char* written = at
    cdef const char* escape
    if at is NULL:
        end[0] = 0
        return True
    while at < end:
        if at[0] != c"&":
            written[0] = at[0]
            at += 1
        else:
            for escape in ESCAPES:
                if strncmp(at, escape + 1, strlen(escape) - 1) == 0:
                    written[0] = escape[0]
                    at += strlen(escape) - 1
                    break
            else:
                return False
        written += 1
    written[0] = 0
    return True
