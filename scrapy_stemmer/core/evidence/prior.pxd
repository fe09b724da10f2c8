# The types of prior.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.classes cimport Profile
from scrapy_stemmer.core.evidence.outline cimport TextBlock
from scrapy_stemmer.core.evidence.places cimport Place


cdef class PriorWeights:
    cdef readonly double bias
    cdef readonly double repeated
    cdef readonly double repeated_share
    cdef readonly double repeated_long
    cdef readonly double link
    cdef readonly double log_weight
    cdef readonly double is_long
    cdef readonly double class_static
    cdef readonly double class_link
    cdef readonly double class_long
    cdef readonly double boilerplate_role
    cdef readonly double hinted
    cdef readonly double hinted_itself
    cdef readonly double hinted_near
    cdef readonly double paragraph
    cdef readonly double preformatted
    cdef readonly double main
    cdef readonly double article
    cdef readonly double nav
    cdef readonly double aside
    cdef readonly double footer
    cdef readonly double header
    cdef readonly double figure
    cdef readonly double figcaption
    cdef readonly double form


@cython.final
cdef class Evidence:
    cdef readonly TextBlock block
    cdef readonly Place place
    cdef readonly bint repeated
    cdef readonly double repeated_share
    cdef public double prior
    cdef public double odds
    cdef readonly double link
    cdef readonly Py_ssize_t mass


cdef long _MAIN
cdef long _ARTICLE
cdef long _NAV
cdef long _ASIDE
cdef long _FOOTER
cdef long _HEADER
cdef long _FIGURE
cdef long _FIGCAPTION
cdef long _FORM
cdef Py_ssize_t _LONG
cdef Py_ssize_t _MAX_MASS
cdef double _CLASS_SHARE
cdef list LOGARITHMS


@cython.locals(found=Evidence)
cpdef Evidence evidence_of(TextBlock block, Place place, double repeated_share, double prior, double odds)

cdef _fill(Evidence found, TextBlock block, Place place, double repeated_share, double prior, double odds)

@cython.locals(weight=Py_ssize_t, odds=double, share=double)
cpdef double block_odds(TextBlock block, double repeated_share, PriorWeights weights=*)

@cython.locals(profile=Profile)
cpdef double place_odds(Place place, PriorWeights weights=*)

cdef double _logarithm(Py_ssize_t weight)

@cython.locals(own=double, mean=double)
cpdef double with_class(double prior, object worth)

cpdef double clipped(double value, double most=*)

@cython.locals(odds=double)
cdef double _within_odds(long within, PriorWeights weights)
