# cython: boundscheck=False, wraparound=False
"""What is measured of texts; see :mod:`scrapy_stemmer.learners.rules.read_py`.

The result is the same.
"""

from zlib import crc32

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport (
    PyUnicode_1BYTE_DATA, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, Py_UNICODE_ISDECIMAL,
    Py_UNICODE_ISUPPER,
)

from scrapy_stemmer.learners.rules import read_py as plain
from scrapy_stemmer.learners.rules.read_py import Measures

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef Py_ssize_t MIN_WORDS = plain.MIN_WORDS

cdef int LAST_MARK = plain.LAST_MARK
cdef int CAPITAL = plain.CAPITAL
cdef int CJK_LENGTH = plain.CJK_LENGTH
cdef str OTHER_ENDS = plain.OTHER_ENDS
cdef str OTHER_COMMAS = plain.OTHER_COMMAS
cdef str LAST_MARKS = plain.LAST_MARKS

cdef enum:
    MAX_RANGES = 16

cdef Py_UCS4[MAX_RANGES] STARTS
cdef Py_UCS4[MAX_RANGES] STOPS
cdef int RANGES = 0
for first, _, last in zip(plain.IDEOGRAPHS[::3], plain.IDEOGRAPHS[1::3], plain.IDEOGRAPHS[2::3]):
    STARTS[RANGES], STOPS[RANGES] = ord(first), ord(last)
    RANGES += 1

# Calling the class takes as long as measuring.
cdef object new = tuple.__new__


def measures_of(str text not None):
    """See :func:`scrapy_stemmer.learners.rules.read_py.measures_of`."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), spaces = 0, ends = 0, commas = 0, digits = 0, index
    cdef Py_ssize_t ideographs = 0
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
            if is_ideograph(character):
                ideographs += 1
            if character in OTHER_ENDS:
                ends += 1
            elif character in OTHER_COMMAS:
                commas += 1
            elif Py_UNICODE_ISDECIMAL(character):
                digits += 1
    if PyUnicode_IS_ASCII(text):
        key = key_of(<const unsigned char*>PyUnicode_1BYTE_DATA(text), size, digits and size - digits >= MIN_WORDS)
    else:
        key = plain.key_of(text, digits)
    flags = 0
    if size:
        flags |= LAST_MARK if PyUnicode_READ(width, <void*>data, size - 1) in LAST_MARKS else 0
        flags |= CAPITAL if Py_UNICODE_ISUPPER(PyUnicode_READ(width, <void*>data, 0)) else 0
    length, words = size - spaces + (CJK_LENGTH - 1) * ideographs, spaces + 1 + ideographs
    return new(Measures, (length, words, ends, commas, digits, key, flags))


cdef bint is_ideograph(Py_UCS4 character) noexcept:
    """Whether a character of a script without spaces between words counts as several letters."""
    cdef int number
    for number in range(RANGES):
        if STARTS[number] <= character <= STOPS[number]:
            return True
    return False


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
