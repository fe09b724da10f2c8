# cython: boundscheck=False, wraparound=False
"""Blocks of a page as plain text; see :mod:`scrapy_stemmer.writing.plain_text`.

A block's line begins as the lists, quotes and definitions around it say. Blocks of a row, or of code, are written
together. Plain code is read here, further code by :func:`code_of`.
"""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport free
from libc.string cimport memset

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlNode

from scrapy_stemmer._engine.nodes cimport give_turn, node_of, put, resized
from scrapy_stemmer._engine.page cimport Block, ReadPage, line_text
from scrapy_stemmer._engine.tree cimport *

from bisect import bisect_left
from functools import partial

from scrapy_stemmer._engine import turn
from scrapy_stemmer.writing.code import code_of, is_code_table
from scrapy_stemmer.page.text import SOFT_HYPHEN

cetree.import_lxml__etree()

cdef enum:
    DEPTH = 12  # lists and quotes in each other that are seen in a line
    MAX_TEXT_CELL = 300  # characters of a cell within a row; a longer cell is a column of a layout
    LAYOUT = 100  # least characters of several blocks in a cell that are a column of a layout

cdef str BETWEEN_CELLS = " | "


cdef struct Place:
    # Where a node is: in an item, a quote or a definition; in the outermost possible code, or else the innermost row; in a
    # cell of the row. -1 without.
    int box
    int whole
    int cell
    bint is_known


def text_of_blocks(_Element root not None, list blocks not None, units=None):
    """Return the text of blocks, each with its text, places, and whether white space counts."""
    cdef _Layout layout = _Layout(root, units)
    cdef Py_ssize_t block
    layout.read_tree()
    for block, (text, places, is_spaced) in enumerate(blocks):
        give_turn(block + 1, turn)
        pieces = [2 * layout.number_of(node_of(element)) + is_tail for element, is_tail in places]
        layout.blocks.append(pieces)
        layout.add(block, text, layout.holder_of(pieces[0]), is_spaced)
    return layout.text()


def page_text(
    _Element body not None, ReadPage page not None, list asked not None, list runs, bint has_tasks,
    units=None, parted=(),
):
    """See :data:`scrapy_stemmer.writing.plain_text.page_text`."""
    cdef _Layout layout = _Layout(body, units)
    cdef Py_ssize_t block, run = 0, count = len(runs), step = 0
    cdef Block* own
    layout.page, layout.runs, layout.has_tasks = page, runs, has_tasks
    if parted:
        layout.parted = {<uintptr_t>node_of(element) for element in parted}
    for block in asked:
        step += 1
        give_turn(step, turn)
        own = page.checked(block)
        while run < count and <Py_ssize_t>runs[run][0] <= block:
            layout.add_sign(run)
            run += 1
        if units is None and not own.is_spaced and not page.path_at(block).is_shaped:
            layout.flush()
            layout.lines.append(line_text(page.text_of(block)))
        else:
            layout.add(block, line_text(page.text_of(block)), layout.node_at(own.element), own.is_spaced)
    while run < count:
        layout.add_sign(run)
        run += 1
    return layout.text()


cdef class _Layout(Tree):
    """Lines of text, as blocks are added.

    :ivar page: the page with the blocks, ``None`` for other trees.
    :ivar blocks: the pieces of the blocks of other trees.
    :ivar runs: signs among the blocks, which have numbers below 0.
    :ivar top: the element whose nodes are read for the first block that may be more than a line.
    :ivar lines: finished lines.
    :ivar whole: open row or code, -1 without.
    :ivar group: blocks of the row or code, with number, cell, text and line.
    :ivar start: beginning of the row's line.
    :ivar places: the place of each node, once asked for.
    :ivar item_numbers: the numbers of the items of ordered lists, once asked for.
    :ivar begun: whether an item, a quote or a definition has a line.
    :ivar parted: elements with a space behind, which the tree lacks.
    """

    cdef ReadPage page
    cdef _Element top
    cdef list blocks, group, runs, lines
    cdef object units
    cdef set tables, parted
    cdef dict item_numbers
    cdef str start
    cdef int whole
    cdef Place* places
    cdef unsigned char* begun
    cdef bint has_tasks

    def __cinit__(self, _Element top, units):
        self.top, self.units, self.has_tasks = top, units, True
        self.blocks, self.group, self.lines = [], [], []
        self.tables, self.item_numbers = set(), {}
        self.start, self.whole = "", -1

    cdef int read_tree(self) except -1:
        if self.count:
            return 0
        self.document = self.top._doc
        self.read(node_of(self.top))
        self.places = <Place*>resized(NULL, self.count * sizeof(Place))
        self.begun = <unsigned char*>resized(NULL, self.count)
        memset(self.places, 0, self.count * sizeof(Place))
        memset(self.begun, 0, self.count)
        self.places[0].box = self.places[0].whole = self.places[0].cell = -1
        self.places[0].is_known = True  # the body, whatever its name
        return 0

    def __dealloc__(self):
        free(self.places)
        free(self.begun)

    # Lines

    cdef str text(self):
        """Return all lines."""
        self.flush()
        return "\n".join(self.lines)

    cdef int node_at(self, int element) except -2:
        """Return the number of the node of a page's element, -1 for one lost from the tree since."""
        cdef int number = self.page.elements_()[element].number
        self.read_tree()
        return number if 0 <= number < self.count else -1

    cdef int add(self, Py_ssize_t number, str text, int node, bint is_spaced) except -1:
        """Add a block, or signs, in a node."""
        cdef Place* place = self.place_of(node)
        cdef int whole = place.whole
        cdef str line
        if whole != self.whole:
            self.flush()
        if self.units is not None:
            text = self.units.text_of(self.pieces_in_tree(number), is_spaced)
        elif is_spaced:
            text = self.spaced_text(number)
        if not text:
            return 0
        if whole != self.whole and whole >= 0:
            self.start = self.start_of(self.places[whole].box)
        line = self.start_of(place.box) + text
        self.begin(place.box)
        if whole < 0:
            self.lines.append(line)
        else:
            self.whole = whole
            self.group.append((number, place.cell, text, line))
        return 0

    cdef int add_sign(self, Py_ssize_t run) except -1:
        """Add a run of signs."""
        _, element, _, text, is_spaced = self.runs[run]
        return self.add(-1 - run, line_text(text), self.node_at(element), is_spaced)

    cdef object pieces_of(self, Py_ssize_t number):
        """Return the pieces of a block or of signs."""
        if self.page is None:
            return self.blocks[number]
        return self.page.pieces_of(number) if number >= 0 else self.runs[-1 - number][2]

    cdef int holder_of(self, Py_ssize_t piece) noexcept:
        """Return the number of the node with a piece, -1 for a piece lost from the tree."""
        if not 0 <= piece >> 1 < self.count:
            return -1
        return self.nodes[piece >> 1].parent if piece & 1 else <int>(piece >> 1)

    cdef list pieces_in_tree(self, Py_ssize_t number):
        """Return the places of a block's text, without places lost from the tree."""
        cdef list places = []
        cdef Py_ssize_t piece
        for piece in self.pieces_of(number):
            if 0 <= piece >> 1 < self.count:
                places.append((self.element_of(<int>(piece >> 1)), bool(piece & 1)))
        return places

    cdef str spaced_text(self, Py_ssize_t number):
        """Return the text of a block with its white space."""
        cdef xmlNode* node
        self.scratch.size = 0
        for element, is_tail in self.pieces_in_tree(number):
            node = node_of(element)
            if is_tail:
                self.read_run(node.next)
                if self.parted is not None and <uintptr_t>node in self.parted:
                    put(&self.scratch, " ", 1)
            elif node.type == tree.XML_ELEMENT_NODE:
                self.read_run(node.children)
        return self.found_text().replace(SOFT_HYPHEN, "").strip("\n").rstrip()

    cdef str start_of(self, int box):
        """Return the beginning of the next line in a box: the mark of an item without a line so far, and indents."""
        cdef str start = "", mark
        cdef int step
        cdef bint is_innermost = True
        for step in range(DEPTH):
            if box < 0:
                break
            mark = self.mark_of(box)
            if self.nodes[box].tag == TAG_LI:
                if is_innermost and not self.begun[box]:
                    mark += self.task_mark(box)
                else:
                    mark = " " * len(mark)
                is_innermost = False
            start = mark + start
            box = self.places[self.nodes[box].parent].box
        return start

    cdef int begin(self, int box) noexcept:
        """Note the beginning of a line in the boxes around."""
        while box >= 0 and not self.begun[box]:
            self.begun[box] = True
            box = self.places[self.nodes[box].parent].box
        return 0

    cdef str mark_of(self, int box):
        """Return the mark of an item, a quote, a definition, or a list right in a list, indented as if in an item."""
        cdef int tag = self.nodes[box].tag, parent = self.nodes[box].parent
        cdef bint is_numbered = self.nodes[parent].tag == TAG_OL
        if tag == TAG_BLOCKQUOTE:
            return "> "
        if tag != TAG_LI:
            return "    " if tag == TAG_DD else "   " if is_numbered else "  "
        if not is_numbered:
            return "- "
        if box not in self.item_numbers:
            self.number_items(parent, self.item_numbers)
        return f"{label_of(self.item_numbers[box], self.form_of(parent))}. "

    cdef str task_mark(self, int item):
        cdef int box, state = self.task_of(item, &box) if self.has_tasks else 0
        return "" if not state else "[ ] " if state == 1 else "[x] "

    cdef int flush(self) except -1:
        """Write the lines of the open row or code."""
        cdef int whole = self.whole
        cdef list group = self.group
        cdef str text
        if whole < 0:
            return 0
        self.whole, self.group = -1, []
        if self.nodes[whole].tag == TAG_TR:
            text = self.row_of(whole, group)
            if text:
                self.lines.append(text)
                return 0
        else:
            text = self.code_in(whole, group)
            if text is not None:
                text = text.replace("\r\n", "\n").strip("\n").rstrip()
                if text:
                    self.lines.append(text)
                return 0
        for _, _, _, line in group:
            self.lines.append(line)
        return 0

    # Places

    cdef Place* place_of(self, int node) except NULL:
        """Return the place of a node; of the body without a node."""
        cdef list inside = []
        cdef int inner = max(node, 0)
        while not self.places[inner].is_known:
            inside.append(inner)
            inner = self.nodes[inner].parent
        while inside:
            inner = inside.pop()
            self.places[inner] = self.places[self.nodes[inner].parent]
            self.set_place(inner, &self.places[inner])
        return &self.places[inner]

    cdef int set_place(self, int node, Place* place) except -1:
        """Set the place of a node, so far that of its parent."""
        cdef int tag = self.nodes[node].tag, parent = self.nodes[node].parent
        if tag == TAG_LI or tag == TAG_BLOCKQUOTE or (self.is_a(node, LIST) and self.is_a(parent, LIST)):
            place.box = node
        elif tag == TAG_DD:
            if self.nodes[parent].tag != TAG_DD:  # libxml2 puts a definition without an end tag around the next one
                place.box = node
        elif place.whole >= 0 and self.nodes[place.whole].tag != TAG_TR:
            pass
        elif tag == TAG_TR:
            place.whole, place.cell = node, -1
        elif self.is_a(node, CELL):
            place.cell = node
        elif tag == TAG_PRE:
            if place.cell < 0 or not self.is_one_line(node):
                place.whole = node
        elif tag == TAG_TABLE and self.may_be_code(node) and is_code_table(self.element_of(node)):
            place.whole = node
        return 0

    # Rows of tables

    cdef str row_of(self, int row, list group):
        """Return the cells of a row on a line, "" for cells that need lines of their own."""
        cdef dict cells = {}
        cdef int cell = self.first_in(row), table
        cdef str text
        cdef list texts
        while cell >= 0:
            if self.is_a(cell, CELL):
                cells[cell] = ""
            cell = self.behind(cell)
        for _, number, own, line in group:
            if number not in cells or "\n" in <str>line:
                return ""
            text = <str>cells[number]
            cells[number] = f"{text} {own}" if text else own
        table = self.around(row, TAG_TABLE)
        if self.is_layout(row, table) and len(group) > len({number for _, number, _, _ in group}):
            if max(map(len, cells.values())) > LAYOUT:
                return ""
        texts = [text or self.signs_of(number) for number, text in cells.items()]
        # One that is alone is said by its column where others have several cells.
        if len(texts) - texts.count("") < 2 and (texts[0] or len(group) > 1 or table not in self.tables):
            return ""
        for text in texts:
            if len(text) > MAX_TEXT_CELL:
                return ""
        self.tables.add(table)
        while not texts[len(texts) - 1]:
            texts.pop()
        return self.start + BETWEEN_CELLS.join(texts)

    cdef bint is_layout(self, int row, int table) noexcept:
        """Return True for the only row of a table, without a head."""
        cdef int node
        for node in range(max(table, 0), self.nodes[max(table, row)].end):
            if self.nodes[node].tag == TAG_TH or (self.nodes[node].tag == TAG_TR and node != row):
                return False
        return table >= 0

    cdef str signs_of(self, int cell):
        """Return the signs in a cell, "" for a cell with words, or lines of its own."""
        cdef int number
        for number in range(cell, self.nodes[cell].end):
            if self.is_a(number, NO_CELL):
                return ""
        return self.signs_in(cell) or ""

    # Code

    cdef str code_in(self, int whole, list group):
        """Return the text of code, ``None`` without code."""
        cdef bint has_links
        if self.nodes[whole].tag == TAG_PRE and self.read_plain_code(whole, &has_links):
            return self.found_text()
        code = code_of(self.element_of(whole), partial(self.holds, self.holders_of(group)))
        return None if code is None else code.text

    cdef list holders_of(self, list group):
        """Return the sorted numbers of the nodes that hold the text of some blocks."""
        return sorted({self.holder_of(piece) for block, *_ in group for piece in self.pieces_of(block)} - {-1})

    def holds(self, list holders not None, _Element element not None):
        """Return True if an element in code holds text of its blocks."""
        cdef int number = self.number_of(node_of(element))
        cdef Py_ssize_t first = bisect_left(holders, number)
        return 0 <= number and first < len(holders) and holders[first] < self.nodes[number].end
