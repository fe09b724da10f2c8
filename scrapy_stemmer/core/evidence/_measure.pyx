# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What is measured of texts, on their bytes in UTF-8; see :func:`scrapy_stemmer.core.evidence.outline.words_of`."""

from cpython.ref cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_FromKindAndData
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcpy

from scrapy_stemmer.core.evidence._buffer cimport Buffer, reserve
from scrapy_stemmer.core.evidence._hash cimport short_hash, short_hash_in_halves

from scrapy_stemmer.core.evidence import outline as _outline
from scrapy_stemmer.core.evidence.outline import Words
from scrapy_stemmer.core.text import CJK

cdef extern from "Python.h":
    int PyUnicode_4BYTE_KIND
    str PyUnicode_New(Py_ssize_t size, Py_UCS4 highest)
    void* PyUnicode_DATA(PyObject* text)
    bint Py_UNICODE_ISALPHA(Py_UCS4 char) nogil
    bint Py_UNICODE_ISALNUM(Py_UCS4 char) nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 char) nogil


cdef Py_ssize_t _LONG_TEXT = _outline.LONG_TEXT
cdef Py_ssize_t _MIN_LETTERS = _outline.MIN_LETTERS
cdef Py_ssize_t _CJK_WEIGHT = _outline.CJK_WEIGHT
cdef enum:
    MOST_LONG = 256
    # Eight bytes are looked at at once.
    CHUNK = 8

assert _LONG_TEXT <= MOST_LONG

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

cdef extern from *:
    """
    #define HIGHEST_BITS 0x8080808080808080U
    #define SEVEN_BITS 0x7F7F7F7F7F7F7F7FU
    #define LOWEST_BITS 0x0101010101010101U
    #define FROM_SPACE 0x6060606060606060U
    #define ABOVE_SPACE 0x5F5F5F5F5F5F5F5FU
    #define NEWLINES 0x0A0A0A0A0A0A0A0AU
    """
    # In each of eight bytes: the highest bit, the others, the lowest bit, what gives the highest bit to ASCII characters
    # from the space on, or from the one behind it on, and a newline.
    const uint64_t HIGHEST_BITS
    const uint64_t SEVEN_BITS
    const uint64_t LOWEST_BITS
    const uint64_t FROM_SPACE
    const uint64_t ABOVE_SPACE
    const uint64_t NEWLINES


cdef enum:
    # Two counts of a short text stand side by side in a word.
    COUNT_BITS = 16
    COUNTED = (1 << COUNT_BITS) - 1

assert _LONG_TEXT <= COUNTED

# What each byte adds to the counts of words' characters, and of letters.
cdef uint32_t[256] _COUNTS

# Bytes that are no characters of their own are OTHER, and their own lower case.
cdef unsigned char[256] _CLASS
cdef unsigned char[256] _LOWER

cdef int _fill_tables() except -1:
    """What ASCII characters are, and their lower case."""
    cdef int code
    cdef str char
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
        _COUNTS[code] = (_CLASS[code] >= LETTER) | (_CLASS[code] == LETTER) << COUNT_BITS
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
    # What _char_at tells where there is none.
    NO_CHAR = 0x110000
    # A character takes in lower case at most so many times the bytes that it takes else.
    MOST_GROWTH = 2

cdef inline bint _is_plain(uint64_t chunk) noexcept nogil:
    """Whether eight bytes are ASCII without control characters."""
    return not (chunk | ~(chunk + FROM_SPACE)) & HIGHEST_BITS


cdef inline uint64_t _shown(uint64_t chunk) noexcept nogil:
    """Of eight bytes the highest bit of those that are neither spaces nor control characters.

    Nothing is carried from one to another, whatever their order, and where some are not ASCII.
    """
    return ((chunk & SEVEN_BITS) + ABOVE_SPACE) & HIGHEST_BITS


cdef inline uint64_t _unwrapped(uint64_t chunk) noexcept nogil:
    """Eight bytes with spaces for newlines; others than ASCII stay such ones."""
    cdef uint64_t others = ((chunk ^ NEWLINES) & SEVEN_BITS) + SEVEN_BITS
    return chunk ^ ((~others & HIGHEST_BITS) >> 7) * (c" " ^ c"\n")


cdef inline Py_UCS4 _char_at(const unsigned char* data, Py_ssize_t* index) noexcept nogil:
    """The character beyond ASCII that begins at an index, which is moved behind it; NO_CHAR where none does.

    Somewhere behind the text there must be an ASCII character.
    """
    cdef const unsigned char* at = data + index[0]
    cdef uint32_t char
    if at[0] < 0xE0:
        if at[0] < 0xC2 or at[1] & 0xC0 != 0x80:
            return NO_CHAR
        index[0] += 2
        return (at[0] & 0x1F) << 6 | at[1] & 0x3F
    if at[1] & 0xC0 != 0x80 or at[2] & 0xC0 != 0x80:
        return NO_CHAR
    if at[0] < 0xF0:
        char = (at[0] & 0xF) << 12 | (at[1] & 0x3F) << 6 | at[2] & 0x3F
        if char < 0x800 or 0xD800 <= char <= 0xDFFF:
            return NO_CHAR
        index[0] += 3
        return char
    if at[0] > 0xF4 or at[3] & 0xC0 != 0x80:
        return NO_CHAR
    char = (at[0] & 7) << 18 | (at[1] & 0x3F) << 12 | (at[2] & 0x3F) << 6 | at[3] & 0x3F
    if not 0x10000 <= char <= 0x10FFFF:
        return NO_CHAR
    index[0] += 4
    return char


cdef inline Py_UCS4 _next_char(const unsigned char* data, Py_ssize_t* index) noexcept nogil:
    """The character that begins at an index, ASCII or not; see :func:`_char_at`."""
    if data[index[0]] >= 128:
        return _char_at(data, index)
    index[0] += 1
    return data[index[0] - 1]


cdef inline bint _is_wide_space(Py_UCS4 char) noexcept nogil:
    """Whether a character beyond ASCII is white space."""
    if char < 0x1680:
        return char == 0x85 or char == 0xA0
    if char < 0x2000 or char > 0x3000:
        return char == 0x1680
    return char <= 0x200A or char == 0x2028 or char == 0x2029 or char == 0x202F or char == 0x205F or char == 0x3000


cdef inline bint _is_digit(Py_UCS4 char) noexcept:
    return _CLASS[char] == DIGIT if char < 128 else char.isdecimal()


cdef inline bint _is_word(Py_UCS4 char) noexcept nogil:
    """Whether a character is a letter, a digit or an underscore."""
    if char < 128:
        return _CLASS[char] >= LETTER
    return Py_UNICODE_ISALPHA(char) or Py_UNICODE_ISALNUM(char)


cdef inline int _utf8_size(uint32_t char) noexcept nogil:
    """Bytes of a character in UTF-8."""
    return 1 if char < 0x80 else 2 if char < 0x800 else 3 if char < 0x10000 else 4


cdef inline void _put_utf8(unsigned char* out, Py_ssize_t* count, uint32_t char) noexcept nogil:
    """Append a character in UTF-8, and count its bytes; there must be room for it."""
    cdef unsigned char* end = out + count[0]
    cdef int size = _utf8_size(char), index
    count[0] += size
    if size == 1:
        end[0] = <unsigned char>char
        return
    for index in range(size - 1, 0, -1):
        end[index] = <unsigned char>(0x80 | (char & 0x3F))
        char >>= 6
    end[0] = <unsigned char>((0xF00 >> size) & 0xFF | char)


cdef Py_ssize_t _count_plain(
    const unsigned char* data, Py_ssize_t size, Py_ssize_t* count, bint* single
) noexcept nogil:
    """Look through as much of a text as is plain, eight bytes at a time.

    :param count: is raised by the number of characters that are no white space.
    :param single: is set to False where not all white space is single spaces; maybe too where a control character that
        is none follows a space.
    :returns: the size of that.
    """
    cdef uint64_t chunk, following, shown, gaps = 0
    cdef Py_ssize_t index = 0, found = 0
    while index + CHUNK <= size:
        memcpy(&chunk, data + index, CHUNK)
        memcpy(&following, data + index + 1, CHUNK)
        if not _is_plain(chunk):
            chunk = _unwrapped(chunk)
            if not _is_plain(chunk):
                break
            gaps = HIGHEST_BITS
        shown = _shown(chunk)
        gaps |= ~(shown | _shown(following))
        found += ((shown >> 7) * LOWEST_BITS) >> 56
        index += CHUNK
    count[0] += found
    if gaps & HIGHEST_BITS:
        single[0] = False
    return index


cdef class Measure:
    """Measures texts; the same as words_of of outline.py.

    :ivar weight: of the last text.
    :ivar hash: of the last text.
    :ivar text: the last text if it was asked for.
    :ivar has_braces: whether BRACES are in it; told with the text.
    :ivar is_ascii: whether it is ASCII.
    :ivar single: whether all white space in it is single spaces; may be False of such a one with control characters.
    :ivar count: of its characters that are no white space; 0 of a text that is told to be short by its size.
    :ivar more: how many bytes more than characters these are.
    :ivar cjk: how many of them are CJK characters.
    :ivar low: a short text in lower case without white space, in UTF-8, or a text with its white space collapsed.
    :ivar wide: a short text in lower case, as characters.
    """

    def __dealloc__(self):
        free(self.low.data)
        free(self.wide.data)

    cdef bint of(self, const char* data, Py_ssize_t size, bint keep_text, bint with_hash) except -1:
        """Measure a text, behind which a NUL stands, and tell whether it has letters or digits."""
        cdef const unsigned char* text = <const unsigned char*>data
        cdef int found
        if keep_text:
            self.has_braces = _has_braces(text, size)
        while size and _CLASS[text[0]] == SPACE:
            text += 1
            size -= 1
        while size and _CLASS[text[size - 1]] == SPACE:
            size -= 1
        if not self._look(text, size):
            # Raises an error, as lxml would.
            PyUnicode_DecodeUTF8(<const char*>text, size, NULL)
        if self.count >= _LONG_TEXT:
            return self._of_long(text, size, keep_text, with_hash)
        reserve(&self.low, MOST_GROWTH * size)
        found = self._of_ascii(text, size, with_hash) if self.is_ascii else self._of_utf8(text, size, with_hash)
        if found < 0:
            found = self._of_unicode(PyUnicode_DecodeUTF8(<const char*>text, size, NULL), with_hash)
        if found and keep_text:
            if not self.single:
                size = _collapse(text, size, <unsigned char*>self.low.data)
                text = <unsigned char*>self.low.data
            self.text = self._made(text, size)
        return found

    cdef bint _look(self, const unsigned char* data, Py_ssize_t size) noexcept nogil:
        """Look through a text without ASCII white space at its ends, to tell what there is of it.

        A text of too few bytes to be long is looked through only as far as it is ASCII.

        :returns: whether it is in UTF-8, as far as it was looked through.
        """
        cdef Py_ssize_t index = 0, count = 0, more = 0, cjk = 0, before, end
        cdef Py_UCS4 char
        cdef bint is_space, single = True
        self.is_ascii = True
        self.single = False
        self.count = 0
        while True:
            index += _count_plain(data + index, size - index, &count, &single)
            if index >= size:
                break
            end = min(index + CHUNK, size)
            while index < end:
                if data[index] < 128:
                    is_space = _CLASS[data[index]] == SPACE
                    if is_space and (data[index] != c" " or _CLASS[data[index + 1]] == SPACE):
                        single = False
                    count += not is_space
                    index += 1
                    continue
                self.is_ascii = False
                if size < _LONG_TEXT:
                    return True
                before = index
                char = _char_at(data, &index)
                if char == NO_CHAR:
                    return False
                if _is_wide_space(char):
                    single = False
                    continue
                count += 1
                more += index - before - 1
                cjk += _is_cjk(char)
        self.single = single
        self.count, self.more, self.cjk = count, more, cjk
        return True

    cdef bint _of_long(self, const unsigned char* data, Py_ssize_t size, bint keep_text, bint with_hash) except -1:
        """The same as of of a long text that was looked through."""
        cdef Py_ssize_t count = self.count
        if not _has_words(data, size):
            return False
        if <double>(count + self.more) > _MANY_BYTES * <double>count:
            count += (_CJK_WEIGHT - 1) * self.cjk
        self.weight = <Py_ssize_t>(_LETTERS * <double>count)
        if not self.single and (keep_text or with_hash):
            reserve(&self.low, size)
            size = _collapse(data, size, <unsigned char*>self.low.data)
            data = <unsigned char*>self.low.data
        if with_hash:
            self.hash = short_hash(data, size)
        if keep_text:
            self.text = self._made(data, size)
        return True

    cdef str _made(self, const unsigned char* data, Py_ssize_t size):
        """The text of some bytes, all of them ASCII if those are that were looked through."""
        cdef str text
        if not self.is_ascii:
            return PyUnicode_DecodeUTF8(<const char*>data, size, NULL)
        text = PyUnicode_New(size, 127)
        memcpy(PyUnicode_DATA(<PyObject*>text), data, size)
        return text

    cdef int _of_ascii(self, const unsigned char* data, Py_ssize_t size, bint with_hash) except -2:
        """The same as of of a short ASCII text.

        There is no branch in the loop: where words end can't be foreseen.
        """
        cdef unsigned char* low = <unsigned char*>self.low.data
        cdef Py_ssize_t index, count
        cdef uint32_t counts = 0
        for index in range(size):
            low[counts & COUNTED] = _LOWER[data[index]]
            counts += _COUNTS[data[index]]
        count = counts & COUNTED
        if not count:
            return 0
        self.weight = count
        if with_hash:
            self.hash = short_hash(low, count) if counts >> COUNT_BITS == count else self._hash_of_ascii(low, count)
        return 1

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

    cdef int _of_utf8(self, const unsigned char* data, Py_ssize_t size, bint with_hash) except -2:
        """The same of a short text with characters beyond ASCII; -1 where that takes more than one look at each."""
        cdef unsigned char* low = <unsigned char*>self.low.data
        cdef Py_ssize_t index = 0, end = 0
        cdef Py_UCS4 char
        cdef unsigned char kind
        cdef bint is_space, after_space = False, has_words = False, single = True
        self.single = False
        while index < size:
            if data[index] < 128:
                kind = _CLASS[data[index]]
                low[end] = _LOWER[data[index]]
                is_space = kind == SPACE
                end += not is_space
                has_words |= kind >= LETTER
                if is_space & ((data[index] != c" ") | after_space):
                    single = False
                after_space = is_space
                index += 1
                continue
            after_space = False
            char = _char_at(data, &index)
            if char == NO_CHAR or char == DOTTED_I or char == SIGMA:
                return -1
            if _is_wide_space(char):
                single = False
                continue
            if not has_words:
                has_words = _is_word(char)
            if not _is_cjk(char):
                char = Py_UNICODE_TOLOWER(char)
            _put_utf8(low, &end, char)
        self.single = single
        return self._of_short(end, with_hash) if has_words else 0

    cdef int _of_short(self, Py_ssize_t size, bint with_hash) except -2:
        """Measure a short text that has letters or digits, and is in ``low``."""
        cdef const unsigned char* low = <unsigned char*>self.low.data
        cdef Py_ssize_t index = 0, count = 0
        cdef Py_UCS4* wide
        cdef Py_UCS4 char
        reserve(&self.wide, size * sizeof(Py_UCS4))
        wide = <Py_UCS4*>self.wide.data
        while index < size:
            char = _next_char(low, &index)
            if _is_word(char):
                wide[count] = char
                count += 1
        self._weigh(count)
        if with_hash:
            self._hash_wide(count)
        return 1

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
            size += _utf8_size(wide[index])
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
                _put_utf8(out, &size, wide[index])
            elif not in_number:
                _put_utf8(out, &size, u"0")
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


def hashed(bytes data not None, bint in_halves):
    """The hash of a text in UTF-8.

    :param in_halves: whether as it is made where the compiler has no numbers of 128 bits.
    """
    return short_hash_in_halves(data, len(data)) if in_halves else short_hash(data, len(data))


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
    while index < size:
        if _is_word(_next_char(data, &index)):
            return True
    return False


cdef Py_ssize_t _copy_plain(const unsigned char* data, Py_ssize_t size, unsigned char* out) noexcept nogil:
    """Copy as much of a text as can be copied eight bytes at a time with no change but spaces for newlines.

    :returns: the size of that.
    """
    cdef uint64_t chunk, following
    cdef Py_ssize_t index = 0
    while index + CHUNK <= size:
        memcpy(&chunk, data + index, CHUNK)
        memcpy(&following, data + index + 1, CHUNK)
        if not _is_plain(chunk):
            chunk, following = _unwrapped(chunk), _unwrapped(following)
            if not _is_plain(chunk):
                break
        if (_shown(chunk) | _shown(following)) != HIGHEST_BITS:
            break
        memcpy(out + index, &chunk, CHUNK)
        index += CHUNK
    return index


cdef Py_ssize_t _collapse(const unsigned char* data, Py_ssize_t size, unsigned char* out) noexcept nogil:
    """Write a text with each run of white space as one space, and none at its ends.

    :param data: a text that was found to be in UTF-8, without ASCII white space at its ends. There must be a byte
        behind it.
    :param out: has room for so many bytes.
    :returns: its size.
    """
    cdef Py_ssize_t index = 0, count = 0, copied, start, end
    cdef bint is_space, after_space = True
    while index < size:
        while after_space and _CLASS[data[index]] == SPACE:
            index += 1
        copied = _copy_plain(data + index, size - index, out + count)
        if copied:
            index += copied
            count += copied
            after_space = out[count - 1] == c" "
            continue
        end = min(index + CHUNK, size)
        while index < end:
            if data[index] < 128:
                is_space = _CLASS[data[index]] == SPACE
                out[count] = c" " if is_space else data[index]
                count += not (is_space & after_space)
                after_space = is_space
                index += 1
                continue
            start = index
            if _is_wide_space(_char_at(data, &index)):
                out[count] = c" "
                count += not after_space
                after_space = True
                continue
            after_space = False
            while start < index:
                out[count] = data[start]
                count += 1
                start += 1
    return count - 1 if count and after_space else count


cdef bint is_space(const unsigned char* data, Py_ssize_t size) noexcept nogil:
    """Whether there is nothing but white space in a text in UTF-8, behind which a NUL stands."""
    cdef Py_ssize_t index = 0
    while index < size:
        if data[index] >= 128:
            if not _is_wide_space(_char_at(data, &index)):
                return False
        elif _CLASS[data[index]] == SPACE:
            index += 1
        else:
            return False
    return True
