# The types of strip.py where it is compiled.

cimport cython

from scrapy_stemmer.patterns.base cimport PageMatch


@cython.locals(known=dict)
cdef _once(page, str name, make)

cdef _said(page, roles, bint everywhere)

@cython.locals(fields=dict, best=PageMatch)
cpdef strip(patterns, document, options=*)

@cython.locals(layouts=list, site_wide=list)
cpdef PageMatch best_match(patterns, document, options)
