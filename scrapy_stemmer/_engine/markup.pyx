# cython: boundscheck=False, wraparound=False
"""A document of movable elements: what is kept of a page, as :mod:`prune` makes it.

Its parts are added in order: attributes, the start of their element, texts, the end. It is written as HTML here, and as
Markdown by :mod:`markdown`.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free
from libc.string cimport memset, strcmp, strlen

from lxml.includes.tree cimport xmlNode

from scrapy_stemmer._engine.lines cimport Part, collapse, free_room, kept, strip
from scrapy_stemmer._engine.nodes cimport Buffer, put, resized, space_at
from scrapy_stemmer._engine.tree cimport Name, VOID, place_of

cdef const char* ATTRIBUTES[24]
ATTRIBUTES[:] = [
    "", "href", "name", "id", "style", "class", "start", "reversed", "value", "type", "checked", "disabled", "src", "srcset",
    "alt", "title", "lang", "dir", "colspan", "rowspan", "scope", "datetime", "cite", "display",
]


cdef int attribute_number(const char* name) noexcept:
    """Return the number of an attribute's name, 0 for a name that is not written."""
    cdef int number
    for number in range(1, 24):
        if strcmp(ATTRIBUTES[number], name) == 0:
            return number
    return 0


cdef class Markup:
    """Elements of a document.

    :ivar items: the elements in order, the root first, then elements added later.
    :ivar attributes: their attributes; those behind :attr:`attributes_taken` are of the next element.
    :ivar texts: texts and values.
    :ivar text_read: the text read last.
    :ivar open_: the element whose content is added.
    :ivar open_text: text to be added to it.
    :ivar is_begun: whether nothing was added since the start of an element.
    """

    def __cinit__(self):
        self.add_item("body", -1)

    def __dealloc__(self):
        free(self.items)
        free(self.attributes)
        free(self.text_read.data)
        free(self.open_text.data)
        free_room(&self.texts)

    # Adding in order

    cdef int begin(self, const char* name) except -1:
        """Add the start of an element with the attributes added last."""
        self.settle()
        self.open_ = self.add_item(name, self.open_)
        self.items[self.open_].attributes = self.attributes_taken
        self.items[self.open_].attributes_count = self.attributes_count - self.attributes_taken
        self.attributes_taken = self.attributes_count
        self.is_begun = True
        return 0

    cdef int end(self) except -1:
        """Add the end of an element."""
        self.settle()
        self.is_begun = False
        self.open_ = self.items[self.open_].parent
        return 0

    cdef int add_attribute(self, int name, const char* value) except -1:
        """Add an attribute, without characters forbidden in HTML, and white space around."""
        cdef Part part
        if self.attributes_count == self.attributes_room:
            self.attributes = <Attribute*>resized(self.attributes, (2 * self.attributes_room + 256) * sizeof(Attribute))
            self.attributes_room = 2 * self.attributes_room + 256
        self.text_read.size = 0
        put_clean(&self.text_read, value, strlen(value))
        part.size = self.text_read.size
        put(&self.text_read, b"\0", 1)
        part.text = self.text_read.data
        strip(&part)
        part.text = kept(&self.texts, part.text, part.size)
        if name == ALT or name == TITLE or name == SRCSET:
            collapse(&self.texts, &part)
        self.attributes[self.attributes_count].name = name
        self.attributes[self.attributes_count].value = part.text
        self.attributes_count += 1
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
            self.add_attribute(DISPLAY, display)
        self.begin("math")
        self.items[self.open_].node = node
        self.items[self.open_].raw = kept(&self.texts, encoded, len(encoded))
        return self.end()

    cdef bint is_amid_line(self) noexcept:
        """Return True if anything but a line break or the start of an element was added last."""
        if self.is_begun or self.count == 1:
            return False
        return not self.open_text.size or self.open_text.data[self.open_text.size - 1] != c"\n"

    cdef int settle(self) except -1:
        """Put the open text in its place."""
        cdef int last = self.items[self.open_].last
        cdef const char* text
        if not self.open_text.size:
            return 0
        text = kept(&self.texts, self.open_text.data, self.open_text.size)
        if last < 0:
            self.items[self.open_].text = text
        else:
            self.items[last].tail = text
        self.open_text.size = 0
        return 0

    # HTML

    cdef str html(self):
        """Return the document as HTML."""
        cdef Buffer written
        cdef int number = 0
        cdef Item* item
        memset(&written, 0, sizeof(Buffer))
        self.settle()
        try:
            while True:
                item = &self.items[number]
                self.put_start(&written, item)
                if item.first >= 0:
                    number = item.first
                    continue
                while number:
                    if item.raw is NULL and not item.facts & VOID:
                        put(&written, "</", 2)
                        put(&written, item.name, strlen(item.name))
                        put(&written, ">", 1)
                    if item.tail is not NULL:
                        escape(&written, item.tail, False)
                    if item.next >= 0:
                        number = item.next
                        break
                    number = item.parent
                    item = &self.items[number]
                else:
                    return PyUnicode_DecodeUTF8(written.data, written.size, NULL) if written.size else ""
        finally:
            free(written.data)

    cdef int put_start(self, Buffer* written, Item* item) except -1:
        """Write the start of an element with its text. The root has no name."""
        cdef Attribute* attribute
        cdef int each
        if item.raw is not NULL:
            return put(written, item.raw, strlen(item.raw))
        if item.parent >= 0:
            put(written, "<", 1)
            put(written, item.name, strlen(item.name))
            for each in range(item.attributes_count):
                attribute = &self.attributes[item.attributes + each]
                put(written, " ", 1)
                put(written, ATTRIBUTES[attribute.name], strlen(ATTRIBUTES[attribute.name]))
                if attribute.name != CHECKED and attribute.name != DISABLED:
                    put(written, '="', 2)
                    escape(written, attribute.value, True)
                    put(written, '"', 1)
            put(written, ">", 1)
        return 0 if item.text is NULL else escape(written, item.text, False)

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
        cdef Name* found = place_of(name)
        self.items[item].name, self.items[item].tag, self.items[item].facts = name, found.tag, found.facts
        return 0

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
                self.attributes[number].name = GONE
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
