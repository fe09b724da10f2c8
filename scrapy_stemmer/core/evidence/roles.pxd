# The types of roles.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.decision cimport Verdict
from scrapy_stemmer.core.evidence.model cimport Reading
from scrapy_stemmer.core.evidence.outline cimport TextBlock
from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence
from scrapy_stemmer.core.evidence.surroundings cimport PlaceScore, Standing, Surroundings


cdef long _BYLINE
cdef long _CAPTION
cdef long _COMMENT
cdef long _NAVIGATION
cdef long _RELATED
cdef long _SOCIAL
cdef long _SUBTITLE
cdef long _PRE
cdef long _TABLE
cdef long _FIGURES
cdef Py_ssize_t _LONG
cdef double _HALF
cdef double _MOSTLY_LINKS
cdef double _COMMON_TEXT
cdef double _MIN_SUB_SCORE
cdef double _OPEN
cdef object _BYLINE_ROLE
cdef object _CAPTION_ROLE
cdef object _CODE_ROLE
cdef object _COMMENT_ROLE
cdef object _MAIN_ROLE
cdef object _RELATED_ROLE
cdef object _SUB_ROLE
cdef object _SUBTITLE_ROLE
cdef object _TABLE_ROLE
cdef object _TEMPLATE_ROLE
cdef object _TITLE_ROLE


@cython.final
cdef class Case:
    cdef readonly Evidence found
    cdef readonly double score
    cdef readonly Standing standing
    cdef readonly long hints
    cdef readonly bint is_before
    cdef readonly bint is_below_title
    cdef readonly bint is_open


@cython.locals(roles=list, index=Py_ssize_t, score=double, is_text=bint)
cpdef list roles_of(Reading reading, Verdict verdict, double least, bint only_text, list known=*)

@cython.locals(found=Evidence, searched=tuple, blocks=list, index=Py_ssize_t, is_wanted=bint)
cpdef list blocks_of(Reading reading, list roles, wanted)

cdef bint _is_among(role, tuple wanted)

@cython.locals(block=TextBlock, texts=list)
cpdef list texts_of(Reading reading, list roles, wanted)

@cython.locals(around=Surroundings, case=Case, is_byline=bint)
cpdef object role_of(Verdict verdict, Py_ssize_t index, bint is_text)

@cython.locals(around=Surroundings, shared=PlaceScore, standing=Standing, case=Case)
cdef Case _case(Verdict verdict, Py_ssize_t index)

@cython.locals(shared=PlaceScore, found=Evidence)
cdef object _role_of_text(Verdict verdict, Py_ssize_t index)

cdef object _role_of_place(Place place, long within)

cdef bint _is_subtitle(Case case)

@cython.locals(found=Evidence, standing=Standing)
cdef object _role_of_other(Case case)

@cython.locals(found=Evidence)
cdef bint _says_when_or_who(Case case)

@cython.locals(found=Evidence, standing=Standing)
cdef bint _is_link(Case case)
