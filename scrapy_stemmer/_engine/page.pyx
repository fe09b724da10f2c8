# cython: boundscheck=False, wraparound=False
"""A page as read: elements and blocks as arrays, and the decisions on the blocks.

Lists are made where Python asks for one.
"""

import re
from array import array
from zlib import crc32

cimport cython
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.math cimport exp
from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free, realloc

from scrapy_stemmer._engine.nodes cimport Buffer, put, sign_at

cdef extern from "Python.h":
    bint Py_UNICODE_ISDECIMAL(uint32_t sign) nogil
    bint Py_UNICODE_ISDIGIT(uint32_t sign) nogil
    uint32_t Py_UNICODE_TOLOWER(uint32_t sign) nogil

from scrapy_stemmer.page.text import BACK as ARROWS, SOFT_HYPHEN

cdef str BACK = ARROWS
cdef frozenset ENDS = frozenset(BACK)


cpdef str line_text(str text):
    """See :data:`scrapy_stemmer.writing.plain_text.line_text`."""
    cdef Py_UCS4 last
    if text.isascii():
        return text
    if SOFT_HYPHEN in text:
        text = text.replace(SOFT_HYPHEN, "")
    last = text[len(text) - 1] if text else c"a"
    if last in ENDS:
        text = text.rstrip(BACK) or text
        last = text[len(text) - 1]
    return text.rstrip(last).rstrip() if 0xE000 <= last <= 0xF8FF else text


cdef enum:
    FEWEST = 4  # characters beside digits, at least, in texts whose numbers make no difference
    KEY_BITS = 0xFFFFFF  # bits of the keys of learned texts

cdef object RUNS = re.compile(r"\d+")

cdef uint32_t[256] REMAINDERS  # of CRC-32, by byte
for number in range(256):
    REMAINDERS[<int>number] = crc32(bytes([number])) ^ crc32(b"\0")


def text_key(str text not None):
    """See :data:`scrapy_stemmer.learners.rules.site.columns.text_key`."""
    cdef bytes read = text.encode("utf-8", "surrogatepass")
    cdef long long found = key_of(read, len(read))
    if found >= 0:
        return found
    lower = text.lower()
    if sum(map(str.isdecimal, lower)) <= len(lower) - FEWEST:
        lower = RUNS.sub("0", lower)
    return crc32(lower.encode("utf-8", "surrogatepass"))


cdef inline bint is_digit(uint32_t sign) noexcept nogil:
    return 48 <= sign <= 57 if sign < 128 else Py_UNICODE_ISDECIMAL(sign)


cdef inline uint32_t with_sign(uint32_t rest, uint32_t sign) noexcept nogil:
    """Return the remainder of CRC-32 with one more character, in UTF-8."""
    cdef int more = 0 if sign < 0x80 else 1 if sign < 0x800 else 2 if sign < 0x10000 else 3
    rest = REMAINDERS[(rest ^ sign >> 6 * more ^ (0x780 >> more if more else 0)) & 0xFF] ^ rest >> 8
    while more:
        more -= 1
        rest = REMAINDERS[(rest ^ (sign >> 6 * more & 0x3F | 0x80)) & 0xFF] ^ rest >> 8
    return rest


cdef long long key_of(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Return the key of a text in UTF-8; -1 for letters whose lower case is two letters, or depends on their place."""
    cdef const unsigned char* at = text
    cdef int others = 0
    cdef uint32_t rest = 0xFFFFFFFF, sign = 0, lower
    cdef bint is_number = False
    while at < text + size and others < FEWEST:
        at += sign_at(at, &sign)
        others += not is_digit(sign)
    at = text
    while at < text + size:
        at += sign_at(at, &sign)
        if others >= FEWEST and is_digit(sign):
            rest = rest if is_number else with_sign(rest, c"0")
            is_number = True
        elif sign == 0x130 or sign == 0x3A3:
            return -1
        else:
            lower = sign | 0x20 if 65 <= sign <= 90 else sign if sign < 128 else Py_UNICODE_TOLOWER(sign)
            rest, is_number = with_sign(rest, lower), False
    return ~rest


cdef class Path:
    """A path of a site: what its elements are, and what is decided on text there.

    :ivar rule: number of the deciding rule, -1 for none.
    :ivar title: number of the title rule; the number of rules for further ``h1``, -1 for the rest.
    :ivar key: key of the path.
    :ivar level: log-odds from which the scorer overrules the rule: negative to drop text, positive to keep text, 0 for
        a rule never overruled.
    :ivar is_decided: True if rules decide there; ``in_part``: within an element of one decision.
    :ivar is_shaped: True in code, tables, lists and quotes, where blocks may be more than a line.
    :ivar is_hidden: True in hidden elements and quotes; ``near_code``: above 0 in code, or right around it.
    :ivar is_usual: True if at least half of the learned pages have the path.
    :ivar is_known: True if learned pages tell about text there, ``None`` before the first question.
    """

    def __init__(self, Path above, bint is_heading=False, bint is_shaped=False, bint is_hidden=False, int near_code=0):
        self.rule = self.title = -1
        self.is_heading, self.is_shaped, self.is_hidden, self.near_code = is_heading, is_shaped, is_hidden, near_code
        if above is not None:
            self.is_shaped |= above.is_shaped
            self.is_hidden |= above.is_hidden
            self.near_code = max(near_code, above.near_code - 1)


cdef class ReadPage:
    """Elements and blocks of a page.

    :ivar count: number of blocks.
    :ivar size: number of elements.
    :ivar site_paths: the paths of its site.
    """

    def __cinit__(self):
        self.made, self.site_paths = {}, []

    def __dealloc__(self):
        free(self.said.data)
        free(self.addresses.data)
        free(self.element_data.data)
        free(self.block_data.data)
        free(self.sign_data.data)
        free(self.link_data.data)
        free(self.piece_data.data)
        free(self.sign_pieces.data)

    cdef void trim(self) noexcept:
        """Give back the room that no text, element or block needs."""
        trim(&self.said)
        trim(&self.element_data)
        trim(&self.block_data)
        trim(&self.piece_data)

    def renumbered(self, numbers):
        """Return a copy with other numbers of signatures, by the present numbers."""
        cdef ReadPage copy = ReadPage()
        cdef int each
        copy.count, copy.size = self.count, self.size
        copied(&self.said, &copy.said)
        copied(&self.addresses, &copy.addresses)
        copied(&self.element_data, &copy.element_data)
        copied(&self.block_data, &copy.block_data)
        copied(&self.sign_data, &copy.sign_data)
        copied(&self.link_data, &copy.link_data)
        copied(&self.piece_data, &copy.piece_data)
        copied(&self.sign_pieces, &copy.sign_pieces)
        for each in range(self.size):
            copy.elements_()[each].signature = numbers[self.elements_()[each].signature]
        return copy

    # Columns as lists

    cdef list column(self, str name, void* first, Py_ssize_t step, Py_ssize_t count):
        """Return the values of an array's field, remembered by its name."""
        cdef list found = self.made.get(name)
        cdef Py_ssize_t each
        if found is None:
            found = self.made[name] = [(<int*>(<char*>first + each * step))[0] for each in range(count)]
        return found

    @property
    def parents(self):
        return self.column("parents", &self.elements_().parent, sizeof(Element), self.size)

    @property
    def signatures(self):
        return self.column("signatures", &self.elements_().signature, sizeof(Element), self.size)

    @property
    def numbers(self):
        found = self.made.get("numbers")
        if found is None:
            of_all = [self.elements_()[each].number for each in range(self.size)]
            found = self.made["numbers"] = array("i", of_all)
        return found

    @property
    def paths(self):
        """Paths of the elements; the body's without any element."""
        return self.column("paths", &self.elements_().path, sizeof(Element), self.size) or [0]

    @property
    def elements(self):
        return self.column("elements", &self.blocks_().element, sizeof(Block), self.count)

    @property
    def lengths(self):
        return self.column("lengths", &self.blocks_().length, sizeof(Block), self.count)

    @property
    def linked(self):
        return self.column("linked", &self.blocks_().linked, sizeof(Block), self.count)

    @property
    def block_paths(self):
        found = self.made.get("block_paths")
        if found is None:
            found = self.made["block_paths"] = [self.path_of(each) for each in range(self.count)]
        return found

    @property
    def times(self):
        found = self.made.get("times")
        if found is None:
            found = self.made["times"] = [bool(self.blocks_()[each].has_time) for each in range(self.count)]
        return found

    @property
    def spaced(self):
        return [bool(self.blocks_()[each].is_spaced) for each in range(self.count)]

    @property
    def ends(self):
        return [0, *[self.blocks_()[each].end for each in range(self.count)]]

    @property
    def texts(self):
        found = self.made.get("texts")
        if found is None:
            found = self.made["texts"] = [self.text_of(each) for each in range(self.count)]
        return found

    @property
    def links(self):
        return list(self.each_link())

    def each_link(self):
        """Yield the block at the start of each link, or next, and the link's address."""
        cdef size_t each
        for each in range(self.link_data.size // sizeof(Link)):
            yield (<Link*>self.link_data.data)[each].before, self.address(each)

    @property
    def pieces(self):
        return as_array(&self.piece_data, 0, <int>(self.piece_data.size // sizeof(int)))

    @property
    def signs(self):
        return [self.sign(each) for each in range(self.sign_data.size // sizeof(Sign))]

    def __len__(self):
        return self.count

    cdef tuple sign(self, size_t number):
        cdef Sign* sign = <Sign*>self.sign_data.data + number
        pieces = as_array(&self.sign_pieces, sign.first, sign.end).tolist()
        return sign.before, sign.element, pieces, self.text_at(sign.start, sign.size), bool(sign.is_spaced)

    cdef str text_at(self, Py_ssize_t start, Py_ssize_t size):
        return PyUnicode_DecodeUTF8(self.said.data + start, size, NULL) if size else ""

    cdef str address(self, size_t link):
        """Return the address of a link."""
        cdef Link* found = <Link*>self.link_data.data + link
        return PyUnicode_DecodeUTF8(self.addresses.data + found.start, found.size, NULL) if found.size else ""

    cdef str text_of(self, Py_ssize_t block):
        """Return the text of a block, decoded at the first question."""
        if self.decoded is None:
            self.decoded = [None] * self.count
        text = self.decoded[block]
        if text is None:
            text = self.decoded[block] = self.text_at(self.blocks_()[block].start, self.blocks_()[block].size)
        return <str>text

    def path_of(self, Py_ssize_t block):
        return self.elements_()[self.checked(block).element].path

    def site_path(self, Py_ssize_t block):
        """Return the path of a block on its site."""
        self.checked(block)
        return self.path_at(block)

    @cython.boundscheck(True)
    cdef Path path_at(self, Py_ssize_t block):
        return <Path>self.site_paths[self.path(block)]

    cdef bint is_further_line(self, Py_ssize_t block) except -1:
        """Return True for a line of a heading behind the first."""
        return block > 0 and self.blocks_()[block].element == self.blocks_()[block - 1].element and self.path_at(block).is_heading

    def lines_of_heading(self, Py_ssize_t block):
        """Return a block with the further lines of its heading."""
        cdef Py_ssize_t end = block + 1
        self.checked(block)
        while end < self.count and self.is_further_line(end):
            end += 1
        return range(block, end)

    def lines_of_size(self, Py_ssize_t least, Py_ssize_t most):
        """Return the blocks from some bytes up to others, but for further lines of headings, which count with the first."""
        cdef Py_ssize_t each, size = 0
        cdef list found = []
        for each in range(self.count - 1, -1, -1):
            size += self.blocks_()[each].size
            if self.is_further_line(each):
                size += 1
                continue
            if least <= size <= most:
                found.append(each)
            size = 0
        found.reverse()
        return found

    def headings(self):
        """Return the first block of each heading."""
        cdef Py_ssize_t each
        return [each for each in range(self.count) if self.path_at(each).is_heading and not self.is_further_line(each)]

    def named(self):
        """Return the title rule and the number of each block on a path with one, of a heading the first."""
        cdef Py_ssize_t each
        cdef list found = [each for each in range(self.count) if self.path_at(each).title >= 0 and not self.is_further_line(each)]
        return [(self.path_at(each).title, each) for each in found]

    def pieces_of(self, Py_ssize_t block):
        """Return the pieces of a block."""
        cdef int end = self.checked(block).end
        return as_array(&self.piece_data, self.blocks_()[block - 1].end if block else 0, end)

    cdef Block* checked(self, Py_ssize_t block) except NULL:
        if not 0 <= block < self.count:
            raise IndexError("there is no such block")
        return &self.blocks_()[block]

    # Questions about elements

    cdef bint is_marked(self, Py_ssize_t element, list marks, int wanted) except -1:
        """Return True if an element's signature, by number, has any of the wanted bits."""
        cdef int number = self.elements_()[element].signature
        if number >= len(marks):
            raise ValueError("marks are wanted for each number")
        return (<int>marks[number] & wanted) != 0

    def any_marked(self, list marks not None, int wanted):
        """Return True if the signature of any element has any of the wanted bits."""
        cdef Py_ssize_t each
        for each in range(self.size):
            if self.is_marked(each, marks, wanted):
                return True
        return False

    def marked_elements(self, list marks not None, int wanted):
        """Return the elements whose signature has any of the wanted bits."""
        cdef Py_ssize_t each
        return [each for each in range(self.size) if self.is_marked(each, marks, wanted)]

    def within(self):
        """Return the first block in each element, and the end of its blocks; without any, the end is 0."""
        cdef list firsts = [self.count] * self.size, ends = [0] * self.size
        cdef Py_ssize_t each
        cdef int element, parent
        for each in range(self.count):
            element = self.blocks_()[each].element
            if not ends[element]:
                firsts[element] = each
            ends[element] = each + 1
        for each in range(self.size - 1, 0, -1):
            parent = self.elements_()[each].parent
            firsts[parent], ends[parent] = min(firsts[parent], firsts[each]), max(ends[parent], ends[each])
        return firsts, ends

    # Questions about texts

    def text(self, Py_ssize_t block):
        """Return the text of a block."""
        self.checked(block)
        return self.text_of(block)

    cdef long long key(self, Py_ssize_t block) except -1:
        """Return a block's key; see :data:`scrapy_stemmer.learners.rules.site.columns.text_key`."""
        cdef Block* own = &self.blocks_()[block]
        if own.key < 0:
            own.key = key_of(<const unsigned char*>self.said.data + own.start, own.size)
        if own.key < 0:
            own.key = text_key(self.text_of(block))
        return own.key

    def beginning(self, Py_ssize_t most):
        """Return the first bytes of the texts, which NUL parts, as a text."""
        cdef Py_ssize_t size = min(most, <Py_ssize_t>self.said.size)
        return PyUnicode_DecodeUTF8(self.said.data, size, "ignore").replace("\0", "") if size else ""

    def usual_paths(self):
        """Return the number of the site's usual paths on the page."""
        cdef Py_ssize_t each
        cdef int path, found = 0
        cdef bytearray seen = bytearray(len(self.site_paths) + 1)
        for each in range(self.size):
            path = self.elements_()[each].path
            if not seen[path]:
                seen[path] = True
                found += (<Path>self.site_paths[path]).is_usual
        return found

    def count_pages(self, dict texts not None):
        """Note the number of learned pages with the text of each block.

        :param texts: number of pages by key of a text.
        """
        cdef Py_ssize_t each
        for each in range(self.count):
            self.blocks_()[each].pages = texts.get(self.key(each) & KEY_BITS, 0) if texts else 0

    def is_repeated(self, Py_ssize_t block, double least):
        """Return True if enough learned pages have a block's text."""
        return self.checked(block).pages >= least

    def unrepeated(self, blocks not None, double least):
        """Return some blocks without those whose text enough learned pages have."""
        cdef Py_ssize_t each
        return [each for each in blocks if self.checked(each).pages < least]

    def is_link(self, Py_ssize_t block, double share):
        """Return True if a larger share of a block is in links."""
        cdef Block* own = self.checked(block)
        return own.linked > share * own.length

    def keys(self):
        """Return the key of each block."""
        return [self.key(each) for each in range(self.count)]

    cdef bint is_number(self, Py_ssize_t block) noexcept:
        """Return True for a block of digits and spaces."""
        cdef const unsigned char* start = <const unsigned char*>self.said.data + self.blocks_()[block].start
        cdef const unsigned char* end = start + self.blocks_()[block].size
        cdef const unsigned char* at = start
        cdef uint32_t sign
        while at < end:
            at += sign_at(at, &sign)
            if not (Py_UNICODE_ISDIGIT(sign) or (sign == 32 and at > start + 1)):
                return False
        return end > start

    def numbers_alone(self):
        """Return the blocks of digits and spaces, none if no such block stands beside code or another one."""
        cdef Py_ssize_t each
        cdef list found = [each for each in range(self.count) if self.is_number(each)]
        for each in found:
            if self.is_beside_code(each):
                return found
        return []

    cdef bint is_beside_code(self, Py_ssize_t number) except -1:
        """Return True if a block stands beside code, or before another block of digits."""
        cdef Py_ssize_t each
        for each in range(max(0, number - 1), min(number + 3, self.count)):
            if each <= number + 1 and self.path_at(each).near_code > 0:
                return True
            if each > number and self.is_number(each):
                return True
        return False

    # Output

    def signs_beside(self, list asked not None):
        """Return the runs of signs beside some blocks, which are sorted, with True for blocks on both sides."""
        cdef Sign* signs = <Sign*>self.sign_data.data
        cdef size_t each, count = self.sign_data.size // sizeof(Sign)
        cdef unsigned char* among
        cdef Py_ssize_t block
        cdef list found = []
        cdef int sides
        if not count:
            return found
        among = <unsigned char*>calloc(self.count + 2, 1)
        if among is NULL:
            raise MemoryError
        try:
            for block in asked:
                self.checked(block)
                among[block + 1] = True
            for each in range(count):
                sides = among[signs[each].before] | among[signs[each].before + 1] << 1
                if sides:
                    found.append((self.sign(each), sides))
            return found
        finally:
            free(among)


cdef void trim(Buffer* data) noexcept:
    cdef char* smaller = <char*>realloc(data.data, data.size) if data.size else NULL
    if smaller is not NULL:
        data.data, data.room = smaller, data.size


cdef object as_array(Buffer* numbers, int first, int end):
    """Return some numbers."""
    if first >= end:
        return array("i")
    return array("i", numbers.data[first * sizeof(int) : end * sizeof(int)])


cdef int copied(Buffer* own, Buffer* copy) except -1:
    return put(copy, own.data, own.size) if own.size else 0


cdef class Verdicts:
    """Decisions on the blocks of a page.

    :ivar total: characters of all blocks,
    :ivar sure: of blocks with positive log-odds,
    :ivar unsure: and of undecided blocks.
    """

    cdef ReadPage page
    cdef Verdict* data
    cdef dict made
    cdef readonly long long total, sure, unsure

    def __init__(self, ReadPage page not None, list rule_odds):
        """Take the decisions of rules; nothing is text yet.

        :param rule_odds: log-odds of each rule, then of blocks without a rule.
        """
        cdef Py_ssize_t each, last = len(rule_odds) - 1
        cdef Path path
        cdef Block* block = page.blocks_()
        cdef Verdict* own
        self.page, self.made = page, {}
        self.data = <Verdict*>calloc(page.count + 1, sizeof(Verdict))
        if self.data is NULL:
            raise MemoryError
        for each in range(page.count):
            path = page.path_at(each)
            own = &self.data[each]
            own.by = path.rule
            own.odds = rule_odds[own.by if own.by >= 0 else last]
            self.total += block.length
            if own.odds > 0:
                self.sure += block.length
            if not path.is_decided:
                self.unsure += block.length
            block += 1

    def __dealloc__(self):
        free(self.data)

    def undecided(self):
        """Return the blocks on undecided paths."""
        cdef Py_ssize_t each
        return [each for each in range(self.page.count) if not self.page.path_at(each).is_decided]

    def contested(self, long long least, double share):
        """Return the blocks on paths with a level.

        Text kept by rules counts if it is a share of all that they keep, dropped text from some characters on.

        :param least: characters of the dropped text, at least.
        :param share: share of the kept text, at least.
        """
        cdef Py_ssize_t each
        cdef long long size_kept = 0, size_dropped = 0
        cdef double level
        cdef list kept = [], dropped = []
        for each in range(self.page.count):
            level = self.page.path_at(each).level
            if level < 0:
                kept.append(each)
                size_kept += self.page.blocks_()[each].length
            elif level > 0:
                dropped.append(each)
                size_dropped += self.page.blocks_()[each].length
        return [*(kept if size_kept >= share * self.sure else ()), *(dropped if size_dropped >= least else ())]

    def cut(self, double cut):
        """Take the blocks with a probability above the cut for text."""
        cdef Py_ssize_t each
        cdef double last = 0
        cdef bint is_above = 0.5 > cut
        self.made.clear()
        for each in range(self.page.count):
            if self.data[each].odds != last:  # a few rules decide on most blocks
                last = self.data[each].odds
                is_above = 1 / (1 + exp(-last)) > cut
            self.data[each].is_text = is_above

    def are_final(self, double cut, int scorer, limits not None):
        """Take the cut; return True if the rules decide on all text, and no block asks for a correction.

        :param limits: see :data:`scrapy_stemmer.learners.rules.decide.decide.LIMITS`.
        """
        cdef double least_kept, most_open
        cdef int most_again
        cdef Py_ssize_t each
        cdef Path path
        cdef Block* block
        cdef Verdict* own
        least_kept, most_open, most_again = limits
        self.cut(cut)
        if self.sure < least_kept * self.total or self.unsure > most_open * self.total:
            return False
        for each in range(self.page.count):
            block, own = &self.page.blocks_()[each], &self.data[each]
            path = self.page.path_at(each)
            if own.by == scorer or (self.page.is_number(each) and self.page.is_beside_code(each)):
                return False
            if self.unsure and own.odds < 0 and path.near_code > 0 and not path.is_decided:
                return False
        return self.said_again() < most_again

    def set(self, Py_ssize_t block, bint is_text, double odds, int by):
        """Decide again on a block."""
        self.page.checked(block)
        self.made.clear()
        self.data[block].is_text, self.data[block].odds, self.data[block].by = is_text, odds, by

    def clear(self):
        """Take no block for text."""
        cdef Py_ssize_t each
        self.made.clear()
        for each in range(self.page.count):
            self.data[each].is_text = False

    # Decisions as lists

    @property
    def odds(self):
        cdef Py_ssize_t each
        return [self.data[each].odds for each in range(self.page.count)]

    @property
    def by(self):
        cdef Py_ssize_t each
        found = self.made.get("by")
        if found is None:
            found = self.made["by"] = [self.data[each].by for each in range(self.page.count)]
        return found

    @property
    def is_text(self):
        cdef Py_ssize_t each
        found = self.made.get("is_text")
        if found is None:
            found = self.made["is_text"] = [bool(self.data[each].is_text) for each in range(self.page.count)]
        return found

    @property
    def kept(self):
        cdef Py_ssize_t each
        found = self.made.get("kept")
        if found is None:
            found = self.made["kept"] = [each for each in range(self.page.count) if self.data[each].is_text]
        return found

    def by_of(self, Py_ssize_t block):
        """Return the decider on a block."""
        self.page.checked(block)
        return self.data[block].by

    def keeps(self, Py_ssize_t block):
        """Return True if a block is text."""
        self.page.checked(block)
        return bool(self.data[block].is_text)

    # Sums over the text

    def decided(self, int decider):
        """Return the characters of blocks that a decider decided on, -1 without any."""
        cdef Py_ssize_t each
        cdef long long length = 0
        cdef bint is_any = False
        for each in range(self.page.count):
            if self.data[each].by == decider:
                is_any = True
                length += self.page.blocks_()[each].length
        return length if is_any else -1

    def outside_links(self):
        """Return the characters of the text outside links."""
        cdef Py_ssize_t each
        cdef long long length = 0
        for each in range(self.page.count):
            if self.data[each].is_text:
                length += self.page.blocks_()[each].length - self.page.blocks_()[each].linked
        return length

    def has_own(self, double least, long long most):
        """Return True if the text has enough characters outside links, and outside texts of enough learned pages."""
        cdef Py_ssize_t each
        cdef Block* block
        for each in range(self.page.count):
            block = &self.page.blocks_()[each]
            if self.data[each].is_text and block.length > block.linked and block.pages < least:
                most -= block.length - block.linked
                if most <= 0:
                    return True
        return False

    def linked_beside(self, int most):
        """Return the blocks of text with links, and few characters outside links."""
        cdef Py_ssize_t each
        cdef Block* block = self.page.blocks_()
        return [
            each for each in range(self.page.count)
            if self.data[each].is_text and block[each].linked and block[each].length - block[each].linked <= most
        ]

    def concealed(self):
        """Return the blocks of text in concealed elements."""
        cdef Py_ssize_t each
        return [
            each for each in range(self.page.count)
            if self.data[each].is_text and self.page.elements_()[self.page.blocks_()[each].element].is_concealed
        ]

    def said_again(self):
        """Return the characters of text with an equal text before."""
        cdef Py_ssize_t each, others = 0
        cdef long long length = 0
        cdef set keys = set(), said = set()
        for each in range(self.page.count):
            if self.data[each].is_text:
                keys.add(self.page.key(each))
                others += 1
        if len(keys) == others:
            return 0  # most pages; equal texts have equal keys
        for each in range(self.page.count):
            if self.data[each].is_text:
                text = self.page.text_of(each)
                if text in said:
                    length += self.page.blocks_()[each].length
                said.add(text)
        return length

    def known_share(self, is_known):
        """Return the share of the text on known paths.

        :param is_known: function for paths without an answer, by number.
        """
        cdef Py_ssize_t each
        cdef Path path
        cdef long long length = 0, total = 0
        cdef Block* block
        for each in range(self.page.count):
            if not self.data[each].is_text:
                continue
            block = &self.page.blocks_()[each]
            path = self.page.path_at(each)
            if path.is_known is None:
                path.is_known = is_known(self.page.path(each))
            total += block.length
            if path.is_known:
                length += block.length
        return length / total if total else 0.0

    def expected_f1(self, bint are_several, users, double most, double link_most, double share):
        """Return the expected F1 of the text; 0 without text.

        :param are_several: True for several learned pages: blocks with a text of these are trusted less, up to
            ``most``, or up to ``link_most`` with more than a share in links.
        :param users: numbers of rules by hand, which are trusted.
        """
        cdef double right = 0, text = 0, part = 2, own, last = 0, odds, bound
        cdef long long kept = 0
        cdef Py_ssize_t each
        cdef Block* block
        for each in range(self.page.count):
            block, odds = &self.page.blocks_()[each], self.data[each].odds
            if are_several and block.pages and self.data[each].is_text:
                bound = link_most if block.linked > share * block.length else most
                if odds > bound and self.data[each].by not in users:
                    odds = bound
            if odds != last:
                last = odds
                part = 1 + exp(-odds)
            own = block.length / part
            text += own
            if self.data[each].is_text:
                right += own
                kept += block.length
        return 2 * right / (kept + text) if right else 0.0
