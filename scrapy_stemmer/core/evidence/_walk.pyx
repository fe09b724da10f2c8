# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The walk over a page's tree on the nodes of libxml2 themselves; see :mod:`scrapy_stemmer.core.evidence.walk`.

What is told of a page is the same. No Python object is made for an element, only for what is found. The tree is not
changed, and must not be changed by others meanwhile.
"""

import sys
from functools import partial
from types import FunctionType

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItemWithError
from cpython.list cimport PyList_GET_ITEM
from cpython.ref cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeASCII, PyUnicode_DecodeUTF8, PyUnicode_FromKindAndData
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset, strchr, strcmp, strlen, strstr

cimport lxml.includes.etreepublic as cetree
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_COMMENT_NODE,
    XML_ELEMENT_NODE,
    XML_ENTITY_REF_NODE,
    XML_PI_NODE,
    XML_TEXT_NODE,
    XML_XINCLUDE_END,
    XML_XINCLUDE_START,
    xmlAttr,
    xmlDoc,
    xmlNode,
)

from scrapy_stemmer.core._prune cimport Kept
from scrapy_stemmer.core.evidence.outline cimport Shape, TextBlock

from scrapy_stemmer.core.evidence import outline as _outline
from scrapy_stemmer.core.evidence.head import DATA_TYPE, METAS, LateHead, head_from
from scrapy_stemmer.core.evidence.memo import MAX_KNOWN
from scrapy_stemmer.core.evidence.outline import KINDS, UNSEEN_NAMES, Outline, Words, hides, kind_of, shape_of
from scrapy_stemmer.core.text import CJK

cdef extern from "Python.h":
    int PyUnicode_4BYTE_KIND
    bint Py_UNICODE_ISALPHA(Py_UCS4 char) nogil
    bint Py_UNICODE_ISALNUM(Py_UCS4 char) nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 char) nogil

cetree.import_lxml__etree()

if isinstance(shape_of, FunctionType):
    raise ImportError("outline.py was not compiled: its classes have no fields for C")


# What an element is to the walk: the kinds of outline.Kind, and two that are told apart here.

cdef enum:
    INLINE = 1
    BLOCK = 2
    UNREAD = 3
    CUTTER = 4
    LINK = 5
    TIME = 6
    HEADLINE = 7

cdef dict _kinds = {name.encode(): kind for name, kind in KINDS.items()}
_kinds[_outline.TIME.encode()] = TIME
_kinds[_outline.HEADLINE.encode()] = HEADLINE

cdef Py_ssize_t _MAX_KNOWN = MAX_KNOWN
cdef str _HEADLINE = _outline.HEADLINE
cdef bytes _DATA_TYPE = DATA_TYPE.encode()


# Texts.

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


# BLAKE2b (RFC 7693) with digests of eight bytes and no key, as hashing.short_hash has it.

cdef uint64_t[8] _IV = [
    0x6A09E667F3BCC908U, 0xBB67AE8584CAA73BU, 0x3C6EF372FE94F82BU, 0xA54FF53A5F1D36F1U,
    0x510E527FADE682D1U, 0x9B05688C2B3E6C1FU, 0x1F83D9ABFB41BD6BU, 0x5BE0CD19137E2179U,
]

cdef unsigned char[12][16] _SIGMA = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
]

cdef bint _LOW_FIRST = sys.byteorder == "little"

cdef enum:
    HASH_BLOCK = 128
    HASH_BYTES = 8

cdef inline uint64_t _rotated(uint64_t word, int bits) noexcept nogil:
    return (word >> bits) | (word << (64 - bits))


cdef inline void _mix(uint64_t* v, int a, int b, int c, int d, uint64_t x, uint64_t y) noexcept nogil:
    v[a] = v[a] + v[b] + x
    v[d] = _rotated(v[d] ^ v[a], 32)
    v[c] = v[c] + v[d]
    v[b] = _rotated(v[b] ^ v[c], 24)
    v[a] = v[a] + v[b] + y
    v[d] = _rotated(v[d] ^ v[a], 16)
    v[c] = v[c] + v[d]
    v[b] = _rotated(v[b] ^ v[c], 63)


cdef void _compress(uint64_t* state, const unsigned char* block, uint64_t count, bint is_last) noexcept nogil:
    cdef uint64_t[16] v
    cdef uint64_t[16] m
    cdef const unsigned char* s
    cdef int index, byte
    memcpy(m, block, HASH_BLOCK)
    if not _LOW_FIRST:
        for index in range(16):
            m[index] = 0
            for byte in range(8):
                m[index] |= <uint64_t>block[8 * index + byte] << (8 * byte)
    for index in range(8):
        v[index] = state[index]
        v[index + 8] = _IV[index]
    v[12] ^= count
    if is_last:
        v[14] = ~v[14]
    for index in range(12):
        s = _SIGMA[index]
        _mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]])
        _mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]])
        _mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]])
        _mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]])
        _mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]])
        _mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]])
        _mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]])
        _mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]])
    for index in range(8):
        state[index] ^= v[index] ^ v[index + 8]


cdef uint64_t _short_hash(const unsigned char* data, Py_ssize_t size) noexcept nogil:
    """The same as hashing.short_hash of the text in UTF-8."""
    cdef uint64_t[8] state
    cdef unsigned char[HASH_BLOCK] last
    cdef Py_ssize_t done = 0
    cdef uint64_t result = 0
    cdef int index
    for index in range(8):
        state[index] = _IV[index]
    state[0] ^= 0x01010000 ^ HASH_BYTES
    while size - done > HASH_BLOCK:
        _compress(state, data + done, done + HASH_BLOCK, False)
        done += HASH_BLOCK
    memset(last, 0, HASH_BLOCK)
    memcpy(last, data + done, size - done)
    _compress(state, last, size, True)
    # The digest is the first word, lowest byte first; it is read as a number with the highest byte first.
    for index in range(HASH_BYTES):
        result = (result << 8) | ((state[0] >> (8 * index)) & 0xFF)
    return result


# Growing arrays of bytes.

ctypedef struct Buffer:
    char* data
    Py_ssize_t size
    Py_ssize_t room


cdef int _reserve(Buffer* buffer, Py_ssize_t room) except -1:
    """Make room for so many bytes altogether."""
    cdef char* data
    if room > buffer.room:
        room += room // 2 + 64
        data = <char*>realloc(buffer.data, room)
        if data is NULL:
            raise MemoryError
        buffer.data = data
        buffer.room = room
    return 0


cdef inline int _put(Buffer* buffer, const char* data, Py_ssize_t size) except -1:
    """Append some bytes."""
    if buffer.size + size > buffer.room:
        _reserve(buffer, buffer.size + size)
    memcpy(buffer.data + buffer.size, data, size)
    buffer.size += size
    return 0


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

    cdef Buffer low, bytes
    cdef Py_ssize_t weight
    cdef uint64_t hash
    cdef str text
    cdef bint single

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
        _reserve(&self.low, size)
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
                self.hash = _short_hash(low, count)
            return 1
        self.weight = words
        if with_hash:
            if words < count:
                count = self._without_others(low, count)
            self.hash = _short_hash(low, count) if letters == count else self._hash_of_ascii(low, count)
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
        return _short_hash(without, count) if others >= _MIN_LETTERS else _short_hash(sig, size)

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
        _reserve(&self.low, len(raw) * sizeof(Py_UCS4))
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
        _reserve(&self.low, len(text) * sizeof(Py_UCS4))
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
        _reserve(&self.bytes, 4 * count)
        for index in range(count):
            is_digit = without and low[index].isdecimal()
            if not is_digit:
                _put_utf8(&self.bytes, low[index])
            elif not in_number:
                _put_utf8(&self.bytes, u"0")
            in_number = is_digit
        self.hash = _short_hash(<unsigned char*>self.bytes.data, self.bytes.size)
        return 0

    cdef str _collapsed_unicode(self, str raw):
        """A text with each run of white space as one space."""
        cdef Py_UCS4* out
        cdef Py_UCS4 char
        cdef Py_ssize_t count = 0
        cdef bint after_space = False
        if self.single:
            return raw
        _reserve(&self.low, len(raw) * sizeof(Py_UCS4))
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


cdef bint _is_space(const unsigned char* data, Py_ssize_t size) noexcept nogil:
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


# Attributes and names.

ctypedef struct Names:
    uint64_t lengths
    bint[128] first


cdef Names _unseen_names, _meta_names

cdef int _fill_names(Names* names, given) except -1:
    """What is quickly told of lower-case names: their lengths, and their first letters."""
    memset(names, 0, sizeof(Names))
    for name in given:
        assert len(name) < 64 and name.isascii() and name == name.lower()
        names.lengths |= <uint64_t>1 << <int>len(name)
        names.first[<int>ord(name[0])] = True
    return 0

_fill_names(&_unseen_names, UNSEEN_NAMES)
_fill_names(&_meta_names, METAS)


cdef bint _may_have(const Names* names, const unsigned char* value) noexcept nogil:
    """Whether one of the words of a value may be one of some names, whatever its case."""
    cdef Py_ssize_t index = 0, start
    while True:
        start = index
        while value[index] and value[index] < 128 and _CLASS[value[index]] != SPACE:
            index += 1
        if value[index] >= 128:
            return True
        if index > start and index - start < 64 and (names.lengths >> (index - start)) & 1:
            if names.first[_LOWER[value[start]]]:
                return True
        if not value[index]:
            return False
        index += 1


cdef bint _may_hide(const unsigned char* style) noexcept nogil:
    """Whether a value of ``style`` may be one that hides: with ``none`` or ``hidden`` behind a colon."""
    cdef Py_ssize_t index
    cdef bint after_colon = False
    for index in range(<Py_ssize_t>strlen(<const char*>style)):
        if style[index] >= 128:
            return True
        if style[index] == c":":
            after_colon = True
        elif _CLASS[style[index]] != SPACE:
            if after_colon and (_LOWER[style[index]] == c"n" or _LOWER[style[index]] == c"h"):
                return True
            after_colon = False
    return False


cdef inline const unsigned char* _value(const xmlAttr* attribute) noexcept nogil:
    """The value of an attribute that has it in one piece, as nearly all have; else NULL."""
    cdef const xmlNode* child = attribute.children
    if child is NULL:
        return <const unsigned char*>b""
    if child.next is not NULL or child.type != XML_TEXT_NODE or child.content is NULL:
        return NULL
    return <const unsigned char*>child.content


cdef inline str _text_of(xmlNode* element, xmlAttr* attribute):
    """The value of an attribute, "" without one."""
    return "" if attribute is NULL else <str>cetree.attributeValue(element, attribute)


cdef inline bint _is_named(const unsigned char* name, const char* wanted) noexcept nogil:
    return strcmp(<const char*>name, wanted) == 0


cdef inline bint _is_tagged(const xmlNode* element, const char* name) noexcept nogil:
    """Whether an element has a name, and no namespace."""
    if not _is_named(<const unsigned char*>element.name, name):
        return False
    return element.ns is NULL or element.ns.href is NULL or element.ns.href[0] == 0


cdef inline bint _is_element(const xmlNode* node) noexcept nogil:
    """Whether lxml takes a node for an element: what follows such a one is its tail."""
    return (
        node.type == XML_ELEMENT_NODE
        or node.type == XML_COMMENT_NODE
        or node.type == XML_ENTITY_REF_NODE
        or node.type == XML_PI_NODE
    )


cdef inline bint _is_text(const xmlNode* node) noexcept nogil:
    return node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE


cdef inline bint _is_passed(const xmlNode* node) noexcept nogil:
    """Whether lxml passes over a node amid text."""
    return node.type == XML_XINCLUDE_START or node.type == XML_XINCLUDE_END


def can_walk(cetree._Element root not None):
    """Whether the tree of an element is one for this walk: an element's, without values that only its DTD has."""
    cdef xmlNode* node = root._c_node
    cdef xmlDoc* doc
    if node is NULL or node.type != XML_ELEMENT_NODE:
        return False
    doc = node.doc
    if doc is NULL or doc.extSubset is not NULL:
        return False
    return doc.intSubset is NULL or doc.intSubset.attributes is NULL


cdef class Tree:
    """See walk.Tree.

    :ivar holders: the addresses of all elements around main headings.
    """

    cdef cetree._Element root
    cdef xmlNode* body
    cdef set holders
    cdef readonly object head
    cdef str title
    cdef list metas, scripts

    def __init__(self, cetree._Element root not None):
        assert can_walk(root)
        self.root = root
        self.body = self._body()
        self.holders = set()
        self.metas = []
        self.scripts = []
        self._look_through()
        self.head = LateHead(partial(head_from, self.title, self.metas, self.scripts))

    def walk(self, reader, places=None, *, bint noting=False):
        """A walk over the tree; see :class:`Walk`."""
        # A user may have changed the tree since the last walk.
        self.body = self._body()
        return Walk(self, reader, places, noting)

    cdef xmlNode* _body(self) noexcept:
        cdef xmlNode* root = self.root._c_node
        cdef xmlNode* child = root.children
        if _is_tagged(root, b"body") and root.ns is NULL:
            return root
        while child is not NULL:
            if child.type == XML_ELEMENT_NODE and _is_tagged(child, b"body"):
                return child
            child = child.next
        return root

    cdef int _look_through(self) except -1:
        """Find main headings, and what belongs into a head."""
        cdef Buffer around
        memset(&around, 0, sizeof(Buffer))
        try:
            self._look(&around)
        finally:
            free(around.data)
        return 0

    cdef int _look(self, Buffer* around) except -1:
        """One pass over all elements.

        :param around: the elements around the current one.
        """
        cdef xmlNode* node = self.root._c_node
        cdef unsigned char first
        while True:
            if node.type == XML_ELEMENT_NODE:
                first = node.name[0]
                if first == c"h" or first == c"m" or first == c"s" or first == c"t":
                    self._note(node, around)
                if node.children is not NULL:
                    _put(around, <char*>&node, sizeof(xmlNode*))
                    node = node.children
                    continue
            while True:
                if not around.size:
                    return 0
                if node.next is not NULL:
                    node = node.next
                    break
                around.size -= sizeof(xmlNode*)
                node = (<xmlNode**>(around.data + around.size))[0]

    cdef int _note(self, xmlNode* element, const Buffer* around) except -1:
        cdef xmlAttr* kind
        cdef const unsigned char* value
        if _is_tagged(element, b"meta"):
            self._note_meta(element)
        elif _is_tagged(element, b"h1"):
            self._note_heading(around)
        elif _is_tagged(element, b"script"):
            kind = _attribute(element, b"type")
            if kind is not NULL:
                value = _value(kind)
                if value is NULL or strstr(<const char*>value, _DATA_TYPE) is not NULL:
                    if DATA_TYPE in _text_of(element, kind):
                        self.scripts.append(cetree.textOf(element) or "")
        elif self.title is None and _is_tagged(element, b"title"):
            if not _is_in_drawing(around, self.root._c_node):
                self.title = cetree.textOf(element) or None
        return 0

    cdef int _note_heading(self, const Buffer* around) except -1:
        cdef xmlNode** elements = <xmlNode**>around.data
        cdef Py_ssize_t index
        for index in range(around.size // <Py_ssize_t>sizeof(xmlNode*) - 1, -1, -1):
            key = <size_t>elements[index]
            if key in self.holders:
                break
            self.holders.add(key)
        return 0

    cdef int _note_meta(self, xmlNode* element) except -1:
        cdef xmlAttr* found = _filled(element, b"property")
        cdef const unsigned char* value
        if found is NULL:
            found = _filled(element, b"name")
        if found is NULL:
            found = _filled(element, b"itemprop")
        if found is not NULL:
            value = _value(found)
            if value is NULL or _may_have(&_meta_names, value):
                content = _text_of(element, _attribute(element, b"content"))
                self.metas.append((_text_of(element, found), content))
        return 0


cdef xmlAttr* _attribute(xmlNode* element, const char* name) noexcept nogil:
    """The attribute of a name without a namespace, NULL without one."""
    cdef xmlAttr* attribute = element.properties
    while attribute is not NULL:
        if attribute.ns is NULL and strcmp(<const char*>attribute.name, name) == 0:
            return attribute
        attribute = attribute.next
    return NULL


cdef xmlAttr* _filled(xmlNode* element, const char* name) noexcept nogil:
    """The same of an attribute whose value is not empty."""
    cdef xmlAttr* attribute = _attribute(element, name)
    cdef const unsigned char* value
    if attribute is NULL:
        return NULL
    value = _value(attribute)
    return NULL if value is not NULL and value[0] == 0 else attribute


cdef bint _is_in_drawing(const Buffer* around, const xmlNode* root) noexcept nogil:
    cdef xmlNode** elements = <xmlNode**>around.data
    cdef Py_ssize_t index
    cdef const xmlNode* above = root.parent
    for index in range(around.size // <Py_ssize_t>sizeof(xmlNode*)):
        if _is_tagged(elements[index], b"svg"):
            return True
    while above is not NULL and above.type == XML_ELEMENT_NODE:
        if _is_tagged(above, b"svg"):
            return True
        above = above.parent
    return False


# The walk.

ctypedef struct Frame:
    # An element around the current one, what it is, and the last of its children that was seen.
    xmlNode* element
    xmlNode* next
    xmlNode* before
    Py_ssize_t node
    Py_ssize_t links
    int kind
    bint shows


ctypedef struct Spot:
    # Where a stretch of text stands.
    xmlNode* element
    bint is_tail


ctypedef struct Known:
    const unsigned char* name
    int kind


cdef enum:
    NAMES = 512
    MOST_NAMES = 256
    PREFIX = sizeof(void*)
    ASIDE = 0
    WAY = 1
    TARGET = 2


cdef class Walk:
    """See walk.Walk.

    :ivar key: the address of the place around an element, then what its shape is made from.
    :ivar names: the kinds of names by the addresses of those; libxml2 keeps each name of a document once.
    """

    cdef Tree tree
    cdef object reader, known
    cdef dict keys
    cdef bint noting, keep_texts, has_time
    cdef list shapes, parents, blocks
    cdef readonly list places
    cdef Measure measure
    cdef Buffer text, linked, key, stack, spots
    cdef Py_ssize_t depth, start, count, known_names
    cdef Known[NAMES] names

    def __init__(self, Tree tree not None, reader, known, bint noting):
        self.tree = tree
        self.reader = reader
        self.known = known
        self.noting = noting
        self.keys = reader.keys
        self.keep_texts = reader.keep_texts
        self.shapes, self.parents, self.blocks, self.places = [], [], [], []
        self.measure = Measure()

    def __dealloc__(self):
        free(self.text.data)
        free(self.linked.data)
        free(self.key.data)
        free(self.stack.data)
        free(self.spots.data)

    def outline(self, head):
        """What was seen, on a page whose head says so."""
        return Outline(self.shapes, self.parents, self.blocks, head)

    def stretches_of(self, blocks not None):
        """Where the texts of some blocks stand, of a walk that notes it; see walk.Walk."""
        return [self._spots(block.start, block.end) for block in blocks]

    def html_of(self, blocks not None):
        """The HTML of the texts of some blocks; see walk.Walk."""
        cdef Spot* spots = <Spot*>self.spots.data
        cdef Py_ssize_t index, end, count = self.spots.size // <Py_ssize_t>sizeof(Spot)
        cdef TextBlock block
        cdef Kept kept = Kept()
        for block in blocks:
            end = min(block.end, count)
            for index in range(block.start, end):
                kept.add(spots[index].element, spots[index].is_tail)
        return kept.html(self.tree.root)

    cdef list _spots(self, Py_ssize_t start, Py_ssize_t end):
        cdef Spot* spots = <Spot*>self.spots.data
        cdef Py_ssize_t index
        end = min(end, self.spots.size // <Py_ssize_t>sizeof(Spot))
        return [
            (cetree.elementFactory(self.tree.root._doc, spots[index].element), bool(spots[index].is_tail))
            for index in range(start, end)
        ]

    def whole(self):
        """Read all of the body."""
        self._read(self.tree.body, self._enter_body(), 0)
        return self

    def along(self, targets, ways, dict trail not None):
        """Read what is in some places, and main headings; see walk.Walk."""
        cdef xmlNode* child
        cdef Frame* frame
        cdef Py_ssize_t node = self._enter_body(), links
        cdef int kind, step
        cdef set holders = self.tree.holders
        if self.places[0].path in targets:
            self._read(self.tree.body, node, 0)
            return self
        self._push(self.tree.body, node, BLOCK, 0)
        while self.depth:
            frame = self._top()
            child = frame.next
            if child is NULL:
                self.depth -= 1
                continue
            frame.next = child.next
            if child.type != XML_ELEMENT_NODE:
                continue
            node, links = frame.node, frame.links
            kind = self._kind(child)
            if kind == BLOCK or kind == HEADLINE:
                step = self._step(child, node, targets, ways, trail)
                if step == TARGET or kind == HEADLINE:
                    self._read(child, self._enter(self._shape(child), node), links)
                elif step == WAY or (holders and <size_t>child in holders):
                    self._push(child, self._enter(self._shape(child), node), BLOCK, links)
            elif kind != UNREAD and child.children is not NULL and not self._hides(child):
                self._push(child, node, kind, links + (kind == LINK))
        return self

    cdef int _step(self, xmlNode* element, Py_ssize_t node, targets, ways, dict trail) except -1:
        """Whether a block-level element is a target, or leads to one; its key is made."""
        cdef void* place = PyList_GET_ITEM(self.places, node)
        cdef PyObject* found
        self._make_key(element, NULL)
        memcpy(self.key.data, &place, PREFIX)
        key = PyBytes_FromStringAndSize(self.key.data, self.key.size)
        found = PyDict_GetItemWithError(trail, key)
        if found is not NULL:
            return <object>found
        path = self.known.path_below(<object>place, self._shape(element))
        step = TARGET if path in targets else WAY if path in ways else ASIDE
        if len(trail) >= _MAX_KNOWN:
            trail.clear()
        trail[key] = step
        return step

    cdef int _read(self, xmlNode* top, Py_ssize_t node, Py_ssize_t links) except -1:
        """Note all that is in a block-level element.

        :param links: how many links stand around it.
        """
        cdef Py_ssize_t base = self.depth
        cdef xmlNode* child
        cdef Frame* frame
        cdef int kind
        self._push(top, node, TIME if self._kind(top) == TIME else BLOCK, links)
        while self.depth > base:
            frame = self._top()
            child = frame.next
            if child is NULL:
                if self.text.size and (frame.kind == BLOCK or self.depth == base + 1):
                    self._flush(frame.node)
                self.depth -= 1
                continue
            if _is_text(child):
                if frame.shows:
                    frame.shows = False
                    frame.next = self._stretch(child, frame)
                else:
                    frame.next = child.next
                continue
            frame.next = child.next
            if not _is_element(child):
                if not _is_passed(child):
                    frame.shows = False
                continue
            frame.shows = True
            frame.before = child
            if child.type != XML_ELEMENT_NODE:
                continue
            kind = self._kind(child)
            node, links = frame.node, frame.links
            if kind == BLOCK or kind == HEADLINE:
                if self.text.size:
                    self._flush(node)
                # Where stretches stand is the same whatever the elements are called.
                if not self.noting:
                    self._make_key(child, NULL)
                    node = self._enter(self._shape(child), node)
                kind = BLOCK
            elif kind == UNREAD or (child.properties is not NULL and self._hides(child)):
                continue
            elif kind == LINK:
                links += 1
            elif kind == CUTTER and self.text.size:
                self._flush(node)
            if child.children is not NULL:
                self._push(child, node, kind, links)
        return 0

    cdef inline Frame* _top(self) noexcept:
        return <Frame*>self.stack.data + (self.depth - 1)

    cdef int _push(self, xmlNode* element, Py_ssize_t node, int kind, Py_ssize_t links) except -1:
        cdef Frame* frame
        if (self.depth + 1) * <Py_ssize_t>sizeof(Frame) > self.stack.room:
            _reserve(&self.stack, (self.depth + 1) * sizeof(Frame))
        self.depth += 1
        frame = self._top()
        frame.element = element
        frame.next = element.children
        frame.before = NULL
        frame.node = node
        frame.links = links
        frame.kind = kind
        frame.shows = True
        return 0

    cdef xmlNode* _stretch(self, xmlNode* node, const Frame* frame) except? NULL:
        """Note a stretch of text, which may be several nodes. White space before a block is left out.

        :returns: the node behind it.
        """
        cdef Py_ssize_t before = self.text.size, size
        cdef Spot spot
        while node is not NULL and (_is_text(node) or _is_passed(node)):
            if _is_text(node) and node.content is not NULL:
                _put(&self.text, <const char*>node.content, strlen(<const char*>node.content))
            node = node.next
        size = self.text.size - before
        if not size:
            return node
        if not before:
            # Behind a text in UTF-8 stands a NUL for who looks at its last character.
            _put(&self.text, b"\0", 1)
            self.text.size -= 1
            if _is_space(<const unsigned char*>self.text.data, size):
                self.text.size = 0
                return node
        if frame.links:
            _put(&self.linked, self.text.data + before, size)
        if frame.kind == TIME and frame.before is NULL:
            self.has_time = True
        self.count += 1
        if self.noting:
            spot.element = frame.element if frame.before is NULL else frame.before
            spot.is_tail = frame.before is not NULL
            _put(&self.spots, <char*>&spot, sizeof(Spot))
        return node

    cdef int _flush(self, Py_ssize_t node) except -1:
        """End the block that was being read."""
        cdef Measure measure = self.measure
        cdef TextBlock block
        cdef bint keep
        if not self.noting:
            keep = self.keep_texts or (<Shape>self.shapes[node]).tag == _HEADLINE
            if measure.of(self.text.data, self.text.size, keep, True):
                block = TextBlock.__new__(TextBlock)
                block.node = node
                block.text = measure.text if keep else ""
                block.weight = measure.weight
                block.hash = measure.hash
                block.start = self.start
                block.end = self.count
                block.has_time = self.has_time
                block.anchor_weight = self._anchor_weight(block.weight)
                self.blocks.append(block)
        self.start = self.count
        self.text.size = self.linked.size = 0
        self.has_time = False
        return 0

    cdef Py_ssize_t _anchor_weight(self, Py_ssize_t weight) except -1:
        """The weight of the linked part of a text of some weight."""
        if not self.linked.size or self.linked.size == self.text.size:
            return weight if self.linked.size else 0
        if not self.measure.of(self.linked.data, self.linked.size, False, False):
            return 0
        return min(weight, self.measure.weight)

    cdef Py_ssize_t _enter_body(self) except -1:
        self._make_key(self.tree.body, b"body")
        return self._enter(self._shape(self.tree.body), -1)

    cdef Py_ssize_t _enter(self, Shape shape, Py_ssize_t parent) except -1:
        """Note a block-level element, and tell its index."""
        cdef PyObject* found
        self.shapes.append(shape)
        self.parents.append(parent)
        if self.known is not None:
            if parent < 0:
                self.places.append(self.known.body(shape))
            else:
                above = <object>PyList_GET_ITEM(self.places, parent)
                found = PyDict_GetItemWithError(above.below, shape)
                self.places.append(self.known.below(above, shape) if found is NULL else <object>found)
        return len(self.shapes) - 1

    cdef Shape _shape(self, xmlNode* element):
        """The shape of the element whose key was made."""
        cdef PyObject* found
        key = PyBytes_FromStringAndSize(self.key.data + PREFIX, self.key.size - PREFIX)
        found = PyDict_GetItemWithError(self.keys, key)
        if found is not NULL:
            return <Shape>found
        tag, classes, identifier, role, hidden = key.decode().split("\0")
        shape = shape_of((tag, classes, identifier, role, None, "" if hidden else None))
        if len(self.keys) >= _MAX_KNOWN:
            self.keys.clear()
        self.keys[key] = shape
        return shape

    cdef int _make_key(self, xmlNode* element, const char* tag) except -1:
        """Put together what the shape of an element is made from.

        :param tag: what its name is to be, NULL for its own one.
        """
        cdef xmlAttr* attribute = element.properties
        cdef xmlAttr* classes = NULL
        cdef xmlAttr* identifier = NULL
        cdef xmlAttr* role = NULL
        cdef xmlAttr* style = NULL
        cdef bint hidden = False
        cdef const unsigned char* name
        self.key.size = 0
        _reserve(&self.key, PREFIX)
        self.key.size = PREFIX
        if tag is not NULL:
            _put(&self.key, tag, strlen(tag))
        elif element.ns is NULL or element.ns.href is NULL:
            _put(&self.key, <const char*>element.name, strlen(<const char*>element.name))
        else:
            self._put_text(cetree.namespacedName(element))
        while attribute is not NULL:
            name = <const unsigned char*>attribute.name
            if attribute.ns is not NULL:
                pass
            elif classes is NULL and name[0] == c"c" and _is_named(name, b"class"):
                classes = attribute
            elif identifier is NULL and name[0] == c"i" and _is_named(name, b"id"):
                identifier = attribute
            elif role is NULL and name[0] == c"r" and _is_named(name, b"role"):
                role = attribute
            elif style is NULL and name[0] == c"s" and _is_named(name, b"style"):
                style = attribute
            elif name[0] == c"h" and _is_named(name, b"hidden"):
                hidden = True
            attribute = attribute.next
        self._put_value(element, classes)
        self._put_value(element, identifier)
        self._put_value(element, role)
        if style is not NULL and not hidden:
            hidden = self._is_hiding(element, style)
        _put(&self.key, b"\0h", 2 if hidden else 1)
        return 0

    cdef int _put_value(self, xmlNode* element, xmlAttr* attribute) except -1:
        """Append a NUL and the value of an attribute to the key."""
        cdef const unsigned char* value
        _put(&self.key, b"\0", 1)
        if attribute is not NULL:
            value = _value(attribute)
            if value is NULL:
                self._put_text(_text_of(element, attribute))
            else:
                _put(&self.key, <const char*>value, strlen(<const char*>value))
        return 0

    cdef int _put_text(self, str text) except -1:
        cdef bytes data = text.encode()
        return _put(&self.key, data, len(data))

    cdef bint _is_hiding(self, xmlNode* element, xmlAttr* style) except -1:
        cdef const unsigned char* value = _value(style)
        return (value is NULL or _may_hide(value)) and hides(_text_of(element, style))

    cdef bint _hides(self, xmlNode* element) except -1:
        """Whether an inline element is not shown, or only read aloud."""
        cdef xmlAttr* attribute = element.properties
        cdef xmlAttr* classes = NULL
        cdef xmlAttr* style = NULL
        cdef const unsigned char* value
        cdef bint perhaps = False
        while attribute is not NULL:
            if attribute.ns is not NULL:
                pass
            elif classes is NULL and attribute.name[0] == c"c" and _is_named(attribute.name, b"class"):
                classes = attribute
            elif style is NULL and attribute.name[0] == c"s" and _is_named(attribute.name, b"style"):
                style = attribute
            attribute = attribute.next
        if classes is not NULL:
            value = _value(classes)
            perhaps = value is NULL or _may_have(&_unseen_names, value)
        if style is not NULL and not perhaps:
            value = _value(style)
            perhaps = value is NULL or _may_hide(value)
        return perhaps and self.reader.is_unseen(_text_of(element, classes), _text_of(element, style))

    cdef int _kind(self, xmlNode* element) except -1:
        """What an element is to the walk."""
        cdef const unsigned char* name = <const unsigned char*>element.name
        cdef size_t index = (<size_t>name ^ (<size_t>name >> 9)) % NAMES
        if element.ns is not NULL and element.ns.href is not NULL:
            return kind_of(cetree.namespacedName(element))
        while self.names[index].name is not NULL:
            if self.names[index].name == name:
                return self.names[index].kind
            index = (index + 1) % NAMES
        return self._new_kind(name, index)

    cdef int _new_kind(self, const unsigned char* name, size_t index) except -1:
        """The kind of a name that was not met yet, noted where there is room for it."""
        cdef int kind = _kinds.get(<bytes>(<const char*>name), 0)
        if not kind:
            kind = INLINE if strchr(<const char*>name, c"-") is NULL else BLOCK
        if self.known_names < MOST_NAMES:
            self.known_names += 1
            self.names[index].name = name
            self.names[index].kind = kind
        return kind
