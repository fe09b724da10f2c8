"""The texts of a site's sample in a table of C; see :class:`scrapy_stemmer.core.evidence.texts.KnownTexts`."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free


cdef class Texts:
    """See texts.KnownTexts.

    :ivar texts: a power of two of places, half of which stay free at least; texts stand where the last bits of their hashes
        say, or behind.
    :ivar last: the number of the last place.
    """

    def __cinit__(self, told not None):
        cdef size_t size = 2
        cdef Text* place
        cdef int64_t value
        while size < 2 * len(told):
            size *= 2
        self.texts = <Text*>calloc(size, sizeof(Text))
        if self.texts is NULL:
            raise MemoryError
        self.last = size - 1
        for text, value in told.items():
            if value:
                place = self._place(text)
                place.hash, place.told = text, value

    def __dealloc__(self):
        free(self.texts)

    cpdef int64_t told(self, uint64_t text) noexcept:
        return self._place(text).told

    cdef inline Text* _place(self, uint64_t text) noexcept:
        """The place of a text, a free one where it is not there."""
        cdef size_t index = text & self.last
        while self.texts[index].told and self.texts[index].hash != text:
            index = (index + 1) & self.last
        return self.texts + index
