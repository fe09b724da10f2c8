# The types of surroundings.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence._sums cimport Sums
from scrapy_stemmer.core.evidence.model cimport Reading, SiteModel
from scrapy_stemmer.core.evidence.paths cimport PathTree
from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence
from scrapy_stemmer.core.evidence.region cimport (
    PlaceMass, RegionMass, climbed, dominant_paths, element_values, further_regions, own_unit_of, region_by_vote, region_mass
)
from scrapy_stemmer.core.evidence.terms cimport PlaceTerms


@cython.final
cdef class Standing:
    cdef readonly bint inside
    cdef readonly bint is_running
    cdef readonly bint is_sibling
    cdef readonly bint in_text_list
    cdef readonly long hints
    cdef readonly long within
    cdef readonly double link
    cdef readonly double static


@cython.final
cdef class PlaceScore:
    cdef readonly double score
    cdef readonly PlaceTerms terms
    cdef readonly Standing standing
    cdef public object role


@cython.final
cdef class Extent:
    cdef frozenset _regions
    cdef dict _known

    cpdef bint holds(self, Place place)
    @cython.locals(waiting=list, around=Place, is_within=bint, below=Place)
    cdef bint _from_above(self, Place place) except -1


cdef class Standings:
    cdef readonly tuple regions
    cdef readonly frozenset dominant
    cdef readonly frozenset parents
    cdef PathTree _paths
    cdef dict _shares
    cdef dict _known
    cdef readonly dict _scores

    cpdef Standing of(self, Place place)
    @cython.locals(waiting=list, found=Standing, above=Place, below=Place)
    cdef Standing _from_above(self, Place place)
    @cython.locals(path=Py_ssize_t, standing=Standing, around=Py_ssize_t, shares=tuple)
    cdef Standing _standing(self, Place place, Standing above)
    @cython.locals(known=dict)
    cpdef dict scores_of(self, double openness, long telling)


cdef class Surroundings:
    cdef readonly Standings standings
    cdef readonly Py_ssize_t first
    cdef readonly Py_ssize_t last
    cdef readonly Py_ssize_t title
    cdef readonly double openness
    cdef readonly long telling
    cdef readonly double threshold
    cdef readonly double dominance
    cdef readonly dict scores

    cpdef bint is_below_title(self, Py_ssize_t index)


cdef double _COMMON
cdef Py_ssize_t _BELOW_TITLE
cdef double _FEW_LINKS
cdef double _MANY_LINKS
cdef long _WORDS
cdef double _MAX_UNDER_HINT
cdef object _REGION
cdef object _RUNNING_TEXT


@cython.locals(values=Sums)
cpdef Surroundings surroundings_of(Reading reading, SiteModel model)

@cython.locals(threshold=double, inside=list, mass=RegionMass, dominant=frozenset, standings=Standings, telling=long, title=Py_ssize_t)
cpdef Surroundings surroundings_in(Reading reading, SiteModel model, double openness, tuple regions)

@cython.locals(first=Py_ssize_t, last=Py_ssize_t)
cdef tuple _running(list evidence, frozenset dominant, double threshold)

cdef bint _is_running(Evidence found, frozenset dominant, double threshold)

@cython.locals(found=Standings)
cpdef Standings standings_of(Reading reading, SiteModel model, tuple regions, frozenset dominant)

@cython.locals(found=Extent)
cpdef Extent extent_of(dict views, tuple regions)

cpdef list blocks_within(Reading reading, tuple regions)

@cython.locals(found=Evidence, within=list, place=Place, is_within=bint)
cpdef list blocks_in(Extent extent, list evidence)

cpdef bint is_lone_article(Reading reading, SiteModel model, list inside)

cpdef double page_openness(Reading reading, SiteModel model)

@cython.locals(share=double)
cpdef double openness_of_links(RegionMass mass)

@cython.locals(indices=list, headings=list)
cpdef Py_ssize_t title_index(Reading reading, title_parts)

@cython.locals(index=Py_ssize_t, found=Evidence, indices=list)
cdef list _headlines(list evidence)

@cython.locals(by_vote=Py_ssize_t, region=Py_ssize_t)
cpdef tuple regions_of(Reading reading, Sums values, dict sums, SiteModel model, double openness)

@cython.locals(other=Py_ssize_t, found=double)
cdef Py_ssize_t _settled(Reading reading, Py_ssize_t region, dict sums, bint is_open) except -1

@cython.locals(extent=Extent, found=Evidence, inside=Py_ssize_t, outside=Py_ssize_t)
cdef double _own_share(Reading reading, Py_ssize_t region)

@cython.locals(place=Place, of_place=PlaceMass, total=Py_ssize_t, under=list, telling=long, all_hints=long, hints=long, hint=long, weight=Py_ssize_t, own=Py_ssize_t)
cpdef long telling_hints(RegionMass mass, Standings standings)
