# The types of classes.py where it is compiled.


cdef class Profile:
    cdef readonly double static_share
    cdef readonly double link_share
    cdef readonly double long_share
    cdef readonly object worth


cdef class Tally:
    cdef public Py_ssize_t blocks
    cdef public list totals
    cdef public list weights


cdef class ProfileTally(Tally):
    pass


cdef class WorthTally(Tally):
    pass
