# The types of names.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.outline cimport Shape

cdef dict _BY_WORD
cdef dict _BY_START
cdef bytes _STARTS
cdef bytes _PAIRS
cdef unsigned int _MIX
cdef unsigned int _FOUR_LETTERS
cdef Py_ssize_t _MIN_STEM
cdef long _HIDDEN
cdef long _NOT_CHROME

cdef unsigned int _slot(unsigned int letters) noexcept

cdef unsigned int _pair(unsigned int first, unsigned int second) noexcept

@cython.locals(hints=long, lower=str)
cpdef long _hints_of(str name) except -1

@cython.locals(hints=long, start=Py_ssize_t, end=Py_ssize_t)
cdef long _hints_of_words(str name, str lower) except -1

@cython.locals(end=Py_ssize_t)
cpdef Py_ssize_t _end_of_word(str name, Py_ssize_t start) except -1

cdef bint _is_capital(Py_UCS4 char) noexcept

cdef bint _is_small(Py_UCS4 char) noexcept

@cython.locals(hints=long)
cdef long _hints_of_word(str word) except -1

@cython.locals(hints=long, letters=cython.uint, char=Py_UCS4)
cpdef long _hints_of_stems(str lower) except -1

@cython.locals(hints=long, stem=str, in_parts=bint)
cdef long _hints_of_start(unsigned int letters, str lower) except -1

cdef bint _is_responsive(classes) except -1

cpdef str id_name(str identifier)

cpdef str class_name(str name)

@cython.locals(parts=list, start=Py_ssize_t, index=Py_ssize_t, char=Py_UCS4)
cpdef str _without_numbers(str name)

cdef bint _looks_lasting(str name) except -1

cdef _remember(dict known, key, value)


cdef class NameHints:
    cdef readonly dict _known

    @cython.locals(hints=long, name=str)
    cpdef long of(self, str identifier, classes, bint hidden) except -1
    cpdef long of_shape(self, Shape shape) except -1
    @cython.locals(known=dict)
    cdef long _of_name(self, str name) except -1


cdef class Namer:
    cdef readonly frozenset _known
    cdef readonly NameHints _names
    cdef readonly dict _classes
    cdef readonly dict _components
    cdef readonly dict _hints

    @cython.locals(found=str)
    cpdef str component(self, Shape shape)
    @cython.locals(parts=list, name=str, part=str)
    cdef str _component_of(self, Shape shape)
    @cython.locals(part=str)
    cdef str _note_class(self, str name)
    cdef bint _counts(self, str name) except -1
    cpdef long hints(self, Shape shape) except -1
