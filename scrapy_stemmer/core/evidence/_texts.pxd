# The texts of a site's sample in a table of C; see _texts.pyx.

cimport cython
from libc.stdint cimport int64_t, uint64_t


ctypedef struct Text:
    # The hash of a text, and what is told of it: 0 where there is none.
    uint64_t hash
    int64_t told


@cython.final
cdef class Texts:
    cdef Text* texts
    cdef size_t last

    cpdef int64_t told(self, uint64_t text) noexcept
    cdef inline Text* _place(self, uint64_t text) noexcept
