# Characters in UTF-8.

from libc.stdint cimport uint16_t, uint32_t


cdef extern from *:
    """
    #if defined(__GNUC__)
    #define STEMMER_ALWAYS_INLINE static inline __attribute__((always_inline))
    #elif defined(_MSC_VER)
    #define STEMMER_ALWAYS_INLINE static __forceinline
    #else
    #define STEMMER_ALWAYS_INLINE static inline
    #endif

    typedef struct {
        uint32_t code, size;
    } stemmer_char;

    static inline uint32_t stemmer_two(const unsigned char *at) {
        return (uint32_t)(at[0] & 0x1F) << 6 | (at[1] & 0x3F);
    }

    static inline uint32_t stemmer_three(const unsigned char *at) {
        return (uint32_t)(at[0] & 0xF) << 12 | (uint32_t)(at[1] & 0x3F) << 6 | (at[2] & 0x3F);
    }

    STEMMER_ALWAYS_INLINE stemmer_char stemmer_char_in(const unsigned char *at) {
        stemmer_char found = {0, 2};
        if (*at < 0xE0)
            found.code = stemmer_two(at);
        else if (*at < 0xF0) {
            found.code = stemmer_three(at);
            found.size = 3;
        } else {
            found.code = (uint32_t)(*at & 7) << 18 | (uint32_t)(at[1] & 0x3F) << 12 | (at[2] & 0x3FU) << 6 | (at[3] & 0x3F);
            found.size = 4;
        }
        return found;
    }

    #define STEMMER_FOLLOWS(byte) (((byte) & 0xC0) == 0x80)

    static inline uint32_t stemmer_size_of_four(const unsigned char *at) {
        if (*at < 0xF0 || *at > 0xF4 || !STEMMER_FOLLOWS(at[1]) || !STEMMER_FOLLOWS(at[2]) || !STEMMER_FOLLOWS(at[3]))
            return 0;
        return stemmer_char_in(at).code - 0x10000 < 0x100000 ? 4 : 0;
    }

    STEMMER_ALWAYS_INLINE uint32_t stemmer_size_at(const unsigned char *at) {
        if (*at < 0xE0)
            return *at > 0xC1 && STEMMER_FOLLOWS(at[1]) ? 2 : 0;
        if (*at >= 0xF0)
            return stemmer_size_of_four(at);
        /* In this order: nothing is looked at behind a byte that doesn't follow, such as the NUL behind a text. */
        if (!STEMMER_FOLLOWS(at[1]) || !STEMMER_FOLLOWS(at[2]))
            return 0;
        if ((*at == 0xE0 && at[1] < 0xA0) || (*at == 0xED && at[1] >= 0xA0))
            return 0;
        return 3;
    }
    """
    ctypedef struct Char "stemmer_char":
        # A character, and its bytes in UTF-8.
        uint32_t code
        uint32_t size

    # The character beyond ASCII that begins at a place in a text that is known to be in UTF-8.
    Char char_in "stemmer_char_in"(const unsigned char* at) noexcept nogil

    # The bytes of the character beyond ASCII that begins at a place, behind which there must be an ASCII character
    # somewhere; 0 where none begins.
    uint32_t size_at "stemmer_size_at"(const unsigned char* at) noexcept nogil


cdef inline int utf8_size(uint32_t char) noexcept nogil:
    """Bytes of a character in UTF-8."""
    return 1 if char < 0x80 else 2 if char < 0x800 else 3 if char < 0x10000 else 4


cdef inline void put_utf8(unsigned char* out, Py_ssize_t* count, uint32_t char) noexcept nogil:
    """Append a character in UTF-8, and count its bytes; there must be room for it."""
    cdef unsigned char* end = out + count[0]
    cdef int size = utf8_size(char), index
    count[0] += size
    if size == 1:
        end[0] = <unsigned char>char
        return
    for index in range(size - 1, 0, -1):
        end[index] = <unsigned char>(0x80 | (char & 0x3F))
        char >>= 6
    end[0] = <unsigned char>((0xF00 >> size) & 0xFF | char)


cdef inline int decode_utf8(const unsigned char* data, Py_ssize_t size, uint16_t* out) noexcept nogil:
    """Write the characters of a text in UTF-8 that has none of four bytes."""
    cdef const unsigned char* end = data + size
    cdef Char char
    while data < end:
        if data[0] < 128:
            out[0] = data[0]
            data += 1
        else:
            char = char_in(data)
            out[0] = <uint16_t>char.code
            data += char.size
        out += 1
    return 0
