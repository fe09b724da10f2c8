# The hash of a text in C; see scrapy_stemmer.core.hashing.short_hash.

from libc.stdint cimport uint64_t


cdef extern from *:
    """
    /* 2**64 modulo hashing.MODULUS. */
    #define STEMMER_REST 0x9E37E0C9U

    #if defined(__GNUC__)
    #define STEMMER_LIKELY(condition) __builtin_expect(!!(condition), 1)
    #else
    #define STEMMER_LIKELY(condition) (condition)
    #endif

    /* Eight bytes as a number that is the same on all machines, and back. */
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define STEMMER_ORDERED(bytes) __builtin_bswap64(bytes)
    #else
    #define STEMMER_ORDERED(bytes) (bytes)
    #endif

    static inline uint64_t stemmer_eight(const unsigned char *at) {
        uint64_t bytes;
        memcpy(&bytes, at, 8);
        return STEMMER_ORDERED(bytes);
    }

    static inline void stemmer_put_eight(unsigned char *out, uint64_t bytes) {
        bytes = STEMMER_ORDERED(bytes);
        memcpy(out, &bytes, 8);
    }

    static inline uint64_t stemmer_four(const unsigned char *at) {
        return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }

    /* The last one to eight bytes of a text, without a look behind it: in part twice. */
    static inline uint64_t stemmer_last(const unsigned char *text, size_t size) {
        if (STEMMER_LIKELY(size >= 8))
            return stemmer_eight(text + size - 8) >> ((0 - 8 * size) & 56);
        if (size >= 4)
            return stemmer_four(text) | stemmer_four(text + size - 4) << 8 * (size - 4);
        if (!size)
            return 0;
        return text[0] | (uint64_t)text[size >> 1] << 8 * (size >> 1) | (uint64_t)text[size - 1] << 8 * (size - 1);
    }

    /* The sum of two numbers; where it goes beyond 2**64 what that leaves. No branch: it can't be foreseen. */
    static inline uint64_t stemmer_sum(uint64_t first, uint64_t second) {
        uint64_t sum = first + second;
        return sum + (STEMMER_REST & (0 - (uint64_t)(sum < second)));
    }

    /* A rest, which may still be too large by once the modulus, of a number with eight bytes set before it. The high
       half of the product is at most STEMMER_REST, so that the sum with what it leaves goes beyond 2**64 only once. */
    static inline uint64_t stemmer_next_in_halves(uint64_t rest, uint64_t chunk) {
        uint64_t low = (rest & 0xFFFFFFFFU) * STEMMER_REST, high = (rest >> 32) * STEMMER_REST;
        low += chunk;
        high += (uint64_t)(low < chunk) << 32;
        low += high << 32;
        high = (high >> 32) + (low < high << 32);
        return stemmer_sum(low, high * STEMMER_REST);
    }

    #if defined(__SIZEOF_INT128__)
    static inline uint64_t stemmer_next(uint64_t rest, uint64_t chunk) {
        unsigned __int128 sum = (unsigned __int128)rest * STEMMER_REST + chunk;
        return stemmer_sum((uint64_t)sum, (uint64_t)(sum >> 64) * STEMMER_REST);
    }
    #else
    #define stemmer_next stemmer_next_in_halves
    #endif

    #define STEMMER_HASH(name, next) \\
        static uint64_t name(const unsigned char *text, size_t size) { \\
            uint64_t rest = stemmer_last(text, size); \\
            const unsigned char *at = text + (size ? (size - 1) / 8 * 8 : 0); \\
            while (at != text) { \\
                at -= 8; \\
                rest = next(rest, stemmer_eight(at)); \\
            } \\
            rest = next(next(rest, 0), 0); \\
            return rest < 0 - (uint64_t)STEMMER_REST ? rest : rest + STEMMER_REST; \\
        }

    STEMMER_HASH(stemmer_short_hash, stemmer_next)
    STEMMER_HASH(stemmer_short_hash_in_halves, stemmer_next_in_halves)
    """
    # The same as hashing.short_hash of the text in UTF-8.
    uint64_t short_hash "stemmer_short_hash"(const unsigned char* text, size_t size) noexcept nogil

    # The same for compilers without numbers of 128 bits.
    uint64_t short_hash_in_halves "stemmer_short_hash_in_halves"(const unsigned char* text, size_t size) noexcept nogil

    # Eight bytes as a number, the first one the lowest.
    uint64_t eight_bytes "stemmer_eight"(const unsigned char* at) noexcept nogil

    # The last one to eight bytes of a text, as many as are left when its others are taken eight by eight; 0 of none.
    uint64_t last_bytes "stemmer_last"(const unsigned char* text, size_t size) noexcept nogil
