# cython: boundscheck=False, wraparound=False
"""The kept part of a tree as HTML, from the nodes of libxml2; see :mod:`scrapy_stemmer.writing.pruned_html`.

Results equal the reference. Common content is written here: links, images, plain code, anchors, empty cells. Rare
content is given to :class:`Rewriter` as elements of lxml: formulas, code read line by line, captions not kept. The tree
must not change meanwhile.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free
from libc.string cimport memcmp, memset, strchr, strcmp, strlen, strncmp, strstr

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Document, _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer._engine.nodes cimport Buffer, attribute_of, behind_host, give_turn, is_blank, node_of, parent_of, put, run_from, space_at
from scrapy_stemmer._engine.tree cimport *

from scrapy_stemmer._engine import turn
from scrapy_stemmer.writing import code
from scrapy_stemmer.page.text import clean_html
from scrapy_stemmer.page.addresses import MAX_SIZES as MOST_SIZES, Addresses, safe_srcset
from scrapy_stemmer.writing.rewriting import LAZY, LAZY_SETS, Rewriter, kept_style, twins_of_formulas
from scrapy_stemmer.writing import rewriting

cetree.import_lxml__etree()

cdef enum:
    # The kept content of a node, and its form.
    TEXT = 1
    TAIL = 2
    WITH_TEXT = 4
    HOLDER = 8
    GONE = 16
    BARE = 32
    # State of the paragraphs right in a node: examined, and one of them kept.
    LOOKED_IN = 64
    HAS_TEXT = 128

cdef enum:
    # Ways to escape text: as text, as a value with only quotes to escape, as any value.
    AS_TEXT = 0
    AS_VALUE = 1
    AS_ANY = 2
    # Possible content of the text in an element.
    SIGNS = 1
    WORDS = 2

cdef int MAX_AROUND_CODE = code.AROUND_CODE
cdef int MAX_IN_ITEM = rewriting.IN_ITEM
cdef int MAX_AROUND_RULE = rewriting.AROUND_RULE
cdef int MAX_CAPTIONED = rewriting.CAPTIONED
cdef int MAX_ICON = rewriting.ICON
cdef int MAX_SIZES = MOST_SIZES
cdef tuple LAZY_NAMES = tuple(name.encode() for name in LAZY)
cdef tuple LAZY_SET_NAMES = tuple(name.encode() for name in LAZY_SETS)
cdef tuple IMAGE_SETS = (*LAZY_SET_NAMES, b"srcset")

# Replacement of each byte, or NULL.
cdef const char* WRITTEN[256]

for code_ in range(32):
    WRITTEN[<int>code_] = ""
WRITTEN[c"\t"] = WRITTEN[c"\n"] = NULL
WRITTEN[c"\r"] = "&#13;"
WRITTEN[c"&"] = "&amp;"
WRITTEN[c"<"] = "&lt;"
WRITTEN[c">"] = "&gt;"
WRITTEN[c'"'] = "&quot;"
WRITTEN[c"'"] = "&#x27;"
WRITTEN[0xEF] = ""

# Classes of ASCII characters in addresses and names

cdef enum:
    IN_WORD = 1  # \w and hyphens
    IN_ADDRESS = 2  # characters of an address that needs no change
    LETTER = 4  # letters and digits
    IN_QUERY = 8

cdef unsigned char[256] CLASSES
memset(CLASSES, 0, 256)
for code_ in range(128):
    character = chr(code_)
    is_word = character.isalnum() or character == "_"
    CLASSES[<int>code_] = (
        IN_WORD * (is_word or character == "-")
        | IN_ADDRESS * (is_word or character in "/.,;:?&=%+~#@!$*'()-")
        | LETTER * character.isalnum()
        | IN_QUERY * (is_word or character in "=&%+-")
    )


def pruned_html(_Element root not None, pieces, url="", has_formulas=True):
    """See :data:`scrapy_stemmer.writing.pruned_html.pruned_html`."""
    # The list keeps the elements and their nodes in memory.
    cdef list held = list(pieces)
    cdef _Writer writer = _Writer()
    writer.read(node_of(root))
    for step, (element, is_tail) in enumerate(held, 1):
        give_turn(step, turn)
        writer.keep_node(node_of(element), is_tail)
    return writer.written(root, url, has_formulas)


def pruned_pieces(_Element root not None, _Element body not None, pieces, url="", has_formulas=True):
    """See :data:`scrapy_stemmer.writing.pruned_html.pruned_pieces`."""
    cdef _Writer writer = _Writer()
    cdef xmlNode* inside = node_of(body)
    cdef xmlNode* node
    cdef Py_ssize_t first = 0, piece, step = 0, number
    writer.read(node_of(root))
    while first < writer.count and writer.nodes[first].node is not inside:
        first += 1
    if first == writer.count:
        raise ValueError("a body is wanted that is in the tree")
    for piece in pieces:
        step += 1
        give_turn(step, turn)
        number = first + (piece >> 1)
        if piece >= 0 and number < writer.nodes[first].end:
            node = writer.nodes[number].node
            if not is_icon(run_from(node.next if piece & 1 else node.children)):
                writer.keep(number, piece & 1)
    return writer.written(root, url, has_formulas)


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


cdef class _Writer(Tree):
    """HTML while it is written.

    :ivar places: targets of links by name.
    :ivar wanted: names of places that links of the page lead to.
    :ivar lazy_pictures: for each node whether it holds a list of images for scripts; ``None`` until asked.
    :ivar pres: number of elements around that keep white space.
    :ivar begun: end of the last start of an element.
    """

    cdef dict languages, folders
    cdef Memo places, wanted
    cdef bint has_places, has_wanted, has_holders
    cdef Buffer html, address
    cdef bytearray lazy_pictures
    cdef object rewriter, addresses, root, given
    cdef bytes url, origin, folder, page
    cdef int pres
    cdef size_t begun

    def __cinit__(self):
        self.languages, self.folders = {}, {}

    def __dealloc__(self):
        free(self.html.data)
        free(self.address.data)
        free_memo(&self.places)
        free_memo(&self.wanted)

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

    cdef int keep_node(self, xmlNode* node, bint is_tail) except -1:
        """Keep the text of a node that may be in a second tree, or its tail."""
        cdef int number = self.number_of(node)
        if number >= 0:
            return self.keep(number, is_tail)
        self.has_holders |= not is_tail or parent_of(node) is not NULL
        return 0

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

    cdef str written(self, _Element root, url, has_formulas):
        """Return the HTML of the kept part of a tree."""
        cdef int number
        if not self.has_holders:
            return ""
        self.document = root._doc
        for element in twins_of_formulas(root, self.holds) if has_formulas else ():
            number = self.number_of(node_of(element))
            if number >= 0:
                self.nodes[number].flags |= GONE
        self.root, self.given = root, url
        self.write(self.smallest())
        # The rewriter has the writer: the tree would be in memory until the garbage collector comes.
        self.rewriter = self.root = None
        return PyUnicode_DecodeUTF8(self.html.data, self.html.size, NULL)

    cdef object asked(self):
        """Return the rewriter, made on demand: most pages need none."""
        if self.rewriter is None:
            self.rewriter = Rewriter(self.based(), self.holds, self.link_address, self.link_name)
        return self.rewriter

    def link_address(self, str value):
        """Return the address of a link as :meth:`address_of` does."""
        cdef const char* found = self.address_of(self.held_value(value))
        return None if found is NULL else found.decode()

    def link_name(self, element):
        cdef const char* found = self.name_for_links(self.number_of(node_of(element)))
        return None if found is NULL else found.decode()

    cdef object based(self):
        """Return the addresses of the page, made on demand: pages of plain paragraphs need none."""
        if self.addresses is None:
            addresses = self.addresses = Addresses(self.root if self.has_bases else None, self.given)
            self.url = addresses.url.encode("utf-8", "replace")
            self.page = addresses.base.partition("#")[0].encode("utf-8", "replace")
            if addresses.origin is not None:
                self.origin = addresses.origin.encode("utf-8", "replace")
                self.folder = addresses.folder.encode("utf-8", "replace")
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
        """Write an element with its kept content."""
        cdef int number = top, child
        cdef unsigned int facts
        cdef Py_ssize_t step = 0
        cdef bint keeps, is_written
        if self.rewrite(top):
            return 0
        keeps = self.begin(top, True)
        child = self.first_in(top)
        while True:
            step += 1
            give_turn(step, turn)
            if child >= 0:
                facts = self.nodes[child].facts
                is_written = self.is_kept(child) or ((keeps or self.pres) and facts & WITHOUT)
                if not self.nodes[child].flags & GONE:
                    if is_written and not (facts & ANEW and self.rewrite(child)):
                        number = child
                        keeps = self.begin(number, False)
                        child = self.first_in(number)
                        continue
                    if not is_written and (facts & SHOWN_ALONE or self.is_a(number, IS_FIGURE)):
                        self.show(child, number, keeps)
                if not is_written and not self.pres and self.holds_any(child, PARTS):
                    self.part(child, keeps or not self.is_a(number, BLOCK))
                self.end(child, is_written and facts & BLOCK)
                child = self.behind(child)
                continue
            if not self.nodes[number].flags & BARE:
                self.put_end(number)
            self.pres -= self.is_a(number, IS_PRE)
            if number == top:
                return 0
            self.end(number, not self.nodes[number].flags & BARE and self.is_a(number, BLOCK))
            child = self.behind(number)
            number = self.nodes[number].parent
            keeps = self.keeps(number)

    cdef int part(self, int number, bint is_amid_text) except -1:
        """Part the texts around a node left out."""
        cdef size_t size = self.html.size
        cdef bint is_amid_line = size and size != self.begun and self.html.data[size - 1] != c"\n"
        if is_amid_line or is_amid_text:
            self.put("<br>" if is_amid_line and self.is_a(number, BREAKS) else "\n")
        return 0

    cdef bint begin(self, int number, bint is_top) except -1:
        """Write the start of an element, and return True if elements without text are kept within."""
        cdef size_t start = self.html.size
        cdef size_t named
        cdef Node* found = &self.nodes[number]
        self.put_begin(number)
        named = self.html.size
        if found.node.type == tree.XML_ELEMENT_NODE and found.node.properties is not NULL:
            self.put_attributes(found.node)
        if self.html.size == named and not is_top and (
            (found.facts & INLINE_WRAPPER and not self.has_blocks(number, True))
            or (found.facts & BLOCK_WRAPPER and not (found.flags & WITH_TEXT or self.has_blocks(number, False)))
        ):
            self.html.size = start
            found.flags |= BARE
        else:
            self.put(">")
            self.begun = self.html.size
        self.pres += found.facts & IS_PRE != 0
        if found.flags & TEXT or (
            self.pres and found.node.type == tree.XML_ELEMENT_NODE and is_blank_run(found.node.children)
        ):
            self.put_text_of(found.node)
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
            if (self.is_kept(child) and self.is_a(child, BLOCK) == is_block) or (is_block and self.is_a(child, IS_RULE)):
                return True  # a rule in place of its element would end the paragraph around
            child = self.behind(child)
        return False

    cdef inline bint keeps(self, int number) noexcept:
        return self.nodes[number].flags & WITH_TEXT != 0 or self.is_a(number, WITHOUT)

    cdef int put_begin(self, int number) except -1:
        """Write the start of a tag. Facts about a name do not hold for a name written in its place."""
        cdef xmlNode* node = self.nodes[number].node
        cdef Name* name = name_of(node)
        if name.key is NULL:
            self.put("<")
            return self.put(<const char*>node.name)
        return self.put(name.begins)

    cdef int put_end(self, int number) except -1:
        cdef xmlNode* node = self.nodes[number].node
        cdef Name* name = name_of(node)
        if name.key is NULL:
            self.put("</")
            self.put(<const char*>node.name)
            return self.put(">")
        return self.put(name.ends)

    cdef int put_attributes(self, xmlNode* node) except -1:
        """Write the attributes with content, and values without meaningless characters around."""
        cdef xmlAttr* attribute = node.properties
        cdef const char* value
        cdef unsigned int facts
        while attribute is not NULL:
            facts = 0
            if attribute.ns is NULL or attribute.ns.href is NULL:
                facts = place_of(<const char*>attribute.name).facts
            if facts & (COPIED | IS_CHECKED):
                value = self.value(node, attribute)
                if facts & IS_CHECKED:
                    value = self.checked(<const char*>attribute.name, value)
                if value is not NULL:
                    self.put(" ")
                    self.put(<const char*>attribute.name)
                    self.put('="')
                    self.put_stripped(value)
                    self.put('"')
            attribute = attribute.next
        return 0

    cdef const char* checked(self, const char* name, const char* value) except? NULL:
        """Return the value of one of :data:`CHECKED` as written, or NULL."""
        if strcmp(name, "id") == 0 or strcmp(name, "name") == 0:
            return value if self.is_wanted(value) else NULL
        if strcmp(name, "style") == 0:
            if not may_have(value, "white-space"):
                return NULL
            written = kept_style(value.decode())
            return NULL if written is None else self.held_value(written)
        return self.address_of(value)

    cdef int put_attribute(self, const char* name, const char* value) except -1:
        self.put(" ")
        self.put(name)
        self.put('="')
        self.put_escaped(<const unsigned char*>value, strlen(value), AS_ANY)
        return self.put('"')

    cdef int put_stripped(self, const char* value) except -1:
        cdef size_t size = strlen(value)
        while size and <unsigned char>value[0] <= 32:
            value += 1
            size -= 1
        while size and <unsigned char>value[size - 1] <= 32:
            size -= 1
        return self.put_escaped(<const unsigned char*>value, size, AS_VALUE)

    # Addresses

    cdef const char* absolute(self, const char* address, bint is_image) except? NULL:
        """Return an absolute address, as in :meth:`Addresses.absolute`; NULL for an unsafe address.

        Valid until the next call.
        """
        cdef const char* found
        self.based()
        self.address.size = 0
        if self.origin is not None:
            if self.is_above(address) or self.is_usual(address):
                put(&self.address, b"\0", 1)
                return self.address.data
        answer = self.addresses.absolute(address.decode(), is_image=is_image)
        if answer is None:
            return NULL
        found = self.held_value(answer)
        put(&self.address, found, strlen(found) + 1)
        self.held.pop()
        return self.address.data

    cdef bint is_usual(self, const char* address) except -1:
        """Make an address absolute that matches :data:`page.addresses._USUAL`."""
        cdef const char* at = address
        cdef bytes before = self.folder
        if address[0] == c"#":
            if not address[1]:
                return False
            before = self.page
        else:
            if strncmp(address, "http", 4) == 0:
                at = behind_host(address)
                if at is not NULL:
                    before = b""
                else:
                    at = address
            if at[0] == c"/":
                if at[1] == c"/":
                    return False
                if at is address:
                    before = self.origin
            elif at is address and CLASSES[<unsigned char>at[0]] & IN_WORD:
                while CLASSES[<unsigned char>at[0]] & IN_WORD or at[0] == c".":
                    at += 1
                if at[0] and at[0] != c"/" and at[0] != c"?" and at[0] != c"#":
                    return False
            else:
                return False
        while CLASSES[<unsigned char>at[0]] & IN_ADDRESS:
            at += 1
        if at[0] or strstr(address, "/.") is not NULL:
            return False
        put(&self.address, PyBytes_AS_STRING(before), PyBytes_GET_SIZE(before))
        put(&self.address, address, at - address)
        return True

    cdef bint is_above(self, const char* address) except -1:
        """Make an address absolute that matches :data:`page.addresses._ABOVE`: with steps upwards at the start."""
        cdef const char* at = address
        cdef const char* begin
        cdef Py_ssize_t steps = 0
        cdef bytes folder
        while at[0] == c"." and at[1] == c"." and at[2] == c"/":
            at += 3
            steps += 3
        if not steps:
            return False
        begin = at
        if not CLASSES[<unsigned char>at[0]] & IN_WORD:
            return False
        while True:
            while CLASSES[<unsigned char>at[0]] & IN_WORD or at[0] == c".":
                at += 1
            if at[0] != c"/":
                break
            at += 1
            if not CLASSES[<unsigned char>at[0]] & IN_WORD:
                break
        if at[0] == c"?":
            at += 1
            if not CLASSES[<unsigned char>at[0]] & IN_QUERY:
                return False
            while CLASSES[<unsigned char>at[0]] & IN_QUERY:
                at += 1
        if at[0] == c"#":
            at += 1
            if not is_in_fragment(at[0]):
                return False
            while is_in_fragment(at[0]):
                at += 1
        if at[0]:
            return False
        folder = self.folders.get(steps)
        if folder is None:
            above = self.addresses.folder_above(address[:steps].decode())
            folder = self.folders[steps] = above.encode("utf-8", "replace")
        put(&self.address, PyBytes_AS_STRING(folder), PyBytes_GET_SIZE(folder))
        put(&self.address, begin, at - begin)
        return True

    cdef const char* fragment(self, const char* address) noexcept:
        """Return the name of an absolute address's place in the page; NULL for an address elsewhere."""
        cdef const char* mark = strchr(address, c"#")
        cdef Py_ssize_t size = PyBytes_GET_SIZE(self.url)
        if mark is NULL or not mark[1] or mark - address != size:
            return NULL
        return mark + 1 if memcmp(address, PyBytes_AS_STRING(self.url), size) == 0 else NULL

    cdef const char* address_of(self, const char* value) except? NULL:
        """Return the address of a link: absolute, but to a kept place of the page; NULL for an unsafe address."""
        cdef const char* absolute = self.absolute(value, False)
        cdef const char* fragment = NULL if absolute is NULL else self.fragment(absolute)
        cdef int place
        cdef bint is_written
        if fragment is not NULL:
            # A look at the target asks for further addresses.
            value = self.held_value(fragment.decode())
            place = self.place_named(value)
            is_written = place >= 0 and (self.is_kept(place) or self.is_anchor(place)) and self.around(place, IS_PRE) is NULL
            self.address.size = 0
            if not is_written:
                put(&self.address, PyBytes_AS_STRING(self.url), PyBytes_GET_SIZE(self.url))
            put(&self.address, "#", 1)
            put(&self.address, value, strlen(value) + 1)
            return self.address.data
        return absolute

    cdef bint is_anchor(self, int number) except -1:
        """Return True if an element is only a target of links, beside kept text."""
        cdef Node* found = &self.nodes[number]
        if not found.facts & (IS_LINK | IS_SPAN) or found.end != number + 1 or found.node.properties is NULL:
            return False
        if found.parent < 0 or not self.is_kept(found.parent):
            return False
        return not has_words(found.node.children) and self.name_for_links(number) is not NULL

    cdef const char* name_for_links(self, int number) except? NULL:
        """Return the name of an element in links, or NULL."""
        cdef const char* name = self.get(number, "id")
        if name is not NULL and name[0] and self.is_wanted(name):
            return name
        name = self.get(number, "name")
        return name if name is not NULL and name[0] and self.is_wanted(name) else NULL

    cdef bint is_wanted(self, const char* name) except -1:
        if not self.has_wanted:
            self.has_wanted = True
            self.find_wanted()
        return found_in(&self.wanted, name) is not NULL

    cdef int find_wanted(self) except -1:
        """Find the names of places that links of the page lead to."""
        cdef const char* href
        cdef const char* mark
        cdef const char* file
        cdef const char* name
        cdef Py_ssize_t size, length
        cdef int number
        self.based()
        size = PyBytes_GET_SIZE(self.url)
        for number in range(self.count):
            if not self.is_a(number, IS_LINK):
                continue
            give_turn(number, turn)
            href = self.get(number, "href")
            mark = NULL if href is NULL else strchr(href, c"#")
            if mark is NULL:
                continue
            file = mark
            while file > href and file[-1] != c"/":
                file -= 1
            length = mark - file
            # Links to the page end as its address does.
            if length > size or memcmp(PyBytes_AS_STRING(self.url) + size - length, file, length) != 0:
                continue
            name = self.absolute(href, False)
            name = NULL if name is NULL else self.fragment(name)
            if name is not NULL and found_in(&self.wanted, name) is NULL:
                note(&self.wanted, mark + 1 if strcmp(mark + 1, name) == 0 else self.held_value(name.decode()), 1)
        return 0

    cdef int place_named(self, const char* name) except -2:
        """Return the target of a link to a name, as browsers look for it, or -1."""
        cdef int* found
        if not self.has_places:
            self.has_places = True
            self.find_places("id", 0xFFFFFFFF)
            self.find_places("name", IS_LINK)
        found = found_in(&self.places, name)
        return -1 if found is NULL else found[0]

    cdef int find_places(self, const char* attribute, unsigned int wanted) except -1:
        cdef const char* name
        cdef int number
        for number in range(self.count):
            give_turn(number + 1, turn)
            if wanted == 0xFFFFFFFF or self.nodes[number].facts & wanted:
                name = self.get(number, attribute)
                if name is not NULL and found_in(&self.places, name) is NULL:
                    note(&self.places, name, number)
        return 0

    # Elements written anew

    cdef bint rewrite(self, int number) except -1:
        """Write an element anew, if of a kind for it."""
        cdef unsigned int facts = self.nodes[number].facts
        cdef int inside
        if not facts & ANEW:
            return False
        if facts & IS_IMAGE:
            self.put_image(number)
            return True
        if facts & IS_PICTURE:
            for inside in range(number, self.nodes[number].end):
                if self.is_a(inside, IS_IMAGE):
                    self.put_image(inside)
            return True
        if facts & IS_TABLE and not self.may_be_code(number):
            return False
        if facts & IS_PRE and self.put_code(number):
            return True
        html = self.asked().rewritten(self.element_of(number))
        if html is None:
            return False
        self.put_html(html)
        return True

    cdef bint put_code(self, int pre) except -1:
        """Write code of only text and links; return False for code that is read line by line."""
        cdef const char* name
        cdef bytes language
        cdef bint is_alone = self.nodes[pre].end == pre + 1, has_links = False, has_lines = False, has_line
        if self.may_be_numbers(pre) or not (is_alone or self.is_plain_code(pre, &has_links, &has_lines, NULL)):
            return False
        self.scratch.size = 0
        if not self.read_code(pre, has_links):
            return True
        if not is_alone and self.reads_as_lines(has_lines, True):
            return False
        language = self.language_of(pre)
        name = self.name_for_links(pre)
        self.put("<pre")
        if name is not NULL:
            self.put_attribute("id", name)
        self.put(">")
        if not language and self.first_with(pre, IS_CODE) < 0:
            put(&self.html, self.scratch.data, self.scratch.size)
        else:
            has_line = self.scratch.data[0] == c"\n"  # outside the code, if before it
            self.put("\n<code" if has_line else "<code")
            if language:
                self.put(' class="language-')
                self.put_escaped(language, PyBytes_GET_SIZE(language), AS_ANY)
                self.put('"')
            self.put(">")
            put(&self.html, self.scratch.data + has_line, self.scratch.size - has_line)
            self.put("</code>")
        self.put("</pre>")
        return True

    cdef bint read_code(self, int pre, bint has_links) except -1:
        """Read the text of code, with links, into :attr:`scratch`; return True with any text."""
        cdef int number = pre, ended
        cdef xmlNode* run
        cdef bint has_words = False
        cdef bytearray open_ = bytearray(self.nodes[pre].end - pre) if has_links else None
        cdef unsigned char* is_open = NULL
        cdef const char* address
        if has_links:
            is_open = open_
        while True:
            if self.nodes[number].node.type == tree.XML_ELEMENT_NODE:
                if has_links and number > pre and self.is_a(number, IS_LINK):
                    address = self.get(number, "href")
                    if address is not NULL and address[0] and self.has_words_in(number):
                        address = self.address_of(address)
                        if address is not NULL and address[0]:
                            is_open[number - pre] = True
                            put(&self.scratch, '<a href="', 9)
                            escape(&self.scratch, <const unsigned char*>address, strlen(address), AS_ANY)
                            put(&self.scratch, '">', 2)
                has_words |= self.read_run(self.nodes[number].node.children)
            ended = number
            number += 1
            while ended > pre and self.nodes[ended].end == number:
                if has_links and is_open[ended - pre]:
                    put(&self.scratch, "</a>", 4)
                has_words |= self.read_run(self.nodes[ended].node.next)
                ended = self.nodes[ended].parent
            if number >= self.nodes[pre].end:
                return has_words

    cdef bint read_run(self, xmlNode* run) except -1:
        """Read a run of text into :attr:`scratch`; return True with any words."""
        cdef bint has_words = False
        run = run_from(run)
        while run is not NULL:
            if run.content is not NULL:
                has_words |= not is_blank(run.content)
                escape(&self.scratch, run.content, strlen(<const char*>run.content), AS_TEXT)
            run = run_from(run.next)
        return has_words

    cdef bytes language_of(self, int pre):
        """Return the language of code by its highlighter, or b""."""
        cdef int number, count = 0
        cdef xmlNode* outer
        cdef bytes found
        for number in range(pre, self.nodes[pre].end):
            if self.is_a(number, IS_CODE | IS_PRE):
                count += 1
                if count > 6:
                    break
                if number != pre and (found := self.language_in(self.nodes[number].node)):
                    return found
        outer, count = self.nodes[pre].node, 0
        while outer is not NULL and count <= MAX_AROUND_CODE and (count == 0 or name_of(outer).facts & AROUND_CODE):
            if found := self.language_in(outer):
                return found
            outer = parent_of(outer)
            count += 1
        return b""

    cdef bytes language_in(self, xmlNode* node):
        """Return the first language named by an element."""
        cdef xmlAttr* attribute = node.properties if node.type == tree.XML_ELEMENT_NODE else NULL
        cdef const char* name
        cdef bytes classes = None
        while attribute is not NULL:
            name = <const char*>attribute.name
            if strcmp(name, "class") == 0 and attribute.ns is NULL:
                classes = <bytes>self.value(node, attribute)
            elif strncmp(name, "data-", 5) == 0 or strcmp(name, "language") == 0 or strcmp(name, "name") == 0:
                return code.language_of(cetree.elementFactory(self.document, node)).encode()
            attribute = attribute.next
        if classes is None:
            return b""
        found = self.languages.get(classes)
        if found is None:
            found = self.languages[classes] = code.language_of(cetree.elementFactory(self.document, node)).encode()
        return found

    # Elements without kept text

    cdef int show(self, int number, int parent, bint is_amid_text) except -1:
        """Write the shown content of an element without kept text; see :meth:`Rewriter.shown`."""
        cdef Node* found = &self.nodes[number]
        if found.node.type != tree.XML_ELEMENT_NODE:
            return 0
        if found.facts & IS_CELL:
            return self.put_cell(number, is_amid_text)
        if found.facts & IS_BOX:
            if self.may_be_box(number):
                self.put_html(self.asked().shown(self.element_of(number), is_amid_text))
            return 0
        if found.facts & IS_RULE:
            if self.is_amid_kept(number, True) and self.is_amid_kept(number, False):
                self.put("<hr>\n")
            return 0
        if self.is_anchor(number):
            self.put_begin(number)
            self.put_attribute("id", self.name_for_links(number))
            self.put(">")
            return self.put_end(number)
        return self.show_images(number, parent, is_amid_text)

    cdef bint may_be_box(self, int number) noexcept:
        """Return True if an element is near enough to an item to be the box of a task."""
        cdef xmlNode* outer = parent_of(self.nodes[number].node)
        for _ in range(MAX_IN_ITEM):
            if outer is NULL:
                return False
            if name_of(outer).facts & IS_ITEM:
                return True
            outer = parent_of(outer)
        return False

    cdef bint is_amid_kept(self, int number, bint is_before) noexcept:
        """Return True if anything near is kept on one side of an element."""
        for _ in range(MAX_AROUND_RULE):
            number = self.nodes[number].before if is_before else self.behind(number)
            if number < 0:
                return False
            if self.is_kept(number):
                return True
        return False

    cdef int put_cell(self, int cell, bint is_amid_text) except -1:
        """Write a cell without words: with signs, images or nothing."""
        cdef const char* value
        cdef int signs = self.signs_in(cell)
        if signs == WORDS:
            return 0
        if signs == SIGNS or self.has_twins(cell):
            return self.put_html(self.asked().shown(self.element_of(cell), is_amid_text))
        self.put_begin(cell)
        for name in (b"colspan", b"rowspan"):
            value = self.get(cell, name)
            if value is not NULL and value[0]:
                self.put_attribute(name, value)
        self.put(">")
        self.put_images(cell)
        self.put_end(cell)
        return self.put("\n")

    cdef int signs_in(self, int top) noexcept:
        """Return the content of the text in an element: words, possible signs, or nothing."""
        cdef int number, found = 0
        cdef xmlNode* child
        cdef const unsigned char* at
        for number in range(top, self.nodes[top].end):
            if self.nodes[number].node.type == tree.XML_ENTITY_REF_NODE:
                return SIGNS
            child = self.nodes[number].node.children if self.nodes[number].node.type == tree.XML_ELEMENT_NODE else NULL
            while child is not NULL:
                if is_text(child) and child.content is not NULL and not is_blank(child.content):
                    found = SIGNS
                    at = child.content
                    while at[0]:
                        if at[0] < 128 and CLASSES[at[0]] & LETTER:
                            return WORDS
                        at += 1
                child = child.next
        return found

    cdef bint has_twins(self, int top) except -1:
        """Return True if images in an element may show formulas a second time."""
        cdef int number
        cdef const char* classes
        for number in range(top, self.nodes[top].end):
            if self.is_a(number, IS_IMAGE):
                classes = self.get(number, "class")
                if classes is not NULL and (
                    strstr(classes, "katex-html") is not NULL or strstr(classes, "mwe-math") is not NULL
                    or strstr(classes, "MathJax_Preview") is not NULL
                ):
                    return True
        return False

    # Images

    cdef int show_images(self, int number, int parent, bint is_amid_text) except -1:
        """Write the images of an element, where text or elements around belong to them."""
        cdef unsigned int facts = self.nodes[number].facts
        cdef int image, images = 0, figure
        cdef bint is_all_icons = True
        cdef size_t start, begun
        for image in range(number, self.nodes[number].end):
            if self.is_a(image, IS_IMAGE):
                images += 1
                is_all_icons = is_all_icons and self.is_icon_of_link(image)
        if is_all_icons:
            return 0
        if not is_amid_text and (facts & (IS_SPAN | IS_NOSCRIPT) or not self.is_beside_text(number, parent)):
            return 0
        if facts & IS_NOSCRIPT and self.has_image_beside(number):
            return 0
        figure = self.first_with(number, IS_FIGURE)
        if (
            self.holds_any(number, IS_NOSCRIPT) or self.around(number, IS_NOSCRIPT) is not NULL or self.has_twins(number)
            or self.signs_in(number) or (figure >= 0 and self.holds_any(figure, IS_CAPTION))
        ):
            return self.put_html(self.asked().shown(self.element_of(number), is_amid_text))
        if figure < 0 and images > 1 and facts & (IS_DIV | IS_LINK):
            return 0  # such as buttons for sharing the page
        start = self.html.size
        if figure >= 0:
            self.put("<figure>")
        elif facts & BLOCK:
            self.put("<li>" if facts & IS_ITEM else "<p>")
        begun = self.html.size
        self.put_images(number)
        if self.html.size == begun:
            self.html.size = start
        elif figure >= 0:
            self.put("</figure>\n")
        elif facts & BLOCK:
            self.put("</li>\n" if facts & IS_ITEM else "</p>\n")
        return 0

    cdef bint is_icon_of_link(self, int image) except -1:
        """Return True if an image tells the purpose of a link."""
        cdef const char* width = self.get(image, "width")
        cdef int value = 0
        cdef const char* at = width
        if width is NULL:
            return False
        while 48 <= at[0] <= 57 and at - width < 5:
            value = 10 * value + at[0] - 48
            at += 1
        if <unsigned char>at[0] >= 128:
            return rewriting.is_icon_of_link(self.element_of(image))
        return at is not width and not at[0] and at - width <= 4 and value <= MAX_ICON

    cdef bint is_beside_text(self, int number, int parent) noexcept:
        """Return True if an element is in a figure, or beside kept text."""
        cdef Node* outer = &self.nodes[parent]
        cdef int child, among = 0
        if outer.facts & IS_FIGURE:
            return True
        if not outer.flags & LOOKED_IN:
            outer.flags |= LOOKED_IN
            child = self.first_in(parent)
            while child >= 0:
                if self.is_a(child, IS_PARAGRAPH | IS_ITEM) and self.is_kept(child):
                    outer.flags |= HAS_TEXT
                    break
                child = self.behind(child)
        if outer.flags & HAS_TEXT:
            return True
        child = self.first_in(parent)
        while child >= 0 and among <= MAX_CAPTIONED:
            among += self.nodes[child].node.type == tree.XML_ELEMENT_NODE
            child = self.behind(child)
        if among > MAX_CAPTIONED:
            return False
        child = self.behind(number)
        while child >= 0 and self.nodes[child].node.type != tree.XML_ELEMENT_NODE:
            child = self.behind(child)
        return child >= 0 and self.is_kept(child)

    cdef bint has_image_beside(self, int twin) noexcept:
        """Return True if an image is beside a ``noscript``, which repeats the image or counts visitors."""
        cdef int before = self.nodes[twin].before, behind = self.behind(twin)
        if before >= 0 and not self.is_a(before, IS_NOSCRIPT) and self.holds_any(before, IS_IMAGE):
            return True
        return behind >= 0 and not self.is_a(behind, IS_NOSCRIPT) and self.holds_any(behind, IS_IMAGE)

    cdef xmlNode* around(self, int number, unsigned int fact) noexcept:
        """Return the innermost element around a node, even around the tree, with a fact about its name; NULL without."""
        cdef xmlNode* outer = parent_of(self.nodes[number].node)
        while outer is not NULL and not name_of(outer).facts & fact:
            outer = parent_of(outer)
        return outer

    cdef int put_images(self, int top) except -1:
        """Write the images in an element, within links that hold no kept text."""
        cdef int number
        cdef size_t start = self.html.size, begun = self.html.size
        cdef xmlNode* link = NULL
        cdef xmlNode* around
        cdef bint is_open = False
        for number in range(top, self.nodes[top].end):
            if not self.is_a(number, IS_IMAGE):
                continue
            around = self.around(number, IS_LINK)
            if around is not link:
                self.end_link(is_open, start, begun)
                link, start = around, self.html.size
                is_open = around is not NULL and self.begin_link(around)
                begun = self.html.size
            self.put_image(number)
        return self.end_link(is_open, start, begun)

    cdef bint begin_link(self, xmlNode* link) except -1:
        """Write the start of a link of images; return False if it is written for its text, or leads nowhere."""
        cdef xmlAttr* attribute
        cdef const char* address
        cdef int number = self.number_of(link)
        if self.is_kept(number) if number >= 0 else self.holds(cetree.elementFactory(self.document, link)):
            return False
        attribute = attribute_of(link, "href")
        address = NULL if attribute is NULL else self.value(link, attribute)
        if address is NULL or not address[0]:
            return False
        address = self.address_of(address)
        if address is NULL or not address[0]:
            return False
        self.put("<a")
        self.put_attribute("href", address)
        self.put(">")
        return True

    cdef int end_link(self, bint is_open, size_t start, size_t begun) except -1:
        """Write the end of a link of images, or take back the start without images."""
        if is_open and self.html.size == begun:
            self.html.size = start
        elif is_open:
            self.put("</a>")
        return 0

    cdef int put_image(self, int image) except -1:
        """Write an image with its address, from any place that scripts use; see :meth:`Rewriter.image`."""
        cdef const char* value
        cdef const char* sizes = NULL
        cdef size_t start = self.html.size
        for name in (b"width", b"height"):
            value = self.get(image, name)
            if value is not NULL and is_point(value):
                return 0
        self.put('<img src="')
        if not self.put_source(image):
            self.html.size = start
            return self.put_html(self.asked().image(self.element_of(image)))
        self.put('"')
        for name in IMAGE_SETS:
            if sizes is NULL or not sizes[0]:
                sizes = self.get(image, name)
        if sizes is not NULL and sizes[0] and self.read_sizes(sizes):
            self.put(' srcset="')
            self.put_collapsed(self.scratch.data)
            self.put('"')
        for name in (b"alt", b"title"):
            value = self.get(image, name)
            if value is not NULL:
                self.put(" ")
                self.put(name)
                self.put('="')
                self.put_collapsed(value)
                self.put('"')
        return self.put(">")

    cdef bint put_source(self, int image) except -1:
        """Write the address of an image; return False unless in the usual place."""
        cdef const char* value
        cdef xmlNode* node = self.nodes[image].node
        if node.properties is NULL:
            return False
        for name in LAZY_NAMES:
            value = self.get(image, name)
            if value is not NULL and (strchr(value, c".") is not NULL or strchr(value, c"/") is not NULL):
                value = self.absolute(value, True)
                if value is not NULL:
                    self.put_collapsed(value)
                    return True
        value = self.get(image, "class")
        if (value is not NULL and may_have(value, "lazy")) or self.has_lazy_sets(image):
            return False
        value = self.get(image, "src")
        if value is NULL or is_blank(<const unsigned char*>value) or may_have(value, "data:"):
            return False
        value = self.absolute(value, True)
        if value is NULL or not value[0]:
            return False
        self.put_collapsed(value)
        return True

    cdef bint has_lazy_sets(self, int image) except -1:
        """Return True if an image, or the picture around, has a list of images for scripts."""
        cdef int number = self.nodes[image].parent
        for name in LAZY_SET_NAMES:
            if self.get(image, name) is not NULL:
                return True
        while number >= 0 and not self.is_a(number, IS_PICTURE):
            number = self.nodes[number].parent
        if number < 0:
            return self.around(0, IS_PICTURE) is not NULL
        if self.lazy_pictures is None:
            self.find_lazy_pictures()
        return self.lazy_pictures[number]

    cdef int find_lazy_pictures(self) except -1:
        """Mark the pictures with a list of images for scripts inside."""
        cdef int number, outer
        self.lazy_pictures = bytearray(self.count)
        for number in range(self.count):
            if self.nodes[number].node.type != tree.XML_ELEMENT_NODE or self.nodes[number].node.properties is NULL:
                continue
            for name in LAZY_SET_NAMES:
                if self.get(number, name) is not NULL:
                    outer = number
                    while outer >= 0 and not self.lazy_pictures[outer]:
                        self.lazy_pictures[outer] = True
                        outer = self.nodes[outer].parent
                    break
        return 0

    cdef bint read_sizes(self, const char* sizes) except -1:
        """Read a list of images of several sizes into :attr:`scratch`; return True if any is left."""
        cdef const char* at = sizes
        cdef const char* end
        cdef const char* word
        cdef bytes address
        cdef int count = 0
        self.scratch.size = 0
        while at[0]:
            if <unsigned char>at[0] >= 128 or (<unsigned char>at[0] < 32 and at[0] not in b"\t\n\r"):
                found = safe_srcset(sizes.decode(), self.based().absolute)
                if found is None:
                    return False
                at = self.held_value(found)
                put(&self.scratch, at, strlen(at) + 1)
                return True
            at += 1
        at = sizes
        while count < MAX_SIZES:
            count += 1
            end = at
            while end[0] and not (end[0] == c"," and (is_space(end[1]) or is_behind_size(sizes, end))):
                end += 1
            while at < end and is_space(at[0]):
                at += 1
            word = at
            while word < end and not is_space(word[0]):
                word += 1
            if word > at:
                address = at[: word - at]
                at = self.absolute(address, False)
                if at is not NULL and at[0]:
                    if self.scratch.size:
                        put(&self.scratch, ", ", 2)
                    put(&self.scratch, at, strlen(at))
                    self.read_words(word, end)
            if not end[0]:
                break
            at = end + 1
            while is_space(at[0]):
                at += 1
        if not self.scratch.size:
            return False
        put(&self.scratch, b"\0", 1)
        return True

    cdef int read_words(self, const char* at, const char* end) except -1:
        """Read words into :attr:`scratch`, with a space before each."""
        cdef const char* word
        while True:
            while at < end and is_space(at[0]):
                at += 1
            if at == end:
                return 0
            word = at
            while at < end and not is_space(at[0]):
                at += 1
            put(&self.scratch, " ", 1)
            put(&self.scratch, word, at - word)

    # Text

    cdef int put_collapsed(self, const char* text) except -1:
        """Write a value with collapsed white space, without characters forbidden in HTML."""
        cdef const unsigned char* at = <const unsigned char*>text
        cdef const unsigned char* begin
        cdef bint is_some = False, is_parted = False
        cdef int size
        while at[0]:
            if is_unwanted(at):
                at += 1 if at[0] < 128 else 3
                continue
            size = space_at(at)
            if size:
                is_parted = True
                at += size
                continue
            begin = at
            while at[0] and not space_at(at) and not is_unwanted(at):
                at += 1
            if is_parted and is_some:
                self.put(" ")
            is_some, is_parted = True, False
            self.put_escaped(begin, at - begin, AS_ANY)
        return 0

    cdef int put_text_of(self, xmlNode* node) except -1:
        """Write the text of a node, as lxml defines it."""
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
            self.put_escaped(node.content, strlen(<const char*>node.content), AS_TEXT)
        return 0

    cdef int put_html(self, str html) except -1:
        if html:
            self.put(clean_html(html).encode("utf-8", "replace"))
        return 0

    cdef inline int put_escaped(self, const unsigned char* start, size_t length, int how) except -1:
        return escape(&self.html, start, length, how)

    cdef inline int put(self, const char* text) except -1:
        return put(&self.html, text, strlen(text))


cdef int escape(Buffer* buffer, const unsigned char* start, size_t length, int how) except -1:
    """Append text with escapes, without characters forbidden in HTML."""
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
        elif (start[0] == c'"' and how == AS_TEXT) or (start[0] == c"'" and how != AS_ANY):
            size = 0
        if not size:
            start += 1
            continue
        put(buffer, <const char*>plain, start - plain)
        put(buffer, written, strlen(written))
        start += size
        plain = start
    return put(buffer, <const char*>plain, end - plain)


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


cdef bint has_words(xmlNode* node) noexcept:
    """Return True if the run of text that may begin with a node is more than white space."""
    node = run_from(node)
    while node is not NULL:
        if node.content is not NULL and not is_blank(node.content):
            return True
        node = run_from(node.next)
    return False


cdef bint may_have(const char* text, const char* part) noexcept nogil:
    """Return True if a text contains a part, in any case."""
    cdef size_t size = strlen(part), at
    while text[0]:
        at = 0
        while at < size and (<unsigned char>text[at] | 0x20) == (<unsigned char>part[at] | 0x20):
            at += 1
        if at == size:
            return True
        text += 1
    return False


cdef bint is_point(const char* size) noexcept nogil:
    """See :data:`scrapy_stemmer.writing.rewriting.POINT`."""
    return (size[0] == c"0" or size[0] == c"1") and (not size[1] or strcmp(size + 1, "px") == 0)


cdef inline bint is_space(char character) noexcept nogil:
    return character == 32 or character == 9 or character == 10 or character == 13


cdef inline bint is_behind_size(const char* sizes, const char* comma) noexcept nogil:
    """Return True if the size of an image, such as ``2x``, precedes a comma."""
    return comma - sizes >= 2 and (comma[-1] == c"w" or comma[-1] == c"x") and 48 <= comma[-2] <= 57


cdef inline bint is_unwanted(const unsigned char* at) noexcept nogil:
    """Return True for a character forbidden in HTML."""
    if at[0] == 0xEF:
        return at[1] == 0xBF and at[2] >= 0xBE
    return at[0] < 32 and at[0] != 9 and at[0] != 10 and at[0] != 13


cdef inline bint is_in_fragment(char character) noexcept nogil:
    return CLASSES[<unsigned char>character] & IN_WORD or character in b"%+.:"
