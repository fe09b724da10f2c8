# The types of page.py where it is compiled.

cimport cython


@cython.locals(
    text=str, start=Py_ssize_t, end=Py_ssize_t, first=Py_ssize_t, stop=Py_ssize_t, char=Py_UCS4, after=Py_UCS4,
    is_usual=bint
)
cdef str _usual_site(url)

cdef bint _is_usual_port(str port)
