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
    cdef public tuple means

    cdef Tally empty(self)
    cpdef add(self, Tally other)
    cpdef tuple mean(self, tuple coarser)


cdef class ProfileTally(Tally):
    cdef public double weight
    cdef public double static
    cdef public double linked
    cdef public double long_blocks

    cdef Tally empty(self)
    cpdef count(self, Py_ssize_t weight, Py_ssize_t anchor_weight, bint static)
    @cython.locals(of_kind=ProfileTally)
    cpdef add(self, Tally other)
    @cython.locals(static=double, linked=double, of_long=double, share=double)
    cpdef tuple mean(self, tuple coarser)


cdef class WorthTally(Tally):
    cdef public double total
    cdef public double mass

    cdef Tally empty(self)
    cpdef count(self, Py_ssize_t mass, double prior)
    @cython.locals(of_kind=WorthTally)
    cpdef add(self, Tally other)
    @cython.locals(own=double)
    cpdef tuple mean(self, tuple coarser)


cdef double _over(double total, double weight) noexcept

cdef double _trust(double blocks) noexcept

cdef double _leaning(double share, double own, double coarser) noexcept

@cython.locals(by_suffix=dict, chains=list, chain=list, means=dict, by_path=dict, tally=Tally, found=Tally, number=Py_ssize_t)
cpdef class_means(PathTree paths, tallies)

@cython.locals(tally=Tally, coarser=tuple)
cdef tuple _mean_of_finest(list chain)


cdef double _PRIOR_BLOCKS
cdef Py_ssize_t _LONG
cdef double _SCALE


@cython.locals(whole=Py_ssize_t)
cpdef double to_digits(double value)

cpdef tuple profile_of(ClassMeans means, PathTree paths, Py_ssize_t path)

@cython.locals(kept=list, mean=double)
cdef tuple _rounded(tuple means)
