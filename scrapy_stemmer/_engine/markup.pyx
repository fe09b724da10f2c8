"""A document: what is kept of a page, as :mod:`prune` makes it.

Its parts are added in order: attributes, the start of their element, texts, the end. It is written as HTML here, and as
Markdown by :mod:`markdown`.
"""

from cpython.unicode cimport PyUnicode_AsUTF8, PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdlib cimport free
from libc.string cimport memset, strlen

from lxml.includes.tree cimport xmlNode

from scrapy_stemmer._engine.nodes cimport Buffer, put, space_at
from scrapy_stemmer._engine.tree cimport Nodes, TAG_MATH, VOID, place_of


cdef frozenset COLLAPSED = frozenset({"alt", "title", "srcset"})  # attributes without line breaks


cdef class Markup(Nodes):
    """Elements of a document, the root first.

    :ivar names: their names,
    :ivar texts: the texts at their beginnings, or the HTML of formulas,
    :ivar tails: the texts behind them, and
    :ivar attributes: their attributes; all ``None`` without.
    :ivar given: attributes of the next element, ``None`` for one written by its name alone.
    :ivar open_: the element whose content is added.
    :ivar ended: its last child, -1 without.
    :ivar open_text: text to be added to it.
    :ivar is_begun: whether nothing was added since the start of an element.
    """

    def __cinit__(self):
        self.names, self.texts, self.tails, self.attributes, self.given = [], [], [], [], {}
        self.open_ = self.ended = -1
        self.begin("body")
        self.is_begun = False

    def __dealloc__(self):
        free(self.open_text.data)

    # Adding in order

    cdef int begin(self, const char* name) except -1:
        """Add the start of an element with the attributes added last."""
        self.settle()
        self.open_ = self.add_node(NULL, place_of(name), self.open_, self.ended)
        self.names.append(name.decode())
        self.texts.append(None)
        self.tails.append(None)
        self.attributes.append(self.given or None)
        self.given = {} if self.given else self.given
        self.ended, self.is_begun = -1, True
        return 0

    cdef int end(self) except -1:
        """Add the end of an element."""
        self.settle()
        self.is_begun = False
        self.nodes[self.open_].end = <int>self.count
        self.ended, self.open_ = self.open_, self.nodes[self.open_].parent
        return 0

    cdef int add_attribute(self, str name, str value) except -1:
        """Add an attribute, without characters forbidden in HTML, and white space around; by its name alone with ``None``."""
        if value is not None:
            self.scratch.size = 0
            put_clean(&self.scratch, PyUnicode_AsUTF8(value))
            value = decoded(&self.scratch)
            value = " ".join(value.split()) if name in COLLAPSED else value.strip()
        self.given[name] = value
        return 0

    cdef int characters(self, const char* text) except -1:
        """Add a text, without characters forbidden in HTML."""
        self.is_begun = self.is_begun and not text[0]
        return put_clean(&self.open_text, text)

    cdef int put_formula(self, xmlNode* node, str html, const char* display) except -1:
        """Add a formula with its HTML."""
        if display is not NULL:
            self.add_attribute("display", display.decode())
        self.begin("math")
        self.nodes[self.open_].node = node
        self.texts[self.open_] = html
        return self.end()

    cdef bint is_amid_line(self) noexcept:
        """Return True if anything but a line break or the start of an element was added last."""
        if self.is_begun or self.count == 1:
            return False
        return not self.open_text.size or self.open_text.data[self.open_text.size - 1] != c"\n"

    cdef int settle(self) except -1:
        """Put the open text in its place."""
        if self.open_text.size:
            text = decoded(&self.open_text)
            if self.ended < 0:
                self.texts[self.open_] = text
            else:
                self.tails[self.ended] = text
            self.open_text.size = 0
        return 0

    # Reading

    cdef str value_of(self, int number, str name):
        """Return the value of an attribute, ``None`` without."""
        cdef dict own = self.attributes[number]
        return None if own is None or name not in own else own[name] or ""

    cdef const char* get(self, int number, const char* name) except? NULL:
        cdef str value = None if self.attributes[number] is None else self.value_of(number, name.decode())
        return NULL if value is None else PyUnicode_AsUTF8(value)

    cdef str text_in(self, int top):
        """Return the text of an element."""
        cdef int number, ended
        cdef list found = []
        for number in range(top, self.nodes[top].end):
            found.append(self.texts[number] or "")
            ended = number
            while ended != top and self.nodes[ended].end == number + 1:
                found.append(self.tails[ended] or "")
                ended = self.nodes[ended].parent
        return "".join(found)

    # HTML

    cdef str html(self):
        """End the document, and return it as HTML. The root has no name."""
        cdef Buffer* written = &self.scratch
        cdef int number, ended
        self.end()
        written.size = 0
        for number in range(<int>self.count):
            if self.nodes[number].tag == TAG_MATH:
                put_str(written, self.texts[number])
            else:
                self.put_start(written, number)
            ended = number
            while ended and self.nodes[ended].end == number + 1:
                if self.nodes[ended].tag != TAG_MATH and not self.is_a(ended, VOID):
                    put(written, "</", 2)
                    put_str(written, self.names[ended])
                    put(written, ">", 1)
                escape(written, self.tails[ended], False)
                ended = self.nodes[ended].parent
        return decoded(written)

    cdef int put_start(self, Buffer* written, int number) except -1:
        """Write the start of an element with its text."""
        if number:
            put(written, "<", 1)
            put_str(written, self.names[number])
            for name, value in (self.attributes[number] or {}).items():
                put(written, " ", 1)
                put_str(written, name)
                if value is not None:
                    put(written, '="', 2)
                    escape(written, value, True)
                    put(written, '"', 1)
            put(written, ">", 1)
        return escape(written, self.texts[number], False)


cdef str decoded(Buffer* buffer):
    return PyUnicode_DecodeUTF8(buffer.data, buffer.size, NULL) if buffer.size else ""


cdef int put_str(Buffer* buffer, str text) except -1:
    cdef Py_ssize_t size
    cdef const char* data = PyUnicode_AsUTF8AndSize(text, &size)
    return put(buffer, data, size)


cdef const char* ESCAPES[256]  # by character, or NULL
memset(ESCAPES, 0, sizeof(ESCAPES))
ESCAPES[c"\r"], ESCAPES[c"&"], ESCAPES[c"<"], ESCAPES[c">"], ESCAPES[c'"'] = "&#13;", "&amp;", "&lt;", "&gt;", "&quot;"


cdef int escape(Buffer* buffer, str text, bint is_value) except -1:
    """Append a text or a value with escapes, or nothing for ``None``."""
    cdef const char* at = PyUnicode_AsUTF8(text) if text is not None else NULL
    cdef const char* plain = at
    while at is not NULL and at[0]:
        if ESCAPES[<unsigned char>at[0]] is not NULL and (is_value or at[0] != c'"'):
            put(buffer, plain, at - plain)
            put(buffer, ESCAPES[<unsigned char>at[0]], strlen(ESCAPES[<unsigned char>at[0]]))
            plain = at + 1
        at += 1
    return put(buffer, plain, at - plain) if plain is not NULL else 0


cdef unsigned char[256] ODD
for code_ in range(256):
    ODD[<int>code_] = (code_ < 32 and chr(code_) not in "\t\n\r") or code_ in (0x7F, 0xC2, 0xEF)


cdef int put_clean(Buffer* buffer, const char* text) except -1:
    """Append a text without :data:`scrapy_stemmer.page.text.UNWRITABLE` characters, as spaces if they are white space."""
    cdef const unsigned char* at = <const unsigned char*>text
    cdef const unsigned char* plain = at
    cdef int odd
    while at[0]:
        odd = 0
        if ODD[at[0]]:
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
    return put(buffer, <const char*>plain, at - plain)
