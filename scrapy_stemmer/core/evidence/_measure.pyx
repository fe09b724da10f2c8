# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What is measured of texts, on their bytes in UTF-8; see :func:`scrapy_stemmer.core.evidence.outline.words_of`."""

from cpython.ref cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_FromKindAndData
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcpy

from scrapy_stemmer.core.evidence._buffer cimport Buffer, reserve
from scrapy_stemmer.core.evidence._hash cimport eight_bytes, short_hash, short_hash_in_halves
from scrapy_stemmer.core.evidence._strides cimport (
    STRIDE, blanks, blanks_of_two, last_blanks, words, words_in_numbers, zeros,
)
from scrapy_stemmer.core.evidence._utf8 cimport Char, char_in, decode_utf8, put_utf8, size_at, utf8_size

from scrapy_stemmer.core.evidence import outline as _outline
from scrapy_stemmer.core.evidence.outline import Words
from scrapy_stemmer.core.text import CJK

cdef extern from "Python.h":
    int PyUnicode_4BYTE_KIND
    str PyUnicode_New(Py_ssize_t size, Py_UCS4 highest)
    void* PyUnicode_DATA(PyObject* text)
    bint Py_UNICODE_ISALPHA(Py_UCS4 char) nogil
    bint Py_UNICODE_ISALNUM(Py_UCS4 char) nogil
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 char) nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 char) nogil


cdef Py_ssize_t _LONG_TEXT = _outline.LONG_TEXT
cdef Py_ssize_t _MIN_LETTERS = _outline.MIN_LETTERS
cdef Py_ssize_t _CJK_WEIGHT = _outline.CJK_WEIGHT
cdef enum:
    # More than a short ASCII text has, with a space between any two characters.
    MOST_STRIDES = 32

assert 2 * _LONG_TEXT <= MOST_STRIDES * STRIDE

# Each of the two.
cdef unsigned char _BRACE = <int>ord(_outline.BRACES[0])

assert _outline.BRACES == chr(_BRACE) * 2 and _BRACE < 128

cdef double _LETTERS = _outline.LETTERS
cdef double _MANY_BYTES = _outline.MANY_BYTES

cdef enum:
    OTHER = 0
    SPACE = 1
    LETTER = 2
    DIGIT = 3
    JOINER = 4

# How many bits of each byte are set.
cdef unsigned char[256] _BITS

# Bytes that are no characters of their own are OTHER, and their own lower case.
cdef unsigned char[256] _CLASS
cdef unsigned char[256] _LOWER

cdef int _fill_tables() except -1:
    """What ASCII characters are, and their lower case; bits of bytes."""
    cdef int code
    cdef str char
    for code in range(256):
        _BITS[code] = code.bit_count()
    for code in range(128, 256):
        _CLASS[code], _LOWER[code] = OTHER, code
    for code in range(128):
        char = chr(code)
        _LOWER[code] = ord(char.lower())
        _CLASS[code] = OTHER
        if char.isspace():
            _CLASS[code] = SPACE
        elif char.isalpha():
            _CLASS[code] = LETTER
        elif char.isdecimal():
            _CLASS[code] = DIGIT
        elif char == "_":
            _CLASS[code] = JOINER
    return 0

_fill_tables()

cdef enum:
    MAX_RANGES = 32

cdef Py_UCS4[2 * MAX_RANGES] _CJK
cdef int _cjk_ranges = 0

cdef int _fill_ranges(str ranges) except -1:
    """The ranges of a character class that has nothing else."""
    global _cjk_ranges
    cdef Py_ssize_t index
    assert len(ranges) % 3 == 0 and len(ranges) // 3 <= MAX_RANGES
    for index in range(0, len(ranges), 3):
        _CJK[2 * _cjk_ranges] = ranges[index]
        _CJK[2 * _cjk_ranges + 1] = ranges[index + 2]
        _cjk_ranges += 1
    return 0

_fill_ranges(CJK)

cdef inline bint _is_cjk(Py_UCS4 char) noexcept nogil:
    cdef int index
    if char < _CJK[0]:
        return False
    for index in range(_cjk_ranges):
        if _CJK[2 * index] <= char <= _CJK[2 * index + 1]:
            return True
    return False


cdef enum:
    # Of two characters the lower case is not one character that is always the same.
    DOTTED_I = 0x130
    SIGMA = 0x3A3
    # A character takes in lower case at most so many times the bytes that it takes else.
    MOST_GROWTH = 2
    # Bytes of a character at most.
    MOST_BYTES = 4
    # With what UTF-8 begins: of all characters of two bytes that Python keeps in more than one; of all of four bytes; and
    # the last byte that any white space begins with.
    FIRST_OF_TWO = 0xC4
    FIRST_OF_FOUR = 0xF0
    LAST_OF_SPACES = 0xE3

cdef inline bint _is_wide_space(Py_UCS4 char) noexcept nogil:
    """Whether a character beyond ASCII is white space."""
    if char < 0x1680:
        return char == 0x85 or char == 0xA0
    if char < 0x2000 or char > 0x3000:
        return char == 0x1680
    return char <= 0x200A or char == 0x2028 or char == 0x2029 or char == 0x202F or char == 0x205F or char == 0x3000


cdef inline bint _is_space_at(const unsigned char* at, uint32_t* bytes) noexcept nogil:
    """Whether the character at a place is white space; its bytes are told too, 0 where none begins."""
    bytes[0] = 1 if at[0] < 128 else size_at(at)
    if at[0] < 128:
        return _CLASS[at[0]] == SPACE
    return bytes[0] and _is_wide_space(char_in(at).code)


cdef inline bint _is_digit(Py_UCS4 char) noexcept nogil:
    return _CLASS[char] == DIGIT if char < 128 else Py_UNICODE_ISDECIMAL(char)


cdef inline bint _is_word(Py_UCS4 char) noexcept nogil:
    """Whether a character is a letter, a digit or an underscore."""
    if char < 128:
        return _CLASS[char] >= LETTER
    return Py_UNICODE_ISALPHA(char) or Py_UNICODE_ISALNUM(char)


cdef enum:
    # What there is to know of a character beyond ASCII, as bits. UNSURE: it takes more than one look at each character
    # of a text that has it, since it is a digit, or its lower case is not one character that is always the same.
    WORD = 1
    IS_CJK = 2
    CASED = 4
    UNSURE = 8

cdef enum:
    # Characters stand in blocks, of which most are alike.
    CHARS = 128
    BLOCKS = 512
    # From here on they are looked up in Python's tables.
    END_OF_PLANE = BLOCKS * CHARS

cdef unsigned char[BLOCKS] _BLOCK
cdef unsigned char[256][CHARS] _KINDS


cdef unsigned char _kind_by_python(uint32_t char) noexcept nogil:
    """What there is to know of a character beyond ASCII."""
    cdef unsigned char kind = 0
    if _is_word(char):
        kind |= WORD
    if _is_cjk(char):
        kind |= IS_CJK
    if Py_UNICODE_TOLOWER(char) != char:
        kind |= CASED
    if char == DOTTED_I or char == SIGMA or Py_UNICODE_ISDECIMAL(char):
        kind |= UNSURE
    return kind


cdef inline unsigned _kind(uint32_t char) noexcept nogil:
    """The same, where it can be from a table in which all of that stands together."""
    return _KINDS[_BLOCK[char // CHARS]][char % CHARS] if char < END_OF_PLANE else _kind_by_python(char)


cdef int _fill_kinds() except -1:
    """What the characters of the first plane are; blocks that are alike stand there once."""
    cdef dict numbers = {}
    cdef unsigned char[CHARS] kinds
    cdef int block, index
    for block in range(BLOCKS):
        for index in range(CHARS):
            kinds[index] = _kind_by_python(block * CHARS + index)
        number = numbers.setdefault(kinds[:CHARS], len(numbers))
        assert number < 256
        _BLOCK[block] = number
        memcpy(_KINDS[_BLOCK[block]], kinds, CHARS)
    return 0

_fill_kinds()


cdef inline Py_ssize_t _bits_of(unsigned bits) noexcept nogil:
    """How many of sixteen bits are set."""
    return <Py_ssize_t>_BITS[bits & 0xFF] + _BITS[bits >> 8]


cdef class Measure:
    """Measures texts; the same as words_of of outline.py.

    :ivar weight: of the last text.
    :ivar hash: of the last text.
    :ivar text: the last text if it was asked for.
    :ivar has_braces: whether BRACES are in it; told with the text.
    :ivar widest: the highest of the first bytes of its characters beyond ASCII; 0 of none.
    :ivar count: of its characters that are no white space.
    :ivar more: how many bytes more than characters these are.
    :ivar flat: it with its white space collapsed.
    :ivar low: what is hashed of a short text, in UTF-8.
    :ivar wide: letters and digits of a short text that takes a longer look, in lower case, as characters.
    """

    def __dealloc__(self):
        free(self.flat.data)
        free(self.low.data)
        free(self.wide.data)

    cdef Py_ssize_t room(self) noexcept nogil:
        """How many bytes it holds."""
        return self.flat.room + self.low.room + self.wide.room

    cdef bint of(self, const char* data, Py_ssize_t size, bint keep_text, bint with_hash) except -1:
        """Measure a text, behind which a NUL stands, and tell whether it has letters or digits."""
        cdef const unsigned char* text = <const unsigned char*>data
        cdef int found
        if keep_text:
            self.has_braces = _has_braces(text, size)
        reserve(&self.flat, size + STRIDE)
        if not self._flatten(text, size):
            # Raises an error, as lxml would.
            PyUnicode_DecodeUTF8(data, size, NULL)
        if self.count >= _LONG_TEXT:
            found = self._of_long(with_hash)
        else:
            found = self._of_short(with_hash)
        if found and keep_text:
            self.text = self._made()
        return found

    cdef bint _flatten(self, const unsigned char* data, Py_ssize_t size) noexcept nogil:
        """Write a text with each run of white space as one space and none at its ends, and count its characters.

        There must be room for a stride more than it has.

        :returns: whether it is in UTF-8.
        """
        cdef unsigned char* out = <unsigned char*>self.flat.data
        cdef Py_ssize_t index = 0, end = 0, spaces = 0, last = size - STRIDE
        cdef unsigned blank, odd, again, plain
        # Whether a space comes last, 0 or 1; one at the beginning would be one too many.
        cdef unsigned after_space = 1
        cdef Place place
        self.widest = 0
        self.more = 0
        while index < size:
            if index <= last:
                blank = blanks(data + index, out + end, &odd)
                if not odd | blank & (blank << 1 | after_space):
                    index += STRIDE
                    end += STRIDE
                    spaces += _bits_of(blank)
                    after_space = blank >> (STRIDE - 1)
                    continue
            else:
                blank = last_blanks(data + index, size - index, out + end, &odd)
            plain = STRIDE
            if odd:
                plain = zeros(odd)
                if not plain:
                    place = Place(index, end, spaces, after_space)
                    if not self._flatten_odd(data, size, &place):
                        return False
                    index, end, spaces, after_space = place.index, place.end, place.spaces, place.after_space
                    continue
                blank &= (1 << plain) - 1
            again = blank & (blank << 1 | after_space)
            if again:
                # What precedes the run, and a space, are written; the run goes on as far as is seen.
                plain = zeros(again)
                index += plain + zeros(~(blank >> plain))
                blank &= (1 << plain) - 1
                after_space = 1
            else:
                index += plain
                after_space = blank >> (plain - 1)
            end += plain
            spaces += _bits_of(blank)
        if after_space and end:
            end -= 1
            spaces -= 1
        self.flat.size = end
        self.count = end - spaces - self.more
        return True

    cdef bint _flatten_odd(self, const unsigned char* data, Py_ssize_t size, Place* place) noexcept nogil:
        """The same of some characters beyond ASCII and those between them, up to two that are ASCII."""
        cdef const unsigned char* at = data + place.index
        cdef const unsigned char* end = data + size
        cdef const unsigned char* start
        cdef unsigned char* out = <unsigned char*>self.flat.data + place.end
        cdef uint32_t bytes = 0
        while True:
            start = at
            at = self._behind_wide(at)
            if at != start:
                memcpy(out, start, at - start)
                out += at - start
                place.after_space = 0
            elif _is_space_at(at, &bytes):
                out[0] = c" "
                out += 1 - place.after_space
                place.spaces += 1 - place.after_space
                place.after_space = 1
                at += bytes
            elif at[0] < 128:
                out[0] = at[0]
                out += 1
                place.after_space = 0
                at += 1
            else:
                return False
            if at == end or at[0] < 128 and at[1] < 128:
                break
        place.index = at - data
        place.end = out - <unsigned char*>self.flat.data
        return True

    cdef const unsigned char* _behind_wide(self, const unsigned char* at) noexcept nogil:
        """Go behind characters beyond ASCII, as long as none is white space."""
        cdef unsigned char widest = self.widest
        cdef Py_ssize_t more = 0
        cdef uint32_t bytes
        while True:
            bytes = size_at(at)
            if not bytes or at[0] <= LAST_OF_SPACES and _is_wide_space(char_in(at).code):
                break
            widest = max(widest, at[0])
            more += bytes - 1
            at += bytes
        self.widest = widest
        self.more += more
        return at

    cdef bint _of_long(self, bint with_hash) noexcept nogil:
        """Measure a long text."""
        cdef const unsigned char* text = <unsigned char*>self.flat.data
        cdef Py_ssize_t count = self.count
        if not _has_words(text, self.flat.size):
            return False
        if <double>(count + self.more) > _MANY_BYTES * <double>count:
            count += (_CJK_WEIGHT - 1) * _cjk_in(text, self.flat.size)
        self.weight = <Py_ssize_t>(_LETTERS * <double>count)
        if with_hash:
            self.hash = short_hash(text, self.flat.size)
        return True

    cdef bint _of_short(self, bint with_hash) except -1:
        """Measure a text that is not long."""
        cdef const unsigned char* text = <unsigned char*>self.flat.data
        cdef Py_ssize_t size = self.flat.size
        cdef int found
        if not self.widest:
            return self._of_ascii(with_hash)
        reserve(&self.low, MOST_GROWTH * size + MOST_BYTES)
        found = self._of_utf8(text, size, with_hash)
        if found < 0:
            found = self._of_unicode(PyUnicode_DecodeUTF8(<const char*>text, size, NULL), with_hash)
        return found

    cdef str _made(self):
        """The text, white space collapsed."""
        cdef str text
        if self.widest and not FIRST_OF_TWO <= self.widest < FIRST_OF_FOUR:
            return PyUnicode_DecodeUTF8(self.flat.data, self.flat.size, NULL)
        text = PyUnicode_New(self.flat.size - self.more, 0xFFFF if self.widest else 127)
        if self.widest:
            decode_utf8(<unsigned char*>self.flat.data, self.flat.size, <uint16_t*>PyUnicode_DATA(<PyObject*>text))
        else:
            memcpy(PyUnicode_DATA(<PyObject*>text), self.flat.data, self.flat.size)
        return text

    cdef bint _of_ascii(self, bint with_hash) except -1:
        """The same of an ASCII text."""
        cdef unsigned[MOST_STRIDES] word, digits
        cdef const unsigned char* text = <unsigned char*>self.flat.data
        cdef unsigned char* lowered
        cdef unsigned char* left
        cdef Py_ssize_t index = 0, size = self.flat.size, count = 0, figures = 0
        cdef int stride = 0
        # The text in lower case first, then what is left of it.
        reserve(&self.low, 2 * (size + STRIDE))
        lowered = <unsigned char*>self.low.data
        while index < size:
            word[stride] = words(text + index, lowered + index, &digits[stride])
            index += STRIDE
            if index > size:
                word[stride] &= 0xFFFF >> (index - size)
                digits[stride] &= word[stride]
            count += _bits_of(word[stride])
            if digits[stride]:
                figures += _bits_of(digits[stride])
            stride += 1
        self.weight = count
        if count and with_hash:
            left = lowered + size + STRIDE
            if figures and count - figures >= _MIN_LETTERS:
                size = _joined_without_numbers(lowered, word, digits, stride, left)
            elif count < size:
                size = _joined(lowered, word, stride, left)
            else:
                left = lowered
            self.hash = short_hash(left, size)
        return count > 0

    cdef int _of_utf8(self, const unsigned char* at, Py_ssize_t size, bint with_hash) except -2:
        """The same of any text in UTF-8; -1 where that takes more than one look at each character."""
        cdef const unsigned char* end = at + size
        cdef unsigned char* low = <unsigned char*>self.low.data
        cdef Py_ssize_t count = 0, low_size = 0, figures = 0, cjk = 0
        cdef Char char
        cdef unsigned kind
        while at < end:
            if at[0] < 128:
                low[low_size] = _LOWER[at[0]]
                low_size += _CLASS[at[0]] >= LETTER
                count += _CLASS[at[0]] >= LETTER
                figures += _CLASS[at[0]] == DIGIT
                at += 1
                continue
            char = char_in(at)
            kind = _kind(char.code)
            if kind & UNSURE:
                return -1
            if kind & WORD:
                count += 1
                cjk += (kind & IS_CJK) // IS_CJK
                if kind & CASED:
                    put_utf8(low, &low_size, Py_UNICODE_TOLOWER(char.code))
                else:
                    memcpy(low + low_size, at, MOST_BYTES)
                    low_size += char.size
            at += char.size
        self.weight = count
        if low_size > count and <double>low_size > _MANY_BYTES * <double>count:
            self.weight += (_CJK_WEIGHT - 1) * cjk
        if count and with_hash:
            if figures and count - figures >= _MIN_LETTERS:
                low_size = _without_numbers(low, low_size)
            self.hash = short_hash(low, low_size)
        return count > 0

    cdef bint _of_unicode(self, str raw, bint with_hash) except -1:
        """The same of any short text."""
        cdef Py_ssize_t count = 0
        cdef Py_UCS4 char
        cdef Py_UCS4* wide
        cdef bint plain = True
        reserve(&self.wide, len(raw) * sizeof(Py_UCS4))
        wide = <Py_UCS4*>self.wide.data
        for char in raw:
            # That a character is one of words does not depend on its case.
            if not _is_word(char):
                continue
            if char == DOTTED_I or char == SIGMA:
                plain = False
            else:
                char = Py_UNICODE_TOLOWER(char)
            wide[count] = char
            count += 1
        if not count:
            return False
        if not plain:
            count = self._lowered(count)
        self._weigh(count)
        if with_hash:
            self._hash_wide(count)
        return True

    cdef Py_ssize_t _lowered(self, Py_ssize_t count) except -1:
        """Lower the case of characters whose lower case is two, or depends on what stands around them."""
        cdef str text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, self.wide.data, count).lower()
        cdef Py_UCS4 char
        cdef Py_UCS4* wide
        reserve(&self.wide, len(text) * sizeof(Py_UCS4))
        wide = <Py_UCS4*>self.wide.data
        count = 0
        for char in text:
            wide[count] = char
            count += 1
        return count

    cdef int _weigh(self, Py_ssize_t length) noexcept nogil:
        """Weigh the significant text of a short one, in ``wide``; it may have got long by its lower case."""
        cdef const Py_UCS4* wide = <Py_UCS4*>self.wide.data
        cdef Py_ssize_t index, size = 0, found = 0, count = length
        for index in range(length):
            size += utf8_size(wide[index])
            found += _is_cjk(wide[index])
        if size != length and <double>size > _MANY_BYTES * <double>length:
            count += (_CJK_WEIGHT - 1) * found
        self.weight = count if length < _LONG_TEXT else <Py_ssize_t>(_LETTERS * <double>count)
        return 0

    cdef int _hash_wide(self, Py_ssize_t count) except -1:
        """Hash it; where it has letters enough and is short, each number as a zero."""
        cdef const Py_UCS4* wide = <Py_UCS4*>self.wide.data
        cdef unsigned char* out
        cdef Py_ssize_t index, others = 0, size = 0
        cdef bint without = False, in_number = False, is_digit
        if count < _LONG_TEXT:
            for index in range(count):
                others += not _is_digit(wide[index])
            without = others < count and others >= _MIN_LETTERS
        reserve(&self.low, 4 * count)
        out = <unsigned char*>self.low.data
        for index in range(count):
            is_digit = without and _is_digit(wide[index])
            if not is_digit:
                put_utf8(out, &size, wide[index])
            elif not in_number:
                put_utf8(out, &size, u"0")
            in_number = is_digit
        self.hash = short_hash(out, size)
        return 0


def measured(str raw not None):
    """The same as words_of of a text that can be written in UTF-8."""
    cdef Measure measure = Measure()
    cdef bytes data = raw.encode()
    if not measure.of(data, len(data), True, True):
        return None
    return Words(measure.text, measure.weight, measure.hash)


def blanks_of(bytes data not None, bint in_numbers):
    """What of sixteen bytes, or fewer, is white space, and what is odd, as bits; and what is written for them.

    :param in_numbers: whether as it is found where there is no SSE2; only of sixteen.
    """
    cdef unsigned char[STRIDE] out
    cdef const unsigned char* text = data
    cdef unsigned blank, odd
    assert 0 < len(data) <= STRIDE and (len(data) == STRIDE or not in_numbers)
    if in_numbers:
        blank = blanks_of_two(eight_bytes(text), eight_bytes(text + STRIDE // 2), out, &odd)
    elif len(data) == STRIDE:
        blank = blanks(text, out, &odd)
    else:
        blank = last_blanks(text, len(data), out, &odd)
    return blank, odd, out[:STRIDE]


def words_in(bytes data not None, bint in_numbers):
    """Which of sixteen bytes belong to words, and which are digits, as bits; and what is written for them.

    :param in_numbers: whether as it is found where there is no SSE2.
    """
    cdef unsigned char[STRIDE] out
    cdef unsigned word, digits
    assert len(data) == STRIDE
    word = words_in_numbers(data, out, &digits) if in_numbers else words(data, out, &digits)
    return word, digits, out[:STRIDE]


def hashed(bytes data not None, bint in_halves):
    """The hash of a text in UTF-8.

    :param in_halves: whether as it is made where the compiler has no numbers of 128 bits.
    """
    return short_hash_in_halves(data, len(data)) if in_halves else short_hash(data, len(data))


def char_size(bytes data not None):
    """The bytes of the character beyond ASCII that a text begins with; 0 where none does."""
    return size_at(data)


cdef Py_ssize_t _joined(
    const unsigned char* text, const unsigned* words, int strides, unsigned char* out
) noexcept nogil:
    """Write the words of a text behind one another.

    :param text: may be read, and ``out`` be written, up to a stride behind what is joined.
    :param words: for each stride the bytes that belong to words.
    :returns: the size of what is written.
    """
    cdef Py_ssize_t count = 0
    cdef unsigned word, start
    cdef int stride
    for stride in range(strides):
        word = words[stride]
        while word:
            start = zeros(word)
            memcpy(out + count, text + start, STRIDE)
            count += zeros(~(word >> start))
            # The carry takes away the first word.
            word &= word + (1 << start)
        text += STRIDE
    return count


cdef Py_ssize_t _joined_without_numbers(
    const unsigned char* text, const unsigned* words, const unsigned* digits, int strides, unsigned char* out
) noexcept nogil:
    """The same with a zero for each number; a number goes on behind what belongs to no word.

    :param digits: for each stride the bytes that are digits, which belong to words.
    """
    cdef Py_ssize_t count = 0
    cdef unsigned word, start, of_kind
    cdef bint is_number, in_number = False
    cdef int stride, size
    for stride in range(strides):
        word = words[stride]
        while word:
            start = zeros(word)
            is_number = digits[stride] >> start & 1
            of_kind = word & digits[stride] if is_number else word & ~digits[stride]
            size = zeros(~(of_kind >> start))
            if not is_number:
                memcpy(out + count, text + start, STRIDE)
                count += size
            elif not in_number:
                out[count] = c"0"
                count += 1
            in_number = is_number
            word = word >> start >> size << start << size
        text += STRIDE
    return count


cdef Py_ssize_t _without_numbers(unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Put a zero in the place of each number of ASCII digits, and tell the size of what is left."""
    cdef Py_ssize_t index, count = 0
    cdef bint is_digit, in_number = False
    for index in range(size):
        is_digit = _CLASS[text[index]] == DIGIT
        text[count] = c"0" if is_digit else text[index]
        count += not (is_digit & in_number)
        in_number = is_digit
    return count


cdef bint _has_braces(const unsigned char* data, Py_ssize_t size) noexcept nogil:
    """Whether BRACES are in a text, behind which a NUL stands."""
    cdef const unsigned char* found = <const unsigned char*>memchr(data, _BRACE, size)
    while found is not NULL:
        if found[1] == _BRACE:
            return True
        found = <const unsigned char*>memchr(found + 1, _BRACE, data + size - found - 1)
    return False


cdef bint _has_words(const unsigned char* data, Py_ssize_t size) noexcept nogil:
    """Whether there are letters, digits or underscores in a text that was found to be in UTF-8."""
    cdef Py_ssize_t index = 0
    cdef Char char
    while index < size:
        if data[index] < 128:
            if _CLASS[data[index]] >= LETTER:
                return True
            index += 1
            continue
        char = char_in(data + index)
        if _kind(char.code) & WORD:
            return True
        index += char.size
    return False


cdef Py_ssize_t _cjk_in(const unsigned char* data, Py_ssize_t size) noexcept nogil:
    """How many characters of a text in UTF-8 are CJK characters."""
    cdef const unsigned char* at = data
    cdef Py_ssize_t count = 0
    cdef Char char
    while at < data + size:
        if at[0] < 128:
            at += 1
            continue
        char = char_in(at)
        count += (_kind(char.code) & IS_CJK) // IS_CJK
        at += char.size
    return count


cdef bint is_space(const unsigned char* data, Py_ssize_t size) noexcept nogil:
    """Whether there is nothing but white space in a text in UTF-8, behind which a NUL stands."""
    cdef Py_ssize_t index = 0
    cdef uint32_t bytes = 0
    while index < size:
        if not _is_space_at(data + index, &bytes):
            return False
        index += bytes
    return True
