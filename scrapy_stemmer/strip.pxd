# The types of strip.py where it is compiled.

cimport cython


@cython.locals(known=dict)
cdef _once(page, str name, make)

cdef _said(page, roles, bint everywhere)
