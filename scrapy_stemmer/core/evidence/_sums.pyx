# cython: wraparound=False
"""What the elements of a page are worth, as numbers of C; see :class:`scrapy_stemmer.core.evidence.sums.ElementSums`."""

from libc.stdlib cimport calloc, free, malloc

from scrapy_stemmer.core.evidence.places cimport Place


ctypedef struct PathSum:
    # The number of a path, and the sum of its elements.
    Py_ssize_t path
    double sum


cdef class Sums:
    """See sums.ElementSums.

    :ivar sums: one for each element.
    :ivar count: how many elements there are.
    """

    def __cinit__(self, list parents not None):
        self.parents = parents
        self.count = len(parents)
        self.sums = <double*>calloc(self.count + 1, sizeof(double))
        if self.sums is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.sums)

    def __len__(self):
        return self.count

    def __getitem__(self, Py_ssize_t element):
        return self.sums[self._checked(element)]

    cdef inline Py_ssize_t _checked(self, Py_ssize_t element) except -1:
        if not 0 <= element < self.count:
            raise IndexError(element)
        return element

    cpdef int add(self, Py_ssize_t element, double value) except -1:
        self.sums[self._checked(element)] += value
        return 0

    cpdef int sum_up(self) except -1:
        cdef Py_ssize_t element
        cdef double value
        for element in range(self.count - 1, 0, -1):
            self.sums[self._checked(self.parents[element])] += self.sums[element]
        self.best, self.highest = 0, self.sums[0]
        for element in range(1, self.count):
            value = self.sums[element]
            if value > self.highest:
                self.best, self.highest = element, value
        return 0

    cpdef Py_ssize_t deepest(self, double least) except -1:
        cdef Py_ssize_t element, parent, depth, found = 0, most = -1
        cdef Py_ssize_t* depths = <Py_ssize_t*>malloc((self.count + 1) * sizeof(Py_ssize_t))
        if depths is NULL:
            raise MemoryError
        try:
            for element in range(self.count):
                parent = self.parents[element]
                depth = depths[element] = 0 if parent < 0 else depths[self._checked(parent)] + 1
                if self.sums[element] >= least and (
                    depth > most or (depth == most and self.sums[element] > self.sums[found])
                ):
                    found, most = element, depth
        finally:
            free(depths)
        return found

    cpdef dict by_path(self, list places):
        """In one table by path, and one of the paths that were met, in their order."""
        cdef Py_ssize_t element, number, last = 0, met = 0, count = self.count
        cdef Py_ssize_t* numbers = NULL
        cdef PathSum* sums = NULL
        cdef Place place
        cdef dict by_path = {}
        if len(places) != count:
            raise ValueError(f"{len(places)} places for {count} elements")
        for element in range(count):
            place = places[element]
            last = max(last, place.path)
        try:
            numbers = <Py_ssize_t*>calloc(last + 1, sizeof(Py_ssize_t))
            sums = <PathSum*>malloc((count + 1) * sizeof(PathSum))
            if sums is NULL or numbers is NULL:
                raise MemoryError
            for element in range(count):
                place = places[element]
                number = numbers[place.path]
                if not number:
                    met += 1
                    number = numbers[place.path] = met
                    sums[number].path, sums[number].sum = place.path, 0.0
                sums[number].sum += self.sums[element]
            for number in range(1, met + 1):
                by_path[sums[number].path] = sums[number].sum
        finally:
            free(numbers)
            free(sums)
        return by_path
