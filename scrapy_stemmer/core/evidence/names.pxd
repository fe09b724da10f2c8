# The types of names.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.outline cimport Shape

cdef dict _BY_WORD
cdef bytes _STARTS
cdef unsigned int _MIX
cdef unsigned int _FOUR_LETTERS

cdef unsigned int _slot(unsigned int letters) noexcept

@cython.locals(letters=cython.uint, char=Py_UCS4)
cpdef bint _may_have_stem(str joined)

@cython.locals(char=Py_UCS4)
cdef str _without_numbers(str name)


@cython.locals(hints=long, lower=str, joined=str, words=list, word=str, is_simple=bint)
cpdef object _hints_of(str name)

@cython.locals(hints=long, hint=long, stem=str)
cdef long _hints_of_stems(str lower, str joined)

@cython.locals(name=str)
cdef bint _is_hidden(classes)

@cython.locals(identifier=list)
cpdef list names_of(Shape shape)

@cython.locals(kept=list, component=str)
cpdef str component_of(Shape shape, known)

cdef bint _looks_lasting(str name)


cdef class NameHints:
    cdef readonly object _known

    @cython.locals(hints=long, name=str)
    cpdef long of(self, str identifier, classes, bint hidden)
    cpdef long of_shape(self, Shape shape)


cdef class Namer:
    cdef readonly NameHints _names
    cdef readonly object _components
    cdef readonly object _hints

    cpdef str component(self, Shape shape)
    cpdef long hints(self, Shape shape)
