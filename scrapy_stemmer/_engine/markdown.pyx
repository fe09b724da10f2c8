# cython: boundscheck=False, wraparound=False
"""A document as Markdown, with tables, footnotes and links back from these; see :mod:`scrapy_stemmer.writing.markdown`.

Blocks are written in order, their lines within the marks of boxes around: items, quotes, definitions, footnotes. Python
is asked for formulas and for the look of footnotes.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free
from libc.string cimport memchr, memset, strchr, strcmp, strlen, strncmp, strpbrk, strstr

from scrapy_stemmer._engine.lines cimport *
from scrapy_stemmer._engine.markup cimport *
from scrapy_stemmer._engine.nodes cimport Buffer, give_turn, is_blank, put, resized
from scrapy_stemmer._engine.tree cimport *
from scrapy_stemmer._engine.tree cimport note as note_in

cimport lxml.includes.etreepublic as cetree
from lxml.includes.etreepublic cimport _Element

import re
from itertools import groupby
from operator import itemgetter

from scrapy_stemmer._engine import turn
from scrapy_stemmer._engine.prune import put_all, put_kept
from scrapy_stemmer.writing import footnotes
from scrapy_stemmer.page.addresses import Addresses
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.writing.formulas import has_tex_in_dollars, safe_tex, tex_from, tex_parts

cetree.import_lxml__etree()

cdef enum:
    MAX_DEPTH = 60  # nested elements; the text of deeper elements is written unchanged
    MAX_BOXES = 2 * MAX_DEPTH
    MAX_INDENT = 4  # columns of indent behind the mark of an item
    MAX_MARKDOWN_CELL = 1000  # characters of a table cell; a longer cell is a column of a layout
    LAYOUT = 100  # least bytes of several blocks in a cell that are a column of a layout
    MAX_SPAN = 50  # columns or rows spanned by a cell
    MAX_SPANNED = 100  # empty columns left by spanning cells
    MAX_SPANNED_PER_CELL = 10
    MAX_FILLED = 100000  # cells of a table whose short rows are filled up; a larger table might become too large

IMAGED_TEX = ("{\\displaystyle", "{\\textstyle")  # start of the TeX of formula images, as written by MediaWiki

INDENTED = re.compile(r"\n[ \t]+\S")
HASHES_AT_END = re.compile(rb"(?:(?<=\s)|^)#+\Z")


cdef enum:
    # Facts about elements, and kinds of boxes.
    HOLDS_BLOCK = 1
    STYLED = 1 << 1
    IN_ROW = 1 << 2
    DEFINED = 1 << 3
    CELL_KNOWN = 1 << 4
    CELL_HOLDS_LINE = 1 << 5
    ITEM = 0
    QUOTE = 1
    DEFINITION = 2


cdef struct Flow:
    # The element whose blocks or items are written.
    int depth
    size_t begin  # first part of the open line
    int last  # the name of the last block
    bint is_list, is_tight, is_close
    int within  # columns of indent for the rest of the last item


cdef struct Box:
    # An element whose lines are marked.
    int kind
    Flow* flow  # the list of an item, or NULL
    int note  # the number of the label of a footnote whose first line is not written, or -1
    size_t mark, size  # of the first line, in the marks
    int within  # columns of indent of further lines
    bint is_begun
    bint is_close  # True for a definition without a blank line before


def markdown_of(str html, str url, bint has_links, bint has_images):
    """See :func:`scrapy_stemmer.writing.markdown.markdown_of`."""
    cdef _Writer writer = _Writer(url, has_links, has_images)
    put_all(writer, parse(html), url)
    return writer.markdown()


def markdown_of_pieces(
    _Element root not None, pieces, str url, bint has_links, bint has_images, _Element body=None, bint has_formulas=True
):
    """See :data:`scrapy_stemmer.writing.markdown.markdown_of_pieces`."""
    cdef _Writer writer = _Writer(url, has_links, has_images)
    put_kept(writer, root, pieces, url, body, has_formulas)
    return writer.markdown()


def heading_line(str text):
    """See :data:`scrapy_stemmer.writing.markdown.heading_line`."""
    cdef _Writer writer = _Writer("", False, False)
    cdef bytes encoded = text.encode("utf-8", "replace")
    writer.line.add(encoded, len(encoded), TEXT_PART)
    writer.write_heading(0, 1)
    return writer.found()


cdef class _Writer(Markup):
    """Markdown of a document.

    :ivar line: parts of the open lines.
    :ivar links: number of links that are written.
    :ivar in_code: whether text is code in a line.
    :ivar text: finished lines.
    :ivar boxes: the elements around with marks.
    :ivar marks: marks of the boxes.
    :ivar parted: 1 more than the number of boxes around a list that follows a list, 0 without.
    :ivar blocks: number of finished blocks.
    :ivar numbers: numbers of items, by element.
    :ivar left: empty cells that cells of the table may still span.
    :ivar places: targets of links by name.
    :ivar labels: labels of footnotes.
    :ivar notes: footnotes by the names of places that marks lead to.
    """

    cdef Lines line
    cdef size_t links
    cdef bint in_code
    cdef Buffer text, marks, made
    cdef int left
    cdef Box[MAX_BOXES] boxes
    cdef int boxes_count
    cdef int parted
    cdef size_t blocks
    cdef int* numbers
    cdef bytes url
    cdef bint has_links, has_images, has_dollars
    cdef dict formulas, notes
    cdef list labels
    cdef Memo places

    def __cinit__(self, str url, bint has_links, bint has_images):
        self.line = Lines()
        self.url = Addresses(None, url).url.encode("utf-8", "replace")
        self.has_links, self.has_images = has_links, has_images
        self.formulas, self.notes, self.labels = {}, {}, []

    def __dealloc__(self):
        free(self.text.data)
        free(self.marks.data)
        free(self.made.data)
        free(self.numbers)
        free_memo(&self.places)

    cdef str markdown(self):
        """End the document, and return it as Markdown."""
        self.end()
        self.numbers = <int*>resized(NULL, self.count * sizeof(int))
        self.prepare()
        self.write_blocks(0, 0)
        return self.found().removeprefix("---\n\n").removesuffix("\n\n---")

    cdef str found(self):
        return PyUnicode_DecodeUTF8(self.text.data, self.text.size, NULL) if self.text.size else ""

    # Before writing

    cdef int prepare(self) except -1:
        """Survey the document: blocks in elements, styles, dollars, targets of links, footnotes, and cells in rows."""
        cdef int item, cell, count = <int>self.count
        cdef bint has_dollars = False, has_anchors = False
        cdef const char* value
        for item in range(count):
            give_turn(item, turn)
            has_dollars |= has_dollar(self.items[item].text) or has_dollar(self.items[item].tail)
            if self.is_a(item, BLOCK):
                self.note_block(item)
            if self.items[item].attributes_count:
                value = self.get(item, "style")
                if value is not NULL and item:
                    self.note_style(item, value)
                value = self.get(item, "href") if self.nodes[item].tag == TAG_A else NULL
                has_anchors |= value is not NULL and value[0] != 0
            if self.nodes[item].tag == TAG_TR and self.around(item, TAG_TABLE) >= 0:
                cell = self.next_cell(self.first_in(item))
                while cell >= 0:
                    self.nodes[cell].flags |= IN_ROW
                    cell = self.next_cell(self.behind(cell))
        if has_dollars:
            self.has_dollars = has_tex_in_dollars(self.texts_with_dollars())
        if has_anchors:
            self.find_places()
            self.find_notes()
            self.find_linked_blocks()
        return 0

    cdef int note_block(self, int item) noexcept:
        item = self.nodes[item].parent
        while item >= 0 and not self.nodes[item].flags & HOLDS_BLOCK:
            self.nodes[item].flags |= HOLDS_BLOCK
            item = self.nodes[item].parent
        return 0

    cdef int note_style(self, int item, const char* style) except -1:
        """Note an element whose style keeps white space, which is code if its lines are indented."""
        cdef int inside
        cdef Name* name = place_of("pre")
        if not self.nodes[item].flags & STYLED:
            for inside in range(item, self.nodes[item].end):
                self.nodes[inside].flags |= STYLED
        if strcmp(style, "white-space: pre") == 0 and self.is_styled_code(item):
            self.nodes[item].tag, self.nodes[item].facts = name.tag, name.facts
            self.note_block(item)
        return 0

    cdef bint is_styled_code(self, int item) except -1:
        cdef int inside
        if (self.nodes[item].tag != TAG_DIV and self.nodes[item].tag != TAG_CODE) or self.around(item, TAG_PRE) >= 0:
            return False
        for inside in range(item + 1, self.nodes[item].end):
            if self.is_a(inside, BLOCK) or self.nodes[inside].tag == TAG_BR:
                return False
        return INDENTED.search(self.text_of(item)) is not None

    cdef list texts_with_dollars(self):
        """Return the texts with dollars outside code."""
        cdef list found = []
        cdef int item
        for item in range(<int>self.count):
            if has_dollar(self.items[item].text) and not self.is_in_code(item):
                found.append(self.items[item].text.decode())
            if has_dollar(self.items[item].tail) and not self.is_in_code(self.nodes[item].parent):
                found.append(self.items[item].tail.decode())
        return found

    cdef bint is_in_code(self, int item) noexcept:
        """Return True if an element is code, or in code; ``tt`` may be a font."""
        while item >= 0 and self.nodes[item].tag != TAG_PRE:
            if self.is_a(item, INLINE_CODE) and self.nodes[item].tag != TAG_TT:
                return True
            item = self.nodes[item].parent
        return item >= 0

    cdef str text_of(self, int item):
        """Return the text of an element."""
        self.read_text(item)
        return PyUnicode_DecodeUTF8(self.scratch.data, self.scratch.size, NULL) if self.scratch.size else ""

    cdef str label_in(self, int item):
        """Return the label of the footnote that an element marks by its text, or ``None``."""
        return footnotes.label_of(" ".join(self.text_of(item).split()))

    cdef int find_places(self) except -1:
        """Find the targets of links by name; the first of a name counts."""
        cdef int item
        cdef const char* value
        for item in range(<int>self.count):
            for name in (b"id", b"name"):
                value = self.get(item, name)
                if value is not NULL and value[0] and found_in(&self.places, value) is NULL:
                    note_in(&self.places, value, item)
        return 0

    cdef int place_of_link(self, int link) except -2:
        """Return the target of a link in the page, or -1."""
        cdef const char* href = self.get(link, "href") if self.nodes[link].tag == TAG_A else NULL
        cdef int* found = found_in(&self.places, href + 1) if href is not NULL and href[0] == c"#" else NULL
        return -1 if found is NULL else found[0]

    cdef int find_linked_blocks(self) except -1:
        """Find the blocks for the text of links around blocks: the first heading or paragraph, else the first line."""
        cdef int item, first = <int>self.count, block
        cdef const char* href
        for item in range(<int>self.count - 1, -1, -1):
            if self.is_a(item, HEADING) or self.nodes[item].tag == TAG_P:
                first = item
            href = self.get(item, "href") if self.nodes[item].tag == TAG_A else NULL
            if href is NULL or not href[0] or not self.nodes[item].flags & HOLDS_BLOCK:
                continue
            block = first if first < self.nodes[item].end else self.first_line(item)
            if block >= 0 and self.items[block].link < 0:
                self.items[block].link = item
        return 0

    cdef int first_line(self, int link) except -2:
        """Return the first element in an outer link with text or an image before a block, or -1."""
        cdef int block = link, child
        if self.around_with(link, HEADING) >= 0 or self.around(link, TAG_A) >= 0:
            return -1
        while block < self.nodes[link].end:
            if block == link or (self.is_a(block, BLOCK) and self.nodes[block].tag != TAG_PRE):
                if has_words(self.items[block].text):
                    return block
                child = self.first_in(block)
                while child >= 0 and not self.is_or_holds_block(child):
                    if self.first_of(child, TAG_IMG) >= 0 or self.text_of(child).strip() or has_words(self.items[child].tail):
                        return block
                    child = self.behind(child)
            block += 1
        return -1

    cdef inline bint is_or_holds_block(self, int item) noexcept:
        return self.is_a(item, BLOCK) or self.nodes[item].flags & HOLDS_BLOCK != 0

    cdef int around_with(self, int item, unsigned int facts) noexcept nogil:
        """Return the innermost ancestor with a fact about its name, or -1."""
        item = self.nodes[item].parent
        while item >= 0 and not self.nodes[item].facts & facts:
            item = self.nodes[item].parent
        return item

    # Footnotes

    cdef int find_notes(self) except -1:
        """Find the footnotes: blocks behind their marks, which are links with a label. Each gets a label of its own."""
        cdef int link, block
        cdef dict marks = {}  # of each footnote: its addresses
        cdef dict counts = {}  # of each label
        cdef list links = []
        for link in range(<int>self.count):
            block = self.note_marked(link)
            if block >= 0:
                links.append((link, block))
                marks.setdefault(block, set()).add(<bytes>self.get(link, "href"))
        for link, block in links:
            if len(marks[block]) > 1:
                continue
            self.notes[(<bytes>self.get(link, "href"))[1:]] = block
            self.unbracket(link)
            if self.items[block].note < 0:
                label = self.label_in(link)
                counts[label] = counts.get(label, 0) + 1
                self.items[block].note = len(self.labels)
                self.labels.append(label if counts[label] == 1 else f"{label}-{counts[label]}")
        return 0

    cdef int note_marked(self, int link) except -2:
        """Return the footnote that a link may mark, by its place, its name, or a link that leads back, or -1."""
        cdef int place = self.place_of_link(link), block = place, inner
        if place < 0 or self.is_in_code(link):
            return -1
        if self.label_in(link) is None:
            return -1
        while block >= 0 and not self.is_a(block, BLOCK):
            block = self.nodes[block].parent
        if block < link or not self.is_a(block, NOTE) or self.is_in_cell(block):
            return -1  # notes stand behind their marks; links before them lead back
        if self.around(link, TAG_SUP) >= 0 or self.first_of(link, TAG_SUP) >= 0:
            return block
        if footnotes.is_name_of_note(self.get(link, "href").decode()):
            return block
        if self.nodes[place].tag == TAG_ASIDE and self.text_of(link).lstrip().startswith("["):
            return block
        for inner in range(block, self.nodes[block].end):
            if self.place_of_link(inner) == link:
                return block
        return -1

    cdef bint is_in_cell(self, int item) except -1:
        """Return True if an element is in a table cell that goes into a row."""
        item = self.nodes[item].parent
        while item >= 0 and not (self.is_a(item, CELL) and self.is_cell(item)):
            item = self.nodes[item].parent
        return item >= 0

    cdef int unbracket(self, int mark) except -1:
        """Remove the brackets around a footnote's mark, as Markdown adds brackets."""
        cdef int before = self.nodes[mark].before
        cdef const char* tail = self.items[mark].tail
        cdef const char** text = &self.items[self.nodes[mark].parent].text if before < 0 else &self.items[before].tail
        cdef size_t size = 0 if text[0] is NULL else strlen(text[0])
        if tail is not NULL and tail[0] == c"]" and size and text[0][size - 1] == c"[":
            self.items[mark].tail = tail + 1
            text[0] = kept(&self.texts, text[0], size - 1)
        return 0

    cdef int note_at(self, int link) except -2:
        """Return the footnote that a link leads to, or -1."""
        cdef const char* href = self.get(link, "href") if self.notes and self.nodes[link].tag == TAG_A else NULL
        return -1 if href is NULL or href[0] != c"#" else self.notes.get(<bytes>(href + 1), -1)

    cdef bint is_back(self, int link) except -1:
        """Return True if a link in the page leads back from a footnote: by its text, or to a place before the footnote."""
        cdef int note = self.nodes[link].parent, place
        cdef const char* href
        while note >= 0 and self.items[note].note < 0:
            note = self.nodes[note].parent
        href = self.get(link, "href")
        if note < 0 or href is NULL or href[0] != c"#" or self.note_at(link) not in (-1, note):
            return False
        if footnotes.says_back(self.text_of(link)):
            return True
        label, place = self.label_in(link), self.place_of_link(link)
        own = self.labels[self.items[note].note].partition("-")[0]
        return label is not None and (label == own or 0 <= place < note)

    # Blocks within marks

    cdef Box* add_box(self, int kind, const char* mark, size_t size, int within) except NULL:
        """Begin an element whose lines are marked."""
        cdef Box* box = &self.boxes[self.boxes_count]
        memset(box, 0, sizeof(Box))
        box.kind, box.mark, box.size, box.within, box.note = kind, self.marks.size, size, within, -1
        put(&self.marks, mark, size)
        self.boxes_count += 1
        return box

    cdef int end_box(self) noexcept:
        self.boxes_count -= 1
        self.marks.size = self.boxes[self.boxes_count].mark
        return 0

    cdef int put_block(self, const char* text, size_t size) except -1:
        """Write lines behind a blank line."""
        cdef int outer
        cdef bytes line
        for outer in range(self.boxes_count):
            if self.boxes[outer].note >= 0:
                line = self.without_label(text, size, self.boxes[outer].note)
                text, size = line, len(line)
                self.boxes[outer].note = -1
                if not size:
                    return 0
        return self.put_within(text, size, self.boxes_count)

    cdef bytes without_label(self, const char* text, size_t size, int note):
        """Return the first lines of a footnote without their label."""
        cdef size_t end = size_of_line(text, size)
        cdef const char* line
        cdef const char* at = NULL
        label = self.labels[note].partition("-")[0]
        encoded = footnotes.without_label((<bytes>text[:end]).decode(), label).encode("utf-8", "replace") + text[end:size]
        line = encoded
        if line[0] == c"[":
            at = definition_in(line, line + len(encoded))
        return encoded if at is NULL else encoded[: at - line] + b"\\" + encoded[at - line :]

    cdef int put_within(self, const char* text, size_t size, int count) except -1:
        """Write lines behind a blank line, within some of the boxes around."""
        cdef int quote = 0, each, parted = self.parted - 1
        cdef const char* at = text
        cdef const char* end = text + size
        cdef const char* line
        cdef size_t start
        cdef bint is_close
        if parted >= 0:
            self.parted = 0
            self.put_within("<!-- -->", 8, parted)  # keeps two lists apart
        for each in range(count):
            if self.boxes[each].kind == QUOTE and self.boxes[each].is_begun:
                quote = each + 1
        is_close = self.is_close(quote, count, begins_with_mark(text, end))
        self.put_blank_line(quote, is_close)
        while True:
            line = <const char*>memchr(at, c"\n", end - at)
            start = self.text.size
            self.put_marks(count)
            put(&self.text, at, (end if line is NULL else line) - at)
            strip_end(&self.text, start)
            if line is NULL:
                break
            put(&self.text, "\n", 1)
            at = line + 1
        self.blocks += 1
        return 0

    cdef bint is_close(self, int first, int count, bint is_marked) noexcept:
        """Return True if no blank line parts a block from the block before: in tight lists, and below terms.

        :param first: the first box that is looked at.
        :param is_marked: whether the block begins with a mark of Markdown.
        """
        cdef int each
        cdef Box* box
        cdef const char* mark
        cdef bint is_close = False, is_first, is_one
        for each in range(count - 1, first - 1, -1):
            box = &self.boxes[each]
            is_first = box.flow is not NULL and not box.flow.is_close
            if box.flow is not NULL:
                is_close |= box.flow.is_close and (is_marked or not box.is_begun)
                box.flow.is_close = box.flow.is_tight
            if box.is_begun:
                continue
            if box.kind == DEFINITION:
                box.size = 0 if is_marked else box.size
                is_close |= box.is_close and not is_marked
            elif box.size:
                mark = self.marks.data + box.mark
                is_one = mark[0] == c"1" and not is_number(mark + 1)
                # Only a list that begins with 1 ends a paragraph.
                is_marked |= mark[0] != c" " and (is_one or not (is_first and is_number(mark)))
        return is_close

    cdef int put_blank_line(self, int quote, bint is_close) except -1:
        """End the block before, with a blank line unless the next is close, in the quote around both."""
        cdef size_t start
        if not self.text.size:
            return 0
        put(&self.text, "\n", 1)
        if not is_close:
            start = self.text.size
            self.put_marks(quote)
            strip_end(&self.text, start)
            put(&self.text, "\n", 1)
        return 0

    cdef int put_marks(self, int count) except -1:
        """Write the beginning of a line."""
        cdef int each
        cdef Box* box
        for each in range(count):
            box = &self.boxes[each]
            if not box.is_begun or box.kind == QUOTE:
                put(&self.text, self.marks.data + box.mark, box.size)
                box.is_begun = True
            else:
                put(&self.text, "    ", box.within)
        return 0

    cdef int put_code(self, const char* text, size_t size) except -1:
        """Write code at the margin. It ends the quotes around; what is behind it in a list is at the margin too."""
        cdef int count = self.boxes_count, each
        cdef Box* box
        while count and (self.boxes[count - 1].is_begun or self.boxes[count - 1].kind != ITEM):
            count -= 1
        if count:
            self.put_within("", 0, count)
        elif self.parted:
            self.put_within("<!-- -->", 8, self.parted - 1)
        self.put_blank_line(0, False)
        put(&self.text, text, size)
        self.blocks += 1
        for each in range(self.boxes_count):
            box = &self.boxes[each]
            box.within, box.is_begun = 0, box.kind != QUOTE
            if box.flow is not NULL:
                box.flow.is_close = False
        return 0

    # Blocks

    cdef int write_blocks(self, int item, int depth) except -1:
        """Write the content of an element: blocks, and lines between."""
        cdef Flow flow
        memset(&flow, 0, sizeof(Flow))
        flow.depth, flow.begin = depth, self.line.count
        if depth >= MAX_DEPTH:
            self.add_all_text(item)
        else:
            self.write_flow(&flow, item, depth)
        self.write_paragraph(flow.begin)
        return 0

    cdef int add_all_text(self, int item) except -1:
        self.read_text(item)
        return self.line.add_kept(self.scratch.data, self.scratch.size, TEXT_PART)

    cdef int write_flow(self, Flow* flow, int item, int depth) except -1:
        """Write the blocks in an element, and add the parts of the lines before and behind."""
        cdef int child = self.first_in(item), link = self.items[item].link
        cdef size_t begin = self.line.count, links = self.links
        self.add_text(self.items[item].text, item)
        while child >= 0:
            give_turn(child, turn)
            if link >= 0 and self.is_or_holds_block(child):
                self.end_link(begin, link, links)
                link = -1
            if self.nodes[child].flags & IN_ROW or (
                self.nodes[child].tag == TAG_CAPTION and self.nodes[item].tag == TAG_TABLE
            ):
                pass  # they are written with their table
            elif self.is_block(child):
                self.write_block(flow, child)
            elif depth < MAX_DEPTH and self.nodes[child].flags & HOLDS_BLOCK:
                self.write_flow(flow, child, depth + 1)
            else:
                self.add_inline(child, depth + 1)
            self.add_text(self.items[child].tail, item)
            child = self.behind(child)
        return self.end_link(begin, link, links) if link >= 0 else 0

    cdef inline bint is_block(self, int item) except -1:
        cdef const char* value
        if self.nodes[item].tag != TAG_MATH:
            return self.is_a(item, BLOCK)
        value = self.get(item, "display")
        return value is not NULL and strcmp(value, "block") == 0 and bool(self.tex_of(item))

    cdef object tex_of(self, int item):
        found = self.formulas.get(item)
        if found is None:
            found = self.formulas[item] = tex_from(cetree.elementFactory(self.document, self.nodes[item].node))
        return found

    cdef int write_block(self, Flow* flow, int block) except -1:
        """Write the lines before a block, then the block."""
        cdef bint is_behind = self.write_paragraph(flow.begin)
        cdef size_t before = self.blocks
        cdef int tag = self.nodes[block].tag
        cdef bint is_parted = not is_behind and self.is_a(block, LIST) and flow.last == tag and not self.parted
        if flow.is_list:
            return self.write_item(flow, block, is_behind)
        if is_parted:
            self.parted = self.boxes_count + 1
        self.write_only(block, flow.depth + 1)
        if is_parted:
            self.parted = 0
        if self.blocks > before or is_behind:
            flow.last = tag
        return 0

    cdef int write_only(self, int item, int depth) except -1:
        cdef int tag = self.nodes[item].tag
        cdef size_t part = self.line.count, links = self.links
        if self.items[item].note >= 0:
            return self.write_note(item, depth, NULL)
        if self.is_a(item, HEADING):
            self.add_marked(item, depth)
            if self.items[item].link >= 0:
                self.end_link(part, self.items[item].link, links)
            return self.write_heading(part, 1 + tag - TAG_H1)
        if self.is_a(item, LIST):
            return self.write_list(item, depth)
        if tag == TAG_TABLE:
            return self.write_table(item, depth)
        if tag == TAG_DD:
            return self.write_definition(item, depth)
        if tag == TAG_PRE and not self.nodes[item].flags & HOLDS_BLOCK:
            return self.write_code(item)
        if tag == TAG_HR:
            # In an item ``---`` would make a heading of the line before, or a rule of the item.
            return self.put_block("***" if self.around(item, TAG_LI) >= 0 else "---", 3)
        if tag == TAG_MATH:
            return self.write_formula(item)
        if tag != TAG_BLOCKQUOTE:
            return self.write_blocks(item, depth)
        self.add_box(QUOTE, "> ", 2, 0)
        self.write_blocks(item, depth)
        return self.end_box()

    cdef bint write_paragraph(self, size_t begin) except -1:
        """Write the last parts as paragraphs, which line breaks in a row part, if not empty."""
        cdef size_t first = begin, end = self.line.count, next_ = begin
        cdef bint is_any = False
        while next_ < end:
            next_ = self.end_of_paragraph(first, end)
            if not self.line.is_blank(first) and self.line.make(first, False):
                self.join_lines("\\\n", 2)
                self.put_block(self.made.data, self.made.size)
                is_any = True
            first = next_
        self.line.count = begin
        return is_any

    cdef size_t end_of_paragraph(self, size_t first, size_t end) noexcept:
        """End the lines at line breaks in a row, and return the start of the next paragraph; emphasis goes on there."""
        cdef size_t part, last = end
        cdef Part* parts = self.line.parts
        cdef Part* open_ = NULL
        for part in range(first, end):
            if is_break(&parts[part]):
                if last < end and last > first:
                    self.line.count = last
                    if open_ is not NULL:
                        parts[part] = open_[0]
                        parts[last] = open_[0]
                        parts[last].side = -1
                        self.line.count += 1
                    return part
                last = part
            elif parts[part].kind == MARK_PART or not is_space_in(parts[part].text, parts[part].size):
                last = end
                if parts[part].side:
                    open_ = &parts[part] if parts[part].side > 0 else NULL
        self.line.count = end
        return end

    cdef int join_lines(self, const char* between, size_t size) except -1:
        """Make the finished lines one text, with a separator."""
        cdef const char* at = self.line.lines.data
        cdef const char* end = at + self.line.lines.size
        cdef const char* line
        self.made.size = 0
        while True:
            line = <const char*>memchr(at, c"\n", end - at)
            put(&self.made, at, (end if line is NULL else line) - at)
            if line is NULL:
                return 0
            put(&self.made, between, size)
            at = line + 1

    cdef int write_heading(self, size_t begin, int level) except -1:
        """Write the last parts as a heading, if there is any text."""
        cdef bint is_any = self.line.make(begin, False)
        cdef const char* text
        cdef bytes line
        self.line.count = begin
        if not is_any:
            return 0
        self.join_lines(" ", 1)
        line = HASHES_AT_END.sub(rb"\\\g<0>", self.made.data[: self.made.size])
        line = b"#" * level + b" " + line
        text = line
        return self.put_block(text, len(line))

    cdef int write_formula(self, int item) except -1:
        """Write a formula on lines of its own."""
        cdef bytes tex = safe_tex(self.tex_of(item)).encode("utf-8", "replace")
        cdef const char* text = tex
        is_odd = tex.startswith(b"~~~") or start_in(text, text + len(tex)) is not NULL
        tex = b"$$\n" + (b"{}" if is_odd else b"") + tex + b"\n$$"
        text = tex
        return self.put_block(text, len(tex))

    # Lists

    cdef int write_list(self, int item, int depth) except -1:
        cdef Flow flow
        cdef int child = self.first_in(item)
        if depth >= MAX_DEPTH:  # also in lists right in a list
            return self.write_blocks(item, depth)
        memset(&flow, 0, sizeof(Flow))
        flow.depth, flow.begin = depth, self.line.count
        flow.is_list = flow.is_tight = True
        while child >= 0:
            flow.is_tight = flow.is_tight and not self.is_loose(child)
            child = self.behind(child)
        if self.nodes[item].tag == TAG_OL:
            self.number_items(item, self.numbers)
        self.write_flow(&flow, item, depth)
        self.write_paragraph(flow.begin)
        return 0

    cdef bint is_loose(self, int item) noexcept:
        """Return True if an item of a list has several blocks: then blank lines separate the items."""
        cdef int child = self.first_in(item), count = 0, tag
        while child >= 0:
            tag = self.nodes[child].tag
            if tag == TAG_P or tag == TAG_PRE or tag == TAG_TABLE or tag == TAG_BLOCKQUOTE:
                count += 1 if tag == TAG_P or count else 2
            child = self.behind(child)
        return count > 1

    cdef int write_item(self, Flow* flow, int item, bint is_behind) except -1:
        """Write an item of a list, behind lines outside any item if ``is_behind``."""
        cdef size_t size
        cdef char[32] mark
        cdef int parent = self.nodes[item].parent
        flow.is_close = flow.is_close and not is_behind
        if self.items[item].note >= 0:
            return self.write_note(item, flow.depth + 1, flow)
        if self.is_a(item, LIST):
            size = flow.within
            memset(mark, c" ", size)
        else:
            size = 2
            mark[0], mark[1] = c"-", c" "
            if self.nodes[parent].tag == TAG_OL and self.nodes[item].tag == TAG_LI:
                size = mark_of(mark, self.numbers[item], self.form_of(parent))
            flow.within = <int>size if size < MAX_INDENT else MAX_INDENT
        self.add_box(ITEM, mark, size, flow.within).flow = flow
        if self.is_a(item, LIST):
            self.write_list(item, flow.depth + 1)
        else:
            self.write_blocks(item, flow.depth + 1)
        return self.end_box()

    cdef int write_note(self, int item, int depth, Flow* flow) except -1:
        """Write a footnote, with its label in place of the links back."""
        cdef bytes mark = f"[^{self.labels[self.items[item].note]}]: ".encode("utf-8", "replace")
        cdef Box* box = self.add_box(ITEM, mark, len(mark), MAX_INDENT)
        box.note, box.flow = self.items[item].note, flow
        self.write_blocks(item, depth)
        return self.end_box()

    cdef int write_definition(self, int item, int depth) except -1:
        """Write a definition: its first line is marked, below the term."""
        cdef int before = self.nodes[item].before, parent = self.nodes[item].parent
        if before < 0 and self.nodes[parent].tag == TAG_DD:
            before = parent  # without an end tag
        if before < 0 or (self.nodes[before].tag == TAG_DD and not self.nodes[before].flags & DEFINED):
            return self.write_blocks(item, depth)
        self.nodes[item].flags |= DEFINED
        self.add_box(DEFINITION, ": ", 2, 0).is_close = (
            self.nodes[before].tag == TAG_DT or self.nodes[before].tag == TAG_DD
        )
        self.write_blocks(item, depth)
        return self.end_box()

    # Code

    cdef int write_code(self, int pre) except -1:
        """Write code in a fence absent from the code, with its language."""
        cdef int code = self.first_of(pre, TAG_CODE)
        cdef const char* language = NULL if code < 0 else self.get(code, "class")
        cdef bytes text
        self.read_text(pre)
        text = self.scratch.data[: self.scratch.size]
        text = text.replace(b"\r\n", b"\n").lstrip(b"\n").decode().rstrip().encode()
        fence = b"`" * max(longest_run(text, len(text), c"`") + 1, 3)
        text = fence + (b"" if language is NULL else language[strlen("language-") :]) + b"\n" + text + b"\n" + fence
        return self.put_code(text, len(text))

    # Tables

    cdef int write_table(self, int table, int depth) except -1:
        """Write a table: the caption, content outside cells, shown by browsers before the rows, and the rows."""
        cdef int item = self.first_in(table)
        cdef list rows = self.rows_of(table), part
        while item >= 0:
            if self.nodes[item].tag == TAG_CAPTION:
                self.write_blocks(item, depth)
            item = self.behind(item)
        self.write_blocks(table, depth)
        kinds = [self.is_data(row) for row in rows]
        for is_data, group in groupby(zip(kinds, rows), itemgetter(0)):
            part = [row for _, row in group]
            is_data = is_data and not (len(rows) == 1 and self.is_layout(rows[0]))
            if not (is_data and self.write_rows(part, depth)):
                self.write_cells(part, depth)
        return 0

    cdef list rows_of(self, int table):
        """Return the rows of a table, without rows of nested tables."""
        cdef list rows = []
        cdef int item = table + 1
        while item < self.nodes[table].end:
            if self.nodes[item].tag == TAG_TABLE:
                item = self.nodes[item].end
                continue
            if self.nodes[item].tag == TAG_TR:
                rows.append(item)
            item += 1
        return rows

    cdef bint is_data(self, int row) except -1:
        """Return True if all cells of a row fit into a row of Markdown."""
        cdef int cell = self.next_cell(self.first_in(row))
        while cell >= 0:
            if not self.is_cell(cell):
                return False
            cell = self.next_cell(self.behind(cell))
        return True

    cdef bint is_cell(self, int cell) except -1:
        """Return True if a cell fits into a row of Markdown."""
        cdef size_t count = 0, at
        if not self.nodes[cell].flags & CELL_KNOWN:
            self.nodes[cell].flags |= CELL_KNOWN
            if self.fits_in_row(cell):
                self.read_text(cell)
                for at in range(self.scratch.size):
                    count += <unsigned char>self.scratch.data[at] & 0xC0 != 0x80
                if count <= MAX_MARKDOWN_CELL:
                    self.nodes[cell].flags |= CELL_HOLDS_LINE
        return self.nodes[cell].flags & CELL_HOLDS_LINE != 0

    cdef bint fits_in_row(self, int cell) except -1:
        """Return True if a cell has nothing that needs lines of its own; a line of code does not."""
        cdef int item
        for item in range(cell + 1, self.nodes[cell].end):
            if self.nodes[item].tag == TAG_PRE:
                self.read_text(item)
                if has_lines(self.scratch.data, self.scratch.size):
                    return False
            elif self.is_a(item, NO_CELL):
                return False
        return True

    cdef bint is_layout(self, int row) except -1:
        """Return True for a row without a head, with several blocks in a cell: columns of a layout."""
        cdef int cell = -1 if self.has_head(row) else self.next_cell(self.first_in(row)), child, blocks
        while cell >= 0:
            child, blocks = self.first_in(cell), 0
            while child >= 0:
                blocks += self.is_a(child, BLOCK)
                child = self.behind(child)
            if blocks > 1:
                self.read_text(cell)
                if self.scratch.size > LAYOUT:
                    return True
            cell = self.next_cell(self.behind(cell))
        return False

    cdef bint has_head(self, int row) noexcept:
        cdef int cell = self.next_cell(self.first_in(row))
        while cell >= 0 and self.nodes[cell].tag != TAG_TH:
            cell = self.next_cell(self.behind(cell))
        return cell >= 0

    cdef int write_cells(self, list rows, int depth) except -1:
        """Write the cells of rows as blocks."""
        cdef int row, cell
        for row in rows:
            cell = self.next_cell(self.first_in(row))
            while cell >= 0:
                self.write_blocks(cell, depth + 1)
                cell = self.next_cell(self.behind(cell))
        return 0

    cdef bint write_rows(self, list rows, int depth) except -1:
        """Write rows as a table, if any row has several cells with text. The first row is the head, as wide as any row."""
        cdef dict spans = {}  # number of rows that are covered, by column
        cdef bint has_head = self.has_head(rows[0])
        cdef bytes text
        self.left = MAX_SPANNED
        table = [self.texts_of(row, depth, spans) for row in rows]
        most = max([len(texts) - texts.count(b"") for texts in table])
        if most < 2 and not (most and len(rows) > 1 and has_head):
            return False
        width = max(1, max(map(len, table)))
        filled = width if width * (1 + len(rows)) <= MAX_FILLED else 1
        lines = [row_line(table[0] if has_head else [], width), b"|" + b" --- |" * width]
        text = b"\n".join([*lines, *[row_line(texts, filled) for texts in table[has_head:]]])
        self.put_block(text, len(text))
        return True

    cdef list texts_of(self, int row, int depth, dict spans):
        """Return the texts of a row's cells, with empty ones where cells span columns or rows."""
        cdef list texts = []
        cdef int cell = self.next_cell(self.first_in(row)), across, down
        while True:
            while spans.get(len(texts), 0) > 0 and self.may_span():
                spans[len(texts)] -= 1
                texts.append(b"")
            if cell < 0:
                return texts
            across, down = span_in(self.get(cell, "colspan")), span_in(self.get(cell, "rowspan"))
            self.left += MAX_SPANNED_PER_CELL if self.left >= 0 else 0
            spans[len(texts)] = down - 1
            texts.append(self.cell_text(cell, depth))
            while across > 1 and self.may_span():
                across -= 1
                spans[len(texts)] = down - 1
                texts.append(b"")
            cell = self.next_cell(self.behind(cell))

    cdef inline bint may_span(self) noexcept:
        """Count an empty cell; return False in a table that is too sparse, whose cells span nothing from there on."""
        self.left -= 1
        return self.left >= 0

    cdef bytes cell_text(self, int cell, int depth):
        cdef size_t begin = self.line.count
        cdef bint is_any
        self.add_content(cell, depth + 1)
        is_any = self.line.make(begin, False)
        self.line.count = begin
        if not is_any:
            return b""
        self.join_lines(" ", 1)
        return self.made.data[: self.made.size].replace(b"|", b"\\|")

    cdef int next_cell(self, int item) noexcept:
        """Return an element if a cell, or the next sibling cell, or -1."""
        while item >= 0 and not self.is_a(item, CELL):
            item = self.behind(item)
        return item

    # Lines

    cdef int add_text(self, const char* text, int item) except -1:
        """Add a text of an element without soft hyphens: its TeX unchanged, its lines where a style keeps them."""
        cdef bytes encoded
        cdef const char* line
        if text is NULL or not text[0]:
            return 0
        if not self.in_code:
            if strstr(text, "\xc2\xad") is not NULL:
                encoded = (<bytes>text).replace(b"\xc2\xad", b"")
                text = kept(&self.line.kept, encoded, len(encoded))
            if may_have_tex(text) and not self.nodes[item].flags & STYLED:
                for part, is_mark in tex_parts(text.decode(), has_dollars=self.has_dollars):
                    encoded = part.encode("utf-8", "replace")
                    self.line.add_kept(encoded, len(encoded), MARK_PART if is_mark else TEXT_PART)
                return 0
        line = strchr(text, c"\n") if self.nodes[item].flags & STYLED else NULL
        while line is not NULL:
            self.line.add(text, line - text, CODE_PART if self.in_code else TEXT_PART)
            self.line.add_mark("\n")
            text = line + 1
            line = strchr(text, c"\n")
        return self.line.add(text, strlen(text), CODE_PART if self.in_code else TEXT_PART)

    cdef int add_inline(self, int item, int depth) except -1:
        """Add the parts of a line for an element."""
        cdef int tag = self.nodes[item].tag
        if tag == TAG_BR:
            return self.line.add_mark("\n")
        if self.in_code and depth < MAX_DEPTH:
            return self.add_link(item, depth) if tag == TAG_A else self.add_content(item, depth)
        if tag == TAG_INPUT:
            self.line.add_mark("[x]" if self.get(item, "checked") is not NULL else "[ ]")
            return self.line.add_space()
        if self.is_a(item, UNREAD):
            return 0
        if depth >= MAX_DEPTH:
            return self.add_all_text(item)
        if tag == TAG_IMG:
            return self.add_image(item)
        if tag == TAG_MATH:
            return self.add_formula(safe_tex(self.tex_of(item)))
        if tag == TAG_A:
            return self.add_link(item, depth)
        if not (self.is_a(item, INLINE_CODE) or tag == TAG_PRE):
            return self.add_marked(item, depth)
        self.in_code = self.first_of(item, TAG_IMG) < 0 and self.first_of(item, TAG_MATH) < 0
        self.add_content(item, depth)
        self.in_code = False
        return 0

    cdef int add_formula(self, tex) except -1:
        cdef bytes encoded = f"${tex}$".encode("utf-8", "replace") if tex else b""
        return self.line.add_kept(encoded, len(encoded), MARK_PART)

    cdef int add_marked(self, int item, int depth) except -1:
        """Add the content of an element, within marks."""
        cdef int tag = self.nodes[item].tag
        cdef const char* mark
        if self.is_a(item, EMPHASIS):
            mark = "**" if tag <= TAG_STRONG else "*" if tag <= TAG_CITE else "~~"
            self.line.add(mark, strlen(mark), MARK_PART, 1)
            self.add_content(item, depth)
            return self.line.add(mark, strlen(mark), MARK_PART, -1)
        if (tag == TAG_SUP or tag == TAG_SUB) and not self.holds_mark(item):
            self.line.add_mark("<sup>" if tag == TAG_SUP else "<sub>")
            self.add_content(item, depth)
            return self.line.add_mark("</sup>" if tag == TAG_SUP else "</sub>")
        if tag == TAG_RT and self.is_bare(item):
            self.line.add("(", 1, TEXT_PART)
            self.add_content(item, depth)
            return self.line.add(")", 1, TEXT_PART)
        return self.add_content(item, depth)

    cdef int add_content(self, int item, int depth) except -1:
        """Add the content of an element, blocks parted by spaces."""
        cdef int child = self.first_in(item)
        self.add_text(self.items[item].text, item)
        while child >= 0:
            if self.is_a(child, BLOCK) and not self.in_code:
                self.line.add_space()
            self.add_inline(child, depth + 1)
            if self.is_a(child, BLOCK) and not self.in_code:
                self.line.add_space()
            self.add_text(self.items[child].tail, item)
            child = self.behind(child)
        return 0

    cdef bint holds_mark(self, int item) except -1:
        """Return True if an element contains the mark of a footnote."""
        cdef int inner
        for inner in range(item, self.nodes[item].end):
            if self.note_at(inner) >= 0:
                return True
        return False

    cdef bint is_bare(self, int reading) noexcept:
        """Return True if a reading of characters lacks the brackets shown by old browsers."""
        cdef int before = self.nodes[reading].before
        return (before < 0 or self.nodes[before].tag != TAG_RP) and self.nodes[self.nodes[reading].parent].tag != TAG_RP

    cdef int add_image(self, int image) except -1:
        cdef const char* source = self.get(image, "src")
        cdef const char* alt = self.get(image, "alt")
        if source is NULL or strncmp(source, "data:", 5) == 0:
            return 0
        if alt is not NULL and alt[0] == c"{" and alt[1] == c"\\":
            tex = alt.decode()
            if tex.startswith(IMAGED_TEX):
                return self.add_formula(safe_tex(tex))
        if not self.has_images:
            return 0
        self.made.size = 0
        if alt is not NULL:
            escape(&self.made, alt, alt + strlen(alt), True, False)
        return self.add_address("![", source)

    cdef int add_address(self, const char* mark, const char* address) except -1:
        """Add a link or an image with the text made last."""
        cdef const char* coded
        self.scratch.size = 0
        put(&self.scratch, mark, strlen(mark))
        put(&self.scratch, self.made.data, self.made.size)
        put(&self.scratch, "](", 2)
        if address[0] == c"#":
            put(&self.scratch, self.url, len(self.url))
        while address[0]:
            coded = ADDRESS_CODES[<unsigned char>address[0]]
            if coded is NULL:
                put(&self.scratch, address, 1)
            else:
                put(&self.scratch, coded, strlen(coded))
            address += 1
        put(&self.scratch, ")", 1)
        return self.line.add_kept(self.scratch.data, self.scratch.size, MARK_PART)

    cdef int add_link(self, int link, int depth) except -1:
        cdef size_t begin = self.line.count, links = self.links
        cdef int note = self.note_at(link), heading = self.around_with(link, HEADING), place
        cdef bytes label
        if heading >= 0:
            place = self.place_of_link(link)
            while place >= 0 and place != heading:
                place = self.nodes[place].parent
            if place >= 0:
                return self.add_content(link, depth)  # a link to its own heading
        if not self.in_code:
            if self.labels and self.is_back(link):
                return 0
            if note >= 0:
                label = f"[^{self.labels[self.items[note].note]}]".encode("utf-8", "replace")
                return self.line.add_kept(label, len(label), MARK_PART)
        self.add_content(link, depth)
        return self.end_link(begin, link, links)

    cdef int end_link(self, size_t begin, int link, size_t links) except -1:
        """Make the last parts the text of a link, without white space around, unless they hold a link.

        :param links: number of links before these parts.
        """
        cdef const char* href = self.get(link, "href")
        if not self.has_links or href is NULL or not href[0] or self.links > links or not self.line.make(begin, True):
            return 0
        self.join_lines(" ", 1)
        self.line.count = begin
        if self.line.begins_with_space:
            self.line.add_space()
        self.add_address("[", href)
        self.links += 1
        return self.line.add_space() if self.line.ends_with_space else 0


# Characters that would end an address, with their replacements

cdef const char* ADDRESS_CODES[256]
for code_ in range(256):
    ADDRESS_CODES[<int>code_] = NULL
ADDRESS_CODES[c" "] = "%20"
ADDRESS_CODES[c"("] = "%28"
ADDRESS_CODES[c")"] = "%29"
ADDRESS_CODES[c"<"] = "%3C"
ADDRESS_CODES[c">"] = "%3E"
ADDRESS_CODES[c"\\"] = "%5C"
ADDRESS_CODES[c"`"] = "%60"
ADDRESS_CODES[c"\n"] = ""
ADDRESS_CODES[c"\t"] = ""


cdef bint may_have_tex(const char* text) noexcept nogil:
    text = strpbrk(text, "$\\")
    while text is not NULL:
        if text[0] == c"$" or text[1] == c"(" or text[1] == c"[":
            return True
        text = strpbrk(text + 1, "$\\")
    return False


cdef int strip_end(Buffer* buffer, size_t start) except -1:
    """Strip the white space at the end of a line in a buffer."""
    cdef int size
    while buffer.size > start:
        put(buffer, b"\0", 1)
        buffer.size -= 1
        size = space_before(buffer.data + start, buffer.data + buffer.size)
        if not size:
            return 0
        buffer.size -= size
    return 0


cdef size_t mark_of(char* mark, int number, char form) noexcept:
    """Write the mark of a numbered item, and return its size; Markdown has no lists with letters."""
    cdef size_t size = 0
    if number < 0:
        return 2
    if form and number:
        size = 2
    size += label_of(mark + size, number, form)
    mark[size], mark[size + 1] = c".", c" "
    return size + 2


cdef bytes row_line(list texts, int least):
    """Return a row of at least so many columns."""
    return b"| " + b" | ".join(texts + [b""] * (least - len(texts))) + b" |"


cdef int span_in(const char* value) noexcept nogil:
    """Return the number of columns or rows spanned by a cell."""
    cdef int number = 0, digits = 0
    if value is NULL or not 49 <= value[0] <= 57:
        return 1
    while 48 <= value[0] <= 57:
        number = 10 * number + value[0] - 48
        digits += 1
        value += 1
        if digits > 4:
            return 1
    if value[0]:
        return 1
    return number if number < MAX_SPAN else MAX_SPAN


cdef bint has_lines(const char* text, size_t size) noexcept nogil:
    """Return True if there is a line break within a text, not only around it."""
    while size and (text[0] == c"\n" or text[0] == c"\r"):
        text += 1
        size -= 1
    while size and (text[size - 1] == c"\n" or text[size - 1] == c"\r" or text[size - 1] == c" "):
        size -= 1
    return size > 0 and memchr(text, c"\n", size) is not NULL


cdef size_t size_of_line(const char* text, size_t size) noexcept nogil:
    cdef const char* end = <const char*>memchr(text, c"\n", size)
    return size if end is NULL else end - text


cdef inline bint is_number(const char* text) noexcept nogil:
    return c"0" <= text[0] <= c"9"


cdef bint begins_with_mark(const char* text, const char* end) noexcept:
    """Return True if a block begins with a mark of Markdown."""
    cdef const char* at = text
    if at == end:
        return False
    if at[0] in b"-#>|":
        return True
    if end - at > 1 and ((at[0] == c"$" and at[1] == c"$") or (at[0] == c"[" and at[1] == c"^")):
        return True
    while at < end and is_number(at):
        at += 1
    return at > text and end - at > 1 and at[0] == c"." and at[1] == c" "


cdef bint has_dollar(const char* text) noexcept nogil:
    return text is not NULL and strchr(text, c"$") is not NULL


cdef bint has_words(const char* text) noexcept:
    return text is not NULL and not is_blank(<const unsigned char*>text)
