# cython: boundscheck=False, wraparound=False, cdivision=True
"""Features of a page's blocks for the scorer, and the answers of its trees.

See :mod:`scrapy_stemmer.learners.rules.decide.features` for each feature, and :mod:`scrapy_stemmer.learners.rules.decide.scorer`.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport INFINITY, NAN, exp, floor, fmax, fmin, nextafterf
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memset

from scrapy_stemmer._engine.nodes cimport Buffer, give_turn, put as append, sign_at
from scrapy_stemmer._engine.page cimport Block as ReadBlock, Link, ReadPage

cdef extern from "Python.h":
    bint Py_UNICODE_ISUPPER(uint32_t sign) nogil

from scrapy_stemmer._engine import turn
from scrapy_stemmer.learners.rules.decide import features as plain
from scrapy_stemmer.learners.rules.site import hints
from scrapy_stemmer.learners.rules.site.columns import MOSTLY_LINKS

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

# Sums over blocks: characters, blocks, characters in links, repeated characters; own characters, neither in links nor
# repeated nor in menus and footers; weighted ones, for the region of a page; own ones of long blocks; ends of sentences;
# text without repeats and its links, own headings with their shares of links, own text in paragraphs, links, and own text
# of several sentences.
cdef enum:
    LENGTH, BLOCKS, LINKED, REPEATED, OWN, VALUE, RUNNING, ENDS
    OTHER, OTHER_LINKED, HEADINGS, HEADING_LINKS, PARAGRAPHS, LINKS, PROSE, SUMS


# Measures of texts

cdef enum:
    # See :data:`scrapy_stemmer.learners.rules.decide.features.MEASURES`.
    OF_PLAIN, OF_LENGTH, OF_WORDS, OF_ENDS, OF_COMMAS, OF_DIGITS, OF_KEY, OF_LAST_MARK, OF_CAPITAL, MEASURES


cdef int measure(
    const unsigned char* text, Py_ssize_t size, const uint8_t[::1] kinds, uint32_t* found, Py_ssize_t step
) except -1:
    """Fill in the measures of a text in UTF-8, except its key.

    :param step: distance of measures.
    """
    cdef const unsigned char* at = text
    cdef uint32_t spaces = 0, ends = 0, commas = 0, digits = 0, ideographs = 0, count = 0, kind = 0, sign = 0, first = 0
    while at < text + size:
        if at[0] < 128:
            sign = at[0]
            at += 1
        else:
            at += sign_at(at, &sign)
        first = sign if not count else first
        count += 1
        kind = kinds[sign] if <int>sign < CHARACTERS else 0
        spaces += kind & 1
        ends += kind >> 1 & 1
        commas += kind >> 2 & 1
        digits += kind >> 3 & 1
        ideographs += kind >> 4 & 1
    found[OF_PLAIN * step] = count - spaces
    found[OF_LENGTH * step] = count - spaces + (CJK_LENGTH - 1) * ideographs
    found[OF_WORDS * step] = spaces + 1 + ideographs
    found[OF_ENDS * step], found[OF_COMMAS * step], found[OF_DIGITS * step] = ends, commas, digits
    found[OF_LAST_MARK * step] = kind >> 5
    found[OF_CAPITAL * step] = size > 0 and Py_UNICODE_ISUPPER(first)
    return 0


cdef int measure_page(ReadPage page, uint32_t* found) except -1:
    """Fill in the measures of a page's texts, a row for each measure."""
    cdef const uint8_t[::1] kinds = plain.kinds()
    cdef Py_ssize_t number
    cdef ReadBlock* block
    for number in range(page.count):
        give_turn(number, turn)
        block = &page.blocks_()[number]
        measure(<const unsigned char*>page.said.data + block.start, block.size, kinds, &found[number], page.count)
        found[OF_KEY * page.count + number] = <uint32_t>page.key(number)
    return 0


def measures_of(ReadPage page not None):
    """See :data:`scrapy_stemmer.learners.rules.decide.scorer.measures_of`."""
    import numpy as np

    rows = np.empty((len(plain.MEASURES), page.count), np.uint32)
    cdef uint32_t[:, ::1] found = rows
    measure_page(page, &found[0, 0])
    return dict(zip(plain.MEASURES, rows))


# The features of a page


def feature_rows(which, ReadPage read not None, paths, others, title_keys, is_article, url, repeated=None):
    """See :data:`scrapy_stemmer.learners.rules.decide.scorer.feature_rows`."""
    cdef Py_ssize_t width = len(plain.FEATURE_NAMES), count = len(which), each
    if repeated is None and others:
        repeated = [read.blocks_()[each].pages / <double>others for each in range(read.count)]
    cdef _Page page = _Page(read, paths, others, repeated, title_keys)
    if not all(0 <= block < page.blocks for block in which):
        raise IndexError("there is no such block")
    rows = memoryview(bytearray(width * count * sizeof(float))).cast("f", (width, count))
    page.put_all(which, is_article, url, rows)
    return rows


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
    # A block: the number of blocks with its text; the last heading so far; the nearest blocks of several sentences on
    # either side, or here; sums over the blocks before.
    int element, path, shape, tag, same, heading, last_prose, next_prose
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
    :ivar measured: a row for each measure of the blocks' texts.
    """

    cdef list held
    cdef ReadPage read
    cdef int blocks, elements
    cdef uint32_t* measured
    cdef Element* element
    cdef Block* block
    cdef Block* last
    cdef Group* paths
    cdef Group* shapes
    cdef int[2] named
    cdef int[3] regions
    cdef double others, article, url_depth
    cdef const uint8_t[::1] levels

    def __cinit__(self, ReadPage read not None, paths, others, repeated, title_keys):
        self.held, self.read = [], read
        self.elements, self.blocks = self.read.size, self.read.count
        self.element = <Element*>self.room(self.elements, sizeof(Element))
        self.block = <Block*>self.room(self.blocks, sizeof(Block))
        self.last = &self.block[self.blocks]
        self.paths = <Group*>self.room(len(paths.tags), sizeof(Group))
        self.shapes = <Group*>self.room(len(paths.tags), sizeof(Group))
        self.levels = paths.levels
        self.others = others
        self.measured = <uint32_t*>self.room(MEASURES * self.blocks, sizeof(uint32_t))
        measure_page(self.read, self.measured)
        self.count_same()
        self.read_blocks(paths, repeated, title_keys)
        self.read_tree(len(paths.tags))
        self.find_named_and_regions()
        self.look_around()

    cdef put_all(self, which, bint is_article, url, float[:, :] columns):
        """Fill in the features of some blocks, a column for each."""
        cdef Row row
        cdef Py_ssize_t at
        cdef int block
        self.article, self.url_depth = is_article, plain.url_depth(url)
        for at, block in enumerate(which):
            give_turn(at, turn)
            row.at, row.step = &columns[0, at], columns.strides[0] // sizeof(float)
            self.put_itself(&row, block)
            self.put_elements_around(&row, block)
            self.put_blocks_beside(&row, block)
            self.put_headings(&row, block)
            self.put_links_and_page(&row, block)

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

    cdef inline uint32_t of(self, int measure, Py_ssize_t block) noexcept:
        """Return a measure of a block's text."""
        return self.measured[measure * self.blocks + block]

    cdef int count_same(self) except -1:
        """Count the blocks with the key of each block."""
        cdef dict first = {}
        cdef Py_ssize_t each, at
        for each in range(self.blocks):
            at = first.setdefault(self.of(OF_KEY, each), each)
            self.block[each].heading = <int>at  # the first of them, for now
            self.block[at].same += 1
        for each in range(self.blocks):
            self.block[each].same = self.block[self.block[each].heading].same
        return 0

    cdef int read_blocks(self, paths, repeated, title_keys) except -1:
        """Fill in the measures of each block by itself, and sums."""
        cdef const int[::1] shapes = paths.shapes
        cdef const uint8_t[::1] tags = paths.tags
        cdef Link* links = <Link*>self.read.link_data.data
        cdef Block* block
        cdef ReadBlock* own
        cdef Py_ssize_t each
        cdef int number, kind, heading = -1, prose = -MOST_AWAY
        cdef bint is_repeated, is_template, is_prose
        cdef double[SUMS] sums
        for each in range(<Py_ssize_t>(self.read.link_data.size // sizeof(Link))):
            if links[each].before < self.blocks:
                self.block[links[each].before + 1].before[LINKS] += 1
        for number in range(self.blocks):
            give_turn(number, turn)
            block, own = &self.block[number], &self.read.blocks_()[number]
            block.element, block.path = own.element, self.read.path(number)
            block.shape, block.tag = shapes[block.path], tags[block.path]
            block.is_title = bool(title_keys) and self.of(OF_KEY, number) in title_keys
            block.is_heading = HEADING_TAGS >> block.tag & 1
            heading = number if block.is_heading else heading
            block.heading = heading
            block.length = fmax(self.of(OF_LENGTH, number), 1)
            block.link = floor(fmin(1.0, own.linked / fmax(self.of(OF_PLAIN, number), 1)) * STEPS) / STEPS
            block.repeated = repeated[number] if self.others else 0.0
            block.returning = block.repeated if self.others else NAN
            is_repeated = block.repeated >= OFTEN
            is_template = is_repeated or self.any_near(block.path, MENUS)
            block.own = 0 if is_template else block.length * (1 - block.link)
            sums[LENGTH], sums[BLOCKS], sums[LINKED] = block.length, 1, block.length * block.link
            sums[REPEATED], sums[OWN] = block.length * is_repeated, block.own
            sums[VALUE] = -1.0 if is_template else SOFT_VALUE if self.any_near(block.path, SOFT) else 1.0
            sums[VALUE] *= fmin(block.length, MAX_LENGTH) * (LINK_VALUE if block.link > SHARE_OF_LINKS else 1.0)
            sums[RUNNING], sums[ENDS] = block.own * (block.length >= LONG), self.of(OF_ENDS, number)
            sums[OTHER], sums[OTHER_LINKED] = block.length - sums[REPEATED], sums[LINKED] * (not is_repeated)
            sums[HEADINGS] = block.is_heading and not is_repeated
            sums[HEADING_LINKS], sums[PARAGRAPHS] = sums[HEADINGS] * block.link, block.own * (block.tag == P)
            sums[LINKS] = (block + 1).before[LINKS]
            is_prose = self.of(OF_ENDS, number) >= SENTENCES and block.link < PROSE_LINK
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

    cdef int read_tree(self, Py_ssize_t path_count) except -1:
        """Fill in the places of elements, and the number of siblings on a path.

        Elements of a path are equally deep. So no element of a second parent stands between siblings on a path.
        """
        cdef int* like = <int*>self.room(path_count, sizeof(int))
        cdef Element* it
        cdef Element* above
        cdef int number, path
        for number in range(self.elements):
            give_turn(number, turn)
            it, path = &self.element[number], self.read.elements_()[number].path
            it.first = self.blocks
            if number:
                it.above = self.read.elements_()[number].parent
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
        put3(row, block.length, block.link, self.of(OF_WORDS, number))
        put3(row, min(self.of(OF_ENDS, number), 20), 100 * self.of(OF_ENDS, number) / block.length,
             100 * self.of(OF_COMMAS, number) / block.length)
        put(row, self.of(OF_DIGITS, number) / block.length)
        put(row, block.length / fmax(self.of(OF_WORDS, number), 1))
        put3(row, self.of(OF_LAST_MARK, number), self.of(OF_CAPITAL, number), self.read.blocks_()[number].has_time)
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
        put(row, min(block.same, 10))
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


# The trees


cdef struct Node:
    # A node of a tree: the highest value that goes low, the leaves left if the value goes high, the number of the tree,
    # and twice the number of the feature, one more where missing values go high.
    float threshold
    uint32_t left
    int tree, place

cdef enum:
    LANES = 8  # blocks that go through the trees side by side
    LEAVES = 32  # of a tree, at most

cdef extern from *:
    """
    #if defined(__GNUC__) && defined(__x86_64__)
    #define WIDE_INT __attribute__((target("avx2"), flatten)) int
    #define IS_WIDE __builtin_cpu_supports("avx2")
    #else
    #define WIDE_INT int
    #define IS_WIDE 0
    #endif
    #ifdef _MSC_VER
    #include <intrin.h>
    static __inline int lowest_bit(unsigned int bits) {
        unsigned long found;
        _BitScanForward(&found, bits);
        return (int)found;
    }
    #else
    #define lowest_bit(bits) __builtin_ctz(bits)
    #endif
    #ifdef __GNUC__
    typedef float Floats __attribute__((vector_size(32), aligned(4), may_alias));
    typedef unsigned int Bits __attribute__((vector_size(32), aligned(4), may_alias));
    static inline void exclude(unsigned int* left, const float* given, float t, unsigned int h) {
        Floats threshold = {t, t, t, t, t, t, t, t};
        Bits high = {h, h, h, h, h, h, h, h};
        *(Bits*)left &= high | ~(Bits)(*(const Floats*)given > threshold);
    }
    #else
    static void exclude(unsigned int* left, const float* given, float threshold, unsigned int high) {
        int row;
        for (row = 0; row < 8; row++) left[row] &= high | ((unsigned int)(given[row] > threshold) - 1);
    }
    #endif
    """
    ctypedef int WideInt "WIDE_INT"  # of a function for processors that compare eight numbers at once
    bint IS_WIDE
    int lowest_bit(uint32_t bits) noexcept nogil
    # Remove the leaves that a node excludes for eight blocks.
    void exclude(uint32_t* left, const float* given, float threshold, uint32_t high) noexcept nogil

cdef struct Forest:
    # Trees: their nodes, where those of a feature start, and values of leaves; for each tree the leaves left of a block.
    const Node* nodes
    const int* starts
    const double* values
    uint32_t* left
    Py_ssize_t trees, width


cdef inline int ask(Forest* forest, const float* rows, Py_ssize_t step, Py_ssize_t count, double* sums) noexcept nogil:
    """Add the values of the leaves of some blocks.

    Nodes are asked up to the highest value of the blocks.

    :param step: distance of features in the rows.
    """
    cdef float[LANES] given
    cdef const Node* node
    cdef const Node* end
    cdef uint32_t* left = forest.left
    cdef Py_ssize_t place, row, tree
    cdef float highest, missing, value
    memset(left, 0xFF, LANES * forest.trees * sizeof(uint32_t))
    for place in range(2 * forest.width):
        node, end = forest.nodes + forest.starts[place], forest.nodes + forest.starts[place + 1]
        if node == end:
            continue
        missing, highest = INFINITY if place & 1 else -INFINITY, -INFINITY
        for row in range(LANES):
            value = rows[(place >> 1) * step + (row if row < count else 0)]
            given[row] = value if value == value else missing
        for row in range(LANES):
            highest = given[row] if given[row] > highest else highest
        while node < end and node.threshold < highest:
            exclude(forest.left + node.tree * LANES, given, node.threshold, node.left)
            node += 1
    left = forest.left
    for tree in range(forest.trees):
        for row in range(count):
            sums[row] += forest.values[tree * LEAVES + lowest_bit(left[row])]
        left += LANES
    return 0


cdef WideInt ask_wide(
    Forest* forest, const float* rows, Py_ssize_t step, Py_ssize_t count, double* sums
) noexcept nogil:
    """See :func:`ask`."""
    return ask(forest, rows, step, count, sums)


cdef class Trees:
    """See :data:`scrapy_stemmer.learners.rules.decide.scorer.trees_of`."""

    cdef Forest forest
    cdef Buffer nodes, leaves
    cdef int* starts

    def __init__(self, list trees not None, Py_ssize_t features, int most_leaves):
        cdef Py_ssize_t leaves
        cdef int number
        if most_leaves > LEAVES:
            raise ValueError("there is no room for so many leaves")
        for number, tree in enumerate(trees):
            leaves = 0
            self.read(tree, features, number, most_leaves, &leaves)
            while leaves < LEAVES:
                self.put_leaf(0.0, &leaves)
        self.arrange(features)

    def __reduce__(self):
        nodes = PyBytes_FromStringAndSize(self.nodes.data, self.nodes.size) if self.nodes.size else b""
        leaves = PyBytes_FromStringAndSize(self.leaves.data, self.leaves.size) if self.leaves.size else b""
        return copied_trees, (nodes, leaves, self.forest.width)

    cdef int arrange(self, Py_ssize_t features) except -1:
        """Sort the nodes, and find the first node of each feature."""
        cdef Py_ssize_t place, at = 0, count = self.nodes.size // sizeof(Node)
        cdef Node* node = <Node*>self.nodes.data
        if count:
            qsort(node, count, sizeof(Node), in_order)
        self.starts = <int*>malloc((2 * features + 1) * sizeof(int))
        if self.starts is NULL:
            raise MemoryError
        for place in range(2 * features + 1):
            while at < count and node[at].place < place:
                at += 1
            self.starts[place] = <int>at
        self.forest.nodes, self.forest.starts, self.forest.values = node, self.starts, <double*>self.leaves.data
        self.forest.trees, self.forest.width = self.leaves.size // (LEAVES * sizeof(double)), features
        return 0

    def __dealloc__(self):
        free(self.nodes.data)
        free(self.leaves.data)
        free(self.starts)

    cdef int put_leaf(self, double value, Py_ssize_t* leaves) except -1:
        append(&self.leaves, <const char*>&value, sizeof(double))
        leaves[0] += 1
        return 0

    cdef int read(
        self, tree, Py_ssize_t features, int number, int most_leaves, Py_ssize_t* leaves, int around=0
    ) except -1:
        """Add the nodes of a tree below some other nodes, and its leaves from the lowest on."""
        cdef Node node
        cdef double given
        cdef Py_ssize_t before = leaves[0]
        if before + around >= most_leaves:
            raise ValueError(f"a tree has more than {most_leaves} leaves")
        if isinstance(tree, (int, float)):
            return self.put_leaf(tree, leaves)
        if not (isinstance(tree, list) and len(tree) == 5 and tree[2] in (0, 1)):
            raise ValueError(f"{str(tree)[:60]} is neither a number nor [feature, threshold, missing, low, high]")
        feature, threshold, missing, low, high = tree
        if feature not in range(features) or not isinstance(threshold, (int, float)):
            raise ValueError(f"{str(tree)[:60]} begins with no known feature and a threshold")
        given = threshold
        if given != given:
            raise ValueError("a threshold is no number")
        node.threshold = <float>given  # rows have single precision: rounded down to it
        if node.threshold > given:
            node.threshold = nextafterf(node.threshold, -INFINITY)
        node.place, node.tree = int(2 * feature + missing), number
        self.read(low, features, number, most_leaves, leaves, around + 1)
        node.left = ~<uint32_t>((<unsigned long long>1 << leaves[0]) - (<unsigned long long>1 << before))
        append(&self.nodes, <const char*>&node, sizeof(Node))
        return self.read(high, features, number, most_leaves, leaves, around)

    def add(self, const float[:, ::1] rows, double[::1] odds):
        """Add the log-odds of trees, in a loop over blocks without a branch: faster than a descent."""
        cdef Py_ssize_t begin, row, count, blocks = rows.shape[1]
        cdef bytearray memory = bytearray(LANES * self.forest.trees * sizeof(uint32_t))
        cdef double[LANES] sums
        cdef Forest forest = self.forest
        if rows.shape[0] < forest.width or odds.shape[0] != blocks:
            raise ValueError("a row is wanted for each feature, and a sum for each block")
        if not forest.trees:
            return
        forest.left = <uint32_t*>PyByteArray_AS_STRING(memory)
        for begin in range(0, blocks, LANES):
            if begin % (8 * LANES) == 0:
                give_turn(0, turn)
            count = min(<Py_ssize_t>LANES, blocks - begin)
            for row in range(LANES):
                sums[row] = odds[begin + row] if row < count else 0
            (ask_wide if IS_WIDE else ask)(&forest, &rows[0, begin], blocks, count, sums)
            for row in range(count):
                odds[begin + row] = sums[row]


def copied_trees(bytes nodes, bytes leaves, Py_ssize_t features):
    """Return a copy of trees."""
    cdef Trees copy = Trees([], 0, LEAVES)
    free(copy.starts)
    copy.starts = NULL
    append(&copy.nodes, nodes, len(nodes))
    append(&copy.leaves, leaves, len(leaves))
    copy.arrange(features)
    return copy


cdef int in_order(const void* one, const void* other) noexcept nogil:
    """Compare nodes by feature, by the side that missing values take, then by threshold, leaves and tree."""
    cdef const Node* first = <const Node*>one
    cdef const Node* second = <const Node*>other
    if first.place != second.place:
        return -1 if first.place < second.place else 1
    if first.threshold != second.threshold:
        return -1 if first.threshold < second.threshold else 1
    if first.left != second.left:
        return -1 if first.left < second.left else 1
    return first.tree - second.tree


# The cut

cdef struct Ranked:
    # A block: its part of the text by its probability, and the expected F1 if it is the last one kept.
    double odds, length, part, expected
    Py_ssize_t number


cdef int by_odds(const void* one, const void* other) noexcept nogil:
    """Compare blocks by falling log-odds, then by number."""
    cdef const Ranked* first = <const Ranked*>one
    cdef const Ranked* second = <const Ranked*>other
    if first.odds != second.odds:
        return -1 if first.odds > second.odds else 1
    return -1 if first.number < second.number else 1


def best_cut(odds, lengths, errors):
    """See :data:`scrapy_stemmer.learners.rules.decide.scorer.best_cut`."""
    cdef Py_ssize_t count = len(lengths), each
    cdef Ranked* ranked = <Ranked*>malloc((count + 1) * sizeof(Ranked))
    cdef Ranked* best = ranked
    cdef double error, weight, right, text, total
    if ranked is NULL:
        raise MemoryError
    try:
        for each, (value, length) in enumerate(zip(odds, lengths, strict=True)):
            ranked[each].odds, ranked[each].length, ranked[each].number, ranked[each].expected = value, length, each, 0
        qsort(ranked, count, sizeof(Ranked), by_odds)
        for error, weight in errors:
            text = right = total = 0
            for each in range(count):
                ranked[each].part = ranked[each].length / (1 + exp(-ranked[each].odds - error))
                text += ranked[each].part
            for each in range(count):
                right += ranked[each].part
                total += ranked[each].length
                ranked[each].expected += weight * (2 * right / (total + text))
        for each in range(count):
            if ranked[each].expected > best.expected:
                best = &ranked[each]
        return best.expected, 1 / (1 + exp(-best.odds))
    finally:
        free(ranked)
