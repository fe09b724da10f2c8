# cython: boundscheck=False, wraparound=False, cdivision=True
"""What the scorer sees of a page's blocks, and what its trees say of them.

See :mod:`scrapy_stemmer.learners.rules.features`, which says what each feature is, and
:mod:`scrapy_stemmer.learners.rules.scorer`. The results are the same to the bit.
"""

from array import array
from collections import Counter
from zlib import crc32

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.math cimport INFINITY, NAN, floor, fmax, fmin
from libc.stdint cimport uint8_t, uint32_t

from scrapy_stemmer.learners.rules import features as plain
from scrapy_stemmer.learners.rules import hints
from scrapy_stemmer.learners.rules.read_py import MIN_WORDS as WORDS, MOSTLY_LINKS, key_of as plain_key_of

cdef double SHARE_OF_LINKS = MOSTLY_LINKS
cdef Py_ssize_t MIN_WORDS = WORDS
cdef double OFTEN = plain.OFTEN
cdef double LONG = plain.LONG
cdef double STEPS = plain.STEPS
cdef double MAX_LENGTH = plain.MAX_LENGTH
cdef double SOFT_VALUE = plain.SOFT_VALUE
cdef double LINK_VALUE = plain.LINK_VALUE
cdef int FAR = hints.FAR
cdef int NOISE_NEAR = plain.NOISE_NEAR
cdef int CJK_LENGTH = plain.CJK_LENGTH
cdef int CHARACTERS = plain.CHARACTERS
cdef int TAG_COUNT = len(hints.TAGS)
cdef int H1 = hints.TAGS.index("h1")
cdef int P = hints.TAGS.index("p")
cdef uint32_t HEADINGS = sum(1 << hints.TAGS.index(tag) for tag in plain.HEADINGS)
cdef Py_ssize_t WIDTH = hints.WIDTH
cdef const uint8_t[::1] MENUS = bytes(plain.MENUS)
cdef const uint8_t[::1] SOFT = bytes(plain.SOFT)
cdef const uint8_t[::1] NOISE = bytes(hints.NOISE)
cdef frozenset LAST_MARKS = frozenset(plain.LAST_MARKS)

# What is added up over blocks; see _Page._add_up.
cdef enum:
    LENGTH, BLOCKS, LINKED, REPEATED, OWN, VALUE, RUNNING, LINKS, SUMS


# What is measured of texts


def measures_of(texts):
    """See :func:`scrapy_stemmer.learners.rules.features.measures_in_python`."""
    import numpy as np

    rows = np.empty((len(plain.MEASURES), len(texts)), np.uint32)
    cdef uint32_t[:, ::1] found = rows
    cdef const uint8_t[::1] kinds = plain.kinds()
    cdef Py_ssize_t number, size
    cdef uint32_t spaces, ends, commas, digits, ideographs, kind
    cdef Py_UCS4 character
    cdef str text
    for number, text in enumerate(texts):
        spaces = ends = commas = digits = ideographs = 0
        for character in text:
            kind = kinds[character] if <int>character < CHARACTERS else 0
            if kind:
                spaces += kind & 1
                ends += kind >> 1 & 1
                commas += kind >> 2 & 1
                digits += kind >> 3 & 1
                ideographs += kind >> 4
        size = len(text)
        found[0, number] = size - spaces
        found[1, number] = size - spaces + (CJK_LENGTH - 1) * ideographs
        found[2, number] = spaces + 1 + ideographs
        found[3, number] = ends
        found[4, number] = commas
        found[5, number] = digits
        found[6, number] = key_of(text, digits)
        found[7, number] = size > 0 and text[size - 1] in LAST_MARKS
        found[8, number] = size > 0 and text[0].isupper()
    return dict(zip(plain.MEASURES, rows))


cdef uint32_t key_of(str text, uint32_t digits) except? 0:
    """See :func:`scrapy_stemmer.learners.rules.read_py.key_of`; of digits other than 0 to 9 it makes the key."""
    cdef bytes lower = text.lower().encode("utf-8", "surrogatepass")
    cdef bytearray made
    cdef Py_ssize_t size = 0
    cdef bint was_digit = False, is_digit
    cdef unsigned char byte
    if not digits or len(text) - digits < MIN_WORDS:
        return crc32(lower)
    made = bytearray(len(lower))
    for byte in lower:
        is_digit = c"0" <= byte <= c"9"
        digits -= is_digit
        if not is_digit or not was_digit:
            made[size] = c"0" if is_digit else byte
            size += 1
        was_digit = is_digit
    return plain_key_of(text) if digits else crc32(made[:size])


# The features of a page


def fill(facts, paths, float[:, :] columns):
    """See :func:`scrapy_stemmer.learners.rules.features.fill_in_python`."""
    cdef _Page page = _Page(facts, paths)
    cdef Row row
    for block in range(page.blocks):
        row.at, row.step = &columns[0, block], columns.strides[0] // sizeof(float)
        page.put_itself(&row, block)
        page.put_elements_around(&row, block)
        page.put_blocks_beside(&row, block)
        page.put_headings(&row, block)
        page.put_links_and_page(&row, block)


cdef struct Row:
    # The features of a block, of which the next one is put in a place.
    float* at
    Py_ssize_t step


cdef inline void put(Row* row, double value) noexcept:
    row.at[0] = <float>value
    row.at += row.step


cdef inline double either(bint condition, double value, double other) noexcept:
    return value if condition else other


cdef struct Element:
    # An element: how deep it is, its blocks from the first to the one behind the last, and elements of its path beside
    # it; the highest shares of it and those around it; the section that it is in, and how deep the nearest element is
    # that holds the title, and the longest text.
    int above, depth, first, end, siblings, section
    double linked, repeated
    int joined[2]


cdef struct Block:
    # A block; sums are those of the blocks before it.
    int element, path, shape, tag, heading
    bint is_heading, is_repeated, is_title
    double length, link, repeated, returning, own
    double before[SUMS]


cdef struct Group:
    # The blocks on a path, or of a shape.
    double count, length, linked, repeated, own, ends


cdef inline void add(Group* group, const double* added, double ends) noexcept:
    group.count += 1
    group.length += added[LENGTH]
    group.linked += added[LINKED]
    group.repeated += added[REPEATED]
    group.own += added[OWN]
    group.ends += ends


cdef class _Page:
    """A page as its plain twin has it.

    :ivar held: the memory of arrays.
    :ivar named: the numbers of the title and of the longest own text, -1 where there is none.
    :ivar regions: the numbers of the elements that are regions of the page, the best one first.
    """

    cdef list held
    cdef Py_ssize_t blocks, elements
    cdef Element* element
    cdef Block* block
    cdef Group* paths
    cdef Group* shapes
    cdef Block* last
    cdef int[2] named
    cdef int[3] regions
    cdef double others, article, url_depth, own_links, own_length, heading_links, headings, paragraphs
    cdef const uint8_t[::1] levels
    cdef const int[::1] element_path
    cdef const uint8_t[::1] times
    cdef const uint32_t[::1] words, ends, commas, digits, last_mark, capital
    cdef const int[::1] same

    def __cinit__(self, facts, paths):
        columns, text = facts.page.columns, facts.measures
        self.held = []
        self.elements, self.blocks = len(columns.parents), len(columns.elements)
        self.element = <Element*>self.room(self.elements, sizeof(Element))
        self.block = <Block*>self.room(self.blocks + 1, sizeof(Block))
        self.last = &self.block[self.blocks]
        self.paths = <Group*>self.room(len(paths.tags), sizeof(Group))
        self.shapes = <Group*>self.room(len(paths.tags), sizeof(Group))
        self.levels, self.times, self.element_path = paths.levels, bytes(columns.times), ints(facts.paths)
        self.words, self.ends, self.commas, self.digits = text["words"], text["ends"], text["commas"], text["digits"]
        self.last_mark, self.capital = text["last_mark"], text["capital"]
        self.others = facts.others
        self.article, self.url_depth = facts.page.head.is_article, plain.url_depth(facts.page.url)
        self.read_blocks(facts, paths)
        self.read_tree(ints(columns.parents), len(paths.tags))
        self.find_named_and_regions()
        self.look_around()

    cdef void* room(self, Py_ssize_t count, size_t size) except NULL:
        """Memory for an array, all zero."""
        cdef bytearray made = bytearray((count + 1) * size)
        self.held.append(made)
        return PyByteArray_AS_STRING(made)

    cdef double inside(self, int element, int what) noexcept:
        """A sum over the blocks in an element."""
        cdef Element* it = &self.element[element]
        return self.block[it.end].before[what] - self.block[it.first].before[what] if it.first < it.end else 0.0

    cdef bint is_in(self, Py_ssize_t block, int element) noexcept:
        return self.element[element].first <= block < self.element[element].end

    cdef bint any_near(self, Py_ssize_t path, const uint8_t[::1] kinds) noexcept:
        """Whether one of some kinds of elements is around a path."""
        cdef Py_ssize_t kind
        for kind in range(kinds.shape[0]):
            if self.levels[path * WIDTH + kinds[kind]] < FAR:
                return True
        return False

    cdef int read_blocks(self, facts, paths) except -1:
        """What each block is by itself, and sums."""
        cdef const uint32_t[::1] length = facts.measures["length"], plain_length = facts.measures["plain"]
        cdef const int[::1] element = ints(facts.page.columns.elements), linked = ints(facts.page.columns.linked)
        cdef const int[::1] links = ints(facts.page.columns.links), shapes = paths.shapes
        cdef const double[::1] repeated = array("d", facts.repeated)
        cdef const uint8_t[::1] tags = paths.tags
        cdef Block* block
        cdef Block* after
        cdef Py_ssize_t number, kind
        cdef bint is_template
        cdef double value
        cdef double[SUMS] added
        cdef int heading = -1
        keys, title_keys = facts.measures["key"].tolist(), facts.title_keys
        same = Counter(keys)
        self.same = array("i", [same[key] for key in keys])
        for number in range(links.shape[0]):
            if links[number] < self.blocks:
                self.block[links[number]].before[LINKS] += 1
        cdef double links_before = 0, links_here
        for number in range(self.blocks):
            block, after = &self.block[number], &self.block[number + 1]
            block.element = element[number]
            block.path = self.element_path[block.element]
            block.shape, block.tag = shapes[block.path], tags[block.path]
            block.is_title = bool(title_keys) and keys[number] in title_keys
            block.is_heading = HEADINGS >> block.tag & 1
            block.length = fmax(length[number], 1)
            block.link = floor(fmin(1.0, linked[number] / fmax(plain_length[number], 1)) * STEPS) / STEPS
            block.repeated = repeated[number] if self.others else 0.0
            block.returning = block.repeated if self.others else NAN
            block.is_repeated = block.repeated >= OFTEN
            if block.is_heading:
                heading = number
            block.heading = heading
            is_template = block.is_repeated or self.any_near(block.path, MENUS)
            block.own = 0 if is_template else block.length * (1 - block.link)
            value = -1.0 if is_template else SOFT_VALUE if self.any_near(block.path, SOFT) else 1.0
            if block.link > SHARE_OF_LINKS:
                value *= LINK_VALUE
            links_here, block.before[LINKS] = block.before[LINKS], links_before
            links_before += links_here
            added[LENGTH], added[BLOCKS], added[LINKED] = block.length, 1, block.length * block.link
            added[REPEATED], added[OWN] = block.length * block.is_repeated, block.own
            added[VALUE], added[RUNNING] = fmin(block.length, MAX_LENGTH) * value, block.own * (block.length >= LONG)
            for kind in range(LINKS):
                after.before[kind] = block.before[kind] + added[kind]
            add(&self.paths[block.path], added, self.ends[number])
            add(&self.shapes[block.shape], added, self.ends[number])
            if not block.is_repeated:
                self.own_length += block.length
                self.own_links += block.length * block.link
            if block.is_heading and not block.is_repeated:
                self.headings += 1
                self.heading_links += block.link
            if block.tag == P:
                self.paragraphs += block.own
        self.last.before[LINKS] = links_before
        return 0

    cdef int read_tree(self, const int[::1] parents, Py_ssize_t path_count) except -1:
        """Where elements stand, and how many of a path stand beside each other."""
        cdef int* beside = <int*>self.room(path_count, sizeof(int))
        cdef int* child = <int*>self.room(self.elements, sizeof(int))
        cdef int* next_child = <int*>self.room(self.elements, sizeof(int))
        cdef Element* it
        cdef Element* above
        cdef int number, other
        for number in range(self.elements):
            it = &self.element[number]
            it.first = <int>self.blocks
            if number:
                it.above = parents[number]
                it.depth = self.element[it.above].depth + 1
                next_child[number], child[it.above] = child[it.above], number
        self.element[0].siblings = 1
        for number in range(self.blocks):
            it = &self.element[self.block[number].element]
            it.first, it.end = min(it.first, number), number + 1
        for number in range(<int>self.elements - 1, -1, -1):
            it = &self.element[number]
            if number:
                above = &self.element[it.above]
                above.first, above.end = min(above.first, it.first), max(above.end, it.end)
            other = child[number]
            while other:
                beside[self.element_path[other]] += 1
                other = next_child[other]
            other = child[number]
            while other:
                self.element[other].siblings = beside[self.element_path[other]]
                other = next_child[other]
            other = child[number]
            while other:
                beside[self.element_path[other]] = 0
                other = next_child[other]
        return 0

    cdef int find_named_and_regions(self) except -1:
        """See the plain twin."""
        cdef double[3] least
        cdef double highest = 0, value = self.inside(0, VALUE)
        cdef int likeness, number, region, most = 0
        cdef Block* block
        self.named[0] = self.named[1] = -1
        for number in range(self.blocks):
            block = &self.block[number]
            likeness = 2 * block.is_title + (block.tag == H1 and (block.is_title or block.repeated < 0.5))
            if likeness > most:
                most, self.named[0] = likeness, number
            if block.own > highest:
                highest, self.named[1] = block.own, number
        for number in range(self.elements):
            value = fmax(value, self.inside(number, VALUE))
        least[0], least[1], least[2] = value - 1e-6, 0.9 * self.last.before[OWN], 0.5 * self.last.before[OWN]
        for number in range(self.elements):
            for region in range(3 if least[2] > 0 else 1):
                if (
                    self.inside(number, OWN if region else VALUE) >= least[region]
                    and self.element[number].depth > self.element[self.regions[region]].depth
                ):
                    self.regions[region] = number
        return 0

    cdef int look_around(self) except -1:
        """What elements have of those around them."""
        cdef Element* it
        cdef Element* above
        cdef int number, by, best = self.element[self.regions[0]].depth
        cdef double length
        for number in range(1, self.elements):
            it = &self.element[number]
            above = &self.element[it.above]
            length = self.inside(number, LENGTH)
            it.linked = fmax(above.linked, self.inside(number, LINKED) / length)
            it.repeated = fmax(above.repeated, self.inside(number, REPEATED) / length)
            it.section = above.section if above.depth > best else number
            for by in range(2):
                it.joined[by] = it.depth if self.is_in(self.named[by], number) else above.joined[by]
        return 0

    cdef void put_itself(self, Row* row, Py_ssize_t number) noexcept:
        """Text and place of a block, and where else its text stands."""
        cdef Block* block = &self.block[number]
        cdef const uint8_t* levels = &self.levels[block.path * WIDTH]
        cdef int nearest = FAR, count = 0, near = 0, level
        cdef Py_ssize_t kind
        put(row, block.length)
        put(row, block.link)
        put(row, self.words[number])
        put(row, min(self.ends[number], 20))
        put(row, 100 * self.ends[number] / block.length)
        put(row, 100 * self.commas[number] / block.length)
        put(row, self.digits[number] / block.length)
        put(row, block.length / fmax(self.words[number], 1))
        put(row, self.last_mark[number])
        put(row, self.capital[number])
        put(row, self.times[number])
        for kind in range(TAG_COUNT):
            put(row, block.tag == kind)
        put(row, self.element[block.element].depth)
        for kind in range(WIDTH):
            put(row, levels[kind])
        for kind in range(NOISE.shape[0]):
            level = levels[NOISE[kind]]
            nearest = min(nearest, level)
            count += level < FAR
            near += level <= NOISE_NEAR
        put(row, nearest)
        put(row, count)
        put(row, near)
        put(row, block.returning)
        put(row, either(self.others > 0, block.repeated > 0, NAN))
        put(row, min(self.same[number], 10))
        put(row, fmin(self.others, 20))

    cdef void put_elements_around(self, Row* row, Py_ssize_t number) noexcept:
        """The elements around a block, the regions of the page, and the blocks on the same path."""
        cdef Block* block = &self.block[number]
        cdef Block* last = self.last
        cdef Element* it = &self.element[block.element]
        cdef Element* region
        cdef Group* group = &self.paths[block.path]
        cdef int[5] up
        cdef double length
        cdef int level
        up[0] = block.element
        for level in range(4):
            up[level + 1] = self.element[up[level]].above
        for level in range(1, 4):
            length = self.inside(up[level], LENGTH)
            put(row, self.inside(up[level], LINKED) / length)
            put(row, self.inside(up[level], REPEATED) / length)
            put(row, length)
            put(row, length / self.inside(up[level], BLOCKS))
        for level in range(1, 5):
            put(row, self.inside(up[level], OWN) / last.before[OWN])
        put(row, self.element[up[1]].linked)
        put(row, self.element[up[1]].repeated)
        for level in range(3):
            region = &self.element[self.regions[level]]
            put(row, self.is_in(number, self.regions[level]))
            put(row, either(self.is_in(number, self.regions[level]), it.depth - region.depth, -1))
        self.put_section(row, number)
        for level in range(1, 4):
            put(row, self.inside(up[level], VALUE) / fmax(self.inside(self.regions[0], VALUE), 1))
        put(row, self.inside(self.regions[0], LINKED) / self.inside(self.regions[0], LENGTH))
        put(row, self.inside(self.regions[0], OWN) / last.before[OWN])
        put(row, group.count)
        put(row, group.length / group.count)
        put(row, group.linked / group.length)
        put(row, group.repeated / group.length)
        put(row, 100 * (group.ends / group.length))
        put(row, group.own / last.before[OWN])
        put(row, self.shapes[block.shape].own / last.before[OWN])
        put(row, self.shapes[block.shape].count)
        for level in range(4):
            put(row, self.element[up[level]].siblings)

    cdef void put_section(self, Row* row, Py_ssize_t number) noexcept:
        """The section around a block."""
        cdef int section = self.element[self.block[number].element].section, value
        cdef Element* best = &self.element[self.regions[0]]
        cdef Element* it = &self.element[section]
        if not self.is_in(number, self.regions[0]):
            for value in range(6):
                put(row, NAN)
            return
        put(row, self.inside(section, OWN) / self.last.before[OWN])
        put(row, self.inside(section, LINKED) / self.inside(section, LENGTH))
        put(row, self.inside(section, LENGTH))
        put(row, it.end - it.first)
        put(row, <double>(it.first - best.first) / (best.end - best.first))
        put(row, self.block[it.first].is_heading)

    cdef void put_blocks_beside(self, Row* row, Py_ssize_t number) noexcept:
        """The blocks before and behind a block, and its place among all."""
        cdef Block* block = &self.block[number]
        cdef Block* other
        cdef Block* low
        cdef Block* high
        cdef double total = self.last.before[RUNNING]
        cdef Py_ssize_t by
        for by in range(-2, 3):
            if by == 0:
                continue
            other = &self.block[number + by] if 0 <= number + by < self.blocks else NULL
            put(row, NAN if other is NULL else other.length)
            put(row, NAN if other is NULL else other.link)
            put(row, NAN if other is NULL else other.repeated)
            if by * by == 1:
                put(row, other is not NULL and other.path == block.path)
                put(row, NAN if other is NULL else <double>self.is_in(number + by, self.regions[0]))
        put(row, block.before[RUNNING] / total)
        put(row, (total - (block + 1).before[RUNNING]) / total)
        low, high = &self.block[max(0, number - 5)], &self.block[min(self.blocks, number + 6)]
        put(row, high.before[RUNNING] - low.before[RUNNING] - ((block + 1).before[RUNNING] - block.before[RUNNING]))
        low, high = &self.block[max(0, number - 10)], &self.block[min(self.blocks, number + 11)]
        put(row, (high.before[VALUE] - low.before[VALUE] - ((block + 1).before[VALUE] - block.before[VALUE])) / 1000)
        put(row, <double>number / self.blocks)
        put(row, min(number, 200))
        put(row, min(self.blocks - number, 200))

    cdef void put_headings(self, Row* row, Py_ssize_t number) noexcept:
        """The title, the headings, and how far up and down it is to the title and to the longest text."""
        cdef Block* block = &self.block[number]
        cdef Block* heading = &self.block[max(0, block.heading)]
        cdef Block* first
        cdef bint is_below = block.heading >= 0
        cdef int up = block.element, by, joined, away = <int>number - self.named[0]
        put(row, block.is_title)
        put(row, either(self.named[0] >= 0, max(-50, min(50, away)), NAN))
        put(row, either(is_below, min(number - block.heading, 50), NAN))
        put(row, either(is_below, heading.returning, NAN))
        put(row, either(is_below, heading.link, NAN))
        for by in range(3):
            up = self.element[up].above
            first = &self.block[self.element[up].first]
            put(row, first.returning)
            put(row, first.is_heading)
        put(row, self.heading_links / self.headings)
        for by in range(2):
            joined = self.element[block.element].joined[by]
            put(row, either(self.named[by] >= 0, self.element[block.element].depth - joined, NAN))
            block = &self.block[max(0, self.named[by])]
            put(row, either(self.named[by] >= 0, self.element[block.element].depth - joined, NAN))
            block = &self.block[number]

    cdef void put_links_and_page(self, Row* row, Py_ssize_t number) noexcept:
        """The links in a block and around it, and the whole page."""
        cdef Block* last = self.last
        cdef int up = self.block[number].element, level
        put(row, self.block[number + 1].before[LINKS] - self.block[number].before[LINKS])
        for level in range(3):
            up = self.element[up].above
            put(row, self.inside(up, LINKS))
        put(row, self.article)
        put(row, last.before[BLOCKS])
        put(row, last.before[OWN])
        put(row, self.own_links / self.own_length)
        put(row, last.before[LINKED] / last.before[LENGTH])
        put(row, last.before[REPEATED] / last.before[LENGTH])
        put(row, self.paragraphs / last.before[OWN])
        put(row, self.url_depth)


cdef object ints(given):
    return given if isinstance(given, array) else array("i", given)


# The trees


cdef struct Node:
    int place
    float threshold
    uint32_t left

cdef enum:
    # Blocks that go through the trees side by side.
    LANES = 32


cdef inline void ask(const Node* node, const float* given, uint32_t* left) noexcept:
    """Leave the leaves of some blocks that a node leaves, by the feature that it asks for."""
    cdef float threshold = node.threshold
    cdef uint32_t high = node.left
    cdef Py_ssize_t row
    for row in range(LANES):
        left[row] &= high | (<uint32_t>(given[row] > threshold) - 1)


def add_odds(const float[:, :] rows, const Node[::1] nodes, const double[:, ::1] values, double[::1] odds):
    """See :func:`scrapy_stemmer.learners.rules.scorer.add_odds_in_python`.

    All nodes of a tree are asked, which is faster than to go down: the loop over blocks has no branch.
    """
    cdef bytearray memory = bytearray(2 * rows.shape[1] * LANES * sizeof(float))
    cdef float* tile = <float*>PyByteArray_AS_STRING(memory)
    cdef uint32_t[LANES] left
    cdef float* given
    cdef float value
    cdef Py_ssize_t begin, row, feature, tree, node, count
    for begin in range(0, rows.shape[0], LANES):
        count = min(<Py_ssize_t>LANES, rows.shape[0] - begin)
        for feature in range(rows.shape[1]):
            given = tile + 2 * feature * LANES
            for row in range(count):
                value = rows[begin + row, feature]
                given[row] = -INFINITY if value != value else value
                given[row + LANES] = INFINITY if value != value else value
        node = 0
        for tree in range(values.shape[0]):
            for row in range(LANES):
                left[row] = 0xFFFFFFFFu
            while nodes[node].place >= 0:
                ask(&nodes[node], tile + nodes[node].place * LANES, left)
                node += 1
            node += 1
            for row in range(count):
                odds[begin + row] += values[tree, ((left[row] & (0 - left[row])) * <uint32_t>0x077CB531u) >> 27]
