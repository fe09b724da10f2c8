# The types of outline.py where it is compiled.

cdef class TextBlock:
    cdef readonly Py_ssize_t node
    cdef readonly str text
    cdef readonly Py_ssize_t weight
    cdef readonly object hash
    cdef readonly Py_ssize_t anchor_weight
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end
    cdef readonly bint has_time
