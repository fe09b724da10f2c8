# The types of weighing.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.model cimport Reading
from scrapy_stemmer.core.evidence.outline cimport TextBlock
from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence, clipped
from scrapy_stemmer.core.evidence.surroundings cimport PlaceScore, Standing, Surroundings


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


@cython.final
@cython.no_gc
@cython.freelist(64)
cdef class BlockTerms:
    cdef public double odds
    cdef public double repeated
    cdef public double links
    cdef public double whole_link
    cdef public double after
    cdef public double before
    cdef public double in_list
    cdef public double poor
    cdef public double size
    cdef public double braces
    cdef public double following
    cdef public double previous
    cdef public double title
    cdef public double subtitle
    cdef public double copy

    cpdef double added_to(self, double score)


cdef double _MAX_ODDS
cdef double _POOR_ODDS
cdef double _MOSTLY_LINKS
cdef double _OFTEN_LINK
cdef double _SELDOM_LINK
cdef double _COMMON_TEXT
cdef double _HALF
cdef Py_ssize_t _LONG


cpdef DecisionWeights weights_of(Standing standing)

@cython.locals(found=PlaceScore)
cpdef PlaceScore place_score(Place place, Surroundings around)

cdef class Case:
    cdef readonly Place place
    cdef readonly Standing standing
    cdef readonly Surroundings around
    cdef readonly DecisionWeights weights


@cython.locals(standing=Standing, case=Case, terms=list, hints=long)
cpdef list place_terms(Place place, Surroundings around)

cdef _add(list terms, str name, double value)

@cython.locals(standing=Standing, around=Surroundings, weights=DecisionWeights)
cdef _weigh_region(Case case, list terms)

cdef double _left(double relief, Surroundings around)

@cython.locals(standing=Standing, around=Surroundings, weights=DecisionWeights, repeated=double)
cdef _weigh_template(Case case, list terms)

@cython.locals(weights=DecisionWeights, within=long, flags=long)
cdef _weigh_elements(Case case, list terms)

@cython.locals(weights=DecisionWeights)
cdef _weigh_tag(Case case, list terms)

@cython.locals(weights=DecisionWeights, running=bint, hint=long)
cdef _weigh_hints(Case case, long hints, list terms)

@cython.locals(found=Evidence, block=TextBlock, place=Place, odds=double, weights=DecisionWeights, terms=BlockTerms, is_link=bint)
cpdef BlockTerms block_terms(Reading reading, Surroundings around, Standing standing, Py_ssize_t index)

@cython.locals(found=Evidence, weights=DecisionWeights)
cdef _weigh_side(BlockTerms terms, Reading reading, Surroundings around, Standing standing, Py_ssize_t index)

@cython.locals(often=double)
cdef double _repeated(Evidence found, DecisionWeights weights)

@cython.locals(often=double)
cdef double _links(Place place, DecisionWeights weights, bint is_link)

@cython.locals(found=Evidence)
cdef double _neighbour(list evidence, double threshold, Py_ssize_t index)

cdef bint _is_list_of_text(Evidence found, Standing standing, Reading reading, Surroundings around)
