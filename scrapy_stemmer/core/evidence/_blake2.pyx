# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""BLAKE2b (RFC 7693) with digests of eight bytes and no key, as :func:`scrapy_stemmer.core.hashing.short_hash` has it."""

import sys

from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

cdef uint64_t[8] _IV = [
    0x6A09E667F3BCC908U, 0xBB67AE8584CAA73BU, 0x3C6EF372FE94F82BU, 0xA54FF53A5F1D36F1U,
    0x510E527FADE682D1U, 0x9B05688C2B3E6C1FU, 0x1F83D9ABFB41BD6BU, 0x5BE0CD19137E2179U,
]

cdef extern from *:
    """
    #define STEMMER_ROTATED(word, bits) ((word) >> (bits) | (word) << (64 - (bits)))

    #define STEMMER_MIX(a, b, c, d, x, y) \\
        v[a] += v[b] + m[x]; \\
        v[d] = STEMMER_ROTATED(v[d] ^ v[a], 32); \\
        v[c] += v[d]; \\
        v[b] = STEMMER_ROTATED(v[b] ^ v[c], 24); \\
        v[a] += v[b] + m[y]; \\
        v[d] = STEMMER_ROTATED(v[d] ^ v[a], 16); \\
        v[c] += v[d]; \\
        v[b] = STEMMER_ROTATED(v[b] ^ v[c], 63);

    #define STEMMER_ROUND(a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q) \\
        STEMMER_MIX(0, 4, 8, 12, a, b) \\
        STEMMER_MIX(1, 5, 9, 13, c, d) \\
        STEMMER_MIX(2, 6, 10, 14, e, f) \\
        STEMMER_MIX(3, 7, 11, 15, g, h) \\
        STEMMER_MIX(0, 5, 10, 15, i, j) \\
        STEMMER_MIX(1, 6, 11, 12, k, l) \\
        STEMMER_MIX(2, 7, 8, 13, n, o) \\
        STEMMER_MIX(3, 4, 9, 14, p, q)

    /* The rounds, with the schedule of the message's words written out: so all of the state is kept in registers. */
    static void stemmer_mix_all(uint64_t *state, const uint64_t *m)
    {
        uint64_t v[16];
        int index;
        for (index = 0; index < 16; index++)
            v[index] = state[index];
        STEMMER_ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        STEMMER_ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
        STEMMER_ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4)
        STEMMER_ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8)
        STEMMER_ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13)
        STEMMER_ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9)
        STEMMER_ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11)
        STEMMER_ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10)
        STEMMER_ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5)
        STEMMER_ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0)
        STEMMER_ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        STEMMER_ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
        for (index = 0; index < 16; index++)
            state[index] = v[index];
    }
    """
    void _mix_all "stemmer_mix_all"(uint64_t* state, const uint64_t* m) noexcept nogil

cdef bint _LOW_FIRST = sys.byteorder == "little"

cdef enum:
    HASH_BLOCK = 128
    HASH_BYTES = 8


cdef void _compress(uint64_t* state, const unsigned char* block, uint64_t count, bint is_last) noexcept nogil:
    cdef uint64_t[16] v
    cdef uint64_t[16] m
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
    _mix_all(v, m)
    for index in range(8):
        state[index] ^= v[index] ^ v[index + 8]


cdef uint64_t short_hash(const unsigned char* data, Py_ssize_t size) noexcept nogil:
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
