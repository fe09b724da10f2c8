# The types of document.py where it is compiled.


cdef class Document:
    cdef public object page
    cdef object _root
    cdef object _default_charset
    cdef object _parser
    cdef dict _blocks
