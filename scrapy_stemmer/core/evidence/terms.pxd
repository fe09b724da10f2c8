# The types of terms.py where it is compiled.

cimport cython


@cython.final
cdef class PlaceTerms:
    cdef readonly bint inside
    cdef public double region
    cdef public double in_list
    cdef public double running
    cdef public double beside
    cdef public double other
    cdef public double among_links
    cdef public double among_repeated
    cdef public double figure
    cdef public double aside
    cdef public double nav
    cdef public double footer
    cdef public double header
    cdef public double form
    cdef public double paragraph
    cdef public double heading
    cdef public double preformatted
    cdef public double caption
    cdef public double byline
    cdef public double related
    cdef public double social
    cdef public double comment
    cdef public double navigation
    cdef public double hidden
    cdef public double review

    cpdef double total(self)


@cython.final
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

    cpdef clear(self)
    cpdef double added_to(self, double score)
