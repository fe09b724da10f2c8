# cython: boundscheck=False, wraparound=False, cdivision=True
"""The features of blocks, a page at a time; see :mod:`scrapy_stemmer.learners.rules.features_py`.

The result is the same to the bit: all that is summed are whole numbers and whole parts of 256. Features are written in
the order of their names there.
"""

import numpy as np

from libc.math cimport NAN, floor
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from scrapy_stemmer.learners.rules import features_py as plain
from scrapy_stemmer.learners.rules import hints
from scrapy_stemmer.learners.rules.hints import GROUPS

cdef int WIDTH = hints.WIDTH
cdef int FAR = hints.FAR
cdef int NOISE = hints.NOISE
cdef int TAGS = len(hints.TAGS)
cdef int P = hints.TAGS.index("p")
cdef int H1 = hints.TAGS.index("h1")
cdef int H2 = hints.TAGS.index("h2")
cdef int H3 = hints.TAGS.index("h3")
cdef int NAV = hints.AROUND.index("nav")
cdef int FOOTER = hints.AROUND.index("footer")
cdef int HIDDEN = hints.HIDDEN
cdef list SOFT = [len(hints.AROUND) + GROUPS.index(group) for group in plain.SOFT_GROUPS]
cdef list FLAGS = list(plain.FLAGS.values())
cdef double MAX_LENGTH = plain.MAX_LENGTH
cdef double SOFT_VALUE = plain.SOFT_VALUE
cdef double LINK_VALUE = plain.LINK_VALUE
cdef double IS_LINK = plain.IS_LINK
cdef double LONG = plain.LONG
cdef double OFTEN = plain.OFTEN
cdef double STEPS = plain.STEPS
cdef int COLUMNS = len(plain.NAMES)


def features(pages, paths):
    """See :func:`scrapy_stemmer.learners.rules.features_py.features`."""
    rows = np.empty((sum([len(page.columns.elements) for page in pages]), COLUMNS), np.float32)
    cdef float[:, ::1] room = rows
    cdef Py_ssize_t first = 0
    cdef _Page made
    for page in pages:
        made = _Page(page, paths)
        if made.size:
            made.write(&room[first, 0])
            first += made.size
    return rows


cdef struct _Sums:
    # Sums over blocks: of all in an element, or on a path.
    double length, count, linked, repeated, own, value, ends, links, returning


cdef struct _Element:
    # The number of the first block in it is that of any block where there is none.
    int parent, path, depth, end, first
    double siblings, most_link, most_repeated, beside_title, beside_longest
    _Sums sums


cdef struct _Block:
    int element, path, tag, is_title, is_heading, in_best, time, flags
    double length, words, ends, commas, digits, link, repeated, is_repeated, own, value, running
    double same_page, links, returning, inside
    # Own running text before it; the number of the last heading up to it, -1 without one.
    double before
    int heading
    int64_t key
    # The number of the first block on its path, which has the sums of all of them.
    int same_path
    _Sums path_sums


cdef class _Page:
    """A page and what is measured of it. Features are written at a place that moves on."""

    cdef object page
    cdef int size, count
    cdef bint known
    cdef _Element* elements
    cdef _Block* blocks
    cdef bytearray tags, levels, noise
    cdef float* at
    cdef double own, running, plain, plain_linked, headings, heading_links, paragraphs
    cdef double others, is_article, url_depth
    cdef int best, holding, half, title, longest

    def __cinit__(self, page, paths):
        self.page = page
        self.tags, self.levels, self.noise = paths.tags, paths.levels, paths.noise
        self.count, self.size = len(page.columns.parents), len(page.columns.elements)
        self.known = page.repeated is not None
        self.others, self.is_article, self.url_depth = page.others, page.is_article, plain.url_depth(page.url)
        self.elements = <_Element*>calloc(self.count + 1, sizeof(_Element))
        self.blocks = <_Block*>calloc(self.size + 1, sizeof(_Block))
        if self.elements is NULL or self.blocks is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.elements)
        free(self.blocks)

    cdef int write(self, float* at) except -1:
        """Write a row for each block."""
        cdef int index
        self.read_elements()
        self.read_blocks()
        self.read_links()
        self.add_up()
        self.count_same()
        self.find_regions()
        self.find_title()
        self.at = at
        for index in range(self.size):
            self.write_block(index)
        return 0

    # What is read

    cdef int read_elements(self) except -1:
        cdef _Element* element
        cdef int number = 0
        for parent, path in zip(self.page.columns.parents, self.page.paths):
            element = self.elements + number
            element.parent, element.path = parent, path
            element.depth = self.elements[element.parent].depth + 1 if element.parent >= 0 else 0
            element.end = number + 1
            element.first = self.size - 1
            number += 1
        for number in range(self.count - 1, 0, -1):
            element = self.elements + number
            if self.elements[element.parent].end < element.end:
                self.elements[element.parent].end = element.end
        return 0

    cdef int read_blocks(self) except -1:
        cdef _Block* block
        cdef const unsigned char* levels
        cdef double linked, plain_length
        cdef int number = 0, length, words, ends, commas, digits, flags
        cdef bint in_chrome, is_soft
        columns, title_keys = self.page.columns, self.page.title_keys
        for measures, text, linked, element, time in zip(
            self.page.measures, columns.texts, columns.linked, columns.elements, columns.times
        ):
            block = self.blocks + number
            length, words, ends, commas, digits, key, flags = measures
            block.length, block.words, block.ends = max(length, 1), words, ends
            block.commas, block.digits, block.flags, block.key = commas, digits, flags, key
            block.time, block.element = time, element
            block.path = self.elements[block.element].path
            block.tag = self.tags[block.path]
            block.is_heading = block.tag == H1 or block.tag == H2 or block.tag == H3
            block.is_title = key in title_keys
            plain_length = len(text) - text.count(" ")
            block.link = floor(min(1.0, linked / max(plain_length, 1.0)) * STEPS) / STEPS
            if self.known:
                block.repeated = self.page.repeated[number]
            block.is_repeated = block.repeated >= OFTEN
            levels = <const unsigned char*>self.levels + block.path * WIDTH
            in_chrome = levels[NAV] < FAR or levels[FOOTER] < FAR or levels[HIDDEN] < FAR
            is_soft = False
            for group in SOFT:
                is_soft = is_soft or levels[<int>group] < FAR
            block.own = 0.0 if block.is_repeated or in_chrome else block.length * (1 - block.link)
            block.running = block.own if block.length >= LONG else 0.0
            block.value = min(block.length, MAX_LENGTH)
            block.value *= -1.0 if block.is_repeated or in_chrome else SOFT_VALUE if is_soft else 1.0
            block.value *= LINK_VALUE if block.link > IS_LINK else 1.0
            if self.elements[block.element].first > number:
                self.elements[block.element].first = number
            number += 1
        return 0

    cdef int read_links(self) except -1:
        """Count the links of each block; those behind the last one belong to none."""
        cdef _Block* block
        cdef Py_ssize_t number, index = 0
        inside, repeated = self.page.links_inside, self.page.links_repeated
        for number, _ in self.page.columns.links:
            if number < self.size:
                block = self.blocks + number
                block.links += 1
                block.inside += inside[index]
                if repeated is not None:
                    block.returning += floor(<double>repeated[index] * STEPS) / STEPS
            index += 1
        return 0

    # What is worked out

    cdef int add_up(self) except -1:
        """Sum over elements, and the highest shares around each."""
        cdef _Element* element
        cdef _Element* above
        cdef _Block* block
        cdef int number, heading = -1
        for number in range(self.size):
            block = self.blocks + number
            add_block(&self.elements[block.element].sums, block)
            block.before = self.running
            self.running += block.running
            heading = block.heading = number if block.is_heading else heading
            self.paragraphs += block.own if block.tag == P else 0.0
            if not block.is_repeated:
                self.plain += block.length
                self.plain_linked += block.length * block.link
                self.headings += block.is_heading
                self.heading_links += block.is_heading * block.link
        for number in range(self.count - 1, 0, -1):
            element = self.elements + number
            above = self.elements + element.parent
            add(&above.sums, &element.sums)
            above.first = min(above.first, element.first)
        self.own = self.elements.sums.own
        for number in range(1, self.count):
            element = self.elements + number
            above = self.elements + element.parent
            element.most_link = most(element.sums.linked, element.sums.length, above.most_link)
            element.most_repeated = most(element.sums.repeated, element.sums.length, above.most_repeated)
        return 0

    cdef int count_same(self) except -1:
        """Count elements of the same path beside each other, blocks on the same path, and blocks of the same text."""
        cdef int number, largest = max(self.count, self.size)
        cdef int64_t* keys = <int64_t*>calloc(largest + 1, sizeof(int64_t))
        cdef int* firsts = <int*>calloc(largest + 1, sizeof(int))
        cdef double* counts = <double*>calloc(largest + 1, sizeof(double))
        try:
            if keys is NULL or firsts is NULL or counts is NULL:
                raise MemoryError
            for number in range(self.count):
                keys[number] = (<int64_t>self.elements[number].parent << 32) + self.elements[number].path
            find_firsts(keys, self.count, firsts)
            for number in range(self.count):
                counts[firsts[number]] += 1
            for number in range(self.count):
                self.elements[number].siblings = counts[firsts[number]]
            memset(counts, 0, largest * sizeof(double))
            for number in range(self.size):
                keys[number] = self.blocks[number].key
            find_firsts(keys, self.size, firsts)
            for number in range(self.size):
                counts[firsts[number]] += 1
            for number in range(self.size):
                self.blocks[number].same_page = counts[firsts[number]]
                keys[number] = self.blocks[number].path
            find_firsts(keys, self.size, firsts)
            for number in range(self.size):
                self.blocks[number].same_path = firsts[number]
                add_block(&self.blocks[firsts[number]].path_sums, &self.blocks[number])
        finally:
            free(keys)
            free(firsts)
            free(counts)
        return 0

    cdef int find_regions(self) except -1:
        """Find the elements of highest value, and with most of the page's own text."""
        cdef double highest = self.elements.sums.value
        cdef int number
        for number in range(self.count):
            highest = max(highest, self.elements[number].sums.value)
        for number in range(self.count):
            if self.elements[number].sums.value >= highest - 1e-6:
                if self.elements[self.best].sums.value < highest - 1e-6 or self.is_deeper(number, self.best):
                    self.best = number
            if self.own > 0:
                if self.elements[number].sums.own >= 0.9 * self.own and self.is_deeper(number, self.holding):
                    self.holding = number
                if self.elements[number].sums.own >= 0.5 * self.own and self.is_deeper(number, self.half):
                    self.half = number
        for number in range(self.size):
            self.blocks[number].in_best = self.is_inside(number, self.best)
        return 0

    cdef bint is_deeper(self, int one, int other) noexcept:
        return self.elements[one].depth > self.elements[other].depth

    cdef bint is_inside(self, int block, int element) noexcept:
        return element <= self.blocks[block].element < self.elements[element].end

    cdef int find_title(self) except -1:
        """Find the block that names the page, and its longest own block; -1 without one."""
        cdef int number, named = -1, heading = -1, both = -1
        cdef double longest = 0.0
        cdef _Block* block
        self.longest = -1
        for number in range(self.size - 1, -1, -1):
            block = self.blocks + number
            if block.is_title and block.tag == H1:
                both = number
            if block.is_title:
                named = number
            if block.tag == H1 and block.repeated < 0.5:
                heading = number
            if block.own and block.own >= longest:
                self.longest, longest = number, block.own
        self.title = both if both >= 0 else named if named >= 0 else heading
        self.mark_line(self.title, True)
        self.mark_line(self.longest, False)
        return 0

    cdef int mark_line(self, int block, bint is_title) except -1:
        """Note for each element the depth of the nearest one around it that has a block too."""
        cdef int number, element = self.blocks[block].element if block >= 0 else -1
        cdef _Element* here
        cdef _Element* above
        while element > 0:
            here = self.elements + element
            if is_title:
                here.beside_title = here.depth
            else:
                here.beside_longest = here.depth
            element = here.parent
        for number in range(1, self.count):
            here = self.elements + number
            above = self.elements + here.parent
            if is_title:
                here.beside_title = max(here.beside_title, above.beside_title)
            else:
                here.beside_longest = max(here.beside_longest, above.beside_longest)
        return 0

    # What is written

    cdef inline void put(self, double value) noexcept:
        self.at[0] = <float>value
        self.at += 1

    cdef int write_block(self, int index) except -1:
        cdef int[5] up
        cdef int level
        up[0] = self.blocks[index].element
        for level in range(1, 5):
            up[level] = max(self.elements[up[level - 1]].parent, 0)
        self.write_own_text(&self.blocks[index])
        self.write_own_place(&self.blocks[index])
        self.write_repetition(&self.blocks[index])
        self.write_elements_around(up)
        self.write_region(index, up)
        self.write_same_path(&self.blocks[index], up)
        self.write_neighbours(index)
        self.write_position(index)
        self.write_title(index)
        self.write_headings(index, up)
        self.write_beside_text(up[0])
        self.write_links(&self.blocks[index], up)
        self.write_whole_page()
        return 0

    cdef int write_own_text(self, _Block* block) except -1:
        self.put(block.length)
        self.put(block.link)
        self.put(block.words)
        self.put(min(block.ends, 20))
        self.put(100 * block.ends / block.length)
        self.put(100 * block.commas / block.length)
        self.put(block.digits / block.length)
        self.put(block.length / max(block.words, 1))
        for flag in FLAGS:
            self.put(block.flags & <int>flag > 0)
        self.put(block.time)
        return 0

    cdef int write_own_place(self, _Block* block) except -1:
        cdef const unsigned char* levels = <const unsigned char*>self.levels + block.path * WIDTH
        cdef const unsigned char* noise = <const unsigned char*>self.noise + block.path * NOISE
        cdef int number
        for number in range(TAGS):
            self.put(block.tag == number)
        self.put(self.elements[block.element].depth)
        for number in range(WIDTH):
            self.put(levels[number])
        for number in range(NOISE):
            self.put(noise[number])
        return 0

    cdef int write_repetition(self, _Block* block) except -1:
        self.put(block.repeated if self.known else NAN)
        self.put(block.repeated > 0 if self.known else NAN)
        self.put(min(block.same_page, 10))
        self.put(min(self.others, 20))
        return 0

    cdef int write_elements_around(self, int* up) except -1:
        cdef _Sums* sums
        cdef int level
        for level in range(1, 4):
            sums = &self.elements[up[level]].sums
            self.put(ratio(sums.linked, sums.length))
            self.put(ratio(sums.repeated, sums.length))
            self.put(sums.length)
            self.put(sums.length / max(sums.count, 1))
        for level in range(1, 5):
            self.put(ratio(self.elements[up[level]].sums.own, self.own))
        self.put(self.elements[up[1]].most_link)
        self.put(self.elements[up[1]].most_repeated)
        return 0

    cdef int write_region(self, int index, int* up) except -1:
        cdef _Sums* best = &self.elements[self.best].sums
        cdef int level
        self.write_inside(index, self.best)
        self.write_inside(index, self.holding)
        self.write_inside(index, self.half)
        for level in range(1, 4):
            self.put(self.elements[up[level]].sums.value / max(best.value, 1))
        self.put(ratio(best.linked, best.length))
        self.put(ratio(best.own, self.own))
        return 0

    cdef int write_inside(self, int index, int region) except -1:
        cdef bint inside = self.is_inside(index, region)
        self.put(inside)
        self.put(self.elements[self.blocks[index].element].depth - self.elements[region].depth if inside else -1)
        return 0

    cdef int write_same_path(self, _Block* block, int* up) except -1:
        cdef _Sums* sums = &self.blocks[block.same_path].path_sums
        cdef int level
        self.put(sums.count)
        self.put(sums.length / sums.count)
        self.put(ratio(sums.linked, sums.length))
        self.put(ratio(sums.repeated, sums.length))
        self.put(100 * ratio(sums.ends, sums.length))
        self.put(ratio(sums.own, self.own))
        for level in range(4):
            self.put(self.elements[up[level]].siblings)
        return 0

    cdef int write_neighbours(self, int index) except -1:
        self.write_neighbour(index, -2, False)
        self.write_neighbour(index, -1, True)
        self.write_neighbour(index, 1, True)
        self.write_neighbour(index, 2, False)
        return 0

    cdef int write_neighbour(self, int index, int by, bint is_next) except -1:
        cdef _Block* other = self.blocks + index + by
        cdef bint is_there = 0 <= index + by < self.size
        self.put(other.length if is_there else NAN)
        self.put(other.link if is_there else NAN)
        self.put(other.repeated if is_there else NAN)
        if is_next:
            self.put(is_there and other.path == self.blocks[index].path)
            self.put(other.in_best if is_there else NAN)
        return 0

    cdef int write_position(self, int index) except -1:
        cdef _Block* block = self.blocks + index
        cdef double near = 0.0, value = 0.0
        cdef int other
        for other in range(max(0, index - 5), min(self.size, index + 6)):
            near += self.blocks[other].running if other != index else 0.0
        for other in range(max(0, index - 10), min(self.size, index + 11)):
            value += self.blocks[other].value if other != index else 0.0
        self.put(ratio(block.before, self.running))
        self.put(ratio(self.running - block.before - block.running, self.running))
        self.put(near)
        self.put(value / 1000)
        self.put(<double>index / self.size)
        self.put(min(index, 200))
        self.put(min(self.size - index, 200))
        return 0

    cdef int write_title(self, int index) except -1:
        self.put(self.blocks[index].is_title)
        self.put(min(max(index - self.title, -50), 50) if self.title >= 0 else NAN)
        return 0

    cdef int write_headings(self, int index, int* up) except -1:
        cdef _Block* first
        cdef int level, last = self.blocks[index].heading
        self.put(min(index - last, 50) if last >= 0 else NAN)
        self.put(self.blocks[last].repeated if last >= 0 and self.known else NAN)
        self.put(self.blocks[last].link if last >= 0 else NAN)
        for level in range(1, 4):
            first = self.blocks + self.elements[up[level]].first
            self.put(first.repeated if self.known else NAN)
            self.put(first.is_heading)
        self.put(ratio(self.heading_links, self.headings))
        return 0

    cdef int write_beside_text(self, int element) except -1:
        cdef _Element* here = self.elements + element
        if self.title >= 0:
            self.put(here.depth - here.beside_title)
            self.put(self.elements[self.blocks[self.title].element].depth - here.beside_title)
        else:
            self.put(NAN)
            self.put(NAN)
        if self.longest >= 0:
            self.put(here.depth - here.beside_longest)
            self.put(self.elements[self.blocks[self.longest].element].depth - here.beside_longest)
        else:
            self.put(NAN)
            self.put(NAN)
        return 0

    cdef int write_links(self, _Block* block, int* up) except -1:
        cdef _Sums* sums
        cdef int level
        self.put(block.links)
        self.put(ratio(block.returning, block.links) if self.known else NAN)
        self.put(ratio(block.inside, block.links))
        for level in range(1, 4):
            sums = &self.elements[up[level]].sums
            self.put(sums.links)
            self.put(ratio(sums.returning, sums.links) if self.known else NAN)
        return 0

    cdef int write_whole_page(self) except -1:
        cdef _Sums* sums = &self.elements.sums
        self.put(self.is_article)
        self.put(self.size)
        self.put(self.own)
        self.put(ratio(self.plain_linked, self.plain))
        self.put(ratio(sums.linked, sums.length))
        self.put(ratio(sums.repeated, sums.length))
        self.put(ratio(self.paragraphs, self.own))
        self.put(self.url_depth)
        return 0


cdef inline double ratio(double part, double whole) noexcept:
    """A share, NaN where there is nothing to have a share of."""
    return part / whole if whole > 0 else NAN


cdef inline double most(double part, double whole, double above) noexcept:
    """The higher one of a share and that of the element around."""
    return max(part / whole, above) if whole > 0 else above


cdef inline void add_block(_Sums* sums, _Block* block) noexcept:
    sums.length += block.length
    sums.count += 1
    sums.linked += block.length * block.link
    sums.repeated += block.length * block.is_repeated
    sums.own += block.own
    sums.value += block.value
    sums.ends += block.ends
    sums.links += block.links
    sums.returning += block.returning


cdef inline void add(_Sums* sums, _Sums* more) noexcept:
    sums.length += more.length
    sums.count += more.count
    sums.linked += more.linked
    sums.repeated += more.repeated
    sums.own += more.own
    sums.value += more.value
    sums.ends += more.ends
    sums.links += more.links
    sums.returning += more.returning


cdef int find_firsts(int64_t* keys, int count, int* firsts) except -1:
    """Find for each key the number of the first one that is the same, by a hash table of their numbers."""
    cdef size_t size = 16, place
    cdef int number
    cdef int* table
    while size < 2 * <size_t>count:
        size *= 2
    table = <int*>calloc(size, sizeof(int))
    if table is NULL:
        raise MemoryError
    for number in range(count):
        place = <size_t>(<uint64_t>keys[number] * 0x9E3779B97F4A7C15U >> 20) & (size - 1)
        # Numbers count from 1 in the table: 0 is an empty place.
        while table[place] and keys[table[place] - 1] != keys[number]:
            place = (place + 1) & (size - 1)
        if not table[place]:
            table[place] = number + 1
        firsts[number] = table[place] - 1
    free(table)
    return 0
