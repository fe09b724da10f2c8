# cython: boundscheck=False, wraparound=False
"""The kept part of a tree as HTML, from the nodes of libxml2; see :mod:`scrapy_stemmer.core.pruned_html`.

The result is the same. No Python object is made for an element. The tree is not changed, and must not be changed by
others meanwhile.
"""

from functools import lru_cache

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uintptr_t
from libc.stdlib cimport free
from libc.string cimport strlen

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Document, _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer._native.nodes cimport (
    Buffer, bytes_of, first_of, following, give_turn, is_blank, next_of, node_of, parent_of, put, run_from,
)

from scrapy_stemmer._native import turn
from scrapy_stemmer.core import pruned_html as plain
from scrapy_stemmer.core.elements import BLOCK_LEVEL, KEPT_ATTRIBUTES, NAME, OTHER_NAME, OTHER_NAMES, VOID, WITHOUT_TEXT
from scrapy_stemmer.core.rewriting import CHECKED, IMAGES_AT_MOST, REWRITTEN, SHOWN, Rewriter, twins_of_formulas

cetree.import_lxml__etree()

cdef enum:
    # Room for names that are remembered.
    NAMES = 256
    # What is kept of a node, and how it is written.
    TEXT = 1
    TAIL = 2
    WITH_TEXT = 4
    HOLDER = 8
    GONE = 16
    BARE = 32
    # What is known of a name.
    WITHOUT = 1
    BLOCK = 2
    ANEW = 4
    SHOWN_ALONE = 8
    WHOLE = 16
    INLINE_WRAPPER = 32
    BLOCK_WRAPPER = 64
    PRE = 128
    FIGURE = 256
    COPIED = 512
    IS_CHECKED = 1024
    PARTS = 2048
    BREAKS = 4096
    IMAGED = 8192
    IMAGE = 16384

cdef bytes BLANKS = bytes(range(0x21))

# Stands for the name of what has none; no element has this one.
cdef const unsigned char* NO_NAME = b""

# What is written for a byte; NULL for the byte itself.
cdef const char* WRITTEN[256]

for code in range(32):
    WRITTEN[<int>code] = ""
WRITTEN[c"\t"] = WRITTEN[c"\n"] = NULL
WRITTEN[c"\r"] = "&#13;"
WRITTEN[c"&"] = "&amp;"
WRITTEN[c"<"] = "&lt;"
WRITTEN[c">"] = "&gt;"
WRITTEN[c'"'] = "&quot;"
WRITTEN[0xEF] = ""


def pruned_html(_Element root not None, pieces, url="", has_formulas=True):
    """See :func:`scrapy_stemmer.core.pruned_html.pruned_in_python`."""
    # The list keeps the elements, and with them their nodes, in memory.
    cdef list held = list(pieces)
    cdef _Writer writer = _Writer()
    for step, (element, is_tail) in enumerate(held):
        give_turn(step, turn)
        writer.keep(node_of(element), is_tail)
    return writer.written(root, url, has_formulas)


def pruned_pieces(_Element root not None, _Element body not None, pieces, url="", has_formulas=True):
    """See :func:`scrapy_stemmer.core.pruned_html.pruned_pieces_in_python`."""
    cdef _Writer writer = _Writer()
    cdef xmlNode* top = node_of(body)
    cdef xmlNode* node = top
    cdef Py_ssize_t number = 0, piece
    for piece in sorted(pieces):
        while node is not NULL and number < piece >> 1:
            node = following(node, top)
            number += 1
            give_turn(number, turn)
        if node is NULL:
            break
        if not is_icon(run_from(node.next if piece & 1 else node.children)):
            writer.keep(node, piece & 1)
    return writer.written(root, url, has_formulas)


cdef bint is_icon(xmlNode* run) noexcept:
    """See :func:`scrapy_stemmer.core.pruned_html.is_icon`; of a run of text, which nearly always is one node."""
    cdef const unsigned char* text = NULL if run is NULL else run.content
    if text is NULL or not (text[0] == 0xEE or (text[0] == 0xEF and text[1] <= 0xA3)) or text[3]:
        return False
    run = run_from(run.next)
    while run is not NULL:
        if run.content is not NULL and run.content[0]:
            return False
        run = run_from(run.next)
    return True


cdef struct _Name:
    # How elements of a name begin and end, and what it is; see :func:`facts_of`.
    const unsigned char* key
    const char* begins
    const char* ends
    int facts


cdef class _Writer:
    """HTML that is being written.

    :ivar kept: what is kept of nodes, by their addresses.
    :ivar names: how elements of a name are written, and what it is; remembered for one name of those that share a place.
    :ivar held: what they point to, by the address of the name: it is the same string wherever it stands in a document.
    :ivar pres: how many elements around keep white space.
    :ivar begun: where the last start of an element ends.
    """

    cdef dict kept, held
    cdef _Name[NAMES] names
    cdef bint has_holders
    cdef Buffer html
    cdef _Document document
    cdef object rewriter
    cdef int pres
    cdef size_t begun

    def __cinit__(self):
        self.kept, self.held = {}, {}

    def __dealloc__(self):
        free(self.html.data)

    cdef str written(self, _Element root, url, has_formulas):
        """The HTML of what is kept of a tree."""
        cdef xmlNode* top = node_of(root)
        if not self.has_holders:
            return ""
        for element in twins_of_formulas(root, self.holds) if has_formulas else ():
            self.mark(node_of(element), GONE)
        self.document, self.rewriter = root._doc, Rewriter(root, url, self.holds)
        self.write(self.smallest(top))
        self.rewriter = None  # it has the writer: the tree would be in memory until the garbage collector comes
        return PyUnicode_DecodeUTF8(self.html.data, self.html.size, NULL)

    cdef int keep(self, xmlNode* node, bint is_tail) except -1:
        """Keep the text of a node, or its tail."""
        cdef xmlNode* holder = parent_of(node) if is_tail else node
        cdef int flags = WITH_TEXT | HOLDER
        self.mark(node, TAIL if is_tail else TEXT)
        while holder is not NULL and not self.mark(holder, flags) & HOLDER:
            self.has_holders = True
            holder = parent_of(holder)
            flags = HOLDER
        return 0

    cdef int mark(self, xmlNode* node, int flags) except -1:
        """Add flags to those of a node, and tell what they were."""
        cdef int before = self.flags(node)
        self.kept[<uintptr_t>node] = before | flags
        return before

    cdef int flags(self, xmlNode* node) except -1:
        return self.kept.get(<uintptr_t>node, 0)

    def holds(self, element):
        """Whether text in an element is kept."""
        return bool(self.flags(node_of(element)) & HOLDER)

    cdef xmlNode* smallest(self, xmlNode* node) except NULL:
        """The deepest node that holds all kept texts."""
        cdef xmlNode* child
        cdef xmlNode* inside
        while not self.flags(node) & WITH_TEXT and not self.is_a(node, WHOLE):
            inside = NULL
            child = first_of(node)
            while child is not NULL:
                if self.flags(child) & HOLDER:
                    if inside is not NULL:
                        return node
                    inside = child
                child = next_of(child)
            if inside is NULL:
                return node
            node = inside
        return node

    cdef int write(self, xmlNode* top) except -1:
        """Write an element with what is kept of it; the way back up is by the nodes' own parents."""
        cdef xmlNode* node = top
        cdef xmlNode* child = first_of(top)
        cdef int flags
        cdef Py_ssize_t step = 0
        cdef bint keeps, is_written, may_be_shown
        if self.rewrite(top):
            return 0
        keeps = self.begin(top, True)
        while True:
            give_turn(step, turn)
            step += 1
            if child is not NULL:
                flags = self.flags(child)
                is_written = flags & HOLDER or ((keeps or self.pres) and self.is_a(child, WITHOUT))
                if not flags & GONE:
                    if is_written and not self.rewrite(child):
                        node = child
                        keeps = self.begin(node, False)
                        child = first_of(node)
                        continue
                    may_be_shown = self.is_a(child, SHOWN_ALONE) or self.is_a(node, FIGURE)
                    if not is_written and may_be_shown and self.may_show(child):
                        self.put_html(self.rewriter.shown(self.element_of(child), keeps))
                if not is_written and not self.pres and self.holds_any(child, PARTS):
                    self.part(child, keeps or not self.is_a(node, BLOCK))
                self.end(child, is_written and self.is_a(child, BLOCK))
                child = next_of(child)
                continue
            flags = self.flags(node)
            if not flags & BARE:
                self.put(self.name_of(node).ends)
            self.pres -= self.is_a(node, PRE)
            if node is top:
                return 0
            self.end(node, not flags & BARE and self.is_a(node, BLOCK))
            child = next_of(node)
            node = node.parent
            keeps = self.keeps(node)

    cdef bint may_show(self, xmlNode* node) except -1:
        """Whether anything may be shown of an element without kept text, which few have: images, mostly."""
        if not self.is_a(node, IMAGED):
            return True
        if first_of(node) is NULL and node.properties is not NULL:
            return True  # a place that links lead to
        return self.holds_any(node, IMAGE)

    cdef bint holds_any(self, xmlNode* top, int fact) except -1:
        """Whether something is known of a node by its name, or of any in it."""
        cdef xmlNode* node = top
        while node is not NULL:
            if self.is_a(node, fact):
                return True
            node = following(node, top)
        return False

    cdef int part(self, xmlNode* node, bint is_amid_text) except -1:
        """Part the texts around a node that is left out."""
        cdef size_t size = self.html.size
        cdef bint is_amid_line = size and size != self.begun and self.html.data[size - 1] != c"\n"
        if is_amid_line or is_amid_text:
            self.put("<br>" if is_amid_line and self.is_a(node, BREAKS) else "\n")
        return 0

    cdef bint rewrite(self, xmlNode* node) except -1:
        """Write an element anew, if it is one of those."""
        html = self.rewriter.rewritten(self.element_of(node)) if self.is_a(node, ANEW) else None
        if html is None:
            return False
        self.put_html(html)
        return True

    cdef int put_html(self, str html) except -1:
        if html:
            self.put(plain.clean_html(html).encode("utf-8", "replace"))
        return 0

    cdef _Element element_of(self, xmlNode* node):
        return cetree.elementFactory(self.document, node)

    cdef bint begin(self, xmlNode* node, bint is_top) except -1:
        """Write the start of an element, and tell whether it keeps elements without text."""
        cdef size_t start = self.html.size
        cdef size_t named
        self.put(self.name_of(node).begins)
        named = self.html.size
        if node.type == tree.XML_ELEMENT_NODE:
            self.put_attributes(node)
        if self.html.size == named and not is_top and (
            (self.is_a(node, INLINE_WRAPPER) and not self.has_blocks(node, True))
            or (self.is_a(node, BLOCK_WRAPPER) and not (self.flags(node) & WITH_TEXT or self.has_blocks(node, False)))
        ):
            self.html.size = start
            self.mark(node, BARE)
        else:
            self.put(">")
            self.begun = self.html.size
        self.pres += self.is_a(node, PRE)
        if self.flags(node) & TEXT or (
            self.pres and node.type == tree.XML_ELEMENT_NODE and is_blank_run(node.children)
        ):
            self.put_text_of(node)
        return self.keeps(node)

    cdef int end(self, xmlNode* node, bint is_block) except -1:
        """Write what follows an element: its tail, or the end of a line."""
        if self.flags(node) & TAIL or (self.pres and is_blank_run(node.next)):
            self.put_run(node.next)
        elif is_block and not self.pres:
            self.put("\n")
        return 0

    cdef bint has_blocks(self, xmlNode* node, bint is_block) except -1:
        """Whether a block is kept in an element, or anything else."""
        cdef xmlNode* child = first_of(node)
        while child is not NULL:
            if self.flags(child) & HOLDER and self.is_a(child, BLOCK) == is_block:
                return True
            child = next_of(child)
        return False

    cdef bint keeps(self, xmlNode* node) except -1:
        return self.flags(node) & WITH_TEXT or self.is_a(node, WITHOUT)

    cdef int is_a(self, xmlNode* node, int fact) except -1:
        """Whether something is known of an element by its name."""
        return self.name_of(node).facts & fact != 0

    cdef _Name* name_of(self, xmlNode* node) except NULL:
        """How a node is written, and what it is. What is known of a name is not so of others that are written by it."""
        cdef bint is_other = node.type != tree.XML_ELEMENT_NODE or cetree._getNs(node) is not NULL
        return self.known(NO_NAME if is_other else node.name)

    cdef _Name* known(self, const unsigned char* key) except NULL:
        cdef _Name* name = &self.names[(<uintptr_t>key >> 3) % NAMES]
        cdef bytes begins, ends
        if name.key is not key:
            found = self.held.get(<uintptr_t>key)
            if found is None:
                found = self.held[<uintptr_t>key] = facts_of(<bytes>key)
            begins, ends, name.facts = found
            name.begins, name.ends, name.key = begins, ends, key
        return name

    cdef int put_attributes(self, xmlNode* node) except -1:
        """Write the attributes that carry content; what stands around values without a meaning is left out."""
        cdef xmlAttr* attribute = node.properties
        cdef bytes value
        cdef int facts
        while attribute is not NULL:
            facts = 0
            if attribute.ns is NULL or attribute.ns.href is NULL:
                facts = self.known(attribute.name).facts
            if facts & (COPIED | IS_CHECKED):
                value = bytes_of(node, attribute)
                if facts & IS_CHECKED:
                    checked = self.rewriter.attribute((<bytes>attribute.name).decode(), value.decode())
                    value = None if checked is None else (<str>checked).encode("utf-8", "replace")
                if value is not None:
                    value = value.strip(BLANKS)
                    self.put(" ")
                    self.put(<const char*>attribute.name)
                    self.put('="')
                    self.put_escaped(value, len(value), True)
                    self.put('"')
            attribute = attribute.next
        return 0

    cdef int put_text_of(self, xmlNode* node) except -1:
        """Write what lxml calls the text of a node."""
        if node.type == tree.XML_ELEMENT_NODE:
            return self.put_run(node.children)
        if node.type == tree.XML_ENTITY_REF_NODE:
            self.put("&amp;")
            self.put(<const char*>node.name)
            return self.put(";")
        return self.put_content(node)

    cdef int put_run(self, xmlNode* node) except -1:
        """Write the run of text that may begin with a node."""
        node = run_from(node)
        while node is not NULL:
            self.put_content(node)
            node = run_from(node.next)
        return 0

    cdef int put_content(self, xmlNode* node) except -1:
        if node.content is not NULL:
            self.put_escaped(node.content, strlen(<const char*>node.content), False)
        return 0

    cdef int put_escaped(self, const unsigned char* start, size_t length, bint is_value) except -1:
        """Write text with its special characters escaped, and without those that no HTML may hold."""
        cdef const unsigned char* plain = start
        cdef const unsigned char* end = start + length
        cdef const char* written
        cdef int size
        while start < end:
            written = WRITTEN[start[0]]
            if written is NULL:
                start += 1
                continue
            size = 1
            if start[0] == 0xEF:
                size = 3 if start[1] == 0xBF and start[2] >= 0xBE else 0
            elif start[0] == c'"' and not is_value:
                size = 0
            if not size:
                start += 1
                continue
            put(&self.html, <const char*>plain, start - plain)
            self.put(written)
            start += size
            plain = start
        return put(&self.html, <const char*>plain, end - plain)

    cdef inline int put(self, const char* text) except -1:
        return put(&self.html, text, strlen(text))


cdef bint is_blank_run(xmlNode* node) noexcept:
    """Whether a run of text begins with a node, and is nothing but white space."""
    cdef bint is_some = False
    node = run_from(node)
    while node is not NULL:
        if node.content is not NULL and node.content[0]:
            if not is_blank(node.content):
                return False
            is_some = True
        node = run_from(node.next)
    return is_some


FACTS = {
    WITHOUT: WITHOUT_TEXT, BLOCK: BLOCK_LEVEL, ANEW: REWRITTEN, SHOWN_ALONE: SHOWN, WHOLE: plain.WHOLE,
    INLINE_WRAPPER: plain.WRAPPERS.difference({"div"}), BLOCK_WRAPPER: {"div"}, PRE: {"pre"}, FIGURE: {"figure"},
    COPIED: KEPT_ATTRIBUTES, IS_CHECKED: CHECKED, PARTS: plain.PARTING, BREAKS: {"br"},
    IMAGED: IMAGES_AT_MOST, IMAGE: {"img"},
}


@lru_cache(1024)
def facts_of(bytes key):
    """How an element of a name begins and ends, and what is known of that name, also as one of an attribute."""
    name = key.decode()
    written = OTHER_NAMES.get(name, name) if NAME.fullmatch(name) else OTHER_NAME
    end = "" if written in VOID else f"</{written}>"
    return f"<{written}".encode(), end.encode(), sum(fact for fact, names in FACTS.items() if name in names)
