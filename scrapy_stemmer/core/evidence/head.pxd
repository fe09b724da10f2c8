# The types of head.py where it is compiled.

cimport cython


@cython.final
cdef class LateHead:
    cdef object _read
    cdef object _root
    cdef object _is_article
    cdef object _parts
    cdef dict _texts

    cdef _given(self)


@cython.locals(texts=dict)
cpdef dict titles_in(parts)

@cython.locals(metas=list, given=str, content=str, name=str)
cpdef bint says_article(parts) except -1
