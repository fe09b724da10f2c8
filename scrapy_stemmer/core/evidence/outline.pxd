# The types of outline.py where it is compiled.

cimport cython

@cython.final
cdef class Shape:
    cdef readonly str tag
    cdef readonly str id
    cdef readonly tuple classes
    cdef readonly str role
    cdef readonly bint hidden
    cdef Py_hash_t _hash


@cython.final
cdef class TextBlock:
    cdef readonly Py_ssize_t node
    cdef readonly str text
    cdef readonly Py_ssize_t weight
    cdef readonly unsigned long long hash
    cdef readonly Py_ssize_t anchor_weight
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end
    cdef readonly bint has_time
    cdef readonly bint has_braces


@cython.final
cdef class Outline:
    cdef readonly object shapes
    cdef readonly object parents
    cdef readonly list blocks
    cdef readonly object head


cdef _describe(Shape shape, str tag, str id, tuple classes, str role, bint hidden)

@cython.locals(shape=Shape)
cpdef Shape shape_by(str tag, str classes, str identifier, str role, bint hidden)

@cython.locals(names=list, index=Py_ssize_t)
cdef tuple _names_in(str classes)
