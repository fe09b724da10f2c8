# cython: boundscheck=False, wraparound=False
"""Keys of texts: hashes in which case and numbers make no difference."""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from scrapy_stemmer._engine.nodes cimport put, reserve, sign_at

cdef extern from "Python.h":
    bint Py_UNICODE_ISDECIMAL(uint32_t sign) nogil
    uint32_t Py_UNICODE_TOLOWER(uint32_t sign) nogil

from secrets import randbits

from scrapy_stemmer.page.text import MIN_BESIDE, plain_key

cdef uint32_t[8][256] CRC
cdef Py_ssize_t FEWEST = MIN_BESIDE


cdef void fill_crc() noexcept:
    cdef uint32_t each, value
    cdef int step
    for each in range(256):
        value = each
        for step in range(8):
            value = (value >> 1) ^ (0xEDB88320 if value & 1 else 0)
        CRC[0][each] = value
    for each in range(256):
        for step in range(1, 8):
            CRC[step][each] = (CRC[step - 1][each] >> 8) ^ CRC[0][CRC[step - 1][each] & 0xFF]


fill_crc()


cdef uint32_t crc_of(const unsigned char* data, size_t size) noexcept nogil:
    """Return :func:`zlib.crc32` of some bytes."""
    cdef uint32_t found = 0xFFFFFFFF
    while size >= 8:
        found ^= data[0] | <uint32_t>data[1] << 8 | <uint32_t>data[2] << 16 | <uint32_t>data[3] << 24
        found = (
            CRC[7][found & 0xFF] ^ CRC[6][found >> 8 & 0xFF] ^ CRC[5][found >> 16 & 0xFF] ^ CRC[4][found >> 24]
            ^ CRC[3][data[4]] ^ CRC[2][data[5]] ^ CRC[1][data[6]] ^ CRC[0][data[7]]
        )
        data += 8
        size -= 8
    while size:
        found = (found >> 8) ^ CRC[0][(found ^ data[0]) & 0xFF]
        data += 1
        size -= 1
    return ~found


cdef class Keys:
    """Keys of texts, with room for a text in lower case."""

    def __dealloc__(self):
        free(self.room.data)

    cdef long long of(self, str text) except -1:
        """Return the key of a text; see :func:`scrapy_stemmer.page.text.plain_key`."""
        cdef Py_ssize_t size = 0
        cdef const char* data
        cdef bytes encoded
        if text.isascii():
            data = PyUnicode_AsUTF8AndSize(text, &size)
        else:
            encoded = text.encode("utf-8", "surrogatepass")
            data, size = encoded, len(encoded)
        return self.of_bytes(data, size)

    cdef long long of_bytes(self, const char* text, Py_ssize_t size) except -1:
        """Return the key of a text in UTF-8."""
        cdef Py_ssize_t at, digits, signs = size
        cdef unsigned char* made
        reserve(&self.room, 2 * size + 4)  # no letter needs twice the bytes in lower case
        made = <unsigned char*>self.room.data
        self.room.size = size
        digits = put_ascii(<const unsigned char*>text, size, made)
        if digits >= 0:
            pass
        elif not self.put_lower(<const unsigned char*>text, size):
            return plain_key(text[:size].decode("utf-8", "surrogatepass"))
        else:
            size, signs, digits = self.room.size, 0, 0
            for at in range(size):
                signs += made[at] & 0xC0 != 0x80
                digits += <unsigned char>(made[at] - 48) < 10
        if digits and signs - digits >= FEWEST:
            size = without_runs(made, size)
        return crc_of(made, size)

    cdef bint put_lower(self, const unsigned char* text, Py_ssize_t size) except -1:
        """Put a text in lower case into the room; return False where only Python can."""
        cdef const unsigned char* end = text + size
        cdef unsigned char* made
        cdef uint32_t code
        made = <unsigned char*>self.room.data
        while text < end:
            if text[0] < 128:
                made[0] = text[0] | 0x20 if 65 <= text[0] <= 90 else text[0]
                made += 1
                text += 1
                continue
            text += sign_at(text, &code)
            if code == DOTTED_I or code == SIGMA or 0xD800 <= code < 0xE000:
                return False
            if not is_uncased(code):
                if Py_UNICODE_ISDECIMAL(code):
                    return False
                code = Py_UNICODE_TOLOWER(code)
            made += put_sign(made, code)
        self.room.size = made - <unsigned char*>self.room.data
        return True


cdef bint is_ascii(const char* text, Py_ssize_t size) noexcept nogil:
    cdef uint64_t piece, seen = 0
    while size >= 8:
        memcpy(&piece, text, 8)
        seen |= piece
        text += 8
        size -= 8
    while size:
        seen |= <unsigned char>text[0]
        text += 1
        size -= 1
    return not seen & <uint64_t>0x8080808080808080


cdef Py_ssize_t put_ascii(const unsigned char* text, Py_ssize_t size, unsigned char* made) noexcept nogil:
    """Write a text of ASCII in lower case, eight characters at a time; return the number of digits, or -1."""
    cdef uint64_t piece, found, seen = 0
    cdef Py_ssize_t digits = 0
    while size >= 8:
        memcpy(&piece, text, 8)
        seen |= piece
        found = (piece + FROM_A) & ~(piece + BEHIND_Z) & HIGH
        found = piece | found >> 2
        memcpy(made, &found, 8)
        found = (piece + FROM_0) & ~(piece + BEHIND_9) & HIGH
        digits += ((found >> 7) * <uint64_t>0x0101010101010101) >> 56
        text += 8
        made += 8
        size -= 8
    while size:
        seen |= text[0]
        made[0] = text[0] | 0x20 if 65 <= text[0] <= 90 else text[0]
        digits += 48 <= text[0] <= 57
        text += 1
        made += 1
        size -= 1
    return -1 if seen & HIGH else digits


cdef uint64_t HIGH = 0x8080808080808080
# Added to characters of ASCII, these set the highest bit of letters from A on, and of signs behind Z.
cdef uint64_t FROM_A = 0x3F3F3F3F3F3F3F3F
cdef uint64_t BEHIND_Z = 0x2525252525252525
cdef uint64_t FROM_0 = 0x5050505050505050
cdef uint64_t BEHIND_9 = 0x4646464646464646

cdef enum:
    # Letters whose lower case is of two letters, or depends on the neighbours.
    DOTTED_I = 0x130
    SIGMA = 0x3A3


cdef inline bint is_uncased(uint32_t sign) noexcept nogil:
    """Return True for signs and ideographs, which most texts have beside ASCII."""
    return 0xA0 <= sign < 0xC0 or 0x2010 <= sign < 0x2060 or 0x3000 <= sign < 0xA000 or 0xAC00 <= sign < 0xD7A4


cdef inline int put_sign(unsigned char* made, uint32_t sign) noexcept nogil:
    """Write a character beyond ASCII as UTF-8; return the number of bytes."""
    if sign < 128:
        made[0] = sign
        return 1
    if sign < 0x800:
        made[0], made[1] = 0xC0 | sign >> 6, 0x80 | (sign & 0x3F)
        return 2
    if sign < 0x10000:
        made[0], made[1], made[2] = 0xE0 | sign >> 12, 0x80 | (sign >> 6 & 0x3F), 0x80 | (sign & 0x3F)
        return 3
    made[0], made[1] = 0xF0 | sign >> 18, 0x80 | (sign >> 12 & 0x3F)
    made[2], made[3] = 0x80 | (sign >> 6 & 0x3F), 0x80 | (sign & 0x3F)
    return 4


cdef Py_ssize_t without_runs(unsigned char* made, Py_ssize_t size) noexcept nogil:
    """Write a zero for each run of digits; return the number of bytes left."""
    cdef Py_ssize_t at, written = 0
    for at in range(size):
        if not 48 <= made[at] <= 57:
            made[written] = made[at]
            written += 1
        elif not written or made[written - 1] != 48:
            made[written] = 48
            written += 1
    return written


def text_key(str text not None):
    """See :data:`scrapy_stemmer.page.text.text_key`."""
    return Keys().of(text)


# Numbers of texts

cdef uint64_t SEED = randbits(64)  # pages can't choose texts that collide


cdef uint64_t hash_of(const char* text, size_t size) noexcept nogil:
    """Return a hash of some bytes, never 0."""
    cdef uint64_t found = SEED ^ size, piece
    while size >= 8:
        memcpy(&piece, text, 8)
        found = (found ^ piece) * <uint64_t>0x9E3779B97F4A7C15
        found ^= found >> 32
        text += 8
        size -= 8
    piece = 0
    memcpy(&piece, text, size)
    found = (found ^ piece) * <uint64_t>0x9E3779B97F4A7C15
    found ^= found >> 29
    return found | 1


cdef class Numbers:
    """Numbers of texts, as bytes."""

    def __dealloc__(self):
        free(self.texts.data)
        free(self.entries)

    def __reduce__(self):
        return Numbers, ()

    cdef int find(self, const char* text, size_t size) noexcept:
        cdef uint64_t hashed
        cdef Entry* entry
        cdef size_t at
        if not self.room:
            return -1
        hashed = hash_of(text, size)
        at = hashed >> 20 & (self.room - 1)
        while self.entries[at].hashed:
            entry = &self.entries[at]
            if entry.hashed == hashed and entry.size == size:
                if memcmp(self.texts.data + entry.start, text, size) == 0:
                    return entry.number
            at = (at + 1) & (self.room - 1)
        return -1

    cdef int add(self, const char* text, size_t size, int number) except -1:
        """Note the number of a new text."""
        cdef Entry* entries = self.entries
        cdef size_t each, room = self.room
        cdef Entry entry
        if 2 * (self.count + 1) > self.room:
            room = 4 * self.room if self.room else 256
            entries = <Entry*>calloc(room, sizeof(Entry))
            if entries is NULL:
                raise MemoryError
            for each in range(self.room):
                if self.entries[each].hashed:
                    put_entry(entries, room, &self.entries[each])
            free(self.entries)
            self.entries, self.room = entries, room
        entry.hashed, entry.start, entry.size, entry.number = hash_of(text, size), self.texts.size, size, number
        put(&self.texts, text, size)
        put_entry(self.entries, self.room, &entry)
        self.count += 1
        return 0


cdef void put_entry(Entry* entries, size_t room, Entry* entry) noexcept:
    cdef size_t at = entry.hashed >> 20 & (room - 1)
    while entries[at].hashed:
        at = (at + 1) & (room - 1)
    entries[at] = entry[0]


cdef class cached_property:
    """See :data:`scrapy_stemmer.page.lazily.cached_property`."""

    cdef readonly object func, attrname, __doc__

    def __init__(self, func not None):
        self.func, self.__doc__ = func, func.__doc__

    def __set_name__(self, owner, name):
        self.attrname = name

    def __get__(self, instance, owner):
        if instance is None:
            return self
        value = self.func(instance)
        (<dict>instance.__dict__)[self.attrname] = value
        return value
