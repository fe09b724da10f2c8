# cython: boundscheck=False, wraparound=False
"""Blocks of a page as plain text; see :mod:`scrapy_stemmer.writing.plain_text`.

The tree is read only for code, ordered lists and spanning cells around a block. Plain code is read here, further code
by :func:`code_of`.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.limits cimport INT_MIN
from libc.stdint cimport uintptr_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memmove, memset, strlen

cimport lxml.includes.etreepublic as cetree
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlNode

from scrapy_stemmer._engine.keys cimport is_ascii
from scrapy_stemmer._engine.nodes cimport Buffer, give_turn, node_of, number_in, put, resized, run_from
from scrapy_stemmer._engine.page cimport Block, Element, ReadPage, line_text
from scrapy_stemmer._engine.tree cimport *

from functools import partial

from scrapy_stemmer._engine import turn
from scrapy_stemmer.page.elements import LISTS, SHAPED
from scrapy_stemmer.writing.code import code_of, holds, is_code_table
from scrapy_stemmer.page.text import SOFT_HYPHEN

cetree.import_lxml__etree()

cdef enum:
    DEPTH = 12  # lists and quotes in each other that are seen in a line
    MAX_TEXT_CELL = 300  # characters of a cell within a row; a longer cell is a column of a layout
    # Kinds of elements around text.
    ITEM = 1
    ANY_LIST = 2
    ORDERED = 3
    DEFINITION = 4
    QUOTE = 5
    ROW = 6
    ROW_CELL = 7
    CODE = 8
    TABLE = 9
    # Kinds of parts of a line's beginning: spaces, a hyphen, a number, the mark of a quote.
    SPACES = 0
    HYPHEN = 1
    NUMBER = 2
    QUOTED = 3

KINDS = {
    "li": ITEM, "ol": ORDERED, **dict.fromkeys(LISTS.difference({"ol"}), ANY_LIST), "dd": DEFINITION, "blockquote": QUOTE,
    "tr": ROW, "td": ROW_CELL, "th": ROW_CELL, "pre": CODE, "table": TABLE,
}
if KINDS.keys() != SHAPED:
    raise ImportError("it was built from another version")

cdef str BETWEEN_CELLS = " | "


cdef struct Part:
    # A part of a line's beginning, for a list, a quote or a definition.
    short kind
    short box  # 1 for an open task, 2 for a finished task
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


def plain_text(_Element body not None, lines, outline, units=None, parted=()):
    """See :func:`scrapy_stemmer.writing.plain_text.plain_text`.

    :param body: element in which elements have their numbers; see :attr:`TextElements.numbers`.
    :param units: formulas and readings of characters in the tree, ``None`` without any.
    :param parted: elements with a space behind, which the tree lacks.
    :return: ``None`` if Python reads code with such an element.
    """
    cdef list texts = list(lines.texts), nodes = list(lines.nodes), spaced = list(lines.spaced)
    cdef Py_ssize_t line, count = len(texts)
    cdef int node
    if not len(nodes) == len(spaced) == count:
        raise ValueError("blocks are wanted that have an element each")
    cdef _Layout layout = _Layout(body, lines.pieces, outline, units)
    if parted:
        layout.parted = {<uintptr_t>node_of(element) for element in parted}
    for line in range(count):
        give_turn(line + 1, turn)
        node = nodes[line]
        if node < 0:
            layout.flush()
            layout.put_line(texts[line])
        else:
            layout.add(line, texts[line], node, spaced[line])
    return layout.text()


def page_text(_Element body not None, list asked not None, list is_shaped not None, bint is_any, list runs, outline, units=None, parted=()):
    """See :data:`scrapy_stemmer.writing.plain_text.page_text`."""
    cdef ReadPage page = outline.page
    cdef _Layout layout = _Layout(body, None, outline, units)
    cdef Py_ssize_t block, run = 0, count = len(runs), step = 0
    cdef Block* own
    layout.runs = runs
    if parted:
        layout.parted = {<uintptr_t>node_of(element) for element in parted}
    for block in asked:
        step += 1
        give_turn(step, turn)
        own = page.checked(block)
        while run < count and <Py_ssize_t>runs[run][0] <= block:
            layout.add_sign(run)
            run += 1
        if is_any or own.is_spaced:
            layout.add(block, line_text(page.text_of(block)), own.element, own.is_spaced)
        else:
            layout.add_block(block, own, is_shaped[page.path(block)])
    while run < count:
        layout.add_sign(run)
        run += 1
    return layout.text()


cdef class _Layout(Tree):
    """Lines of text, as blocks are added.

    :ivar page: the page with the blocks, ``None`` for other trees.
    :ivar runs: signs among the blocks, which have numbers below 0.
    :ivar lines: finished lines, each behind a line break.
    :ivar whole: open row or code, -1 without.
    :ivar group: blocks of the row or code, with number, cell, text and line.
    :ivar kinds: kind of the elements of each name, -1 before the first question.
    :ivar start: beginning of the row's line.
    :ivar shape_at: number of each element's shape, -1 before the first question; 0 for plain lines.
    :ivar marks: number of each item of an ordered list.
    :ivar first_items: first item of a list among each element's children, -1 without.
    :ivar parted: elements with a space behind, which the tree lacks.
    :ivar lacks_spaces: True after reading code with a missing space by Python.
    """

    cdef ReadPage page
    cdef list tags, group, runs
    cdef Buffer lines
    cdef object pieces, outline, units
    cdef set tables, parted
    cdef bint lacks_spaces
    cdef str start
    cdef int whole
    cdef Py_ssize_t size
    cdef _Element body
    cdef Shape* shapes
    cdef int shapes_size, shapes_room
    cdef int* shape_at
    cdef Element* elements
    cdef signed char* kinds
    cdef int* marks
    cdef int* first_items
    cdef int* next_items
    cdef int* first_cells
    cdef int* next_cells
    cdef unsigned char* begun
    cdef bint has_tasks

    def __cinit__(self, _Element body, pieces, outline, units):
        cdef Py_ssize_t each
        cdef ReadPage page = outline.page
        cdef Element* element
        self.pieces, self.units, self.page = pieces, units, page
        self.body, self.outline, self.has_tasks = body, outline, outline.has_tasks
        self.tags = outline.tags
        self.group, self.tables, self.start, self.whole = [], set(), "", -1
        self.size = len(outline.parents) if page is None else page.size
        if page is None and not len(outline.numbers) == len(outline.named) == self.size:
            raise ValueError("elements are wanted that have a name and a number each")
        self.shape_at = filled(self.size)
        self.begun = <unsigned char*>resized(NULL, self.size + 1)
        self.shapes = <Shape*>resized(NULL, 8 * sizeof(Shape))
        self.elements = <Element*>resized(NULL, (self.size + 1) * sizeof(Element))
        self.kinds = <signed char*>resized(NULL, len(self.tags) + 1)
        memset(self.begun, 0, self.size + 1)
        memset(self.shapes, 0, sizeof(Shape))
        memset(self.kinds, 0xFF, len(self.tags) + 1)
        if page is not None:
            memcpy(self.elements, page.element_data.data, self.size * sizeof(Element))
        for each in range(self.size):
            element = &self.elements[each]
            if page is None:
                element.parent, element.signature = outline.parents[each], outline.named[each]
                element.number = outline.numbers[each]
            if not (-1 <= element.parent < each and 0 <= element.signature < len(self.tags)):
                raise ValueError("elements are wanted that have a name each, and stand behind the one around them")
        self.shapes_size, self.shapes_room = 1, 8
        self.shapes[0].whole = self.shapes[0].cell = -1

    def __dealloc__(self):
        free(self.lines.data)
        free(self.shapes)
        free(self.shape_at)
        free(self.elements)
        free(self.kinds)
        free(self.marks)
        free(self.first_items)
        free(self.next_items)
        free(self.first_cells)
        free(self.next_cells)
        free(self.begun)

    # Lines

    cdef str text(self):
        """Return all lines, ``None`` if Python has read code with a missing space."""
        self.flush()
        if self.lacks_spaces:
            return None
        return PyUnicode_DecodeUTF8(self.lines.data + 1, self.lines.size - 1, NULL) if self.lines.size > 1 else ""

    cdef int put_line(self, str line) except -1:
        cdef Py_ssize_t size
        cdef const char* text = PyUnicode_AsUTF8AndSize(line, &size)
        put(&self.lines, "\n", 1)
        return put(&self.lines, text, size)

    cdef int add_block(self, Py_ssize_t number, Block* block, bint is_shaped) except -1:
        """Add a block of a page in which white space does not count."""
        cdef const char* text = self.page.said.data + block.start
        cdef int shape = self.shape_of(block.element) if is_shaped else 0
        if self.shapes[shape].whole >= 0 or not is_ascii(text, block.size):
            if is_shaped:
                return self.add(number, line_text(self.page.text_of(number)), block.element, False)
            self.flush()
            return self.put_line(line_text(self.page.text_of(number)))
        self.flush()
        self.put_line(self.start_of(shape))
        self.begin(shape)
        return put(&self.lines, text, block.size)

    cdef void begin(self, int shape) noexcept:
        """Note the beginning of a line in its items."""
        cdef int item
        for item in range(self.shapes[shape].items_size):
            self.begun[self.shapes[shape].items[item]] = True

    cdef int add(self, Py_ssize_t number, str text, int node, bint is_spaced) except -1:
        cdef int shape = self.shape_of(node), whole = self.shapes[shape].whole
        cdef str line
        if whole != self.whole:
            self.flush()
        if self.units is not None:
            text = self.units.text_of(self.places_of(number), is_spaced)
            if not text:
                return 0
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
        return self.add(-1 - run, line_text(text), element, is_spaced)

    cdef object pieces_of(self, Py_ssize_t number):
        """Return the pieces of a block or of signs."""
        if self.page is None:
            return self.pieces(number)
        return self.page.pieces_of(number) if number >= 0 else self.runs[-1 - number][2]

    cdef str spaced_text(self, Py_ssize_t number):
        """Return the text of a block with its white space."""
        cdef Py_ssize_t piece
        cdef xmlNode* node
        self.read_nodes()
        self.scratch.size = 0
        for piece in self.pieces_of(number):
            if 0 <= piece >> 1 < self.count:
                node = self.nodes[piece >> 1].node
                if piece & 1:
                    self.read_run(node.next)
                    if self.parted is not None and <uintptr_t>node in self.parted:
                        put(&self.scratch, " ", 1)
                elif node.type == tree.XML_ELEMENT_NODE:
                    self.read_run(node.children)
        return self.found_text().replace(SOFT_HYPHEN, "").strip("\n").rstrip()

    cdef list places_of(self, Py_ssize_t number):
        """Return the places of a block's text, without places lost from the tree."""
        cdef list places = []
        cdef Py_ssize_t piece
        self.read_nodes()
        for piece in self.pieces_of(number):
            if 0 <= piece >> 1 < self.count:
                places.append((self.element_of(<int>(piece >> 1)), bool(piece & 1)))
        return places

    def places_in(self, group):
        """Return the places of the text of several blocks."""
        return [place for number, *_ in group for place in self.places_of(number)]

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
                start += "- " if part.kind == HYPHEN else f"{part.value}. "
                if part.box:
                    start += "[ ] " if part.box == 1 else "[x] "
        return start

    cdef int flush(self) except -1:
        """Write the lines of the open row or code."""
        cdef int whole = self.whole
        cdef list group = self.group
        cdef str text
        if whole < 0:
            return 0
        self.whole, self.group = -1, []
        if self.kind_of(whole) == ROW:
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

    # Elements

    cdef inline int kind_of(self, int element) except -1:
        cdef int name = self.elements[element].signature
        if self.kinds[name] < 0:
            self.kinds[name] = (<dict>KINDS).get(self.tags[name], 0)
        return self.kinds[name]

    cdef int node_at(self, int element) except -2:
        """Return the number of an element's node, -1 for a node lost from the tree."""
        cdef Py_ssize_t place = self.elements[element].number
        self.read_nodes()
        return <int>place if 0 <= place < self.count else -1

    cdef int read_nodes(self) except -1:
        """Read the tree once."""
        if self.nodes is NULL:
            self.document = self.body._doc
            self.read(node_of(self.body))
        return 0

    cdef int shape_of(self, int element) except -1:
        """Return the number of the shape made by an element and its ancestors."""
        cdef list inside = []
        cdef int above = 0, kind
        if not 0 <= element < self.size:
            raise ValueError("blocks are wanted that stand in one of the elements")
        while element >= 0:
            if self.shape_at[element] >= 0:
                above = self.shape_at[element]
                break
            inside.append(element)
            element = self.elements[element].parent
        while inside:
            element = inside.pop()
            kind = self.kind_of(element)
            if kind:
                above = self.shape_within(element, kind, above)
            self.shape_at[element] = above
        return above

    cdef int shape_within(self, int element, int kind, int above) except -1:
        """Return the shape made by an element within its parent's shape."""
        cdef int parent = self.elements[element].parent, around = self.kind_of(parent) if parent >= 0 else 0, whole, number
        cdef Shape shape = self.shapes[above]
        cdef Part mark
        mark.kind, mark.box, mark.value = SPACES, 0, 4
        if kind == ITEM:
            self.set_mark(&mark, element, parent, around)
            shape.firsts = shape.others
            push(&shape.firsts, mark)
            mark.value = 2 if mark.kind == HYPHEN else len(str(mark.value)) + 2
            mark.kind, mark.box = SPACES, 0
            push(&shape.others, mark)
            if shape.items_size == DEPTH:
                memmove(&shape.items[0], &shape.items[1], (DEPTH - 1) * sizeof(int))
                shape.items_size -= 1
            shape.items[shape.items_size] = element
            shape.items_size += 1
        elif kind == ANY_LIST or kind == ORDERED:
            if around != ANY_LIST and around != ORDERED:
                return above
            mark.value = 3 if around == ORDERED else 2  # as if it were in an item
            push(&shape.firsts, mark)
            push(&shape.others, mark)
        elif kind == DEFINITION or kind == QUOTE:
            if kind == DEFINITION and around == DEFINITION:
                return above  # libxml2 puts a definition without an end tag around the next one
            mark.kind = QUOTED if kind == QUOTE else SPACES
            push(&shape.firsts, mark)
            push(&shape.others, mark)
        else:
            whole = shape.whole
            if whole >= 0 and self.kind_of(whole) != ROW:
                return above
            if kind == ROW:
                shape.whole, shape.cell = element, -1
            elif kind == ROW_CELL:
                shape.cell = element
            else:
                number = self.node_at(element)
                if kind == TABLE and not (number >= 0 and self.may_be_code(number) and is_code_table(self.element_of(number))):
                    return above
                shape.whole = element
        if self.shapes_size == self.shapes_room:
            self.shapes = <Shape*>resized(self.shapes, 2 * self.shapes_room * sizeof(Shape))
            self.shapes_room *= 2
        self.shapes[self.shapes_size] = shape
        self.shapes_size += 1
        return self.shapes_size - 1

    # Items

    cdef int set_mark(self, Part* mark, int item, int parent, int around) except -1:
        """Set the beginning of the first line in an item."""
        cdef int number, box
        mark.kind = HYPHEN
        if around == ORDERED:
            number = self.number_of_item(item, parent)
            if number != INT_MIN:
                mark.kind, mark.value = NUMBER, number
        if self.has_tasks:
            number = self.node_at(item)
            mark.box = self.task_of(number, &box) if number >= 0 else 0
        return 0

    cdef int number_of_item(self, int item, int items) except? -1:
        """Return the number of an item of an ordered list, the least integer without a number."""
        cdef Py_ssize_t each
        if self.marks is NULL:
            self.marks = filled(self.size)
            for each in range(self.size):
                self.marks[each] = INT_MIN
            self.first_items = self.by_parents(ITEM, &self.next_items)
        if self.marks[item] == INT_MIN:
            self.number_items(items)
        return self.marks[item]

    cdef int number_items(self, int items) except -1:
        """Number the items of an ordered list; as browsers do."""
        cdef int node, item = self.first_items[items], child, count = 0, step = 1, number
        if self.page is not None and not self.page.has_numbers:
            while item >= 0:
                count += 1
                self.marks[item] = count
                item = self.next_items[item]
            return 0
        node = self.node_at(items)
        if node < 0:
            return 0
        if self.get(node, "reversed") is not NULL:
            step = -1
            child = self.first_in(node)
            while child >= 0:
                count += self.nodes[child].tag == TAG_LI
                child = self.behind(child)
        number = number_in(self.get(node, "start"), count if step < 0 else 1)
        child = self.first_in(node)
        while child >= 0 and item >= 0:
            if self.nodes[child].tag == TAG_LI:
                number = number_in(self.get(child, "value"), number)
                self.marks[item] = number
                number += step
                item = self.next_items[item]
            child = self.behind(child)
        return 0

    cdef int* by_parents(self, int kind, int** nexts) except NULL:
        """Return the first child of a kind for each element, and set the next sibling of the kind for each child."""
        cdef int* firsts
        cdef Py_ssize_t element
        cdef int parent
        nexts[0] = filled(self.size)
        firsts = filled(self.size)
        for element in range(self.size - 1, -1, -1):
            parent = self.elements[element].parent
            if parent >= 0 and self.kind_of(<int>element) == kind:
                nexts[0][element], firsts[parent] = firsts[parent], <int>element
        return firsts

    # Rows of tables

    cdef str row_of(self, int row, list group):
        """Return the cells of a row on a line, "" for cells that need lines of their own."""
        cdef dict cells = {}
        cdef int cell, table
        cdef str text
        cdef list texts
        cdef Py_ssize_t empty
        if self.first_cells is NULL:
            self.first_cells = self.by_parents(ROW_CELL, &self.next_cells)
        cell = self.first_cells[row]
        while cell >= 0:
            cells[cell] = ""
            cell = self.next_cells[cell]
        for _, number, own, line in group:
            if number not in cells or "\n" in <str>line:
                return ""
            text = <str>cells[number]
            cells[number] = f"{text} {own}" if text else own
        texts = [text or self.outline.signs(number) for number, text in cells.items()]
        table = self.table_of(row)
        empty = texts.count("")
        # One that is alone is said by its column where others have several cells.
        if len(texts) - empty < 2 and (texts[0] or len(group) > 1 or table not in self.tables):
            return ""
        for text in texts:
            if len(text) > MAX_TEXT_CELL:
                return ""
        self.tables.add(table)
        while not texts[len(texts) - 1]:
            texts.pop()
        return self.start + BETWEEN_CELLS.join(texts)

    cdef int table_of(self, int row) except -2:
        while row >= 0 and self.kind_of(row) != TABLE:
            row = self.elements[row].parent
        return row

    # Code

    cdef str code_in(self, int whole, list group):
        """Return the text of code, ``None`` without code."""
        cdef int node = self.node_at(whole)
        cdef bint has_links
        if node < 0:
            return None
        if self.nodes[node].tag == TAG_PRE and self.read_plain_code(node, &has_links):
            return self.found_text()
        if self.parted is not None and self.holds_parted(node):
            self.lacks_spaces = True
        element = self.element_of(node)
        code = code_of(element, holds(element, partial(self.places_in, group)))
        return None if code is None else code.text

    cdef bint holds_parted(self, int top) except -1:
        """Return True if the tree lacks a space inside an element."""
        cdef int number
        for number in range(top, self.nodes[top].end):
            if <uintptr_t>self.nodes[number].node in self.parted:
                return True
        return False

    cdef str found_text(self):
        return PyUnicode_DecodeUTF8(self.scratch.data, self.scratch.size, NULL) if self.scratch.size else ""


cdef int* filled(Py_ssize_t size) except NULL:
    cdef int* numbers = <int*>resized(NULL, (size + 1) * sizeof(int))
    memset(numbers, 0xFF, (size + 1) * sizeof(int))
    return numbers


cdef void push(Parts* parts, Part part) noexcept nogil:
    """Add a part, in place of the first beyond :data:`DEPTH`."""
    if parts.size == DEPTH:
        memmove(&parts.parts[0], &parts.parts[1], (DEPTH - 1) * sizeof(Part))
        parts.size -= 1
    parts.parts[parts.size] = part
    parts.size += 1
