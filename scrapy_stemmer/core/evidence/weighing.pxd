# The types of weighing.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.model cimport Reading
from scrapy_stemmer.core.evidence.outline cimport TextBlock
from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence, clipped
from scrapy_stemmer.core.evidence.surroundings cimport PlaceScore, Standing, Surroundings
from scrapy_stemmer.core.evidence.terms cimport BlockTerms, PlaceTerms


cdef class DecisionWeights:
    cdef readonly double region
    cdef readonly double region_open
    cdef readonly double list_open
    cdef readonly double running
    cdef readonly double beside
    cdef readonly double other
    cdef readonly double other_relief
    cdef readonly double repeated
    cdef readonly double repeated_often
    cdef readonly double repeated_long
    cdef readonly double repeated_relief
    cdef readonly double link
    cdef readonly double link_seldom
    cdef readonly double link_class
    cdef readonly double link_relief
    cdef readonly double among_links
    cdef readonly double among_links_relief
    cdef readonly double among_repeated
    cdef readonly double class_repeated
    cdef readonly double among_repeated_relief
    cdef readonly double figure
    cdef readonly double aside
    cdef readonly double nav
    cdef readonly double footer
    cdef readonly double header
    cdef readonly double form
    cdef readonly double after
    cdef readonly double before
    cdef readonly double poor_odds
    cdef readonly double preformatted
    cdef readonly double long_text
    cdef readonly double hidden
    cdef readonly double whole_link
    cdef readonly double review
    cdef readonly double braces
    cdef readonly double odds
    cdef readonly double paragraph
    cdef readonly double heading
    cdef readonly double next_odds
    cdef readonly double previous_odds
    cdef readonly double list_of_text
    cdef readonly object caption
    cdef readonly object byline
    cdef readonly object related
    cdef readonly object social
    cdef readonly object comment
    cdef readonly object navigation


cdef long _FIGURES
cdef long _ASIDE
cdef long _NAV
cdef long _FOOTER
cdef long _HEADER
cdef long _FORM
cdef long _LIST
cdef long _CAPTION
cdef long _BYLINE
cdef long _RELATED
cdef long _SOCIAL
cdef long _COMMENT
cdef long _NAVIGATION
cdef long _HIDDEN
cdef long _REVIEW
cdef long _NO_TEXT_OF_LIST
cdef double _MAX_ODDS
cdef double _POOR_ODDS
cdef double _MOSTLY_LINKS
cdef double _OFTEN_LINK
cdef double _SELDOM_LINK
cdef double _COMMON_TEXT
cdef double _HALF
cdef Py_ssize_t _LONG
cdef DecisionWeights _INSIDE
cdef DecisionWeights _OUTSIDE


cpdef DecisionWeights weights_of(Standing standing)

@cython.locals(found=PlaceScore, terms=PlaceTerms)
cpdef PlaceScore place_score(Place place, Surroundings around)

@cython.locals(standing=Standing, terms=PlaceTerms, hints=long)
cpdef PlaceTerms place_terms(Place place, Surroundings around)

@cython.locals(weights=DecisionWeights)
cdef _weigh_region(PlaceTerms terms, Place place, Standing standing, Surroundings around)

cdef double _left(double relief, Surroundings around)

@cython.locals(weights=DecisionWeights, repeated=double)
cdef _weigh_template(PlaceTerms terms, Place place, Standing standing, Surroundings around)

cdef _weigh_elements(PlaceTerms terms, long within, DecisionWeights weights)

cdef _weigh_tag(PlaceTerms terms, str tag, DecisionWeights weights)

@cython.locals(weights=DecisionWeights, running=bint)
cdef _weigh_hints(PlaceTerms terms, long hints, Standing standing, Surroundings around)

@cython.locals(found=Evidence, block=TextBlock, place=Place, odds=double, weights=DecisionWeights, is_link=bint)
cpdef weigh_block(BlockTerms terms, Reading reading, Surroundings around, Standing standing, Py_ssize_t index)

cdef _weigh_side(BlockTerms terms, Surroundings around, DecisionWeights weights, Py_ssize_t index)

@cython.locals(often=double)
cdef double _repeated(Evidence found, DecisionWeights weights)

@cython.locals(often=double)
cdef double _links(Place place, DecisionWeights weights, bint is_link)

@cython.locals(found=Evidence)
cdef double _neighbour(list evidence, double threshold, Py_ssize_t index)

cdef bint _is_text_of_list(Evidence found, Standing standing, Surroundings around)
