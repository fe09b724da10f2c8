# Sixteen bytes of a text at once: which of them are white space, or belong to words. With SSE2 where the compiler has
# it, as it has for each processor of the kind x86-64; else eight by eight in numbers of 64 bits.

from libc.stdint cimport uint64_t

from scrapy_stemmer.core.evidence._hash cimport eight_bytes, last_bytes


cdef extern from *:
    """
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    #define STEMMER_SSE2
    #endif

    #define STEMMER_EACH(byte) (0x0101010101010101U * (byte))

    /* The number of zeros below the lowest one of a number that isn't zero. */
    #if defined(__GNUC__)
    #define stemmer_zeros(bits) ((unsigned)__builtin_ctz(bits))
    #else
    static inline unsigned stemmer_zeros(unsigned bits) {
        unsigned count = 0;
        while (!(bits >> count & 1))
            count++;
        return count;
    }
    #endif

    /* The highest bits of eight bytes side by side; no other bit may be set. */
    static inline unsigned stemmer_gathered(uint64_t bits) {
        return (unsigned)((bits >> 7) * 0x0102040810204080U >> 56);
    }

    /* See blanks; of eight bytes. Nothing is carried from one byte to the next. */
    static inline unsigned stemmer_blanks_of_eight(uint64_t bytes, unsigned char *out, unsigned *odd) {
        const uint64_t highest = STEMMER_EACH(0x80);
        uint64_t low = bytes & ~highest;
        uint64_t from_space = low + STEMMER_EACH(0x80 - ' '), behind_space = low + STEMMER_EACH(0x80 - ' ' - 1);
        uint64_t from_tab = low + STEMMER_EACH(0x80 - 9), behind_return = low + STEMMER_EACH(0x80 - 13 - 1);
        uint64_t blank = ~(bytes | behind_space) & highest, filled = (blank >> 7) * 0xFF;
        stemmer_put_eight(out, (bytes & ~filled) | (filled & STEMMER_EACH(' ')));
        *odd = stemmer_gathered((bytes | ~(from_space | (from_tab & ~behind_return))) & highest);
        return stemmer_gathered(blank);
    }

    /* See words; of eight bytes. */
    static inline unsigned stemmer_words_of_eight(uint64_t bytes, unsigned char *out, unsigned *digits) {
        const uint64_t highest = STEMMER_EACH(0x80), ascii = highest & ~bytes;
        uint64_t low = bytes & ~highest, small = low | STEMMER_EACH('a' ^ 'A');
        uint64_t letter = (small + STEMMER_EACH(0x80 - 'a')) & ~(small + STEMMER_EACH(0x80 - 'z' - 1)) & ascii;
        uint64_t digit = (low + STEMMER_EACH(0x80 - '0')) & ~(low + STEMMER_EACH(0x80 - '9' - 1)) & ascii;
        uint64_t joiner = ~((low ^ STEMMER_EACH('_')) + ~highest) & ascii;
        stemmer_put_eight(out, bytes | (letter >> 2));
        *digits = stemmer_gathered(digit);
        return stemmer_gathered(letter | digit | joiner);
    }

    static inline unsigned stemmer_words_in_numbers(const unsigned char *at, unsigned char *out, unsigned *digits) {
        unsigned behind, word = stemmer_words_of_eight(stemmer_eight(at), out, digits);
        word |= stemmer_words_of_eight(stemmer_eight(at + 8), out + 8, &behind) << 8;
        *digits |= behind << 8;
        return word;
    }

    static inline unsigned stemmer_blanks_of_two(uint64_t first, uint64_t second, unsigned char *out, unsigned *odd) {
        unsigned behind, blank = stemmer_blanks_of_eight(first, out, odd);
        blank |= stemmer_blanks_of_eight(second, out + 8, &behind) << 8;
        *odd |= behind << 8;
        return blank;
    }

    #ifdef STEMMER_SSE2
    static inline unsigned stemmer_blanks_of_vector(__m128i bytes, unsigned char *out, unsigned *odd) {
        __m128i space = _mm_set1_epi8(' '), from_tab = _mm_sub_epi8(bytes, _mm_set1_epi8(9));
        __m128i ruled = _mm_cmpeq_epi8(_mm_min_epu8(from_tab, _mm_set1_epi8(13 - 9)), from_tab);
        /* Bytes that are not ASCII are below zero. */
        __m128i plain = _mm_or_si128(ruled, _mm_cmpgt_epi8(bytes, _mm_set1_epi8(' ' - 1)));
        __m128i filled = _mm_max_epu8(bytes, space);
        _mm_storeu_si128((__m128i *)out, filled);
        *odd = (unsigned)_mm_movemask_epi8(plain) ^ 0xFFFF;
        return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(filled, space));
    }
    #endif

    static inline unsigned stemmer_words(const unsigned char *at, unsigned char *out, unsigned *digits) {
    #ifdef STEMMER_SSE2
        __m128i bytes = _mm_loadu_si128((const __m128i *)at), change = _mm_set1_epi8('a' ^ 'A');
        __m128i from_a = _mm_sub_epi8(_mm_or_si128(bytes, change), _mm_set1_epi8('a'));
        __m128i letter = _mm_cmpeq_epi8(_mm_min_epu8(from_a, _mm_set1_epi8('z' - 'a')), from_a);
        __m128i from_0 = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
        __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(from_0, _mm_set1_epi8('9' - '0')), from_0);
        __m128i joiner = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_'));
        _mm_storeu_si128((__m128i *)out, _mm_or_si128(bytes, _mm_and_si128(letter, change)));
        *digits = (unsigned)_mm_movemask_epi8(digit);
        return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letter, digit), joiner));
    #else
        return stemmer_words_in_numbers(at, out, digits);
    #endif
    }

    static inline unsigned stemmer_blanks(const unsigned char *at, unsigned char *out, unsigned *odd) {
    #ifdef STEMMER_SSE2
        return stemmer_blanks_of_vector(_mm_loadu_si128((const __m128i *)at), out, odd);
    #else
        return stemmer_blanks_of_two(stemmer_eight(at), stemmer_eight(at + 8), out, odd);
    #endif
    }

    static inline unsigned stemmer_last_blanks(
        const unsigned char *at, size_t size, unsigned char *out, unsigned *odd
    ) {
        uint64_t first, second = STEMMER_EACH(' ');
        if (size > 8) {
            first = stemmer_eight(at);
            second = second << 8 * (size - 8) | stemmer_last(at + 8, size - 8);
        } else if (size == 8)
            first = stemmer_eight(at);
        else
            first = second << 8 * size | stemmer_last(at, size);
    #ifdef STEMMER_SSE2
        return stemmer_blanks_of_vector(_mm_set_epi64x((long long)second, (long long)first), out, odd);
    #else
        return stemmer_blanks_of_two(first, second, out, odd);
    #endif
    }
    """
    # Bits for those of sixteen bytes that are white space, the lowest for the first one. Odd ones, told in the same way,
    # are not ASCII, or control characters other than tabs and those that end lines; the bits for them mean nothing. All
    # sixteen are written, those that are white space as spaces. There must be room for them.
    unsigned blanks "stemmer_blanks"(const unsigned char* at, unsigned char* out, unsigned* odd) noexcept nogil

    # The same of fewer than sixteen, at least one, as if there were spaces behind them.
    unsigned last_blanks "stemmer_last_blanks"(
        const unsigned char* at, size_t size, unsigned char* out, unsigned* odd
    ) noexcept nogil

    # The same of two times eight bytes as numbers; as it is made for other processors.
    unsigned blanks_of_two "stemmer_blanks_of_two"(
        uint64_t first, uint64_t second, unsigned char* out, unsigned* odd
    ) noexcept nogil

    # Bits for those of sixteen bytes that are ASCII letters, digits or underscores, and for the digits. All are written,
    # the letters in lower case.
    unsigned words "stemmer_words"(const unsigned char* at, unsigned char* out, unsigned* digits) noexcept nogil

    # The same as it is made for other processors.
    unsigned words_in_numbers "stemmer_words_in_numbers"(
        const unsigned char* at, unsigned char* out, unsigned* digits
    ) noexcept nogil

    # The number of zeros below the lowest one of a number that isn't zero.
    unsigned zeros "stemmer_zeros"(unsigned bits) noexcept nogil


cdef enum:
    STRIDE = 16
