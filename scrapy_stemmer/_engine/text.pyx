# cython: boundscheck=False, wraparound=False
"""Blocks of a page as plain text; see :mod:`scrapy_stemmer.writing.plain_text`.

A block's line begins as the lists, quotes and definitions around it say. Blocks of a row, or of code, are written
together. Plain code is read here, further code by :func:`code_of`.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport uintptr_t
from libc.stdlib cimport free
from libc.string cimport memmove, memset

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlNode

from scrapy_stemmer._engine.nodes cimport Buffer, give_turn, is_ascii, node_of, number_in, put, resized
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
    # Kinds of parts of a line's beginning: spaces, a hyphen, a number, the mark of a quote.
    SPACES = 0
    HYPHEN = 1
    NUMBER = 2
    QUOTED = 3

cdef str BETWEEN_CELLS = " | "


cdef struct Part:
    # A part of a line's beginning, for a list, a quote or a definition.
    short kind
    char box  # 1 for an open task, 2 for a finished task
    char form  # of a number: the type of the list, 0 without
    int value


cdef struct Parts:
    int size
    Part[DEPTH] parts


cdef struct Shape:
    # Form of a text by the elements around: the outermost possible code, or else the innermost row, -1 without either;
    # the cell of the row; the items of lists; beginnings of the first line and of further lines in the innermost item.
    int whole
    int cell
    int items_size
    int[DEPTH] items
    Parts firsts
    Parts others


def text_of_blocks(_Element root not None, list blocks not None, units=None):
    """Return the text of blocks, each with its text, places, and whether white space counts."""
    cdef _Layout layout = _Layout(root, units)
    cdef Py_ssize_t block
    layout.blocks = blocks
    for block, (text, places, is_spaced) in enumerate(blocks):
        give_turn(block + 1, turn)
        element, is_tail = places[0]
        layout.add(block, text, layout.number_of(node_of(element.getparent() if is_tail else element)), is_spaced)
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
        if units is not None or own.is_spaced:
            layout.add(block, line_text(page.text_of(block)), layout.node_at(own.element), own.is_spaced)
        else:
            layout.add_block(block, own, page.path_at(block).is_shaped)
    while run < count:
        layout.add_sign(run)
        run += 1
    return layout.text()


cdef class _Layout(Tree):
    """Lines of text, as blocks are added.

    :ivar page: the page with the blocks, ``None`` for other trees.
    :ivar blocks: the blocks of other trees.
    :ivar runs: signs among the blocks, which have numbers below 0.
    :ivar lines: finished lines, each behind a line break.
    :ivar whole: open row or code, -1 without.
    :ivar group: blocks of the row or code, with number, cell, text and line.
    :ivar start: beginning of the row's line.
    :ivar shape_at: number of each node's shape, -1 before the first question; 0 for plain lines.
    :ivar numbered: the ordered lists whose items have their numbers in :attr:`marks`.
    :ivar parted: elements with a space behind, which the tree lacks.
    """

    cdef ReadPage page
    cdef list blocks, group, runs
    cdef Buffer lines
    cdef object units
    cdef set tables, numbered, parted
    cdef str start
    cdef int whole
    cdef Shape* shapes
    cdef int shapes_size, shapes_room
    cdef int* shape_at
    cdef int* marks
    cdef unsigned char* begun
    cdef bint has_tasks

    def __cinit__(self, _Element top, units):
        self.units, self.has_tasks = units, True
        self.group, self.tables, self.numbered, self.start, self.whole = [], set(), set(), "", -1
        self.document = top._doc
        self.read(node_of(top))
        self.shape_at = <int*>resized(NULL, self.count * sizeof(int))
        self.marks = <int*>resized(NULL, self.count * sizeof(int))
        self.begun = <unsigned char*>resized(NULL, self.count)
        self.shapes = <Shape*>resized(NULL, 8 * sizeof(Shape))
        memset(self.shape_at, 0xFF, self.count * sizeof(int))
        memset(self.begun, 0, self.count)
        memset(self.shapes, 0, sizeof(Shape))
        self.shapes_size, self.shapes_room = 1, 8
        self.shapes[0].whole = self.shapes[0].cell = -1
        self.shape_at[0] = 0  # the body, whatever its name

    def __dealloc__(self):
        free(self.lines.data)
        free(self.shapes)
        free(self.shape_at)
        free(self.marks)
        free(self.begun)

    # Lines

    cdef str text(self):
        """Return all lines."""
        self.flush()
        return PyUnicode_DecodeUTF8(self.lines.data + 1, self.lines.size - 1, NULL) if self.lines.size > 1 else ""

    cdef int put_line(self, str line) except -1:
        cdef Py_ssize_t size
        cdef const char* text = PyUnicode_AsUTF8AndSize(line, &size)
        put(&self.lines, "\n", 1)
        return put(&self.lines, text, size)

    cdef int add_block(self, Py_ssize_t number, Block* block, bint is_shaped) except -1:
        """Add a block of a page in which white space does not count."""
        cdef const char* text = self.page.said.data + block.start
        cdef int node = self.node_at(block.element) if is_shaped else -1, shape = self.shape_of(node)
        if self.shapes[shape].whole >= 0 or not is_ascii(text, block.size):
            return self.add(number, line_text(self.page.text_of(number)), node, False)
        self.flush()
        self.put_line(self.start_of(shape))
        self.begin(shape)
        return put(&self.lines, text, block.size)

    cdef int node_at(self, int element) noexcept:
        """Return the number of the node of a page's element, -1 for one lost from the tree since."""
        cdef int number = self.page.elements_()[element].number
        return number if 0 <= number < self.count else -1

    cdef void begin(self, int shape) noexcept:
        """Note the beginning of a line in its items."""
        cdef int item
        for item in range(self.shapes[shape].items_size):
            self.begun[self.shapes[shape].items[item]] = True

    cdef int add(self, Py_ssize_t number, str text, int node, bint is_spaced) except -1:
        """Add a block, or signs, in a node."""
        cdef int shape = self.shape_of(node), whole = self.shapes[shape].whole
        cdef str line
        if whole != self.whole:
            self.flush()
        if self.units is not None:
            text = self.units.text_of(self.places_of(number), is_spaced)
        elif is_spaced:
            text = self.spaced_text(number)
        if not text:
            return 0
        if whole != self.whole and whole >= 0:
            self.start = self.start_of(self.shape_at[whole])
        line = self.start_of(shape) + text
        self.begin(shape)
        if whole < 0:
            self.put_line(line)
        else:
            self.whole = whole
            self.group.append((number, self.shapes[shape].cell, text, line))
        return 0

    cdef int add_sign(self, Py_ssize_t run) except -1:
        """Add a run of signs."""
        _, element, _, text, is_spaced = self.runs[run]
        return self.add(-1 - run, line_text(text), self.node_at(element), is_spaced)

    cdef object pieces_of(self, Py_ssize_t number):
        """Return the pieces of a block or of signs of a page."""
        return self.page.pieces_of(number) if number >= 0 else self.runs[-1 - number][2]

    cdef list places_of(self, Py_ssize_t number):
        """Return the places of a block's text, without places lost from the tree."""
        cdef list places = []
        cdef Py_ssize_t piece
        if self.page is None:
            return list(self.blocks[number][1])
        for piece in self.pieces_of(number):
            if 0 <= piece >> 1 < self.count:
                places.append((self.element_of(<int>(piece >> 1)), bool(piece & 1)))
        return places

    cdef str spaced_text(self, Py_ssize_t number):
        """Return the text of a block with its white space."""
        cdef xmlNode* node
        self.scratch.size = 0
        for element, is_tail in self.places_of(number):
            node = node_of(element)
            if is_tail:
                self.read_run(node.next)
                if self.parted is not None and <uintptr_t>node in self.parted:
                    put(&self.scratch, " ", 1)
            elif node.type == tree.XML_ELEMENT_NODE:
                self.read_run(node.children)
        return self.found_text().replace(SOFT_HYPHEN, "").strip("\n").rstrip()

    cdef str start_of(self, int number):
        """Return the beginning of the next line in a shape."""
        cdef Shape* shape = &self.shapes[number]
        cdef Parts* parts = &shape.others
        cdef Part* part
        cdef int each
        cdef str start = ""
        if not shape.others.size:
            return start
        if shape.items_size and not self.begun[shape.items[shape.items_size - 1]]:
            parts = &shape.firsts
        for each in range(parts.size):
            part = &parts.parts[each]
            if part.kind == SPACES:
                start += " " * part.value
            elif part.kind == QUOTED:
                start += "> "
            else:
                start += "- " if part.kind == HYPHEN else f"{self.label_in(part)}. "
                if part.box:
                    start += "[ ] " if part.box == 1 else "[x] "
        return start

    cdef str label_in(self, Part* part):
        """Return the number of an item as its list shows it."""
        cdef char[16] label
        if part.value < 0:
            return str(part.value)
        return label[: label_of(label, part.value, part.form)].decode()

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
                return self.put_line(text)
        else:
            text = self.code_in(whole, group)
            if text is not None:
                text = text.replace("\r\n", "\n").strip("\n").rstrip()
                if text:
                    self.put_line(text)
                return 0
        for _, _, _, line in group:
            self.put_line(line)
        return 0

    # Shapes

    cdef int shape_of(self, int node) except -1:
        """Return the number of the shape made by a node and those around; 0 without a node."""
        cdef list inside = []
        cdef int above = 0
        while node >= 0:
            if self.shape_at[node] >= 0:
                above = self.shape_at[node]
                break
            inside.append(node)
            node = self.nodes[node].parent
        while inside:
            node = inside.pop()
            above = self.shape_within(node, above)
            self.shape_at[node] = above
        return above

    cdef int shape_within(self, int node, int above) except -1:
        """Return the shape made by a node within its parent's shape."""
        cdef int tag = self.nodes[node].tag, parent = self.nodes[node].parent, whole
        cdef int around = self.nodes[parent].tag if parent >= 0 else 0
        cdef Shape shape = self.shapes[above]
        cdef Part mark
        mark.kind, mark.box, mark.form, mark.value = SPACES, 0, 0, 4
        if tag == TAG_LI:
            self.set_mark(&mark, node, parent, around)
            shape.firsts = shape.others
            push(&shape.firsts, mark)
            mark.value = 2 if mark.kind == HYPHEN else len(self.label_in(&mark)) + 2
            mark.kind, mark.box = SPACES, 0
            push(&shape.others, mark)
            if shape.items_size == DEPTH:
                memmove(&shape.items[0], &shape.items[1], (DEPTH - 1) * sizeof(int))
                shape.items_size -= 1
            shape.items[shape.items_size] = node
            shape.items_size += 1
        elif self.is_a(node, LIST):
            if parent < 0 or not self.is_a(parent, LIST):
                return above
            mark.value = 3 if around == TAG_OL else 2  # as if it were in an item
            push(&shape.firsts, mark)
            push(&shape.others, mark)
        elif tag == TAG_DD or tag == TAG_BLOCKQUOTE:
            if tag == TAG_DD and around == TAG_DD:
                return above  # libxml2 puts a definition without an end tag around the next one
            mark.kind = QUOTED if tag == TAG_BLOCKQUOTE else SPACES
            push(&shape.firsts, mark)
            push(&shape.others, mark)
        else:
            whole = shape.whole
            if whole >= 0 and self.nodes[whole].tag != TAG_TR:
                return above
            if tag == TAG_TR:
                shape.whole, shape.cell = node, -1
            elif self.is_a(node, CELL):
                shape.cell = node
            elif tag == TAG_PRE and shape.cell >= 0 and self.is_one_line(node):
                return above
            elif tag == TAG_PRE or (tag == TAG_TABLE and self.may_be_code(node) and is_code_table(self.element_of(node))):
                shape.whole = node
            else:
                return above
        if self.shapes_size == self.shapes_room:
            self.shapes = <Shape*>resized(self.shapes, 2 * self.shapes_room * sizeof(Shape))
            self.shapes_room *= 2
        self.shapes[self.shapes_size] = shape
        self.shapes_size += 1
        return self.shapes_size - 1

    cdef int set_mark(self, Part* mark, int item, int parent, int around) except -1:
        """Set the beginning of the first line in an item."""
        cdef int box
        mark.kind = HYPHEN
        if around == TAG_OL:
            if parent not in self.numbered:
                self.numbered.add(parent)
                self.number_items(parent, self.marks)
            mark.kind, mark.form, mark.value = NUMBER, self.form_of(parent), self.marks[item]
        if self.has_tasks:
            mark.box = self.task_of(item, &box)
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
        cdef set found = set()
        cdef int piece, number
        for block, *_ in group:
            if self.page is None:
                pieces = [2 * self.number_of(node_of(element)) + is_tail for element, is_tail in self.blocks[block][1]]
            else:
                pieces = self.pieces_of(block)
            for piece in pieces:
                number = piece >> 1
                if 0 <= number < self.count:
                    found.add(self.nodes[number].parent if piece & 1 else number)
        return sorted(found)

    def holds(self, list holders not None, _Element element not None):
        """Return True if an element in code holds text of its blocks."""
        cdef int number = self.number_of(node_of(element))
        cdef Py_ssize_t first = bisect_left(holders, number)
        return 0 <= number and first < len(holders) and holders[first] < self.nodes[number].end


cdef void push(Parts* parts, Part part) noexcept nogil:
    """Add a part, in place of the first beyond :data:`DEPTH`."""
    if parts.size == DEPTH:
        memmove(&parts.parts[0], &parts.parts[1], (DEPTH - 1) * sizeof(Part))
        parts.size -= 1
    parts.parts[parts.size] = part
    parts.size += 1
