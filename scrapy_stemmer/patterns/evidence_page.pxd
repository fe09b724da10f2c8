# The types of evidence_page.py where it is compiled.

cimport cython

from scrapy_stemmer.core.evidence.decision cimport Verdict, decide
from scrapy_stemmer.core.evidence.model cimport Reading, known_share
from scrapy_stemmer.core.evidence.reading cimport SiteReader
from scrapy_stemmer.core.evidence.roles cimport blocks_of, roles_of, texts_of


@cython.final
cdef class EvidencePage:
    cdef object _tree
    cdef SiteReader _reader
    cdef Reading _reading
    cdef Verdict _verdict
    cdef readonly double similarity
    cdef double _least
    cdef list _roles
    cdef list _roles_of_text

    cdef bint _may_be_unread(self, bint only_text)

    @cython.locals(known=list)
    cdef list _roles_of(self, bint only_text)


cdef object _text_roles_of(Verdict verdict)

@cython.locals(page=EvidencePage)
cpdef match_of(name, root, SiteReader reader, double diffscore)

@cython.locals(reading=Reading)
cpdef EvidencePage page_of(root, SiteReader reader, double diffscore)

cdef double _least_score(double diffscore)
