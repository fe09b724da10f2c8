# The types of learning.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.classes cimport ProfileTally, WorthTally, to_digits
from scrapy_stemmer.core.evidence.decision cimport score_of
from scrapy_stemmer.core.evidence.model cimport Reading
from scrapy_stemmer.core.evidence.names cimport class_name, id_name
from scrapy_stemmer.core.evidence.outline cimport Shape, TextBlock
from scrapy_stemmer.core.evidence.paths cimport PathTree
from scrapy_stemmer.core.evidence.places cimport Place
from scrapy_stemmer.core.evidence.prior cimport Evidence, clipped, with_class
from scrapy_stemmer.core.evidence.surroundings cimport Standing, Surroundings
from scrapy_stemmer.core.evidence.terms cimport BlockTerms
from scrapy_stemmer.core.evidence.weighing cimport place_score


@cython.locals(hashes=list, block=TextBlock)
cpdef tuple texts_of(outline)

@cython.locals(shapes=list, headings=list, block=TextBlock, shape=Shape)
cpdef list headings_of(outline)


@cython.final
cdef class NamesMet:
    cdef readonly dict pages
    cdef readonly set common

    cpdef meet(self, str name, number)


@cython.locals(shape=Shape, name=str)
cdef _meet_names(number, set shapes, NamesMet classes, NamesMet ids)

@cython.locals(block=TextBlock, text=object)
cdef _meet_texts(number, blocks, dict last, dict repeats)

@cython.locals(block=TextBlock, place=Place, tally=ProfileTally)
cdef _count_profiles(blocks, list places, repeats, dict tallies)

@cython.locals(found=ProfileTally)
cdef ProfileTally _profiles_at(path, dict tallies)

@cython.locals(
    size=Py_ssize_t, path=Py_ssize_t, above=Py_ssize_t, tally=ProfileTally, totals=list, linked=list, static=list, shares=dict
)
cdef dict _shares(tallies, PathTree paths)

cdef double _share(double part, double whole)

@cython.locals(place=Place, found=Evidence, tally=WorthTally)
cdef _count_worths(list evidence, dict tallies)

@cython.locals(found=WorthTally)
cdef WorthTally _worths_at(path, dict tallies)

@cython.locals(place=Place, found=Evidence, of_path=tuple)
cdef _give_page_odds(list evidence, dict means)

@cython.locals(found=Evidence, path=object, block=TextBlock)
cdef _count_mass(list evidence, dict mass)

@cython.locals(total=Py_ssize_t, held=Py_ssize_t, found=Evidence, weight=Py_ssize_t)
cdef _dominant_share(list inside, frozenset dominant)

@cython.locals(outposts=list, index=Py_ssize_t, found=Evidence, own=BlockTerms, score=double)
cdef list _outposts(Reading reading, Surroundings around)

@cython.locals(standing=Standing)
cdef bint _is_inside(Place place, Surroundings around) except -1
