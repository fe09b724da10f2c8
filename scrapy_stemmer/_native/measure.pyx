# cython: boundscheck=False, wraparound=False
"""What is measured of texts; see :mod:`scrapy_stemmer.learners.rules.read_py`.

The result is the same. Texts with characters of other scripts than those of Europe are left to plain Python.
"""

from zlib import crc32

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, Py_UNICODE_ISUPPER

from scrapy_stemmer.learners.rules import read_py as plain
from scrapy_stemmer.learners.rules.read_py import Measures

cdef str LAST_MARKS = "".join(plain.LAST_MARKS)
cdef int LAST_MARK = plain.LAST_MARK
cdef int CAPITAL = plain.CAPITAL

# Calling the class takes as long as measuring.
cdef object new = tuple.__new__


def measures_of(str text not None):
    """See :func:`scrapy_stemmer.learners.rules.read_py.measures_of`."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), spaces = 0, ends = 0, commas = 0, digits = 0, index
    cdef int width = PyUnicode_KIND(text), flags
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 character = 0
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
        elif character >= 0x600 and not 0x2000 <= character < 0x2E80:
            return plain.measures_of(text)
    flags = LAST_MARK if size and character in LAST_MARKS else 0
    flags |= CAPITAL if size and Py_UNICODE_ISUPPER(PyUnicode_READ(width, <void*>data, 0)) else 0
    key = plain.key_of(text, digits) if digits else crc32(text.lower().encode())
    return new(Measures, (size - spaces, spaces + 1, ends, commas, digits, key, flags))
