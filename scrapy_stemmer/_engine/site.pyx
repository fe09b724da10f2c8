# cython: wraparound=False
"""Paths of a page's elements on its site, and decisions on its blocks, as loops over columns.

See :mod:`scrapy_stemmer.learners.rules.site.paths` and :mod:`scrapy_stemmer.learners.rules.decide.decide`.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.string cimport memset

from scrapy_stemmer._engine.page cimport Element, ReadPage


cdef inline long long pair(int first, int second) noexcept:
    """Return a number for two; the first is -1 at least, the second 0."""
    return <long long>(first + 1) << 32 | second


cdef class PathTree:
    """Tree of a site's paths; see :class:`scrapy_stemmer.learners.rules.site.paths.Paths`.

    :ivar kinds: number of each path's component,
    :ivar by_kind: and the components by number.
    """

    cdef readonly list parents, components, kinds, by_kind
    cdef list depths
    cdef dict numbers, children
    cdef int most

    def __init__(self, int most):
        self.parents, self.components, self.kinds, self.by_kind, self.depths = [], [], [], [], []
        self.numbers, self.children, self.most = {}, {}, most

    def child(self, int parent, component):
        """Return the path of a component below a parent; a new path is added, but none below the largest depth."""
        return self.child_of(parent, self.kind_of(component))

    cdef int kind_of(self, component) except -1:
        cdef int number = self.numbers.setdefault(component, len(self.by_kind))
        if number == len(self.by_kind):
            self.by_kind.append(component)
        return number

    cdef int child_of(self, int parent, int kind) except -1:
        cdef int found = self.children.get(pair(parent, kind), -1), depth
        if found >= 0:
            return found
        depth = <int>self.depths[parent] + 1 if parent >= 0 else 0
        if depth == self.most:
            return parent
        found = <int>len(self.parents)
        self.parents.append(parent)
        self.components.append(self.by_kind[kind])
        self.kinds.append(kind)
        self.depths.append(depth)
        self.children[pair(parent, kind)] = found
        return found


cdef class Steps:
    """Steps from path to path: by a path and the number of a signature, the path of an element there."""

    cdef PathTree tree
    cdef dict table
    cdef list kinds  # number of each signature's component, None for unknown ones

    def __init__(self, PathTree tree not None):
        self.tree, self.table, self.kinds = tree, {}, []

    @property
    def count(self):
        """Number of known steps."""
        return len(self.table)

    def place_page(self, ReadPage page not None, component):
        """Note the path of each element of a page.

        :param component: returns the component of a signature.
        """
        cdef Element* elements = page.elements_()
        cdef Py_ssize_t each
        cdef int above
        page.made.pop("paths", None)
        page.made.pop("block_paths", None)
        for each in range(1, page.size):
            above = elements[elements[each].parent].path
            elements[each].path = self.path_from(above, elements[each].signature, component)

    cdef int path_from(self, int above, int number, component) except -1:
        """Return the path of a signature in a path."""
        cdef int found = self.table.get(pair(above, number), -1)
        if found >= 0:
            return found
        while len(self.kinds) <= number:
            self.kinds.append(None)
        kind = self.kinds[number]
        if kind is None:
            kind = self.kinds[number] = self.tree.kind_of(component(number))
        found = self.tree.child_of(above, kind)
        self.table[pair(above, number)] = found
        return found


def add_rows(
    PathTree tree not None, bytearray tags not None, bytearray levels not None, shapes, dict numbers not None, facts,
    Py_ssize_t width, int far,
):
    """See :data:`scrapy_stemmer.learners.rules.site.hints.add_rows`."""
    cdef Py_ssize_t path = len(tags), count = len(tree.parents), number, parent
    cdef list known = [None] * len(tree.by_kind), by_number = list(numbers)
    cdef tuple row, shape
    cdef unsigned char* above
    cdef unsigned char* own
    levels.extend(bytes(width * (count - path)))
    for path in range(path, count):
        number, parent = tree.kinds[path], tree.parents[path]
        if known[number] is None:
            known[number] = facts(tree.by_kind[number])
        row = known[number]
        tags.append(row[0])
        shape = (0, "", "", "", "") if parent < 0 else by_number[<Py_ssize_t>shapes[parent]]
        shape = (<int>shape[0] + 1, tree.by_kind[number][0], shape[1], shape[2], shape[3])
        shapes.append(numbers.setdefault(shape, len(by_number)))
        if len(numbers) > len(by_number):
            by_number.append(shape)
        own = <unsigned char*>PyByteArray_AS_STRING(levels) + path * width
        if parent < 0:
            memset(own, far, width)
            continue
        above = <unsigned char*>PyByteArray_AS_STRING(levels) + parent * width
        for number in range(width):
            own[number] = above[number] + (above[number] < far)
        for number in row[1]:
            own[number] = 0
