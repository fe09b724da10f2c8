# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""CRC-32 as zlib has it, from both ends of a text at once; see :func:`scrapy_stemmer.core.hashing.short_hash`."""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    STRIDE = 8
    BYTES = 256


# For each value of a byte what it adds to the sum from so many bytes before the end of a stride.
cdef uint32_t[STRIDE][BYTES] _TABLES


cdef uint32_t _POLYNOMIAL = 0xEDB88320U


cdef int _fill_tables() noexcept nogil:
    cdef uint32_t value
    cdef int byte, bit, place
    for byte in range(BYTES):
        value = byte
        for bit in range(8):
            value = (value >> 1) ^ (_POLYNOMIAL if value & 1 else 0)
        _TABLES[0][byte] = value
    for byte in range(BYTES):
        for place in range(1, STRIDE):
            value = _TABLES[place - 1][byte]
            _TABLES[place][byte] = (value >> 8) ^ _TABLES[0][value & 0xFF]
    return 0

_fill_tables()


cdef inline uint32_t _next(uint32_t crc, unsigned char byte) noexcept nogil:
    return (crc >> 8) ^ _TABLES[0][(crc ^ byte) & 0xFF]


cdef uint64_t short_hash(const unsigned char* data, Py_ssize_t size) noexcept nogil:
    """The same as hashing.short_hash of the text in UTF-8.

    Neither sum waits for the other, so that a processor works on both.
    """
    cdef uint32_t ahead = ~<uint32_t>0, back = ~<uint32_t>0
    cdef const unsigned char* first = data
    cdef const unsigned char* last = data + size
    while size >= STRIDE:
        ahead = (
            _TABLES[7][(ahead ^ first[0]) & 0xFF] ^ _TABLES[6][((ahead >> 8) ^ first[1]) & 0xFF]
            ^ _TABLES[5][((ahead >> 16) ^ first[2]) & 0xFF] ^ _TABLES[4][(ahead >> 24) ^ first[3]]
            ^ _TABLES[3][first[4]] ^ _TABLES[2][first[5]] ^ _TABLES[1][first[6]] ^ _TABLES[0][first[7]]
        )
        last -= STRIDE
        back = (
            _TABLES[7][(back ^ last[7]) & 0xFF] ^ _TABLES[6][((back >> 8) ^ last[6]) & 0xFF]
            ^ _TABLES[5][((back >> 16) ^ last[5]) & 0xFF] ^ _TABLES[4][(back >> 24) ^ last[4]]
            ^ _TABLES[3][last[3]] ^ _TABLES[2][last[2]] ^ _TABLES[1][last[1]] ^ _TABLES[0][last[0]]
        )
        first += STRIDE
        size -= STRIDE
    while size > 0:
        last -= 1
        ahead = _next(ahead, first[0])
        back = _next(back, last[0])
        first += 1
        size -= 1
    return <uint64_t>(~ahead) << 32 | <uint32_t>(~back)


def hashed(bytes data not None):
    """The hash of a text in UTF-8."""
    return short_hash(data, len(data))
