# cython: wraparound=False
"""Paths of a page's elements on its site, and decisions on its blocks, as loops over columns.

See :mod:`scrapy_stemmer.learners.rules.paths` and :mod:`scrapy_stemmer.learners.rules.decide`.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memset, strcspn, strncmp, strpbrk, strstr

from functools import lru_cache

from scrapy_stemmer._engine.nodes cimport sign_at, space_at
from scrapy_stemmer._engine.page cimport Element, Link, ReadPage

cdef extern from "Python.h":
    bint Py_UNICODE_ISDIGIT(uint32_t sign) nogil


cdef struct Slot:
    uint64_t key  # 0 for a free slot
    int value


cdef class Table:
    """Numbers by pairs of numbers.

    :ivar count: number of known pairs.
    """

    cdef Slot* slots
    cdef size_t room
    cdef readonly Py_ssize_t count

    def __dealloc__(self):
        free(self.slots)

    cdef int get(self, int first, int second) noexcept:
        """Return the number of a pair, or -1; the first of a pair is -1 at least, the second 0."""
        cdef uint64_t key = key_of(first, second)
        cdef Slot* slot
        if not self.room:
            return -1
        slot = self.slot(key)
        return slot.value if slot.key else -1

    cdef int put(self, int first, int second, int value) except -1:
        cdef Slot* slots = self.slots
        cdef size_t room = self.room, at
        cdef Slot* slot
        if 2 * self.count >= <Py_ssize_t>room:
            self.slots = <Slot*>calloc(2 * room if room else 256, sizeof(Slot))
            if self.slots is NULL:
                self.slots = slots
                raise MemoryError
            self.room = 2 * room if room else 256
            for at in range(room):
                if slots[at].key:
                    self.slot(slots[at].key)[0] = slots[at]
            free(slots)
        slot = self.slot(key_of(first, second))
        self.count += not slot.key
        slot.key, slot.value = key_of(first, second), value
        return 0

    cdef inline Slot* slot(self, uint64_t key) noexcept:
        """Return the slot of a pair, or a free one for it."""
        cdef size_t at = (key * <uint64_t>0x9E3779B97F4A7C15) >> 32 & (self.room - 1)
        while self.slots[at].key and self.slots[at].key != key:
            at = (at + 1) & (self.room - 1)
        return &self.slots[at]


cdef inline uint64_t key_of(int first, int second) noexcept:
    return (<uint64_t>(first + 1) << 32 | <unsigned int>second) + 1


cdef class PathTree:
    """Tree of a site's paths; see :class:`scrapy_stemmer.learners.rules.paths.Paths`.

    :ivar kinds: number of each path's component,
    :ivar by_kind: and the components by number.
    """

    cdef readonly list parents, components, kinds, by_kind
    cdef list depths
    cdef dict numbers
    cdef Table children
    cdef int most

    def __init__(self, int most):
        self.parents, self.components, self.kinds, self.by_kind, self.depths = [], [], [], [], []
        self.numbers, self.children, self.most = {}, Table(), most

    def child(self, int parent, component):
        """Return the path of a component below a parent; a new path is added, but none below the largest depth."""
        return self.child_of(parent, self.kind_of(component))

    cdef int kind_of(self, component) except -1:
        cdef int number = self.numbers.setdefault(component, len(self.by_kind))
        if number == len(self.by_kind):
            self.by_kind.append(component)
        return number

    cdef int child_of(self, int parent, int kind) except -1:
        cdef int found = self.children.get(parent, kind), depth
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
        self.children.put(parent, kind, found)
        return found


cdef class Steps:
    """Steps from path to path: by a path and the number of a signature, the path of an element there."""

    cdef PathTree tree
    cdef Table table
    cdef list kinds  # number of each signature's component, None for unknown ones

    def __init__(self, PathTree tree not None):
        self.tree, self.table, self.kinds = tree, Table(), []

    @property
    def count(self):
        """Number of known steps."""
        return self.table.count

    def place(self, parents, signatures, component):
        """Return the path of each element of a page, by number.

        :param component: returns the component of a signature.
        """
        cdef list above = as_list(parents), numbers = as_list(signatures)
        cdef Py_ssize_t size = len(above), each
        cdef list placed = [0] * max(1, size)
        if len(numbers) != size:
            raise ValueError("a signature is wanted for each element")
        for each in range(1, size):
            placed[each] = self.path_from(placed[<Py_ssize_t>above[each]], numbers[each], component)
        return placed

    def place_page(self, ReadPage page not None, component):
        """Note the path of each element of a page; see :meth:`place`."""
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
        cdef int found = self.table.get(above, number)
        if found >= 0:
            return found
        while len(self.kinds) <= number:
            self.kinds.append(None)
        kind = self.kinds[number]
        if kind is None:
            kind = self.kinds[number] = self.tree.kind_of(component(number))
        found = self.tree.child_of(above, kind)
        self.table.put(above, number, found)
        return found


def add_rows(
    PathTree tree not None, bytearray tags not None, bytearray levels not None, shapes, dict numbers not None, facts,
    Py_ssize_t width, int far,
):
    """See :data:`scrapy_stemmer.learners.rules.hints.add_rows`."""
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


cdef inline list as_list(values):
    return <list>values if type(values) is list else list(values)


cdef class WithCurrency:
    """See :data:`scrapy_stemmer.learners.rules.products.with_currency`."""

    cdef Py_ssize_t most
    cdef list codes
    cdef unsigned char[1024] pairs

    def __init__(self, Py_ssize_t most, codes):
        cdef bytes code
        self.most = most
        self.codes = [name.encode() for name in codes if len(name) > 1 and name.isascii()]
        memset(self.pairs, 0, sizeof(self.pairs))
        for code in self.codes:
            self.pairs[(code[0] & 31) << 5 | (code[1] & 31)] = True

    def __call__(self, texts):
        cdef ReadPage page = texts if isinstance(texts, ReadPage) else None
        cdef Py_ssize_t each, size = 0
        cdef const char* text
        cdef list found = []
        for each in range(len(texts)):
            if page is None:
                text = PyUnicode_AsUTF8AndSize(texts[each], &size)
            else:
                text, size = page.said.data + page.blocks_()[each].start, page.blocks_()[each].size
            if size <= 4 * self.most and self.may_be_price(<const unsigned char*>text, size):
                found.append(each)
        return found

    cdef bint may_be_price(self, const unsigned char* text, Py_ssize_t size) except -1:
        """Return True for a short text with a digit, and with a currency if it is of ASCII alone."""
        cdef const unsigned char* at = text
        cdef Py_ssize_t count = 0
        cdef uint32_t sign
        cdef bint has_digit = False
        while at < text + size:
            if at[0] < 128:
                has_digit |= 48 <= at[0] <= 57
                at += 1
            else:
                at += sign_at(at, &sign)
                has_digit = has_digit or Py_UNICODE_ISDIGIT(sign)
            count += 1
        return has_digit and count <= self.most and (count < size or says_currency(text, self.pairs, self.codes))


cdef bint says_currency(const unsigned char* at, const unsigned char* pairs, list codes) except -1:
    """Return True for a text in ASCII with a dollar sign, or a code without a letter behind."""
    cdef bytes code
    while at[0]:
        if at[0] == c"$":
            return True
        if at[0] >= 64 and at[1] >= 64 and pairs[(at[0] & 31) << 5 | (at[1] & 31)]:
            for code in codes:
                if differs(<const char*>at, code, len(code)) == 0 and not is_letter(at[len(code)]):
                    return True
        at += 1
    return False


cdef inline bint is_letter(unsigned char sign) noexcept:
    return 97 <= (sign | 0x20) <= 122


cdef inline int differs(const char* text, const char* small, Py_ssize_t size) noexcept:
    """Return 0 if a text begins with small letters, in any case."""
    cdef Py_ssize_t each
    for each in range(size):
        if text[each] | 0x20 != small[each]:
            return 1
    return 0


def plain_lengths(lengths, linked):
    """See :data:`scrapy_stemmer.learners.rules.columns.plain_lengths`."""
    cdef list sizes = as_list(lengths), in_links = as_list(linked)
    cdef list found = [0] * len(sizes)
    cdef Py_ssize_t each
    cdef long long size
    if len(in_links) != len(sizes):
        raise ValueError("two lengths are wanted of each block")
    for each in range(len(sizes)):
        size = <long long>sizes[each] - <long long>in_links[each]
        if size > 0:
            found[each] = size
    return found


@lru_cache(16)
def beginnings(str site):
    """Return the beginnings of a site's addresses."""
    return [f"{scheme}://{www}{site}/".encode("utf-8", "replace") for scheme in ("https", "http") for www in ("", "www.")]


cdef enum:
    MOST_TARGETS = 8


cdef struct Target:
    const char* text
    size_t size


def leads_on(links not None, str own not None, str site not None, Py_ssize_t most):
    """See :data:`scrapy_stemmer.learners.rules.columns.leads_on`."""
    cdef ReadPage page = links if isinstance(links, ReadPage) else None
    cdef list others = None if page is not None else [link.encode("utf-8", "replace") for _, link in links]
    cdef size_t count = len(others) if page is None else page.link_data.size // sizeof(Link)
    cdef bytes address = own.encode("utf-8", "replace")
    cdef list begins
    cdef Target[MOST_TARGETS] targets
    cdef Target target
    cdef size_t each, seen, found = 0
    if not site or site.startswith("www.") or most >= MOST_TARGETS:
        return False
    begins = beginnings(site)
    for each in range(count):
        if page is None:
            target.text = <bytes>others[each]
        else:
            target.text = page.addresses.data + (<Link*>page.link_data.data)[each].start
        target.size = strcspn(target.text, "#")
        if not is_of_site(&target, begins) or ends_with(address, &target):
            continue
        for seen in range(found):
            if targets[seen].size == target.size and memcmp(targets[seen].text, target.text, target.size) == 0:
                break
        else:
            targets[found] = target
            found += 1
            if found > <size_t>most:
                return True
    return False


cdef bint is_of_site(Target* target, list begins) except -1:
    """Return True for an address that surely leads to a page of a site."""
    cdef const char* last = target.text + target.size - 1
    cdef const char* sign
    cdef bytes begin
    if not target.size:
        return False
    while last > target.text and <unsigned char>last[0] & 0xC0 == 0x80:
        last -= 1
    if space_at(<const unsigned char*>target.text) or space_at(<const unsigned char*>last):
        return False
    sign = strstr(target.text, "/cdn-cgi/")
    if sign is not NULL and sign < target.text + target.size:
        return False
    sign = strpbrk(target.text, ":/")
    while sign is not NULL and sign < target.text + target.size:
        if sign[0] == c":" or sign[1] == c"/":
            for begin in begins:
                if strncmp(target.text, begin, len(begin)) == 0:
                    return True
            return False
        sign = strpbrk(sign + 1, ":/")
    return True


cdef inline bint ends_with(bytes address, Target* target) noexcept:
    cdef const char* text = address
    cdef size_t size = len(address)
    return target.size <= size and memcmp(text + size - target.size, target.text, target.size) == 0
