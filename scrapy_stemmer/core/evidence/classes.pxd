# The types of classes.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.paths cimport PathTree


@cython.final
cdef class Profile:
    cdef readonly double static_share
    cdef readonly double link_share
    cdef readonly double long_share
    cdef readonly object worth


@cython.final
cdef class ClassMeans:
    cdef readonly dict by_path
    cdef readonly dict by_suffix

    @cython.locals(suffixes=list, level=Py_ssize_t)
    cpdef tuple of(self, PathTree paths, Py_ssize_t path)


cdef class Tally:
    cdef public Py_ssize_t blocks
    cdef public list totals
    cdef public list weights

    @cython.locals(measure=Py_ssize_t)
    cpdef add(self, Tally other)

    @cython.locals(measure=Py_ssize_t, share=double, weight=double, own=double, means=list)
    cpdef tuple mean(self, tuple coarser)


cdef class ProfileTally(Tally):
    @cython.locals(totals=list, weights=list)
    cpdef count(self, Py_ssize_t weight, Py_ssize_t anchor_weight, bint static)


cdef class WorthTally(Tally):
    cpdef count(self, Py_ssize_t mass, double prior)


@cython.locals(
    by_suffix=dict, chains=dict, means=dict, by_path=dict, tally=Tally, found=Tally, coarser=tuple, known=tuple
)
cpdef class_means(PathTree paths, tallies)


cdef double _SCALE


@cython.locals(whole=Py_ssize_t)
cpdef double to_digits(double value)

cpdef tuple profile_of(ClassMeans means, PathTree paths, Py_ssize_t path)

cdef tuple _rounded(means)
