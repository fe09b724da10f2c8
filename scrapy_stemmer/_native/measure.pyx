# cython: boundscheck=False, wraparound=False
"""What is measured of texts; see :mod:`scrapy_stemmer.learners.rules.texts`.

The result is the same. Texts that have more than ASCII are left to plain Python: what their letters are in lower case,
and what their digits and punctuation are, is Python's to say.
"""

from zlib import crc32

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_1BYTE_DATA, PyUnicode_GET_LENGTH

from scrapy_stemmer.learners.rules import texts as plain
from scrapy_stemmer.learners.rules.texts import Measures

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef Py_ssize_t MIN_WORDS = plain.MIN_WORDS

cdef int SPACE = 1
cdef int DIGIT = 2
cdef int END = 3
cdef int COMMA = 4

cdef unsigned char[128] KINDS
for code in range(128):
    KINDS[<int>code] = 0
for code in bytearray(b"0123456789"):
    KINDS[<int>code] = DIGIT
for code in bytearray(b".!?"):
    KINDS[<int>code] = END
for code in bytearray(b",;:"):
    KINDS[<int>code] = COMMA
KINDS[c" "] = SPACE


def measures_of(str text not None):
    """See :func:`scrapy_stemmer.learners.rules.texts.measures_in_python`."""
    cdef Py_ssize_t size, index, spaces = 0, ends = 0, commas = 0, digits = 0
    cdef const unsigned char* characters
    cdef unsigned char kind
    if not PyUnicode_IS_ASCII(text):
        return plain.measures_in_python(text)
    size = PyUnicode_GET_LENGTH(text)
    characters = <const unsigned char*>PyUnicode_1BYTE_DATA(text)
    for index in range(size):
        kind = KINDS[characters[index]]
        if kind:
            spaces += kind == SPACE
            digits += kind == DIGIT
            ends += kind == END
            commas += kind == COMMA
    key = key_of(characters, size, digits > 0 and size - digits >= MIN_WORDS)
    return Measures(size - spaces, spaces + 1, ends, commas, digits, key)


cdef object key_of(const unsigned char* characters, Py_ssize_t size, bint without_numbers):
    """The hash of a text in lower case, with a zero for each number where that is wanted."""
    cdef bytes made = PyBytes_FromStringAndSize(NULL, size)
    cdef char* lower = PyBytes_AS_STRING(made)
    cdef Py_ssize_t index, written = 0
    cdef unsigned char character
    cdef bint in_number = False
    for index in range(size):
        character = characters[index]
        if without_numbers and c"0" <= character <= c"9":
            if in_number:
                continue
            in_number = True
            character = c"0"
        else:
            in_number = False
        lower[written] = character + 32 if c"A" <= character <= c"Z" else character
        written += 1
    return crc32(made if written == size else made[:written])
