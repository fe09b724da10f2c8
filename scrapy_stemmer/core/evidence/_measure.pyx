# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What is measured of texts, on their bytes in UTF-8; see :func:`scrapy_stemmer.core.evidence.outline.words_of`."""

from cpython.unicode cimport PyUnicode_DecodeASCII, PyUnicode_DecodeUTF8, PyUnicode_FromKindAndData
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free

from scrapy_stemmer.core.evidence._crc cimport short_hash
from scrapy_stemmer.core.evidence._buffer cimport Buffer, reserve

from scrapy_stemmer.core.evidence import outline as _outline
from scrapy_stemmer.core.evidence.outline import Words
from scrapy_stemmer.core.text import CJK

cdef extern from "Python.h":
    int PyUnicode_4BYTE_KIND
    bint Py_UNICODE_ISALPHA(Py_UCS4 char) nogil
    bint Py_UNICODE_ISALNUM(Py_UCS4 char) nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 char) nogil


cdef Py_ssize_t _LONG_TEXT = _outline.LONG_TEXT
cdef Py_ssize_t _MIN_LETTERS = _outline.MIN_LETTERS
cdef Py_ssize_t _CJK_WEIGHT = _outline.CJK_WEIGHT
cdef enum:
    MOST_LONG = 256

assert _LONG_TEXT <= MOST_LONG

cdef double _LETTERS = _outline.LETTERS
cdef double _MANY_BYTES = _outline.MANY_BYTES

cdef enum:
    OTHER = 0
    SPACE = 1
    LETTER = 2
    DIGIT = 3
    JOINER = 4

cdef unsigned char[128] _CLASS
cdef unsigned char[128] _LOWER

cdef int _fill_tables() except -1:
    """What ASCII characters are, and their lower case."""
    cdef int code
    cdef str char
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


# Of two characters the lower case is not one character that is always the same.
cdef Py_UCS4 DOTTED_I = 0x130
cdef Py_UCS4 SIGMA = 0x3A3

cdef inline bint _is_word(Py_UCS4 char) noexcept nogil:
    """Whether a character is a letter, a digit or an underscore."""
    if char < 128:
        return _CLASS[char] >= LETTER
    return Py_UNICODE_ISALPHA(char) or Py_UNICODE_ISALNUM(char)


cdef inline int _utf8_size(uint32_t char) noexcept nogil:
    """Bytes of a character in UTF-8."""
    return 1 if char < 0x80 else 2 if char < 0x800 else 3 if char < 0x10000 else 4


cdef inline void _put_utf8(Buffer* buffer, uint32_t char) noexcept nogil:
    """Append a character in UTF-8; there must be room for it."""
    cdef unsigned char* end = <unsigned char*>buffer.data + buffer.size
    cdef int size = _utf8_size(char), index
    buffer.size += size
    if size == 1:
        end[0] = <unsigned char>char
        return
    for index in range(size - 1, 0, -1):
        end[index] = <unsigned char>(0x80 | (char & 0x3F))
        char >>= 6
    end[0] = <unsigned char>((0xF00 >> size) & 0xFF | char)


cdef class Measure:
    """Measures texts; the same as words_of of outline.py.

    :ivar weight: of the last text.
    :ivar hash: of the last text.
    :ivar text: the last text if it was asked for.
    :ivar single: whether all white space in it is single spaces.
    """

    def __dealloc__(self):
        free(self.low.data)
        free(self.bytes.data)

    cdef bint of(self, const char* data, Py_ssize_t size, bint keep_text, bint with_hash) except -1:
        """Measure a text, and tell whether it has letters or digits."""
        cdef int found
        while size and <unsigned char>data[0] < 128 and _CLASS[<unsigned char>data[0]] == SPACE:
            data += 1
            size -= 1
        while size and <unsigned char>data[size - 1] < 128 and _CLASS[<unsigned char>data[size - 1]] == SPACE:
            size -= 1
        reserve(&self.low, size)
        self.single = True
        found = self._of_ascii(<const unsigned char*>data, size, with_hash)
        if found < 0:
            return self._of_unicode(PyUnicode_DecodeUTF8(data, size, NULL), keep_text, with_hash)
        if found and keep_text:
            self.text = self._collapsed(<const unsigned char*>data, size)
        return found

    cdef int _of_ascii(self, const unsigned char* data, Py_ssize_t size, bint with_hash) except -2:
        """The same of an ASCII text; -1 where it is none."""
        cdef unsigned char* low = <unsigned char*>self.low.data
        cdef Py_ssize_t index, count = 0, words = 0, letters = 0
        cdef unsigned char char, kind
        for index in range(size):
            char = data[index]
            if char >= 128:
                return -1
            kind = _CLASS[char]
            if kind == SPACE:
                if char != c" " or _CLASS[data[index - 1]] == SPACE:
                    self.single = False
                continue
            low[count] = _LOWER[char]
            count += 1
            words += kind != OTHER
            letters += kind == LETTER
        if not words:
            return 0
        if count >= _LONG_TEXT:
            self.weight = <Py_ssize_t>(_LETTERS * <double>count)
            if with_hash:
                self.hash = short_hash(low, count)
            return 1
        self.weight = words
        if with_hash:
            if words < count:
                count = self._without_others(low, count)
            self.hash = short_hash(low, count) if letters == count else self._hash_of_ascii(low, count)
        return 1

    cdef Py_ssize_t _without_others(self, unsigned char* low, Py_ssize_t size) noexcept nogil:
        """Leave only letters, digits and underscores."""
        cdef Py_ssize_t index, count = 0
        for index in range(size):
            if _CLASS[low[index]] != OTHER:
                low[count] = low[index]
                count += 1
        return count

    cdef uint64_t _hash_of_ascii(self, const unsigned char* sig, Py_ssize_t size) noexcept nogil:
        """The hash of a short text, without its numbers where it has letters enough."""
        cdef unsigned char[MOST_LONG] without
        cdef Py_ssize_t index, count = 0, others = 0
        for index in range(size):
            if _CLASS[sig[index]] != DIGIT:
                without[count] = sig[index]
                count += 1
                others += 1
            elif index == 0 or _CLASS[sig[index - 1]] != DIGIT:
                without[count] = c"0"
                count += 1
        return short_hash(without, count) if others >= _MIN_LETTERS else short_hash(sig, size)

    cdef str _collapsed(self, const unsigned char* data, Py_ssize_t size):
        """An ASCII text with each run of white space as one space."""
        cdef char* out = self.low.data
        cdef Py_ssize_t index, count = 0
        cdef bint after_space = False
        if self.single:
            return PyUnicode_DecodeASCII(<const char*>data, size, NULL)
        for index in range(size):
            if _CLASS[data[index]] == SPACE:
                after_space = count > 0
                continue
            if after_space:
                out[count] = c" "
                count += 1
                after_space = False
            out[count] = data[index]
            count += 1
        return PyUnicode_DecodeASCII(out, count, NULL)

    cdef bint _of_unicode(self, str raw, bint keep_text, bint with_hash) except -1:
        cdef Py_ssize_t count = 0, words = 0, index
        cdef Py_UCS4 char
        cdef Py_UCS4* low
        cdef bint plain = True, after_space = False
        self.single = True
        reserve(&self.low, len(raw) * sizeof(Py_UCS4))
        low = <Py_UCS4*>self.low.data
        for char in raw:
            if char < 128:
                if _CLASS[char] == SPACE:
                    if char != u" " or after_space:
                        self.single = False
                    after_space = True
                    continue
                char = _LOWER[char]
            elif char.isspace():
                self.single = False
                continue
            elif char == DOTTED_I or char == SIGMA:
                plain = False
            else:
                char = Py_UNICODE_TOLOWER(char)
            after_space = False
            low[count] = char
            count += 1
        if count >= _LONG_TEXT:
            while words < count and not _is_word(low[words]):
                words += 1
            if words == count:
                return False
        else:
            # That a character is one of words does not depend on its case.
            for index in range(count):
                if _is_word(low[index]):
                    low[words] = low[index]
                    words += 1
            if not words:
                return False
            count = words
        if not plain:
            count = self._lowered(count)
        self._weigh(count)
        if with_hash:
            self._hash_low(count)
        if keep_text:
            self.text = self._collapsed_unicode(raw)
        return True

    cdef Py_ssize_t _lowered(self, Py_ssize_t count) except -1:
        """Lower the case of characters whose lower case is two, or depends on what stands around them."""
        cdef str text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, self.low.data, count).lower()
        cdef Py_UCS4 char
        cdef Py_UCS4* low
        reserve(&self.low, len(text) * sizeof(Py_UCS4))
        low = <Py_UCS4*>self.low.data
        count = 0
        for char in text:
            low[count] = char
            count += 1
        return count

    cdef int _weigh(self, Py_ssize_t length) noexcept nogil:
        """Weigh a significant text."""
        cdef const Py_UCS4* low = <Py_UCS4*>self.low.data
        cdef Py_ssize_t index, size = 0, found = 0, count = length
        for index in range(length):
            size += _utf8_size(low[index])
            found += _is_cjk(low[index])
        if size != length and <double>size > _MANY_BYTES * <double>length:
            count += (_CJK_WEIGHT - 1) * found
        self.weight = count if length < _LONG_TEXT else <Py_ssize_t>(_LETTERS * <double>count)
        return 0

    cdef int _hash_low(self, Py_ssize_t count) except -1:
        """Hash a significant text; of a short one that has letters enough, each number as a zero."""
        cdef const Py_UCS4* low = <Py_UCS4*>self.low.data
        cdef Py_ssize_t index, others = 0
        cdef bint without = False, in_number = False, is_digit
        if count < _LONG_TEXT:
            for index in range(count):
                others += not low[index].isdecimal()
            without = others < count and others >= _MIN_LETTERS
        self.bytes.size = 0
        reserve(&self.bytes, 4 * count)
        for index in range(count):
            is_digit = without and low[index].isdecimal()
            if not is_digit:
                _put_utf8(&self.bytes, low[index])
            elif not in_number:
                _put_utf8(&self.bytes, u"0")
            in_number = is_digit
        self.hash = short_hash(<unsigned char*>self.bytes.data, self.bytes.size)
        return 0

    cdef str _collapsed_unicode(self, str raw):
        """A text with each run of white space as one space."""
        cdef Py_UCS4* out
        cdef Py_UCS4 char
        cdef Py_ssize_t count = 0
        cdef bint after_space = False
        if self.single:
            return raw
        reserve(&self.low, len(raw) * sizeof(Py_UCS4))
        out = <Py_UCS4*>self.low.data
        for char in raw:
            if _CLASS[char] == SPACE if char < 128 else char.isspace():
                after_space = count > 0
                continue
            if after_space:
                out[count] = u" "
                count += 1
                after_space = False
            out[count] = char
            count += 1
        return <str>PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, out, count)


def measured(str raw not None):
    """The same as words_of of a text that can be written in UTF-8."""
    cdef Measure measure = Measure()
    cdef bytes data = raw.encode()
    if not measure.of(data, len(data), True, True):
        return None
    return Words(measure.text, measure.weight, measure.hash)


cdef bint is_space(const unsigned char* data, Py_ssize_t size) noexcept nogil:
    """Whether there is nothing but white space in a text in UTF-8."""
    cdef Py_ssize_t index = 0, width
    while index < size:
        if data[index] < 128:
            if _CLASS[data[index]] != SPACE:
                return False
            index += 1
            continue
        width = _wide_space(data + index)
        if not width:
            return False
        index += width
    return True


cdef inline Py_ssize_t _wide_space(const unsigned char* data) noexcept nogil:
    """Bytes of the white space at the start of a text, which ends with a NUL; 0 where there is none."""
    if data[0] == 0xC2:
        return 2 if data[1] == 0x85 or data[1] == 0xA0 else 0
    if data[0] == 0xE1:
        return 3 if data[1] == 0x9A and data[2] == 0x80 else 0
    if data[0] == 0xE3:
        return 3 if data[1] == 0x80 and data[2] == 0x80 else 0
    if data[0] != 0xE2:
        return 0
    if data[1] == 0x80:
        return 3 if 0x80 <= data[2] <= 0x8A or data[2] == 0xA8 or data[2] == 0xA9 or data[2] == 0xAF else 0
    return 3 if data[1] == 0x81 and data[2] == 0x9F else 0
