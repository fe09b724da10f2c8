# cython: boundscheck=False, wraparound=False
"""A tree as an array of nodes, read once from the nodes of libxml2.

The children of a node follow it, and its next sibling stands at its end: later questions are walks over the array.
Facts about names of elements and attributes are in one table. The tree must not change meanwhile.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint32_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset, strcmp, strstr

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer._engine.nodes cimport (
    attribute_of, bytes_of, first_of, give_turn, is_blank, next_of, resized, space_at, value_of,
)

from functools import lru_cache
from secrets import randbits

from scrapy_stemmer._engine import turn
from scrapy_stemmer.writing import code
from scrapy_stemmer.page import elements
from scrapy_stemmer.page.elements import BLOCK_LEVEL, NAME, OTHER_NAME, OTHER_NAMES, VOID
from scrapy_stemmer.writing.rewriting import CHECKED, REWRITTEN, SHOWN

cetree.import_lxml__etree()

# Names of elements and attributes

cdef enum:
    ROOM = 1024  # for known names; a power of two

cdef Name[ROOM] NAMES
memset(NAMES, 0, sizeof(NAMES))

# For nodes without a name known to all parsers, and for names without facts.
cdef Name OTHER
OTHER.key, OTHER.begins, OTHER.ends, OTHER.facts = "", "<span", "</span>", 0

FACTS = {
    WITHOUT: elements.WITHOUT_TEXT, BLOCK: BLOCK_LEVEL, ANEW: REWRITTEN, SHOWN_ALONE: SHOWN, WHOLE: elements.WHOLE,
    INLINE_WRAPPER: elements.WRAPPERS.difference({"div"}), BLOCK_WRAPPER: {"div"}, IS_PRE: {"pre"}, IS_FIGURE: {"figure"},
    COPIED: elements.KEPT_ATTRIBUTES, IS_CHECKED: CHECKED, PARTS: elements.PARTING, BREAKS: {"br"}, IS_IMAGE: {"img"},
    IS_LINK: {"a"}, IS_SPAN: {"span"}, IS_CELL: {"td", "th"}, IS_BOX: {"input", "label"}, IS_RULE: {"hr"},
    IS_ITEM: {"li"}, IS_NOSCRIPT: {"noscript"}, IS_PARAGRAPH: {"p"}, IS_CAPTION: {"figcaption"}, IS_TABLE: {"table"},
    IS_ROW: {"tr"}, IS_CODE: {"code"}, IS_PICTURE: {"picture"},
    ODD_IN_CODE: code.ODD_ELEMENTS | BLOCK_LEVEL | code.LINES, AROUND_CODE: code.AROUND, IS_DIV: {"div"},
}

HELD = []  # targets of the table


def fill_names():
    cdef bytes key, begins, ends
    cdef Name* name
    for each in sorted(set().union(*FACTS.values(), VOID, OTHER_NAMES)):
        written = OTHER_NAMES.get(each, each) if NAME.fullmatch(each) else OTHER_NAME
        key, begins = each.encode(), f"<{written}".encode()
        ends = b"" if written in VOID else f"</{written}>".encode()
        HELD.append((key, begins, ends))
        name = place_of(key)
        name.key, name.begins, name.ends = key, begins, ends
        name.facts = sum(fact for fact, names in FACTS.items() if each in names)


cdef inline uint32_t hash_of(const char* text, uint32_t seed) noexcept nogil:
    cdef uint32_t found = seed
    while text[0]:
        found = (found ^ <unsigned char>text[0]) * 16777619
        text += 1
    return found ^ (found >> 15)


cdef Name* place_of(const char* name) noexcept nogil:
    """Return the place of a name in the table, or a free place for it."""
    cdef uint32_t at = hash_of(name, 2166136261) % ROOM
    while NAMES[at].key is not NULL and strcmp(NAMES[at].key, name) != 0:
        at = (at + 1) % ROOM
    return &NAMES[at]


fill_names()


cdef uint32_t SEED = randbits(32)  # pages can't choose names that collide


cdef int* found_in(Memo* memo, const char* key) noexcept nogil:
    """Return the place of a text's number, or NULL."""
    cdef size_t at
    if not memo.room:
        return NULL
    at = hash_of(key, SEED) & (memo.room - 1)
    while memo.keys[at] is not NULL:
        if strcmp(memo.keys[at], key) == 0:
            return &memo.values[at]
        at = (at + 1) & (memo.room - 1)
    return NULL


cdef int note(Memo* memo, const char* key, int value) except -1:
    """Note the number of a new text."""
    cdef Memo larger
    cdef size_t at, each
    if 2 * (memo.count + 1) > memo.room:
        memset(&larger, 0, sizeof(Memo))
        larger.room = 4 * memo.room if memo.room else 64
        larger.keys = <const char**>calloc(larger.room, sizeof(char*))
        larger.values = <int*>calloc(larger.room, sizeof(int))
        if larger.keys is NULL or larger.values is NULL:
            free_memo(&larger)
            raise MemoryError
        for each in range(memo.room):
            if memo.keys[each] is not NULL:
                note(&larger, memo.keys[each], memo.values[each])
        free_memo(memo)
        memo[0] = larger
    at = hash_of(key, SEED) & (memo.room - 1)
    while memo.keys[at] is not NULL:
        at = (at + 1) & (memo.room - 1)
    memo.keys[at], memo.values[at] = key, value
    memo.count += 1
    return 0


cdef void free_memo(Memo* memo) noexcept nogil:
    free(memo.keys)
    free(memo.values)
    memset(memo, 0, sizeof(Memo))


REMEMBERED = 100  # bytes of the longest texts remembered from page to page; longer texts are of hostile pages


@lru_cache(2048)
def answer_of(int memory, bytes text):
    """Python's answer on a text, such as class names."""
    return (code.is_odd_look if memory == ODD_LOOK else code.is_named_code_table)(text.decode())


cdef class Tree:
    """A tree as read.

    :ivar nodes: the nodes in order.
    :ivar numbers: number of each node by address, made on demand.
    :ivar held: values of attributes in several parts, kept in memory.
    :ivar memories: Python's answers on texts, such as class names.
    """

    def __cinit__(self):
        self.held = []

    def __dealloc__(self):
        free(self.nodes)
        free(self.numbers)
        free(self.scratch.data)
        for memory in range(MEMORIES):
            free_memo(&self.memories[<int>memory])

    # Nodes

    cdef int read(self, xmlNode* top) except -1:
        """Read the nodes of a tree, without recursion."""
        cdef xmlNode* node = top
        cdef xmlNode* child
        cdef int parent = -1, before = -1, number
        while True:
            give_turn(self.count + 1, turn)
            number = self.add_node(node, parent, before)
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

    cdef int add_node(self, xmlNode* node, int parent, int before) except -1:
        cdef Node* found
        if self.count == self.room:
            self.room = 2 * self.room + 512
            if self.room > 0x40000000:
                raise MemoryError
            self.nodes = <Node*>resized(self.nodes, self.room * sizeof(Node))
        found = &self.nodes[self.count]
        found.node, found.parent, found.before, found.flags = node, parent, before, 0
        found.facts = self.facts_of(node)
        if node.type == tree.XML_ELEMENT_NODE and node.ns is NULL and strcmp(<const char*>node.name, "base") == 0:
            self.has_bases = True
        self.count += 1
        return <int>self.count - 1

    cdef unsigned int facts_of(self, xmlNode* node) noexcept:
        """Return the facts about a node's name; a name is one string in the whole document."""
        cdef Seen* seen
        if node.type != tree.XML_ELEMENT_NODE or node.ns is not NULL:
            return name_of(node).facts
        seen = &self.seen[(<uintptr_t>node.name >> 3) % SEEN]
        if seen.key is not <const char*>node.name:
            seen.key, seen.facts = <const char*>node.name, name_of(node).facts
        return seen.facts

    cdef int number_of(self, xmlNode* node) except -2:
        cdef size_t at
        cdef Py_ssize_t number
        if self.numbers is NULL:
            self.numbers_room = 64
            while self.numbers_room < <size_t>(2 * self.count):
                self.numbers_room *= 2
            self.numbers = <int*>calloc(self.numbers_room, sizeof(int))
            if self.numbers is NULL:
                raise MemoryError
            for number in range(self.count):
                at = self.place_in_numbers(self.nodes[number].node)
                self.numbers[at] = <int>number + 1
        return self.numbers[self.place_in_numbers(node)] - 1

    cdef size_t place_in_numbers(self, xmlNode* node) noexcept:
        cdef size_t at = (<uintptr_t>node >> 4) * <size_t>0x9E3779B97F4A7C15
        at = (at >> 20) & (self.numbers_room - 1)
        while self.numbers[at] and self.nodes[self.numbers[at] - 1].node is not node:
            at = (at + 1) & (self.numbers_room - 1)
        return at

    cdef bint holds_any(self, int top, unsigned int fact) noexcept nogil:
        """Return True if anything is known, by name, of a node or a descendant."""
        return self.first_with(top, fact) >= 0

    cdef int first_with(self, int top, unsigned int fact) noexcept nogil:
        """Return the first of a node and its descendants with a fact about its name, or -1."""
        cdef int number
        for number in range(top, self.nodes[top].end):
            if self.nodes[number].facts & fact:
                return number
        return -1

    cdef _Element element_of(self, int number):
        return cetree.elementFactory(self.document, self.nodes[number].node)

    # Attributes

    cdef const char* get(self, int number, const char* name) except? NULL:
        """The value of an attribute; NULL without. Python's errors are told by the caller."""
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

    cdef const char* held_value(self, str text) except NULL:
        """Return the bytes of a text, kept in memory."""
        cdef bytes encoded = text.encode("utf-8", "replace")
        self.held.append(encoded)
        return PyBytes_AS_STRING(encoded)

    # Code

    cdef bint may_be_code(self, int table) except -1:
        """Return True if a table may hold the lines of code."""
        cdef const char* classes = self.get(table, "class")
        cdef int row = self.first_with(table, IS_ROW), cell, count = 0, first = -1
        if row < 0:
            return False
        if classes is not NULL and self.remembered(CODE_TABLE, classes):
            return True
        cell = self.first_in(row)
        while cell >= 0:
            if self.is_a(cell, IS_CELL):
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

    cdef bint remembered(self, int memory, const char* text) except -1:
        """Return Python's answer on a text, such as class names, asked once."""
        cdef int* found = found_in(&self.memories[memory], text)
        cdef bint answer
        if found is not NULL:
            return found[0]
        key = <bytes>text
        answer = (answer_of if len(key) <= REMEMBERED else answer_of.__wrapped__)(memory, key)
        note(&self.memories[memory], text, answer)
        return answer

    cdef bint is_plain_code(self, int pre, bint* has_links, bint* has_lines, bint* has_parts) except -1:
        """Return True if names and styles show only words of code inside; note links and possible lines.

        :param has_parts: noted for ``div`` elements, which are no words with ``NULL``.
        """
        cdef int number
        cdef xmlNode* node
        cdef xmlAttr* attribute
        for number in range(pre + 1, self.nodes[pre].end):
            node = self.nodes[number].node
            if node.type == tree.XML_COMMENT_NODE or node.type == tree.XML_PI_NODE:
                continue
            if node.type != tree.XML_ELEMENT_NODE:
                return False
            if has_parts is not NULL and self.is_a(number, IS_DIV):
                has_parts[0] = True
            elif self.is_a(number, ODD_IN_CODE):
                return False
            has_links[0] |= self.is_a(number, IS_LINK)
            attribute = node.properties
            while attribute is not NULL:
                if attribute.ns is NULL and not self.is_plain_in_code(node, attribute, has_lines):
                    return False
                attribute = attribute.next
        return True

    cdef bint is_plain_in_code(self, xmlNode* node, xmlAttr* attribute, bint* has_lines) except -1:
        """Return True unless an attribute tells that an element is no part of the code around."""
        cdef const char* name = <const char*>attribute.name
        cdef const char* value
        if strcmp(name, "class") == 0 or strcmp(name, "style") == 0:
            value = self.value(node, attribute)
            has_lines[0] |= strstr(value, "line") is not NULL
            return not self.remembered(ODD_LOOK, value)
        return strcmp(name, "hidden") != 0 and strcmp(name, "data-line-number") != 0

    cdef bint reads_as_lines(self, bint has_lines, bint is_html) noexcept:
        """Return True if the code read may begin with line numbers, or have lines without line breaks."""
        cdef const unsigned char* at = <const unsigned char*>self.scratch.data
        cdef const unsigned char* end = at + self.scratch.size
        cdef const unsigned char* line
        while at < end:
            if is_html and at[0] == c"<":
                while at[0] != c">":
                    at += 1
                at += 1
            elif at[0] == 32 or 9 <= at[0] <= 13:
                at += 1
            else:
                break
        if at == end or at[0] >= 128 or 48 <= at[0] <= 57 or (is_html and at[0] == c"&" and at[1] == c"#"):
            return True
        if not has_lines:
            return False
        while end > at and (end[-1] == 32 or 9 <= end[-1] <= 13):
            end -= 1
        line = at
        while line < end and line[0] != c"\n" and line[0] < 128 and line[0] != c"\r":
            if is_html and line[0] == c"&" and line[1] == c"#":
                break
            line += 1
        return line == end or line[0] != c"\n"

    cdef bint has_words_in(self, int top) noexcept:
        """Return True if an element has any text but white space."""
        cdef int number
        cdef xmlNode* child
        for number in range(top, self.nodes[top].end):
            child = self.nodes[number].node.children if self.nodes[number].node.type == tree.XML_ELEMENT_NODE else NULL
            while child is not NULL:
                if is_text(child) and child.content is not NULL and not is_blank(child.content):
                    return True
                child = child.next
        return False


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
