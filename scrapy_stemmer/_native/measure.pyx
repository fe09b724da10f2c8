# cython: boundscheck=False, wraparound=False
"""What is measured of texts; see :mod:`scrapy_stemmer.learners.rules.texts`.

The result is the same. Texts of languages without spaces between words are left to plain Python.
"""

from zlib import crc32

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport (
    PyUnicode_1BYTE_DATA, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, Py_UNICODE_ISDECIMAL,
)

from scrapy_stemmer.learners.rules import texts as plain
from scrapy_stemmer.learners.rules.texts import Measures

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef enum:
    THAI = 0x0E00
    BEHIND_THAI = 0x0E80
    CJK = 0x2E80

cdef Py_ssize_t MIN_WORDS = plain.MIN_WORDS

# Calling the class takes as long as measuring.
cdef object new = tuple.__new__


def measures_of(str text not None):
    """See :func:`scrapy_stemmer.learners.rules.texts.measures_in_python`."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), spaces = 0, ends = 0, commas = 0, digits = 0, index
    cdef int width = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 character
    for index in range(size):
        character = PyUnicode_READ(width, <void*>data, index)
        if c"a" <= character <= c"z":
            continue
        if character == c" ":
            spaces += 1
        elif c"0" <= character <= c"9":
            digits += 1
        elif character == c"." or character == c"!" or character == c"?":
            ends += 1
        elif character == c"," or character == c";" or character == c":":
            commas += 1
        elif character >= 128:
            if character >= CJK or THAI <= character < BEHIND_THAI:
                return plain.measures_in_python(text)
            if character == 0x0964 or character == 0x061F:
                ends += 1
            elif character == 0x060C:
                commas += 1
            elif Py_UNICODE_ISDECIMAL(character):
                digits += 1
    if PyUnicode_IS_ASCII(text):
        key = key_of(<const unsigned char*>PyUnicode_1BYTE_DATA(text), size, digits and size - digits >= MIN_WORDS)
    else:
        key = plain.key_of(text, digits)
    return new(Measures, (size - spaces, spaces + 1, ends, commas, digits, key))


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
