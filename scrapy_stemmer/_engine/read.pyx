# cython: boundscheck=False, wraparound=False
"""Walk over a page's shown elements on the nodes of libxml2; see :mod:`scrapy_stemmer.learners.rules.site.columns`.

No Python object is made for an element, only for results. The tree must not change meanwhile.
"""

from functools import lru_cache

from lxml import etree

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset, strchr, strcmp, strlen

cimport lxml.includes.etreepublic as cetree
from lxml.includes.etreepublic cimport _Document, _Element
from lxml.includes.tree cimport XML_COMMENT_NODE, XML_ELEMENT_NODE, XML_PI_NODE, xmlAttr, xmlNode

from scrapy_stemmer._engine.nodes cimport (
    Buffer, attribute_of, bytes_of, first_of, following, give_turn, is_blank, next_of, node_of, parent_of, put,
    reserve, run_from, says_word, sign_at, space_at, text_of, value_of,
)
from scrapy_stemmer._engine.page cimport Block, Element, Link, ReadPage, Sign

from scrapy_stemmer._engine import turn
from scrapy_stemmer.page.elements import HIDDEN_FORMULA, MARKS, MAX_INSIDE as INSIDE, MAX_MARK as MARK, UNSEEN_NAMES
from scrapy_stemmer.page.elements import has_unseen_name, is_mark, is_named_permalink, keeps_space
from scrapy_stemmer.page.text import UNWANTED
from scrapy_stemmer.learners.rules.site import columns as plain
from scrapy_stemmer.learners.rules.site.columns import Signature

cetree.import_lxml__etree()

cdef int BLOCK = plain.KIND_BLOCK
cdef int UNREAD = plain.KIND_UNREAD
cdef int CUTTER = plain.KIND_CUTTER
cdef int LINK = plain.KIND_LINK
cdef int DRAWING = plain.KIND_DRAWING
cdef int CUSTOM = plain.KIND_CUSTOM
cdef int INLINE = plain.KIND_INLINE
cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(uint32_t sign) nogil

cdef Py_ssize_t MAX_INSIDE = INSIDE
cdef Py_ssize_t MAX_MARK = MARK
cdef tuple UNSEEN = tuple(name.encode() for name in sorted({*UNSEEN_NAMES, HIDDEN_FORMULA}))
cdef size_t LEAST_UNSEEN = min(map(len, UNSEEN))

cdef enum:
    # Room for names of elements during a walk.
    NAMES = 512
    # Bytes of the longest names remembered from page to page; longer names are of hostile pages.
    REMEMBERED = 512
    # Effects of a style.
    HIDES = 1
    SPACES = 2
    CONCEALS = 4


def read_page(_Element body not None, signatures, dict marked=None, parted=()):
    """See :data:`scrapy_stemmer.learners.rules.site.reading.read_page`."""
    cdef xmlNode* top = node_of(body)
    if top.type != XML_ELEMENT_NODE:  # a tree of a comment alone, with text as in an element
        alone = etree.Element("body")
        alone.text = UNWANTED.sub("", body.text or "")
        return read_page(alone, signatures, marked)
    cdef _Walk walk = _Walk(signatures)
    walk.document, walk.marked = body._doc, marked or None
    if parted:
        walk.parted = {<uintptr_t>node_of(element) for element in parted}
    walk.read(top)
    walk.page.trim()
    return walk.page


def within_lines(elements):
    """See :data:`scrapy_stemmer.learners.rules.site.reading.within_lines`."""
    cdef _Walk walk = _Walk(plain.Signatures())
    cdef _Element element
    return [element for element in elements if walk.is_within_line(node_of(element))]


def elements_at(_Element body not None, numbers):
    """See :data:`scrapy_stemmer.learners.rules.site.reading.elements_at`."""
    cdef xmlNode* top = node_of(body)
    cdef xmlNode* node = top
    cdef Py_ssize_t number = 0, wanted
    cdef dict found = {}
    for wanted in sorted(numbers):
        while number < wanted:
            node = following(node, top)
            if node is NULL:
                return found
            number += 1
        found[wanted] = cetree.elementFactory(body._doc, node)
    return found


cdef struct _Name:
    # Facts about elements by name. A name is one string in the whole document.
    const unsigned char* key
    int kind
    bint is_time


cdef enum:
    # Attributes read of an element
    CLASS, ID, HREF, HIDDEN, STYLE, ROLE, LABEL, UNSAID, ATTRIBUTES

cdef const char* ATTRIBUTE_NAMES[8]
ATTRIBUTE_NAMES[:] = ["class", "id", "href", "hidden", "style", "role", "aria-labelledby", "aria-hidden"]
cdef unsigned char FIRST[256]  # attributes by the first letter of their names
memset(FIRST, ATTRIBUTES, sizeof(FIRST))
for number in reversed(range(ATTRIBUTES)):
    FIRST[ATTRIBUTE_NAMES[<int>number][0]] = number


cdef struct _Open:
    # An element around the current place: its number, and 1 if white space counts.
    Py_ssize_t number
    bint is_spaced


cdef class _Walk:
    """Walk over a tree, with the text of the current block at the end of the page's texts.

    :ivar open: open elements, the current element last.
    :ivar start: place of the current text,
    :ivar length: and its characters, white space left out.
    :ivar has_gap: True behind white space.
    :ivar pending_spaced: True if the text begins where white space counts.
    """

    cdef _Document document
    cdef object signatures
    cdef dict by_bytes
    cdef dict marked
    cdef set parted
    cdef bytes address
    cdef ReadPage page
    cdef _Name[NAMES] names
    cdef xmlAttr* found[ATTRIBUTES]
    cdef Buffer key, open
    cdef Py_ssize_t node, links, linked, number, start, length
    cdef int effects  # of the current element's style
    cdef bint has_time, is_spaced, pending_spaced, has_gap
    cdef unsigned char seen

    def __cinit__(self, signatures not None):
        self.signatures, self.by_bytes = signatures, signatures.by_bytes
        self.page = ReadPage()
        self.node = -1

    def __dealloc__(self):
        free(self.key.data)
        free(self.open.data)

    cdef int read(self, xmlNode* top) except -1:
        """Note the content of an element. The way back up is by the nodes' own parents."""
        cdef xmlNode* element = top
        cdef xmlNode* child = first_of(top)
        cdef Py_ssize_t steps = 0
        cdef _Open around
        self.look_at(top)
        self.is_spaced = self.has_effect(SPACES)
        self.enter(top, "body")
        self.add_text(top.children, 0)
        while True:
            steps += 1
            give_turn(steps, turn)
            if child is not NULL:
                self.number += 1
                around.number, around.is_spaced = self.number, self.is_spaced
                if self.begin(child):
                    put(&self.open, <const char*>&around, sizeof(around))
                    element = child
                    child = first_of(child)
                    continue
                element = child
                self.pass_over(element)
            elif element is top:
                self.flush()
                return 0
            else:
                self.end(element)
                self.open.size -= sizeof(around)
                around = (<_Open*>(self.open.data + self.open.size))[0]
            self.is_spaced = around.is_spaced
            self.add_text(element.next, 2 * around.number + 1)
            if self.parted is not None and self.length and <uintptr_t>element in self.parted:
                self.has_gap = True
                self.add_piece(2 * around.number + 1)
            child = next_of(element)
            element = element.parent

    cdef bint begin(self, xmlNode* element) except -1:
        """Note the start of an element and its text, and return True to go on with the content."""
        cdef _Name name
        cdef const char* address
        if element.type != XML_ELEMENT_NODE:
            return False
        name = self.name_of(element)[0]  # a later name may take its entry
        if name.kind == UNREAD or (name.kind == DRAWING and self.is_line_icon(element)):
            return False
        if self.marked is not None and self.marked.get(self.number) is False:
            return False
        self.look_at(element)
        if self.is_block(element, name.kind, self.number):
            if self.found[CLASS] is not NULL and is_folding(value_of(self.found[CLASS])):
                return False
            self.flush()
            self.enter(element, <const char*>element.name)
        else:
            if element.properties is not NULL and self.is_unseen(element):
                return False
            if name.kind == LINK and self.found[HREF] is not NULL:
                address = self.address_of(element)
                if address[0]:
                    if strchr(address, c"#") is not NULL and (self.is_permalink(element) or self.is_of_generator(element, address)):
                        return False
                    self.add_link(address)
                self.links += 1
            elif name.kind == CUTTER:
                self.flush()
        self.is_spaced |= self.has_effect(SPACES)
        if self.add_text(element.children, 2 * self.number) and name.is_time:
            self.has_time = True
        return True

    cdef int pass_over(self, xmlNode* top) except -1:
        """Count the elements in an unread element."""
        cdef xmlNode* node = following(top, top)
        while node is not NULL:
            self.number += 1
            node = following(node, top)
        return 0

    cdef int end(self, xmlNode* element) except -1:
        """Note the end of an element."""
        cdef int kind = self.name_of(element).kind
        if self.is_block(element, kind, (<_Open*>(self.open.data + self.open.size - sizeof(_Open))).number):
            self.flush()
            self.node = self.page.elements_()[self.node].parent
        elif kind == LINK and attribute_of(element, "href") is not NULL:
            self.links -= 1
        return 0

    cdef bint is_block(self, xmlNode* element, int kind, Py_ssize_t number) except -1:
        """Return True if an element begins a line, by its kind."""
        if self.marked is not None and number in self.marked:
            return True
        return kind == BLOCK or kind == DRAWING or (kind == CUSTOM and not self.is_in_line(element))

    cdef bint is_within_line(self, xmlNode* element) except -1:
        if self.formats(element):
            return True
        return element.type == XML_ELEMENT_NODE and self.name_of(element).kind == CUSTOM and self.is_in_line(element)

    cdef bint is_line_icon(self, xmlNode* drawing) except -1:
        """Return True for a drawing in a sentence: between words, or as an icon at the end of a link."""
        cdef xmlNode* behind
        if is_behind_word(drawing):
            behind = element_behind(drawing)
            if has_word_behind(drawing) or (behind is not NULL and self.formats(behind)):
                return True
        return ends_link(drawing)

    cdef bint is_in_line(self, xmlNode* custom) except -1:
        """Return True for a custom element in a paragraph, a heading or behind a word, and without blocks."""
        cdef xmlNode* node = parent_of(custom)
        cdef Py_ssize_t inside = 0
        if not is_behind_word(custom) and (node is NULL or not is_of_lines(node)):
            return False
        node = following(custom, custom)
        while node is not NULL:
            if not is_silent(node):
                inside += 1
                if inside > MAX_INSIDE or not self.formats(node):
                    return False
            node = following(node, custom)
        return True

    cdef bint formats(self, xmlNode* node) except -1:
        """Return True if an element is inline by its name alone."""
        if node.type != XML_ELEMENT_NODE:
            return False
        cdef int kind = self.name_of(node).kind
        return kind == INLINE or kind == LINK

    cdef int enter(self, xmlNode* element, const char* tag) except -1:
        """Note a block-level element.

        A signature is made only for new bytes: name, identifier, classes and role, each followed by NUL, and a flag for
        hidden elements.
        """
        cdef Buffer* key = &self.key
        cdef Element made
        key.size = 0
        put(key, tag, strlen(tag) + 1)
        self.put_value(element, self.found[ID])
        self.put_value(element, self.found[CLASS])
        self.put_value(element, self.found[ROLE])
        put(key, "1" if self.is_hidden(element) else "0", 1)
        said = PyBytes_FromStringAndSize(key.data, key.size)
        found = self.by_bytes.get(said)
        if found is None:
            signature = signature_of(said) if key.size <= REMEMBERED else _made_signature(said)
            found = self.signatures.number_of(signature)
            if key.size <= REMEMBERED:
                self.by_bytes[said] = found
        made.parent, made.signature, made.number, made.path = <int>self.node, found, <int>self.number, 0
        made.is_concealed = self.is_concealed() or (self.node >= 0 and self.page.elements_()[self.node].is_concealed)
        put(&self.page.element_data, <const char*>&made, sizeof(made))
        self.node = self.page.size
        self.page.size += 1
        return 0

    cdef const char* address_of(self, xmlNode* link) except NULL:
        """Return the address of the current link, kept until the next with entities inside."""
        cdef const char* value = value_of(self.found[HREF])
        if value is NULL:
            self.address = bytes_of(link, self.found[HREF])
            value = self.address
        return value

    cdef int add_link(self, const char* address) except -1:
        cdef Link link
        link.before, link.start, link.size = self.page.count, self.page.addresses.size, strlen(address)
        put(&self.page.addresses, address, link.size + 1)
        return put(&self.page.link_data, <const char*>&link, sizeof(link))

    cdef int put_value(self, xmlNode* element, xmlAttr* attribute) except -1:
        """Add the value of an attribute to the bytes of a signature."""
        cdef const char* value
        cdef bytes made
        if attribute is NULL:
            return put(&self.key, "", 1)
        value = value_of(attribute)
        if value is NULL:
            made = bytes_of(element, attribute)
            value = made
        return put(&self.key, value, strlen(value) + 1)

    cdef bint is_hidden(self, xmlNode* element) except -1:
        """Return True if an attribute hides a block-level element, and no click unfolds it."""
        cdef xmlAttr* hidden = self.found[HIDDEN]
        cdef xmlAttr* role = self.found[ROLE]
        if hidden is NULL and not self.has_effect(HIDES):
            return False
        return not plain.unfolds(
            "" if role is NULL else plain.short_names(bytes_of(element, role).decode()),
            "" if hidden is NULL else bytes_of(element, hidden).decode(),
            self.found[LABEL] is not NULL,
        )

    cdef bint is_concealed(self) except -1:
        """Return True if an attribute of the current element conceals it."""
        cdef xmlAttr* unsaid = self.found[UNSAID]
        if self.found[HIDDEN] is not NULL or self.has_effect(HIDES | CONCEALS):
            return True
        return unsaid is not NULL and plain.is_true(bytes_of(unsaid.parent, unsaid).decode())

    cdef bint is_permalink(self, xmlNode* link) except -1:
        """Return True for a mark that leads to a part of a page, and for a named permalink of a heading."""
        return says_mark(link) or (is_in_heading(link) and is_named_permalink(cetree.elementFactory(self.document, link)))

    cdef bint is_of_generator(self, xmlNode* link, const char* address) except -1:
        """Return True for links of rustdoc to the source, and of Doxygen to the details below."""
        cdef const char* names = NULL if self.found[CLASS] is NULL else value_of(self.found[CLASS])
        if names is NULL:
            if self.found[CLASS] is not NULL or strcmp(strchr(address, c"#"), "#details") != 0:
                return False
            return text_inside(link, MAX_INSIDE, MAX_MARK) == "More..."
        return strcmp(names, "src") == 0 or strcmp(names, "src rightside") == 0

    cdef bint is_unseen(self, xmlNode* element) except -1:
        """Return True if an inline element is hidden, or only read aloud."""
        cdef const char* value = NULL if self.found[CLASS] is NULL else value_of(self.found[CLASS])
        if self.found[CLASS] is not NULL and (value is NULL or (strlen(value) >= LEAST_UNSEEN and says_word(value, UNSEEN))):
            names = bytes_of(element, self.found[CLASS]).decode()
            if HIDDEN_FORMULA in names:
                return self.found[HIDDEN] is not NULL
            if has_unseen_name(names):
                return True
        if self.found[HIDDEN] is not NULL or self.has_effect(HIDES):
            return True
        return self.found[CLASS] is NULL and self.has_effect(CONCEALS)  # a script may reveal what has a class

    cdef int look_at(self, xmlNode* element) except -1:
        """Note the attributes of the current element, and the effects of its style."""
        cdef xmlAttr* attribute = element.properties
        cdef const char* name
        cdef int number
        memset(self.found, 0, sizeof(self.found))
        while attribute is not NULL:
            name = <const char*>attribute.name
            if attribute.ns is NULL:
                number = FIRST[attribute.name[0]]
                while number < ATTRIBUTES and name[0] == ATTRIBUTE_NAMES[number][0]:
                    if strcmp(name, ATTRIBUTE_NAMES[number]) == 0:
                        self.found[number] = attribute
                    number += 1
            attribute = attribute.next
        self.effects = 0
        if self.found[STYLE] is not NULL:
            value = bytes_of(element, self.found[STYLE])
            self.effects = (effects_of if len(value) <= REMEMBERED else _effects_of)(value)
        return 0

    cdef inline bint has_effect(self, int effect) noexcept:
        """Return True if the style of the current element has an effect."""
        return self.effects & effect != 0

    cdef bint add_text(self, xmlNode* node, Py_ssize_t piece) except -1:
        """Add the piece of text that may begin with a node, and return True if it counts.

        White space before a block's text does not count.
        """
        cdef Py_ssize_t before = self.length
        cdef bint is_any = False
        node = run_from(node)
        while node is not NULL:
            if node.content[0]:
                is_any = True
                self.add_run(<const unsigned char*>node.content)
            node = run_from(node.next)
        if not is_any or not self.length:
            return False
        if not before:
            self.pending_spaced = self.is_spaced
        if self.links:
            self.linked += self.length - before
        self.add_piece(piece)
        return True

    cdef int add_run(self, const unsigned char* read) except -1:
        """Add a text with white space collapsed, and count the other characters."""
        cdef Buffer* made = &self.page.said
        cdef const unsigned char* start
        cdef const unsigned char* begin
        cdef char* written
        cdef unsigned char seen = self.seen
        cdef const unsigned char* end = read + strlen(<const char*>read)
        cdef Py_ssize_t count = self.length
        cdef int space, plain
        reserve(made, end - read + 2)
        written = made.data + made.size
        while True:
            space = space_at(read)
            self.has_gap |= space != 0
            while space:
                read += space
                space = space_at(read)
            if not read[0]:
                break
            if self.has_gap and count:
                written[0] = c" "
                written += 1
            self.has_gap = False
            start = read
            while True:
                while end - read >= 8 and seen & WORD:
                    plain = plain_at(read, &count)
                    if not plain:
                        break
                    read += plain
                begin = read
                while CLASSES[read[0]]:
                    seen |= CLASSES[read[0]]
                    read += 1
                count += read - begin
                if not read[0] or space_at(read):
                    break
                count += read[0] & 0xC0 != 0x80  # bytes behind the first of a character are 80 to BF
                read += 1
            memcpy(written, start, read - start)
            written += read - start
        made.size = written - made.data
        self.length = count
        self.seen |= seen
        return 0

    cdef int add_piece(self, Py_ssize_t piece) except -1:
        cdef int number = <int>piece
        return put(&self.page.piece_data, <const char*>&number, sizeof(int))

    cdef int flush(self) except -1:
        """End the current block."""
        cdef ReadPage page = self.page
        cdef Block block
        if not self.length:
            self.has_gap = False
            return 0
        put(&page.said, "", 1)
        if self.seen & WORD or has_alphanumeric(<const unsigned char*>page.said.data + self.start):
            memset(&block, 0, sizeof(block))
            block.start, block.size, block.key = self.start, page.said.size - 1 - self.start, -1
            block.element, block.length, block.linked = <int>self.node, <int>self.length, <int>self.linked
            block.has_time, block.is_spaced = self.has_time, self.pending_spaced
            block.end = <int>(page.piece_data.size // sizeof(int))
            put(&page.block_data, <const char*>&block, sizeof(block))
            page.count += 1
        else:
            self.add_sign()
        self.linked = self.length = self.seen = 0
        self.has_time = self.has_gap = False
        self.start = page.said.size
        return 0

    cdef int add_sign(self) except -1:
        """Note a text of signs, with the pieces since the last block."""
        cdef ReadPage page = self.page
        cdef size_t begin = sizeof(int) * page.blocks_()[page.count - 1].end if page.count else 0
        cdef Sign sign
        sign.start, sign.size = self.start, page.said.size - 1 - self.start
        sign.before, sign.element = page.count, <int>self.node
        sign.first, sign.is_spaced = <int>(page.sign_pieces.size // sizeof(int)), self.pending_spaced
        put(&page.sign_pieces, page.piece_data.data + begin, page.piece_data.size - begin)
        sign.end = <int>(page.sign_pieces.size // sizeof(int))
        page.piece_data.size = begin
        return put(&page.sign_data, <const char*>&sign, sizeof(sign))

    cdef _Name* name_of(self, xmlNode* element) except NULL:
        """Return the facts about elements of a name, remembered for one of colliding names."""
        cdef _Name* name = &self.names[(<uintptr_t>element.name >> 3) % NAMES]
        cdef bytes text
        if name.key is not element.name:
            text = <const char*>element.name
            name.kind = kind_of(text) if len(text) <= REMEMBERED else _kind_of(text)
            name.is_time = text == b"time"
            name.key = element.name
        return name


cdef inline bint is_folding(const char* names) noexcept nogil:
    """Return True for the class of rustdoc for what folds a text."""
    return names is not NULL and names[0] == c"h" and strcmp(names, "hideme") == 0


cdef bint ends_link(xmlNode* node) except -1:
    """Return True if a node ends a link that text follows."""
    cdef Py_ssize_t step
    for step in range(MAX_INSIDE):
        if node is NULL or element_behind(node) is not NULL or has_word_behind(node):
            return False
        node = parent_of(node)
        if node is not NULL and node.name[0] == c"a" and not node.name[1]:
            return has_word_behind(node)
    return False


cdef bint is_silent(xmlNode* node) noexcept:
    """Return True for a comment or an instruction."""
    return node.type == XML_COMMENT_NODE or node.type == XML_PI_NODE


cdef xmlNode* element_behind(xmlNode* node) noexcept:
    """Return the next element, without comments and instructions."""
    node = next_of(node)
    while node is not NULL and is_silent(node):
        node = next_of(node)
    return node


cdef bint has_word_behind(xmlNode* node) except -1:
    """Return True for text behind an element, with comments and instructions in it."""
    while node is not NULL:
        if has_word(node.next):
            return True
        node = next_of(node)
        if node is not NULL and not is_silent(node):
            return False
    return False


cdef bint has_word(xmlNode* node) except -1:
    """Return True if the text that may begin with a node is more than white space."""
    node = run_from(node)
    while node is not NULL:
        if not is_blank(node.content):
            return True
        node = run_from(node.next)
    return False


cdef bint is_behind_word(xmlNode* node) except -1:
    """Return True if text precedes a node, comments and instructions aside."""
    node = node.prev
    while node is not NULL and (is_silent(node) or not cetree._isElement(node)):
        if not is_silent(node) and run_from(node) is node and not is_blank(node.content):
            return True
        node = node.prev
    return False


cdef bint is_heading(xmlNode* node) noexcept:
    """Return True for a heading."""
    return node.name[0] == c"h" and c"1" <= node.name[1] <= c"6" and not node.name[2]


cdef bint is_of_lines(xmlNode* node) noexcept:
    """Return True for an element with nothing but lines."""
    return is_heading(node) or (node.name[0] == c"p" and not node.name[1])


cdef bint is_in_heading(xmlNode* node) noexcept:
    """Return True if a heading is around a node."""
    cdef Py_ssize_t step
    for step in range(MAX_INSIDE):
        node = parent_of(node)
        if node is NULL:
            return False
        if is_heading(node):
            return True
    return False


cdef str text_inside(xmlNode* element, Py_ssize_t most_nodes, Py_ssize_t most):
    """Return the text in an element, cut off above a length; ``None`` for many nodes."""
    cdef xmlNode* node = first_of(element)
    cdef str text = text_of(element.children)
    cdef Py_ssize_t inside = 0
    while node is not NULL and len(text) <= most:
        inside += 1
        if inside > most_nodes:
            return None
        if node.type == XML_ELEMENT_NODE:
            text += text_of(node.children)
        text += text_of(node.next)
        node = following(node, element)
    return text


cdef bint says_mark(xmlNode* link) except -1:
    """Return True if a link's whole text is a mark."""
    cdef str text
    if begins_with_letter(link):
        return False  # nearly all links
    text = text_inside(link, MAX_INSIDE, MAX_MARK)
    if text is None:
        return False
    text = text.strip()
    return text != "" and (text[0] in MARKS or text[0] >= "\uE000") and is_mark(text)


cdef bint begins_with_letter(xmlNode* link) noexcept:
    """Return True if the text in a link begins with a letter or a digit of ASCII."""
    cdef xmlNode* node = link
    cdef const unsigned char* text
    cdef int space
    while node is not NULL:
        if node.type == XML_ELEMENT_NODE:
            node = node.children
            continue
        text = node.content if run_from(node) is node else NULL
        if text is NULL:
            return False
        space = space_at(text)
        while space:
            text += space
            space = space_at(text)
        if text[0]:
            return CLASSES[text[0]] == WORD
        node = node.next
    return False


cdef enum:
    # Classes of characters of ASCII, 0 for white space.
    SIGN = 1
    WORD = 2

cdef unsigned char[256] CLASSES
for number in range(256):
    CLASSES[<int>number] = 0 if number >= 128 or number <= 32 else WORD if chr(number).isalnum() else SIGN


cdef enum:
    EIGHT = 8  # characters read at once


cdef inline int plain_at(const unsigned char* text, Py_ssize_t* count) noexcept nogil:
    """Return the number of bytes of printable ASCII with single spaces at a place behind a sign, none of eight bytes
    where one is something else, and count the signs.

    A last space is left out, as the text may end there.
    """
    cdef uint64_t piece, spaces
    cdef int taken = EIGHT - (text[EIGHT - 1] == 32)
    memcpy(&piece, text, EIGHT)
    if (piece | (piece - <uint64_t>0x2020202020202020)) & <uint64_t>0x8080808080808080:
        return 0
    spaces = piece ^ <uint64_t>0x2020202020202020
    spaces = ~(spaces + <uint64_t>0x7F7F7F7F7F7F7F7F) & <uint64_t>0x8080808080808080
    if spaces & (spaces << 8):
        return 0
    count[0] += EIGHT - <Py_ssize_t>(((spaces >> 7) * <uint64_t>0x0101010101010101) >> 56)
    return taken


cdef bint has_alphanumeric(const unsigned char* text) noexcept nogil:
    """Return True for a text with a letter or a digit."""
    cdef uint32_t sign
    while text[0]:
        text += sign_at(text, &sign)
        if Py_UNICODE_ISALNUM(sign):
            return True
    return False


def _made_signature(bytes key):
    tag, *names, hidden = key.decode().split("\0")
    return Signature(tag, *(names if len(key) <= plain.MAX_NAMES else map(plain.short_names, names)), hidden == "1")


def _effects_of(bytes style):
    value = style.decode()
    return HIDES * plain.hides(value) | SPACES * keeps_space(value) | CONCEALS * plain.conceals(value)


def _kind_of(bytes name):
    return plain.element_kind(name.decode())


# The pages of a site have most of their elements in common.
signature_of = lru_cache(8192)(_made_signature)
kind_of = lru_cache(1024)(_kind_of)
effects_of = lru_cache(8192)(_effects_of)
