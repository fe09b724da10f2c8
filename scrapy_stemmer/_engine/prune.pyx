# cython: boundscheck=False, wraparound=False
"""The kept part of a tree as a document, with links, images and code; see :mod:`scrapy_stemmer.writing.pruned_html`.

What each node becomes is decided here, for HTML and Markdown alike: links, places they lead to, images, code with its
language, formulas, tasks, cells. Python is asked for formulas and for code that is read line by line. The tree must not
change meanwhile.
"""

from cpython.unicode cimport PyUnicode_AsUTF8
from libc.string cimport strchr, strcmp, strlen

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer._engine.markup cimport *
from scrapy_stemmer._engine.nodes cimport give_turn, is_blank, node_of, number_in, parent_of, run_from
from scrapy_stemmer._engine.tree cimport *

from scrapy_stemmer._engine import turn
from scrapy_stemmer.page.addresses import Addresses, safe_srcset
from scrapy_stemmer.page.elements import HIDDEN_STYLE, WHITE_SPACE, has_unseen_name
from scrapy_stemmer.page.text import writable
from scrapy_stemmer.writing.code import code_language, code_of
from scrapy_stemmer.writing.formulas import formula, twins_of_formulas

import re
from bisect import bisect_left
from itertools import groupby
from operator import itemgetter

cetree.import_lxml__etree()

cdef enum:
    # The kept content of a node, and its form.
    TEXT = 1
    TAIL = 2
    WITH_TEXT = 4
    HOLDER = 8
    REPEATED = 16  # a formula, beside it
    BARE = 32  # only its content is written
    ENDED = 64
    # State of the paragraphs right in a node: examined, and one of them kept.
    LOOKED_IN = 128
    HAS_TEXT = 256
    DECORATION = 512

    AROUND_ITEM = 4  # elements at most from an item to its box
    AROUND_LEAD = 6  # elements at most from the image above the content to a heading
    AROUND_RULE = 20  # elements on either side of a rule, some of which must be kept
    ICON = 20  # largest width, in pixels, of images that show the purpose of a link
    SMALL = 48  # largest width and height of icons and avatars among elements
    LARGE = 200  # least width that tells an image from a decoration, whatever its names
    SENTENCE = 60  # bytes of a text that may be a sentence
    CAPTIONED = 3  # elements at most around an image and its caption
    MAX_SOURCES = 100  # elements of a picture that are looked at
    MAX_NAMED = 20  # elements around an image whose names may tell a decoration

LAZY = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-file", "data-full-url", "data-hi-res-src",
    "data-large-file", "data-url", "data-image",
)
"""Attributes that hold the address of an image until a script loads the image, the best first."""

LAZY_SETS = ("data-srcset", "data-lazy-srcset")
FORMS = frozenset("aAiI")  # of the numbers of lists

DECORATION_NAME = re.compile(
    rb"avatar|sprite|spacer|smiley|emoji|(?<![a-zA-Z])(?i:icon|logo|share|sharing|social|badge|button|btn|arrow|pixel|advert)s?(?![a-z])"
)
IMAGE_FILE = re.compile(r"\S*\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]\S*)?", re.IGNORECASE)

def pruned_html(_Element root not None, pieces, url="", _Element body=None, has_formulas=True):
    """See :data:`scrapy_stemmer.writing.pruned_html.pruned_html`."""
    cdef Markup document = Markup()
    put_kept(document, root, pieces, url, body, has_formulas)
    return document.html()


def put_kept(
    Markup document not None, _Element root not None, pieces, url, _Element body=None, bint has_formulas=True
):
    """Put kept pieces into a document."""
    cdef Kept found = Kept(root, document, url)
    cdef Py_ssize_t first = 0, step
    cdef list held = list(pieces)  # their nodes stay in memory
    while body is not None and found.nodes[first].node is not node_of(body):
        first += 1
        if first == found.count:
            raise ValueError("a body is wanted that is in the tree")
    for step, piece in enumerate(held, 1):
        give_turn(step, turn)
        if body is None:
            element, is_tail = piece
            found.keep_node(node_of(element), is_tail)
        else:
            found.keep_piece(first, piece)
    found.write_kept(has_formulas)


def put_all(Markup document not None, _Element root not None, url):
    """Put all that readers see of a page into a document."""
    cdef Kept found = Kept(root, document, url)
    cdef int body = found.first_of(0, TAG_BODY)
    found.is_whole = True
    found.keep_all(max(body, 0))
    found.write(max(body, 0))


cdef bint is_icon(xmlNode* run) noexcept:
    """Return True if a run of text, mostly one node, is a single character of an icon font."""
    cdef const unsigned char* text = NULL if run is NULL else run.content
    if text is NULL or not (text[0] == 0xEE or (text[0] == 0xEF and text[1] <= 0xA3)) or text[3]:
        return False
    run = run_from(run.next)
    while run is not NULL:
        if run.content is not NULL and run.content[0]:
            return False
        run = run_from(run.next)
    return True


cdef class Kept(Tree):
    """What is kept of a tree.

    :ivar into: the document that it is put into.
    :ivar places: targets of links by name.
    :ivar wanted: names of places that links of the page lead to.
    :ivar is_whole: whether all of the page is kept.
    :ivar pres: number of elements around that keep white space.
    """

    cdef dict places
    cdef set wanted
    cdef list prose
    cdef int first_prose
    cdef bint has_holders, is_whole
    cdef object addresses, root, given
    cdef str url
    cdef int pres
    cdef Markup into

    def __cinit__(self, _Element root not None, Markup into not None, url):
        self.root, self.into, self.given = root, into, writable(url)
        self.document = into.document = root._doc
        self.read(node_of(root))

    # Kept content

    cdef int keep(self, Py_ssize_t number, bint is_tail) except -1:
        """Keep the text of a node, or its tail."""
        cdef Py_ssize_t holder = number
        cdef unsigned int flags = WITH_TEXT | HOLDER, before
        self.nodes[number].flags |= TAIL if is_tail else TEXT
        if is_tail:
            holder = self.nodes[number].parent
            if holder < 0 and parent_of(self.nodes[number].node) is not NULL:
                self.has_holders = True
        while holder >= 0:
            self.has_holders = True
            before = self.nodes[holder].flags
            self.nodes[holder].flags = before | flags
            if before & HOLDER:
                break
            holder = self.nodes[holder].parent
            flags = HOLDER
        return 0

    cdef int keep_piece(self, Py_ssize_t top, Py_ssize_t piece) except -1:
        """Keep a piece of an element by number, unless an icon."""
        cdef Py_ssize_t number = top + (piece >> 1)
        cdef xmlNode* node
        if piece < 0 or number >= self.nodes[top].end:
            return 0
        node = self.nodes[number].node
        return 0 if is_icon(run_from(node.next if piece & 1 else node.children)) else self.keep(number, piece & 1)

    cdef int keep_node(self, xmlNode* node, bint is_tail) except -1:
        """Keep the text of a node that may be in a second tree, or its tail."""
        cdef int number = self.number_of(node)
        if number >= 0:
            return self.keep(number, is_tail)
        self.has_holders |= not is_tail or parent_of(node) is not NULL
        return 0

    cdef int keep_all(self, int top) except -1:
        """Keep all in an element that readers see."""
        cdef int number = top
        while number < self.nodes[top].end:
            self.nodes[number].flags |= TAIL
            if self.is_a(number, UNREAD) or self.nodes[number].tag == TAG_INPUT or self.is_unseen(number):
                number = self.nodes[number].end
                continue
            self.nodes[number].flags |= TEXT | WITH_TEXT | HOLDER
            number += 1
        return 0

    cdef bint is_unseen(self, int number) except -1:
        """Return True if an element is hidden, or for screen readers only."""
        cdef const char* style = self.get(number, "style")
        cdef const char* names = self.get(number, "class")
        if self.get(number, "hidden") is not NULL or (style is not NULL and HIDDEN_STYLE.search(style.decode())):
            return True
        return names is not NULL and has_unseen_name(names.decode())

    cdef inline bint is_kept(self, int number) noexcept nogil:
        return self.nodes[number].flags & HOLDER != 0

    def holds(self, element):
        """Return True if text in an element is kept."""
        cdef xmlNode* node = node_of(element)
        cdef xmlNode* outer
        cdef int number = self.number_of(node)
        if number >= 0:
            return self.is_kept(number)
        outer = self.nodes[0].node
        while outer is not NULL and outer is not node:
            outer = parent_of(outer)
        return outer is node and (self.is_kept(0) or self.nodes[0].flags & TAIL != 0)

    # Writing

    cdef int write_kept(self, bint has_formulas) except -1:
        """Write the deepest element around all that is kept."""
        cdef int number
        if not self.has_holders:
            return 0
        for element in twins_of_formulas(self.root, self.holds) if has_formulas else ():
            number = self.number_of(node_of(element))
            if number >= 0:
                self.nodes[number].flags |= REPEATED
        number = self.smallest()
        return self.write(number)

    cdef bint is_lead(self, int number) noexcept:
        """Return True if an element is between a main heading and what is kept."""
        cdef int behind = self.behind(number)
        while behind >= 0 and (self.nodes[behind].node.type != tree.XML_ELEMENT_NODE or self.is_a(behind, UNREAD)):
            behind = self.behind(behind)
        if behind < 0 or not self.is_kept(behind):
            return False
        for _ in range(AROUND_LEAD):
            number = self.nodes[number].before
            if number < 0:
                return False
            if self.first_of(number, TAG_H1) >= 0:
                return True
        return False

    cdef object based(self):
        """Return the addresses of the page, made on demand: pages of plain paragraphs need none."""
        if self.addresses is None:
            addresses = self.addresses = Addresses(self.root if self.has_bases else None, self.given)
            self.url = addresses.url
        return self.addresses

    cdef int smallest(self) noexcept:
        """Return the deepest node around all kept texts."""
        cdef int number = 0, child, inside
        while not self.nodes[number].flags & WITH_TEXT and not self.is_a(number, WHOLE):
            inside = -1
            child = self.first_in(number)
            while child >= 0:
                if self.is_kept(child):
                    if inside >= 0:
                        return number
                    inside = child
                child = self.behind(child)
            if inside < 0:
                return number
            number = inside
        return number

    cdef int write(self, int top) except -1:
        """Write an element with its kept content, or only the content of a whole page."""
        cdef int number = top, child
        cdef unsigned int facts
        cdef Py_ssize_t step = 0
        cdef bint keeps = True, is_written
        if self.is_whole:
            self.nodes[top].flags |= BARE
            self.put_run(self.nodes[top].node.children)
        elif self.rewrite(top):
            return 0
        else:
            keeps = self.begin(top, True)
        child = self.first_in(top)
        while True:
            step += 1
            give_turn(step, turn)
            if child >= 0:
                facts = self.nodes[child].facts
                is_written = self.is_kept(child) or ((keeps or self.pres) and facts & WITHOUT_TEXT)
                if not self.nodes[child].flags & REPEATED:
                    if is_written and not (facts & ANEW and self.rewrite(child)):
                        number = child
                        keeps = self.begin(number, False)
                        child = self.first_in(number)
                        continue
                    if not is_written and (not facts or facts & SHOWN_ALONE or self.nodes[number].tag == TAG_FIGURE):
                        self.show(child, number, keeps)
                if not is_written and not self.pres and self.parts(child):
                    self.part(child, keeps or not self.is_a(number, BLOCK))
                self.end(child, is_written and facts & BLOCK)
                child = self.behind(child)
                continue
            if not self.nodes[number].flags & (BARE | ENDED):
                self.into.end()
            self.pres -= self.nodes[number].tag == TAG_PRE
            if number == top:
                return 0
            self.end(number, not self.nodes[number].flags & BARE and self.is_a(number, BLOCK))
            child = self.behind(number)
            number = self.nodes[number].parent
            keeps = self.keeps(number)

    cdef inline bint parts(self, int top) noexcept:
        """Return True if a node left out would part the texts around."""
        cdef int number
        for number in range(top, self.nodes[top].end):
            if self.is_a(number, BLOCK) or self.nodes[number].tag == TAG_BR:
                return True
        return False

    cdef int part(self, int number, bint is_amid_text) except -1:
        """Part the texts around a node left out."""
        cdef bint is_amid_line = self.into.is_amid_line()
        if is_amid_line and self.nodes[number].tag == TAG_BR:
            self.into.begin("br")
            return self.into.end()
        return self.put("\n") if is_amid_line or is_amid_text else 0

    cdef bint begin(self, int number, bint is_top) except -1:
        """Write the start of an element, and return True if elements without text are kept within."""
        cdef Node* found = &self.nodes[number]
        cdef Name* name = name_of(found.node)
        self.add_attributes(number)
        if not self.into.given and not is_top and found.facts & WRAPPER and (
            not self.has_blocks(number, True) if found.tag != TAG_DIV
            else not (found.flags & WITH_TEXT or self.has_blocks(number, False))
        ):
            found.flags |= BARE
        else:
            self.into.begin(<const char*>found.node.name if name.key is NULL else name.written)
            if self.into.is_a(self.into.open_, VOID):  # parsers put what is in it behind it
                found.flags |= ENDED
                self.into.end()
                self.into.is_begun = True
        self.pres += found.tag == TAG_PRE
        if found.flags & TEXT or (
            self.pres and found.node.type == tree.XML_ELEMENT_NODE and is_blank_run(found.node.children)
        ):
            if found.node.type == tree.XML_ELEMENT_NODE:
                self.put_run(found.node.children)
            elif found.node.type == tree.XML_ENTITY_REF_NODE:
                self.put("&")
                self.put(<const char*>found.node.name)
                self.put(";")
            elif found.node.content is not NULL:
                self.put(<const char*>found.node.content)
        return self.keeps(number)

    cdef int end(self, int number, bint is_block) except -1:
        """Write the tail of an element, or the end of a line."""
        cdef Node* found = &self.nodes[number]
        if found.flags & TAIL or (self.pres and is_blank_run(found.node.next)):
            self.put_run(found.node.next)
        elif is_block and not self.pres:
            self.put("\n")
        return 0

    cdef bint has_blocks(self, int number, bint is_block) noexcept:
        """Return True if an element keeps a child block or has a rule, or without ``is_block`` an inline child."""
        cdef int child = self.first_in(number)
        while child >= 0:
            if (self.is_kept(child) and self.is_a(child, BLOCK) == is_block) or (
                is_block and self.nodes[child].tag == TAG_HR
            ):
                return True  # a rule in place of its element would end the paragraph around
            child = self.behind(child)
        return False

    cdef inline bint keeps(self, int number) noexcept:
        return self.nodes[number].flags & WITH_TEXT != 0 or self.is_a(number, WITHOUT_TEXT)

    cdef int add_attributes(self, int number) except -1:
        """Add the attributes with content of the next element."""
        cdef xmlNode* node = self.nodes[number].node
        cdef xmlAttr* attribute = node.properties if node.type == tree.XML_ELEMENT_NODE else NULL
        cdef str value
        cdef Name* name
        while attribute is not NULL:
            if attribute.ns is NULL or attribute.ns.href is NULL:
                name = place_of(<const char*>attribute.name)
                if name.facts & (COPIED | IS_CHECKED):
                    value = self.value(node, attribute).decode()
                    if name.facts & IS_CHECKED:
                        value = self.checked(number, name.key.decode(), value)
                    if value is not None:
                        self.into.add_attribute(name.key.decode(), value)
            attribute = attribute.next
        return 0

    cdef str checked(self, int number, str name, str value):
        """Return the value of an attribute as written, or ``None``."""
        if name == "type":
            return value if self.nodes[number].tag == TAG_OL and value in FORMS else None
        if name == "id" or name == "name":
            return value if self.is_wanted(value) else None
        if name != "style":
            return self.address_of(value)
        space = WHITE_SPACE.search(value)
        return None if space is None else f"white-space: {space[1].lower()}"

    cdef inline int put(self, const char* text) except -1:
        return self.into.characters(text)

    cdef int put_run(self, xmlNode* node) except -1:
        """Write the run of text that may begin with a node."""
        node = run_from(node)
        while node is not NULL:
            if node.content is not NULL:
                self.put(<const char*>node.content)
            node = run_from(node.next)
        return 0

    # Addresses

    cdef str place_in(self, str address):
        """Return the name of an absolute address's place in the page; "" for an address elsewhere."""
        page, _, name = address.partition("#")
        return name if page == self.url else ""

    cpdef str address_of(self, str value):
        """Return the address of a link: absolute, but to a kept place of the page; ``None`` for an unsafe address."""
        cdef str address = self.based().absolute(value), name = self.place_in(address or "")
        cdef int place
        if not name:
            return address
        place = self.place_named(name)
        if self.is_whole or (
            place >= 0 and (self.is_kept(place) or self.is_anchor(place)) and self.around(place, TAG_PRE) < 0
        ):
            return f"#{name}"
        return address

    cdef bint is_anchor(self, int number) except -1:
        """Return True if an element is only a target of links, beside kept text."""
        cdef Node* found = &self.nodes[number]
        if (found.tag != TAG_A and found.tag != TAG_SPAN) or found.end != number + 1 or found.node.properties is NULL:
            return False
        if found.parent < 0 or not self.is_kept(found.parent):
            return False
        return not self.has_words_in(number) and self.name_for_links(number) is not None

    cdef str name_for_links(self, int number):
        """Return the name of an element in links, or ``None``."""
        cdef const char* name
        for attribute in (b"id", b"name"):
            name = self.get(number, attribute)
            if name is not NULL and self.is_wanted(name.decode()):
                return name.decode()
        return None

    cdef bint is_wanted(self, str name) except -1:
        """Return True if a link of the page leads to a name."""
        cdef const char* href
        cdef int number
        if self.wanted is None:
            self.wanted = set()
            for number in range(self.count):
                give_turn(number + 1, turn)
                href = self.get(number, "href") if self.nodes[number].tag == TAG_A else NULL
                if href is not NULL and strchr(href, c"#") is not NULL:
                    self.wanted.add(self.place_in(self.based().absolute(href.decode()) or ""))
            self.wanted.discard("")
        return name in self.wanted

    cdef int place_named(self, str name) except -2:
        """Return the target of a link to a name, as browsers look for it, or -1."""
        cdef const char* value
        cdef int number
        if self.places is None:
            self.places = {}
            for attribute, tag in ((b"name", TAG_A), (b"id", -1)):
                for number in range(self.count - 1, -1, -1):  # so that the first of a name counts
                    give_turn(number + 1, turn)
                    value = self.get(number, attribute) if tag < 0 or self.nodes[number].tag == tag else NULL
                    if value is not NULL:
                        self.places[value.decode()] = number
        return self.places.get(name, -1)

    # Elements written anew

    cdef bint rewrite(self, int number) except -1:
        """Write an element anew, if of a kind for it."""
        cdef int tag = self.nodes[number].tag
        if tag == TAG_IMG or tag == TAG_PICTURE:
            self.put_images(number, number, self.nodes[number].end, NULL)
        elif tag == TAG_MATH:
            self.into.put_formula(
                self.nodes[number].node, formula(self.element_of(number)), self.get(number, "display")
            )
        elif tag == TAG_PRE:
            return self.put_code(number)
        else:
            return tag == TAG_TABLE and self.may_be_code(number) and self.put_code(number)
        return True

    cdef bint put_code(self, int number) except -1:
        """Write code with its language and links; return False for other content."""
        cdef bint has_links = False, is_plain = self.nodes[number].tag == TAG_PRE and self.read_plain_code(number, &has_links)
        cdef bint has_code
        cdef str name, text
        if is_plain and not has_links:
            runs = [(self.found_text(), None)]
        else:
            code = code_of(self.element_of(number), self.holds, self.address_of)
            if code is None:
                return False
            runs = [
                ("".join([text for text, _ in linked]), address) for address, linked in groupby(code.runs, itemgetter(1))
            ]
        if not any([text.strip() for text, _ in runs]):
            return True
        language = code_language(self.element_of(number))
        has_code = bool(language) or self.first_of(number, TAG_CODE) >= 0
        name = self.name_for_links(number)
        if name is not None:
            self.into.add_attribute("id", name)
        self.into.begin("pre")
        if has_code:
            text, address = runs[0]
            if text.startswith("\n"):  # outside the code, if before it
                self.put("\n")
                runs[0] = text[1:], address
            if language:
                self.into.add_attribute("class", f"language-{language}")
            self.into.begin("code")
        for text, address in runs:
            if address is not None:
                self.into.add_attribute("href", address)
                self.into.begin("a")
            self.into.characters(PyUnicode_AsUTF8(text))
            if address is not None:
                self.into.end()
        if has_code:
            self.into.end()
        self.into.end()
        return True

    # Elements without kept text

    cdef int show(self, int number, int parent, bint is_amid_text) except -1:
        """Write what an element without kept text shows: a cell, a box, a rule, a target of links or images."""
        cdef int tag = self.nodes[number].tag
        if self.is_a(number, CELL):
            return self.put_cell(number)
        if tag == TAG_INPUT or tag == TAG_LABEL:
            return self.put_box(number)
        if tag == TAG_HR:
            if self.is_amid_kept(number, True) and self.is_amid_kept(number, False):
                self.into.begin("hr")
                self.into.end()
                self.put("\n")
            return 0
        if self.is_anchor(number):
            self.into.add_attribute("id", self.name_for_links(number))
            self.into.begin(name_of(self.nodes[number].node).written)
            return self.into.end()
        return self.show_images(number, parent, is_amid_text)

    cdef int put_box(self, int number) except -1:
        """Write the box of a task that an element is or has as a child."""
        cdef int item = self.nodes[number].parent, box = -1, state, step = 1
        while item >= 0 and step < AROUND_ITEM and self.nodes[item].tag != TAG_LI:
            item = self.nodes[item].parent
            step += 1
        state = 0 if item < 0 or self.nodes[item].tag != TAG_LI else self.task_of(item, &box)
        if not state or (box != number and self.nodes[box].parent != number):
            return 0
        self.into.add_attribute("type", "checkbox")
        self.into.add_attribute("disabled", None)
        if state == 2:
            self.into.add_attribute("checked", None)
        self.into.begin("input")
        return self.into.end()

    cdef bint is_amid_kept(self, int number, bint is_before) noexcept:
        """Return True if anything near is kept on one side of an element."""
        for _ in range(AROUND_RULE):
            number = self.nodes[number].before if is_before else self.behind(number)
            if number < 0:
                return False
            if self.is_kept(number):
                return True
        return False

    cdef int put_cell(self, int cell) except -1:
        """Write a cell without words: with signs, images or nothing."""
        cdef const char* value
        cdef str signs = self.signs_in(cell)
        if signs is None:
            return 0
        for name in ("colspan", "rowspan"):
            value = self.get(cell, name.encode())
            if value is not NULL and value[0]:
                self.into.add_attribute(name, value.decode())
        self.into.begin(name_of(self.nodes[cell].node).written)
        self.into.characters(PyUnicode_AsUTF8(signs))
        self.put_images(cell, cell, self.nodes[cell].end, NULL)
        self.into.end()
        return self.put("\n")

    # Images

    cdef int show_images(self, int number, int parent, bint is_amid_text) except -1:
        """Write the images of an element, where text or elements around belong to them, with their captions."""
        cdef int tag = self.nodes[number].tag, image, images = 0, words
        for image in range(number, self.nodes[number].end):
            images += self.nodes[image].tag == TAG_IMG
        if not images or tag == TAG_NOSCRIPT or (is_amid_text and images > 1 and (tag == TAG_DIV or tag == TAG_A)):
            return 0  # several in a box amid text, for example, are buttons for sharing the page
        if not is_amid_text and not self.is_amid_prose(number, self.first_of(number, TAG_FIGURE) >= 0) and not (
            self.is_lead(number) or (tag != TAG_SPAN and self.is_beside_text(number, parent))
        ):
            return 0
        if not self.has_shown(number, images, is_amid_text):
            return 0
        words = self.words_beside(number)
        if words == 2 or (words and (is_amid_text or self.first_of(number, TAG_FIGURE) < 0)):
            return 0
        return self.put_all_images(number)

    cdef bint has_shown(self, int top, int images, bint is_amid_text) except -1:
        """Return True if an element has images that are no decorations, which are noted."""
        cdef int image
        cdef bint is_any = False
        for image in range(top, self.nodes[top].end):
            if self.nodes[image].tag == TAG_IMG:
                if self.is_decoration(image, top, images, is_amid_text):
                    self.nodes[image].flags |= DECORATION
                else:
                    is_any = True
        return is_any

    cdef int put_all_images(self, int number) except -1:
        """Write the images of an element: figures with their captions, others where the element has no words."""
        cdef int first = number, image = number
        cdef bint has_words = self.words_beside(number) != 0
        if not self.is_a(number, BLOCK) and self.first_of(number, TAG_FIGURE) < 0:
            self.put_images(number, number, self.nodes[number].end, NULL)
            return 0
        while image < self.nodes[number].end:
            if self.nodes[image].tag == TAG_FIGURE and not self.has_inner(image, TAG_FIGURE):
                if not has_words:
                    self.put_loose(number, first, image)
                self.put_figure(image)
                image = first = self.nodes[image].end
            else:
                image += 1
        return 0 if has_words else self.put_loose(number, first, image)

    cdef int put_loose(self, int top, int first, int end) except -1:
        """Write some of an element's images, outside figures, as a paragraph."""
        if self.put_images(top, first, end, "li" if self.nodes[top].tag == TAG_LI else "p"):
            self.into.end()
            self.put("\n")
        return 0

    cdef int put_figure(self, int figure) except -1:
        """Write the images of a figure with its caption."""
        cdef int caption = self.first_of(figure, TAG_FIGCAPTION)
        if self.put_images(figure, figure, self.nodes[figure].end, "figure"):
            if caption >= 0 and self.has_words_in(caption):
                self.keep_all(caption)
                self.write(caption)
            self.into.end()
            self.put("\n")
        return 0

    cdef bint is_decoration(self, int image, int top, int images, bint is_amid_text) except -1:
        """Return True for an icon, an avatar, a button for sharing the page and the like, by size, name or link."""
        cdef int outer = image, link = self.around(image, TAG_A), limit = ICON if is_amid_text else SMALL
        cdef int width = number_in(self.get(image, "width"), 0)
        cdef const char* value
        if 0 < width <= limit and number_in(self.get(image, "height"), 0) <= limit:
            return True
        if is_amid_text:
            return False
        if self.around(image, TAG_FIGURE) >= top:
            return False
        value = NULL if link < top else self.get(link, "href")
        if images > 1 and value is not NULL and IMAGE_FILE.fullmatch(value.decode()) is None:
            return True
        if width >= LARGE:
            return False
        for _ in range(MAX_NAMED):
            if outer < top:
                break
            for name in (b"class", b"id"):
                value = self.get(outer, name)
                if value is not NULL and DECORATION_NAME.search(<bytes>value) is not None:
                    return True
            outer = self.nodes[outer].parent
        return False

    cdef int words_beside(self, int top) noexcept:
        """Return 1 if an element has visible text outside figures, 2 if any of it is in a link, else 0."""
        cdef int number = top, tag, outer, found = 0
        while number < self.nodes[top].end:
            tag = self.nodes[number].tag
            if tag == TAG_FIGURE or tag == TAG_FIGCAPTION or tag == TAG_MATH or (self.is_a(number, UNREAD) and number > top):
                number = self.nodes[number].end
                continue
            if tag != TAG_NOSCRIPT and self.has_own_words(number):
                found, outer = 1, number
                while outer >= top:
                    if self.nodes[outer].tag == TAG_A:
                        return 2
                    outer = self.nodes[outer].parent
            number += 1
        return found

    cdef bint is_amid_prose(self, int number, bint is_figure) except -1:
        """Return True if the nearest sentences before and behind an element are kept; before a figure any."""
        cdef Py_ssize_t first, next_
        if self.prose is None:
            self.prose = self.found_prose()
            self.first_prose = next((place for place in self.prose if place & 1), 2 * self.count)
        first, next_ = bisect_left(self.prose, 2 * number), bisect_left(self.prose, 2 * self.nodes[number].end)
        if next_ == len(self.prose) or not self.prose[next_] & 1 or not first:
            return False
        return self.prose[first - 1] & 1 or (is_figure and self.first_prose < 2 * number)

    cdef list found_prose(self):
        """Return the texts long enough for a sentence, outside figures: twice the number of each, and 1 more if kept."""
        cdef int number = 0, is_tail
        cdef xmlNode* node
        cdef unsigned int flags
        cdef list found = []
        while number < self.count:
            node, flags = self.nodes[number].node, self.nodes[number].flags
            if self.nodes[number].tag == TAG_FIGURE or self.is_a(number, UNREAD):
                number = self.nodes[number].end
                continue
            for is_tail in range(2):
                if (is_tail or node.type == tree.XML_ELEMENT_NODE) and is_long(node.next if is_tail else node.children):
                    found.append(2 * number + (flags & (TAIL if is_tail else TEXT) != 0))
            number += 1
        return found

    cdef bint is_beside_text(self, int number, int parent) noexcept:
        """Return True if an element is in a figure, or beside kept text."""
        cdef Node* outer = &self.nodes[parent]
        cdef int child, among = 0
        if outer.tag == TAG_FIGURE:
            return True
        if not outer.flags & LOOKED_IN:
            outer.flags |= LOOKED_IN
            child = self.first_in(parent)
            while child >= 0:
                if (self.nodes[child].tag == TAG_P or self.nodes[child].tag == TAG_LI) and self.is_kept(child):
                    outer.flags |= HAS_TEXT
                    break
                child = self.behind(child)
        if outer.flags & HAS_TEXT:
            return True
        child = self.first_in(parent)
        while child >= 0 and among <= CAPTIONED:
            among += self.nodes[child].node.type == tree.XML_ELEMENT_NODE
            child = self.behind(child)
        if among > CAPTIONED:
            return False
        child = self.behind(number)
        while child >= 0 and self.nodes[child].node.type != tree.XML_ELEMENT_NODE:
            child = self.behind(child)
        return child >= 0 and self.is_kept(child)

    cdef int put_images(self, int top, int first, int last, const char* outer) except -1:
        """Write images in an element, within links that hold no kept text; return True with any.

        :param first: the first node that is looked at, and
        :param last: the node behind the last.
        :param outer: name of an element to begin before the first image, or NULL.
        """
        cdef int image, link = -1, found
        cdef str source
        cdef bint is_any = False, is_open = False
        for image in range(first, last):
            if self.nodes[image].tag != TAG_IMG or self.nodes[image].flags & DECORATION:
                continue
            source = None if self.around(image, TAG_NOSCRIPT) >= top else self.source_of(image)
            if source is None:
                continue
            if outer is not NULL and not is_any:
                self.into.begin(outer)
            is_any = True
            found = self.around(image, TAG_A)
            if found != link:
                if is_open:
                    self.into.end()
                link = found
                is_open = link >= 0 and self.begin_link(link)
            self.put_image(image, source)
        if is_open:
            self.into.end()
        return is_any

    cdef bint begin_link(self, int link) except -1:
        """Write the start of a link of images; return False if it is written for its text, or leads nowhere."""
        cdef const char* href = NULL if self.is_kept(link) else self.get(link, "href")
        cdef str address = None if href is NULL or not href[0] else self.address_of(href.decode())
        if not address:
            return False
        self.into.add_attribute("href", address)
        self.into.begin("a")
        return True

    cdef int put_image(self, int image, str source) except -1:
        cdef dict own = self.values_of(image)
        cdef str sizes = own.get("data-srcset") or own.get("data-lazy-srcset") or own.get("srcset")
        self.into.add_attribute("src", source)
        if sizes:
            sizes = safe_srcset(sizes, self.based().absolute)
            if sizes is not None:
                self.into.add_attribute("srcset", sizes)
        for name in ("alt", "title"):
            if name in own:
                self.into.add_attribute(name, own[name])
        self.into.begin("img")
        return self.into.end()

    cdef str source_of(self, int image):
        """Return the address of an image, or ``None``."""
        cdef const char* size
        for name in (b"width", b"height"):
            size = self.get(image, name)
            if size is not NULL and is_point(size):
                return None
        for value in self.sources_of(image):
            source = self.based().absolute(value, is_image=True) if value.strip() else None
            if source:
                return source
        return None

    def sources_of(self, int image):
        """Yield the addresses that an image may have, the best first and placeholders last."""
        cdef int link = self.around(image, TAG_A), twin = self.twin_of(image)
        cdef dict own = self.values_of(image)
        source = own.get("src", "")
        yield from [own[name] for name in LAZY if "." in own.get(name, "") or "/" in own.get(name, "")]
        yield from self.firsts_of_sets(image, LAZY_SETS)
        if not source.strip().lower().startswith("data:image/"):
            yield source
        yield from self.firsts_of_sets(image, ("srcset",))
        if twin >= 0 and (twin := self.first_of(twin, TAG_IMG)) >= 0:
            yield self.values_of(twin).get("src", "")
        for name, value in own.items():
            if IMAGE_FILE.fullmatch(value) or ("lazy-src" in name and " " not in value and "/" in value):
                yield value
        href = self.values_of(link).get("href", "") if link >= 0 else ""
        yield href if IMAGE_FILE.fullmatch(href) else ""  # a larger one
        yield source

    cdef dict values_of(self, int number):
        """Return the values of an element's attributes by name."""
        cdef xmlNode* node = self.nodes[number].node
        cdef xmlAttr* attribute = node.properties
        cdef dict found = {}
        while attribute is not NULL:
            if attribute.ns is NULL:
                found[(<const char*>attribute.name).decode()] = self.value(node, attribute).decode()
            attribute = attribute.next
        return found

    cdef list firsts_of_sets(self, int image, tuple names):
        """Return the first address in each list of images of several sizes, of an image or its picture."""
        cdef int picture = self.around(image, TAG_PICTURE), each, top = image if picture < 0 else picture
        cdef list found = []
        for each in range(top, min(self.nodes[top].end, top + MAX_SOURCES)):
            if each == image or self.nodes[each].tag == TAG_SOURCE:
                values = self.values_of(each)
                sets = [safe_srcset(values[name]) for name in names if name in values]
                found += [sizes.split()[0].rstrip(",") for sizes in sets if sizes is not None]
        return found

    cdef int twin_of(self, int image) noexcept:
        """Return the ``noscript`` beside an image that shows the image without scripts, or -1."""
        cdef int behind = self.behind(image), before = self.nodes[image].before
        if behind >= 0 and self.nodes[behind].tag == TAG_NOSCRIPT:
            return behind
        if before < 0 or self.nodes[before].tag != TAG_NOSCRIPT:
            return -1
        behind = self.nodes[before].before
        return -1 if behind >= 0 and self.nodes[behind].tag == TAG_IMG else before


cdef bint is_blank_run(xmlNode* node) noexcept:
    """Return True if a run of text begins with a node, and is only white space."""
    cdef bint is_some = False
    node = run_from(node)
    while node is not NULL:
        if node.content is not NULL and node.content[0]:
            if not is_blank(node.content):
                return False
            is_some = True
        node = run_from(node.next)
    return is_some


cdef bint is_long(xmlNode* node) noexcept:
    """Return True if a run of text that may begin with a node is long enough for a sentence."""
    cdef size_t size = 0
    node = run_from(node)
    while node is not NULL and size < SENTENCE:
        size += 0 if node.content is NULL else strlen(<const char*>node.content)
        node = run_from(node.next)
    return size >= SENTENCE


cdef bint is_point(const char* size) noexcept nogil:
    """Return True for the width or height of an image that counts visitors or parts content."""
    return (size[0] == c"0" or size[0] == c"1") and (not size[1] or strcmp(size + 1, "px") == 0)
