# cython: boundscheck=False, wraparound=False, cdivision=True
"""Features of a page's blocks for the scorer, and the answers of its trees.

See :mod:`scrapy_stemmer.learners.rules.features` for each feature, and :mod:`scrapy_stemmer.learners.rules.scorer`.
Results equal the reference to the bit.
"""

from array import array
from collections import Counter

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.math cimport INFINITY, NAN, floor, fmax, fmin
from libc.stdint cimport uint8_t, uint32_t

from scrapy_stemmer._engine.keys cimport Keys
from scrapy_stemmer._engine.nodes cimport give_turn

from scrapy_stemmer._engine import turn
from scrapy_stemmer.learners.rules import features as plain
from scrapy_stemmer.learners.rules import hints
from scrapy_stemmer.learners.rules.columns import MOSTLY_LINKS

cdef double SHARE_OF_LINKS = MOSTLY_LINKS
cdef double OFTEN = plain.OFTEN
cdef double LONG = plain.LONG
cdef uint32_t SENTENCES = plain.SENTENCES
cdef double PROSE_LINK = plain.PROSE_LINK
cdef int NEAR = plain.NEAR
cdef int MOST_AWAY = plain.MOST_AWAY
cdef double STEPS = plain.STEPS
cdef double MAX_LENGTH = plain.COUNTED_LENGTH
cdef double SOFT_VALUE = plain.SOFT_VALUE
cdef double LINK_VALUE = plain.LINK_VALUE
cdef int FAR = hints.FAR
cdef int NOISE_NEAR = plain.NOISE_NEAR
cdef int CJK_LENGTH = plain.CJK_LENGTH
cdef int CHARACTERS = plain.CHARACTERS
cdef int TAG_COUNT = len(hints.TAGS)
cdef int H1 = hints.TAGS.index("h1")
cdef int P = hints.TAGS.index("p")
cdef uint32_t HEADING_TAGS = sum(1 << hints.TAGS.index(tag) for tag in plain.MAIN_HEADINGS)
cdef Py_ssize_t WIDTH = hints.WIDTH
cdef const uint8_t[::1] MENUS = bytes(plain.MENUS)
cdef const uint8_t[::1] SOFT = bytes(plain.SOFT)
cdef const uint8_t[::1] NOISE = bytes(hints.NOISE)
cdef frozenset LAST_MARKS = frozenset(plain.LAST_MARKS)

# Sums over blocks: characters, blocks, characters in links, repeated characters; own characters, neither in links nor
# repeated nor in menus and footers; weighted ones, for the region of a page; own ones of long blocks; ends of sentences;
# text without repeats and its links, own headings with their shares of links, own text in paragraphs, links, and own text
# of several sentences.
cdef enum:
    LENGTH, BLOCKS, LINKED, REPEATED, OWN, VALUE, RUNNING, ENDS
    OTHER, OTHER_LINKED, HEADINGS, HEADING_LINKS, PARAGRAPHS, LINKS, PROSE, SUMS


# Measures of texts


def measures_of(texts):
    """See :data:`scrapy_stemmer.learners.rules.scorer.measures_of`."""
    import numpy as np

    rows = np.empty((len(plain.MEASURES), len(texts)), np.uint32)
    cdef uint32_t[:, ::1] found = rows
    cdef const uint8_t[::1] kinds = plain.kinds()
    cdef Keys keys = Keys()
    cdef Py_ssize_t number, size
    cdef uint32_t spaces, ends, commas, digits, ideographs, kind
    cdef Py_UCS4 character
    cdef str text
    for number, text in enumerate(texts):
        give_turn(number, turn)
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
        found[6, number] = <uint32_t>keys.of(text)
        found[7, number] = size > 0 and text[size - 1] in LAST_MARKS
        found[8, number] = size > 0 and text[0].isupper()
    return dict(zip(plain.MEASURES, rows))


# The features of a page


def fill(facts, paths, float[:, :] columns):
    """See :data:`scrapy_stemmer.learners.rules.scorer.fill`."""
    cdef _Page page = _Page(facts, paths)
    cdef Row row
    cdef Py_ssize_t feature
    with nogil:  # the system may give all memory at once, slowly for a large page
        for feature in range(columns.shape[0]):
            columns[feature, 0] = 0
    for block in range(page.blocks):
        give_turn(block, turn)
        row.at, row.step = &columns[0, block], columns.strides[0] // sizeof(float)
        page.put_itself(&row, block)
        page.put_elements_around(&row, block)
        page.put_blocks_beside(&row, block)
        page.put_headings(&row, block)
        page.put_links_and_page(&row, block)


cdef struct Row:
    # Features of a block, filled in order.
    float* at
    Py_ssize_t step


cdef inline void put(Row* row, double value) noexcept:
    row.at[0] = <float>value
    row.at += row.step


cdef inline void put3(Row* row, double first, double second, double third) noexcept:
    put(row, first)
    put(row, second)
    put(row, third)


cdef struct Element:
    # An element: its depth, the range of its blocks; the first sibling on its path, with the number of siblings; its
    # section; the depths of the nearest elements around the title and around the longest text; the highest shares on
    # its path.
    int above, depth, first, end, like, siblings, section
    int[2] joined
    double linked, repeated


cdef struct Block:
    # A block: the last heading so far; the nearest blocks of several sentences on either side, or here; sums over the
    # blocks before.
    int element, path, shape, tag, heading, last_prose, next_prose
    bint is_heading, is_title
    double length, link, repeated, returning, own
    double[SUMS] before


cdef struct Group:
    # Sums over the blocks on a path, or of a shape.
    double[SUMS] sums


cdef class _Page:
    """A page while features are filled in.

    :ivar held: memory of arrays.
    :ivar last: entry behind all blocks.
    """

    cdef list held
    cdef int blocks, elements
    cdef Element* element
    cdef Block* block
    cdef Block* last
    cdef Group* paths
    cdef Group* shapes
    cdef int[2] named
    cdef int[3] regions
    cdef double others, article, url_depth
    cdef const uint8_t[::1] levels, times
    cdef const int[::1] element_path, same
    cdef const uint32_t[::1] words, ends, commas, digits, last_mark, capital

    def __cinit__(self, facts, paths):
        columns, text = facts.page.columns, facts.measures
        self.held = []
        self.elements, self.blocks = len(columns.parents), len(columns.elements)
        self.element = <Element*>self.room(self.elements, sizeof(Element))
        self.block = <Block*>self.room(self.blocks, sizeof(Block))
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
        """Return zeroed memory for an array and one more entry."""
        cdef bytearray made = bytearray((count + 1) * size)
        self.held.append(made)
        return PyByteArray_AS_STRING(made)

    cdef double inside(self, int element, int what) noexcept:
        """A sum over the blocks in an element."""
        cdef Element* it = &self.element[element]
        return self.block[it.end].before[what] - self.block[it.first].before[what] if it.first < it.end else 0.0

    cdef bint is_in(self, int block, int element) noexcept:
        return self.element[element].first <= block < self.element[element].end

    cdef bint any_near(self, Py_ssize_t path, const uint8_t[::1] kinds) noexcept:
        """Return True if an element of some kinds is around a path."""
        cdef Py_ssize_t kind
        for kind in range(kinds.shape[0]):
            if self.levels[path * WIDTH + kinds[kind]] < FAR:
                return True
        return False

    cdef int read_blocks(self, facts, paths) except -1:
        """Fill in the measures of each block by itself, and sums."""
        cdef const uint32_t[::1] length = facts.measures["length"], plain_length = facts.measures["plain"]
        cdef const int[::1] element = ints(facts.page.columns.elements), linked = ints(facts.page.columns.linked)
        cdef const int[::1] links = ints([place for place, _ in facts.page.columns.links]), shapes = paths.shapes
        cdef const double[::1] repeated = array("d", facts.repeated)
        cdef const uint8_t[::1] tags = paths.tags
        cdef Block* block
        cdef int number, kind, heading = -1, prose = -MOST_AWAY
        cdef bint is_repeated, is_template, is_prose
        cdef double[SUMS] sums
        keys, title_keys = facts.measures["key"].tolist(), facts.title_keys
        same = Counter(keys)
        self.same = array("i", [same[key] for key in keys])
        for number in range(links.shape[0]):
            if links[number] < self.blocks:
                self.block[links[number] + 1].before[LINKS] += 1
        for number in range(self.blocks):
            give_turn(number, turn)
            block = &self.block[number]
            block.element, block.path = element[number], self.element_path[element[number]]
            block.shape, block.tag = shapes[block.path], tags[block.path]
            block.is_title = bool(title_keys) and keys[number] in title_keys
            block.is_heading = HEADING_TAGS >> block.tag & 1
            heading = number if block.is_heading else heading
            block.heading = heading
            block.length = fmax(length[number], 1)
            block.link = floor(fmin(1.0, linked[number] / fmax(plain_length[number], 1)) * STEPS) / STEPS
            block.repeated = repeated[number] if self.others else 0.0
            block.returning = block.repeated if self.others else NAN
            is_repeated = block.repeated >= OFTEN
            is_template = is_repeated or self.any_near(block.path, MENUS)
            block.own = 0 if is_template else block.length * (1 - block.link)
            sums[LENGTH], sums[BLOCKS], sums[LINKED] = block.length, 1, block.length * block.link
            sums[REPEATED], sums[OWN] = block.length * is_repeated, block.own
            sums[VALUE] = -1.0 if is_template else SOFT_VALUE if self.any_near(block.path, SOFT) else 1.0
            sums[VALUE] *= fmin(block.length, MAX_LENGTH) * (LINK_VALUE if block.link > SHARE_OF_LINKS else 1.0)
            sums[RUNNING], sums[ENDS] = block.own * (block.length >= LONG), self.ends[number]
            sums[OTHER], sums[OTHER_LINKED] = block.length - sums[REPEATED], sums[LINKED] * (not is_repeated)
            sums[HEADINGS] = block.is_heading and not is_repeated
            sums[HEADING_LINKS], sums[PARAGRAPHS] = sums[HEADINGS] * block.link, block.own * (block.tag == P)
            sums[LINKS] = (block + 1).before[LINKS]
            is_prose = self.ends[number] >= SENTENCES and block.link < PROSE_LINK
            sums[PROSE] = sums[RUNNING] if is_prose else 0
            prose = number if sums[PROSE] > 0 else prose
            block.last_prose = prose
            for kind in range(SUMS):
                (block + 1).before[kind] = block.before[kind] + sums[kind]
                self.paths[block.path].sums[kind] += sums[kind]
                self.shapes[block.shape].sums[kind] += sums[kind]
        prose = self.blocks + MOST_AWAY
        for number in range(self.blocks - 1, -1, -1):
            block = &self.block[number]
            prose = number if block.last_prose == number else prose
            block.next_prose = prose
        return 0

    cdef int read_tree(self, const int[::1] parents, Py_ssize_t path_count) except -1:
        """Fill in the places of elements, and the number of siblings on a path.

        Elements of a path are equally deep. So no element of a second parent stands between siblings on a path.
        """
        cdef int* like = <int*>self.room(path_count, sizeof(int))
        cdef Element* it
        cdef Element* above
        cdef int number, path
        for number in range(self.elements):
            give_turn(number, turn)
            it, path = &self.element[number], self.element_path[number]
            it.first = self.blocks
            if number:
                it.above = parents[number]
                it.depth = self.element[it.above].depth + 1
            if not number or self.element[like[path]].above != it.above or not like[path]:
                like[path] = number
            it.like = like[path]
            self.element[it.like].siblings += 1
        for number in range(self.blocks):
            it = &self.element[self.block[number].element]
            it.first, it.end = min(it.first, number), number + 1
        for number in range(self.elements - 1, 0, -1):
            it = &self.element[number]
            above = &self.element[it.above]
            above.first, above.end = min(above.first, it.first), max(above.end, it.end)
        return 0

    cdef int find_named_and_regions(self) except -1:
        """Find the title, the longest own text, and the regions of the page.

        The title is a main heading with the title of the head; else any block with this text; else a main heading. A
        missing title or text has the number -1. The first region is the deepest element of the highest value, the next
        are the deepest elements with nine tenths and with half of the own text.
        """
        cdef double[3] least
        cdef double value = self.inside(0, VALUE), own = 0, held
        cdef int likeness, number, region, most = 0
        cdef Block* block
        self.named[0] = self.named[1] = -1
        for number in range(self.blocks):
            give_turn(number, turn)
            block = &self.block[number]
            likeness = 2 * block.is_title + (block.tag == H1 and (block.is_title or block.repeated < 0.5))
            if likeness > most:
                most, self.named[0] = likeness, number
            if block.own > own:
                own, self.named[1] = block.own, number
        for number in range(self.elements):
            value = fmax(value, self.inside(number, VALUE))
        least[0], least[1], least[2] = value - 1e-6, 0.9 * self.last.before[OWN], 0.5 * self.last.before[OWN]
        for number in range(self.elements):
            give_turn(number, turn)
            for region in range(3 if least[2] > 0 else 1):
                held = self.inside(number, OWN if region else VALUE)
                if held >= least[region] and self.element[number].depth > self.element[self.regions[region]].depth:
                    self.regions[region] = number
        return 0

    cdef int look_around(self) except -1:
        """Fill in the values of elements that depend on elements around."""
        cdef Element* it
        cdef Element* above
        cdef int number, by, best = self.element[self.regions[0]].depth
        cdef double length
        for number in range(1, self.elements):
            give_turn(number, turn)
            it = &self.element[number]
            above, length = &self.element[it.above], self.inside(number, LENGTH)
            it.linked = fmax(above.linked, self.inside(number, LINKED) / length)
            it.repeated = fmax(above.repeated, self.inside(number, REPEATED) / length)
            it.section = above.section if above.depth > best else number
            for by in range(2):
                it.joined[by] = it.depth if self.is_in(self.named[by], number) else above.joined[by]
        return 0

    cdef void put_itself(self, Row* row, int number) noexcept:
        """Fill in text and place of a block, and further places of its text."""
        cdef Block* block = &self.block[number]
        cdef const uint8_t* levels = &self.levels[block.path * WIDTH]
        cdef int nearest = FAR, count = 0, near = 0, level
        cdef Py_ssize_t kind
        put3(row, block.length, block.link, self.words[number])
        put3(row, min(self.ends[number], 20), 100 * self.ends[number] / block.length,
             100 * self.commas[number] / block.length)
        put(row, self.digits[number] / block.length)
        put(row, block.length / fmax(self.words[number], 1))
        put3(row, self.last_mark[number], self.capital[number], self.times[number])
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
        put3(row, nearest, count, near)
        put(row, block.returning)
        put(row, <double>(block.repeated > 0) if self.others else NAN)
        put(row, min(self.same[number], 10))
        put(row, fmin(self.others, 20))

    cdef void put_elements_around(self, Row* row, int number) noexcept:
        """Fill in the elements around a block, the regions of the page, and the blocks on its path."""
        cdef Block* block = &self.block[number]
        cdef double* path = self.paths[block.path].sums
        cdef double* shape = self.shapes[block.shape].sums
        cdef double own = self.last.before[OWN], length
        cdef int[5] up
        cdef int level, best = self.regions[0], region
        up[0] = block.element
        for level in range(1, 5):
            up[level] = self.element[up[level - 1]].above
        for level in range(1, 4):
            length = self.inside(up[level], LENGTH)
            put3(row, self.inside(up[level], LINKED) / length, self.inside(up[level], REPEATED) / length, length)
            put(row, length / self.inside(up[level], BLOCKS))
        for level in range(1, 5):
            put(row, self.inside(up[level], OWN) / own)
        put(row, self.element[up[1]].linked)
        put(row, self.element[up[1]].repeated)
        for region in self.regions:
            put(row, self.is_in(number, region))
            level = self.element[block.element].depth - self.element[region].depth
            put(row, level if self.is_in(number, region) else -1)
        self.put_section(row, number, best)
        for level in range(1, 4):
            put(row, self.inside(up[level], VALUE) / fmax(self.inside(best, VALUE), 1))
        put(row, self.inside(best, LINKED) / self.inside(best, LENGTH))
        put(row, self.inside(best, OWN) / own)
        put3(row, path[BLOCKS], path[LENGTH] / path[BLOCKS], path[LINKED] / path[LENGTH])
        put3(row, path[REPEATED] / path[LENGTH], 100 * (path[ENDS] / path[LENGTH]), path[OWN] / own)
        put(row, shape[OWN] / own)
        put(row, shape[BLOCKS])
        for level in range(4):
            put(row, self.element[self.element[up[level]].like].siblings)

    cdef void put_section(self, Row* row, int number, int region) noexcept:
        """The section around a block."""
        cdef int section = self.element[self.block[number].element].section
        cdef Element* best = &self.element[region]
        cdef Element* it = &self.element[section]
        if not self.is_in(number, region):
            put3(row, NAN, NAN, NAN)
            put3(row, NAN, NAN, NAN)
            return
        put(row, self.inside(section, OWN) / self.last.before[OWN])
        put(row, self.inside(section, LINKED) / self.inside(section, LENGTH))
        put(row, self.inside(section, LENGTH))
        put(row, it.end - it.first)
        put(row, <double>(it.first - best.first) / (best.end - best.first))
        put(row, self.block[it.first].is_heading)

    cdef void put_blocks_beside(self, Row* row, int number) noexcept:
        """Fill in the blocks before and behind a block, and its place among all."""
        cdef Block* block = &self.block[number]
        cdef Block* other
        cdef double total = self.last.before[RUNNING]
        cdef int by
        for by in range(-2, 3):
            other = &self.block[number + by]
            if by and 0 <= number + by < self.blocks:
                put3(row, other.length, other.link, other.repeated)
            elif by:
                put3(row, NAN, NAN, NAN)
            if by == 1 or by == -1:
                put(row, 0 <= number + by < self.blocks and other.path == block.path)
                put(row, <double>self.is_in(number + by, self.regions[0]) if 0 <= number + by < self.blocks else NAN)
        put(row, block.before[RUNNING] / total)
        put(row, (total - (block + 1).before[RUNNING]) / total)
        put(row, self.near(number, 5, RUNNING))
        put(row, self.near(number, 10, VALUE) / 1000)
        put3(row, <double>number / self.blocks, min(number, 200), min(self.blocks - number, 200))
        total = self.last.before[PROSE]
        put(row, block.before[PROSE] / total)
        put(row, (total - (block + 1).before[PROSE]) / total)
        put(row, min(number - block.last_prose, MOST_AWAY))
        put(row, min(block.next_prose - number, MOST_AWAY))
        self.put_run(row, self.block, block)
        self.put_run(row, block + 1, self.last)
        self.put_run(row, &self.block[max(0, number - NEAR)], block)
        self.put_run(row, block + 1, &self.block[min(self.blocks, number + NEAR + 1)])
        by = number - self.named[1]
        put(row, max(-MOST_AWAY, min(MOST_AWAY, by)) if self.named[1] >= 0 else NAN)

    cdef void put_run(self, Row* row, Block* first, Block* end) noexcept:
        """Return the mean length of a range of blocks, and the share of links."""
        cdef double length = end.before[LENGTH] - first.before[LENGTH]
        put(row, length / (end - first) if end > first else NAN)
        put(row, (end.before[LINKED] - first.before[LINKED]) / length if end > first else NAN)

    cdef double near(self, int number, int reach, int what) noexcept:
        """A sum over so many blocks on either side of a block."""
        cdef Block* low = &self.block[max(0, number - reach)]
        cdef Block* high = &self.block[min(self.blocks, number + reach + 1)]
        cdef double own = self.block[number + 1].before[what] - self.block[number].before[what]
        return high.before[what] - low.before[what] - own

    cdef void put_headings(self, Row* row, int number) noexcept:
        """Fill in the title, the headings, and the ways up and down to the title and to the longest text."""
        cdef Block* block = &self.block[number]
        cdef Block* heading = &self.block[max(0, block.heading)]
        cdef Element* it = &self.element[block.element]
        cdef Element* other
        cdef int up = block.element, by
        put(row, block.is_title)
        put(row, max(-50, min(50, number - self.named[0])) if self.named[0] >= 0 else NAN)
        if block.heading >= 0:
            put3(row, min(number - block.heading, 50), heading.returning, heading.link)
        else:
            put3(row, NAN, NAN, NAN)
        for by in range(3):
            up = self.element[up].above
            put(row, self.block[self.element[up].first].returning)
            put(row, self.block[self.element[up].first].is_heading)
        put(row, self.last.before[HEADING_LINKS] / self.last.before[HEADINGS])
        for by in range(2):
            other = &self.element[self.block[max(0, self.named[by])].element]
            put(row, it.depth - it.joined[by] if self.named[by] >= 0 else NAN)
            put(row, other.depth - it.joined[by] if self.named[by] >= 0 else NAN)

    cdef void put_links_and_page(self, Row* row, int number) noexcept:
        """Fill in the links in a block and around, and the whole page."""
        cdef double* page = self.last.before
        cdef int up = self.block[number].element, level
        put(row, self.block[number + 1].before[LINKS] - self.block[number].before[LINKS])
        for level in range(3):
            up = self.element[up].above
            put(row, self.inside(up, LINKS))
        put3(row, self.article, page[BLOCKS], page[OWN])
        put3(row, page[OTHER_LINKED] / page[OTHER], page[LINKED] / page[LENGTH], page[REPEATED] / page[LENGTH])
        put(row, page[PARAGRAPHS] / page[OWN])
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
    """Remove the leaves that a node excludes for some blocks, by the feature of the node."""
    cdef float threshold = node.threshold
    cdef uint32_t high = node.left
    cdef Py_ssize_t row
    for row in range(LANES):
        left[row] &= high | (<uint32_t>(given[row] > threshold) - 1)


def add_odds(const float[:, :] rows, const Node[::1] nodes, const double[:, ::1] values, double[::1] odds):
    """Add the log-odds of trees; see :data:`scrapy_stemmer.learners.rules.scorer.add_odds`.

    All nodes of a tree are asked. This is faster than a descent: the loop over blocks has no branch.
    """
    cdef bytearray memory = bytearray(2 * rows.shape[1] * LANES * sizeof(float))
    cdef float* tile = <float*>PyByteArray_AS_STRING(memory)
    cdef uint32_t[LANES] left
    cdef float* given
    cdef float value
    cdef Py_ssize_t begin, row, feature, tree, node, count
    for begin in range(0, rows.shape[0], LANES):
        give_turn(0, turn)
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
