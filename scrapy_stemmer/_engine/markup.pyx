# cython: boundscheck=False, wraparound=False
"""A document: what is kept of a page, as :mod:`prune` makes it.

Its parts are added in order: attributes, the start of their element, texts, the end. It is written as HTML here, and as
Markdown by :mod:`markdown`.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free
from libc.string cimport memset, strcmp, strlen

from lxml.includes.tree cimport xmlNode

from scrapy_stemmer._engine.lines cimport Part, collapse, free_room, kept, strip
from scrapy_stemmer._engine.nodes cimport Buffer, put, resized, space_at
from scrapy_stemmer._engine.tree cimport Nodes, VOID, place_of


cdef const char* ALONE = ""  # the value of an attribute written by its name alone


cdef class Markup(Nodes):
    """Elements of a document, the root first.

    :ivar items: what each is written with.
    :ivar attributes: their attributes; those behind :attr:`attributes_taken` are of the next element.
    :ivar texts: texts and values.
    :ivar open_: the element whose content is added.
    :ivar open_text: text to be added to it.
    :ivar is_begun: whether nothing was added since the start of an element.
    """

    def __cinit__(self):
        self.open_ = -1
        self.begin("body")
        self.is_begun = False

    def __dealloc__(self):
        free(self.items)
        free(self.attributes)
        free(self.open_text.data)
        free_room(&self.texts)

    # Adding in order

    cdef int begin(self, const char* name) except -1:
        """Add the start of an element with the attributes added last, whose name stays in memory."""
        cdef int parent = self.open_
        cdef Item* item
        self.settle()
        self.open_ = self.add_node(NULL, place_of(name), parent, self.items[parent].last if parent >= 0 else -1)
        if self.items_room < self.room:
            self.items = <Item*>resized(self.items, self.room * sizeof(Item))
            self.items_room = self.room
        item = &self.items[self.open_]
        memset(item, 0, sizeof(Item))
        item.name, item.last, item.note, item.link = name, -1, -1, -1
        item.attributes, item.attributes_count = self.attributes_taken, self.attributes_count - self.attributes_taken
        self.attributes_taken = self.attributes_count
        if parent >= 0:
            self.items[parent].last = self.open_
        self.is_begun = True
        return 0

    cdef int end(self) except -1:
        """Add the end of an element."""
        self.settle()
        self.is_begun = False
        self.nodes[self.open_].end = <int>self.count
        self.open_ = self.nodes[self.open_].parent
        return 0

    cdef int add_attribute(self, const char* name, const char* value) except -1:
        """Add an attribute, without characters forbidden in HTML, and white space around; by its name alone with NULL."""
        cdef Part part
        cdef Attribute* attribute
        if self.attributes_count == self.attributes_room:
            self.attributes = <Attribute*>resized(self.attributes, (2 * self.attributes_room + 256) * sizeof(Attribute))
            self.attributes_room = 2 * self.attributes_room + 256
        attribute = &self.attributes[self.attributes_count]
        attribute.name, attribute.value = name, ALONE
        self.attributes_count += 1
        if value is NULL:
            return 0
        self.scratch.size = 0
        put_clean(&self.scratch, value, strlen(value))
        part.size = self.scratch.size
        put(&self.scratch, b"\0", 1)
        part.text = self.scratch.data
        strip(&part)
        part.text = kept(&self.texts, part.text, part.size)
        if strcmp(name, "alt") == 0 or strcmp(name, "title") == 0 or strcmp(name, "srcset") == 0:
            collapse(&self.texts, &part)
        attribute.value = part.text
        return 0

    cdef int characters(self, const char* text, size_t size) except -1:
        """Add a text, without characters forbidden in HTML."""
        if size:
            self.is_begun = False
        return put_clean(&self.open_text, text, size)

    cdef int put_formula(self, xmlNode* node, str html, const char* display) except -1:
        """Add a formula with its HTML."""
        cdef bytes encoded = html.encode("utf-8", "replace")
        if display is not NULL:
            self.add_attribute("display", display)
        self.begin("math")
        self.nodes[self.open_].node = node
        self.items[self.open_].raw = kept(&self.texts, encoded, len(encoded))
        return self.end()

    cdef bint is_amid_line(self) noexcept:
        """Return True if anything but a line break or the start of an element was added last."""
        if self.is_begun or self.count == 1:
            return False
        return not self.open_text.size or self.open_text.data[self.open_text.size - 1] != c"\n"

    cdef int settle(self) except -1:
        """Put the open text in its place."""
        cdef Item* item
        cdef const char* text
        if not self.open_text.size:
            return 0
        item = &self.items[self.open_]
        text = kept(&self.texts, self.open_text.data, self.open_text.size)
        if item.last < 0:
            item.text = text
        else:
            self.items[item.last].tail = text
        self.open_text.size = 0
        return 0

    # Reading

    cdef const char* get(self, int number, const char* name) except? NULL:
        cdef int each
        for each in range(self.items[number].attributes, self.items[number].attributes + self.items[number].attributes_count):
            if strcmp(self.attributes[each].name, name) == 0:
                return self.attributes[each].value
        return NULL

    cdef int read_text(self, int top) except -1:
        """Read the text of an element into :attr:`scratch`, followed by an uncounted NUL."""
        cdef int number, ended
        cdef const char* text
        self.scratch.size = 0
        for number in range(top, self.nodes[top].end):
            text = self.items[number].text
            ended = number
            while True:
                if text is not NULL:
                    put(&self.scratch, text, strlen(text))
                if ended == top or self.nodes[ended].end != number + 1:
                    break
                text = self.items[ended].tail
                ended = self.nodes[ended].parent
        put(&self.scratch, b"\0", 1)
        self.scratch.size -= 1
        return 0

    # HTML

    cdef str html(self):
        """End the document, and return it as HTML."""
        cdef Buffer written
        cdef int number, ended
        cdef Item* item
        memset(&written, 0, sizeof(Buffer))
        self.end()
        try:
            for number in range(<int>self.count):
                self.put_start(&written, number)
                ended = number
                while ended and self.nodes[ended].end == number + 1:
                    item = &self.items[ended]
                    if item.raw is NULL and not self.is_a(ended, VOID):
                        put(&written, "</", 2)
                        put(&written, item.name, strlen(item.name))
                        put(&written, ">", 1)
                    if item.tail is not NULL:
                        escape(&written, item.tail, False)
                    ended = self.nodes[ended].parent
            return PyUnicode_DecodeUTF8(written.data, written.size, NULL) if written.size else ""
        finally:
            free(written.data)

    cdef int put_start(self, Buffer* written, int number) except -1:
        """Write the start of an element with its text. The root has no name."""
        cdef Item* item = &self.items[number]
        cdef Attribute* attribute
        cdef int each
        if item.raw is not NULL:
            return put(written, item.raw, strlen(item.raw))
        if number:
            put(written, "<", 1)
            put(written, item.name, strlen(item.name))
            for each in range(item.attributes_count):
                attribute = &self.attributes[item.attributes + each]
                put(written, " ", 1)
                put(written, attribute.name, strlen(attribute.name))
                if attribute.value is not ALONE:
                    put(written, '="', 2)
                    escape(written, attribute.value, True)
                    put(written, '"', 1)
            put(written, ">", 1)
        return 0 if item.text is NULL else escape(written, item.text, False)


cdef const char* ESCAPES[256]  # by character, or NULL
memset(ESCAPES, 0, sizeof(ESCAPES))
ESCAPES[c"\r"] = "&#13;"
ESCAPES[c"&"] = "&amp;"
ESCAPES[c"<"] = "&lt;"
ESCAPES[c">"] = "&gt;"
ESCAPES[c'"'] = "&quot;"


cdef int escape(Buffer* buffer, const char* text, bint is_value) except -1:
    """Append a text or a value with escapes."""
    cdef const char* plain = text
    while text[0]:
        if ESCAPES[<unsigned char>text[0]] is not NULL and (is_value or text[0] != c'"'):
            put(buffer, plain, text - plain)
            put(buffer, ESCAPES[<unsigned char>text[0]], strlen(ESCAPES[<unsigned char>text[0]]))
            plain = text + 1
        text += 1
    return put(buffer, plain, text - plain)


cdef unsigned char[256] ODD
for code_ in range(256):
    ODD[<int>code_] = (code_ < 32 and chr(code_) not in "\t\n\r") or code_ in (0x7F, 0xC2, 0xEF)


cdef int put_clean(Buffer* buffer, const char* text, size_t size) except -1:
    """Append a text without :data:`scrapy_stemmer.page.text.UNWRITABLE` characters, as spaces if they are white space."""
    cdef const unsigned char* at = <const unsigned char*>text
    cdef const unsigned char* end = at + size
    cdef const unsigned char* plain = at
    cdef int odd
    while at < end:
        if not ODD[at[0]]:
            at += 1
            continue
        odd = 1 if at[0] < 128 else 0
        if at[0] == 0xC2 and at[1] < 0xA0:
            odd = 2
        elif at[0] == 0xEF and at[1] == 0xBF and at[2] >= 0xBE:
            odd = 3
        if odd:
            put(buffer, <const char*>plain, at - plain)
            put(buffer, " ", space_at(at) > 0)
            plain = at + odd
        at += odd if odd else 1
    return put(buffer, <const char*>plain, end - plain)
