"""A document as Markdown, with tables, footnotes and links back from these; see :mod:`scrapy_stemmer.writing.markdown`.

Blocks are written in order, their lines within the marks of boxes around: items, quotes, definitions, footnotes. Python
is asked for formulas and for the look of footnotes.
"""

from scrapy_stemmer._engine.lines cimport *
from scrapy_stemmer._engine.markup cimport *
from scrapy_stemmer._engine.nodes cimport give_turn
from scrapy_stemmer._engine.tree cimport *

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
from scrapy_stemmer.page.text import SOFT_HYPHEN, writable
from scrapy_stemmer.writing.formulas import has_tex_in_dollars, safe_tex, tex_from, tex_parts

cetree.import_lxml__etree()

cdef enum:
    MAX_DEPTH = 60  # nested elements; the text of deeper elements is written unchanged
    MAX_INDENT = 4  # columns of indent behind the mark of an item
    MAX_MARKDOWN_CELL = 1000  # characters of a table cell; a longer cell is a column of a layout
    LAYOUT = 100  # least characters of several blocks in a cell that are a column of a layout
    MAX_SPAN = 50  # columns or rows spanned by a cell
    MAX_SPANNED = 100  # empty columns left by spanning cells
    MAX_SPANNED_PER_CELL = 10
    MAX_FILLED = 100000  # cells of a table whose short rows are filled up; a larger table might become too large

IMAGED_TEX = ("{\\displaystyle", "{\\textstyle")  # start of the TeX of formula images, as written by MediaWiki

INDENTED = re.compile(r"\n[ \t]+\S")
HASHES_AT_END = re.compile(r" (#+)\Z")
MARK = re.compile(r"[-#>|]|\$\$|\[\^|\d+\. ", re.ASCII)  # of Markdown, at the start of a block
SPAN = re.compile(r"[1-9]\d{0,3}", re.ASCII)  # number of columns or rows spanned by a cell
ADDRESS_CODES = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "`": "%60", "\n": "", "\t": ""}
)
"""Characters that would end an address, with their replacements."""
ENDS_ADDRESS = re.compile(r"[ ()<>\\`\n\t]")

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


cdef class Flow:
    """An element whose blocks or items are written.

    :ivar begin: first part of the open line.
    :ivar last: the name of the last block.
    :ivar within: columns of indent for the rest of the last item.
    """

    cdef int depth, last, within
    cdef Py_ssize_t begin
    cdef bint is_list, is_tight, is_close


cdef class Box:
    """An element whose lines are marked.

    :ivar flow: the list of an item, or ``None``.
    :ivar mark: the beginning of the first line.
    :ivar within: columns of indent of further lines.
    :ivar note: the number of the label of a footnote whose first line is not written, or -1.
    :ivar is_close: True for a definition without a blank line before.
    """

    cdef int kind, note, within
    cdef Flow flow
    cdef str mark
    cdef bint is_begun, is_close


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
    writer.add(writable(text), TEXT_PART)
    writer.write_heading(0, 1)
    return "\n".join(writer.lines)


cdef class _Writer(Markup):
    """Markdown of a document.

    :ivar parts: parts of the open lines.
    :ivar links: number of links that are written.
    :ivar in_code: whether text is code in a line.
    :ivar lines: finished lines.
    :ivar boxes: the elements around with marks.
    :ivar parted: 1 more than the number of boxes around a list that follows a list, 0 without.
    :ivar blocks: number of finished blocks.
    :ivar numbers: numbers of items, by element.
    :ivar left: empty cells that cells of the table may still span.
    :ivar places: targets of links by name.
    :ivar labels: labels of footnotes.
    :ivar notes: footnotes by the names of places that marks lead to.
    :ivar note_of: the number of the label of each footnote, by element.
    :ivar link_of: the link whose text is at the beginning of a block, by element.
    """

    cdef list parts, lines, boxes, labels
    cdef dict formulas, notes, numbers, places, note_of, link_of
    cdef str url
    cdef int left, parted, links, blocks
    cdef bint has_links, has_images, has_dollars, in_code

    def __cinit__(self, str url, bint has_links, bint has_images):
        self.url = writable(Addresses(None, url).url)
        self.has_links, self.has_images = has_links, has_images
        self.parts, self.lines, self.boxes, self.labels = [], [], [], []
        self.formulas, self.notes, self.numbers = {}, {}, {}
        self.places, self.note_of, self.link_of = {}, {}, {}

    cdef str markdown(self):
        """End the document, and return it as Markdown."""
        self.end()
        self.prepare()
        self.write_blocks(0, 0)
        return "\n".join(self.lines).removeprefix("---\n\n").removesuffix("\n\n---")

    cdef int add(self, str text, int kind, int side=0) except -1:
        """Add a part of the open line."""
        if text:
            self.parts.append(part_of(text, kind, side))
        return 0

    cdef list taken(self, Py_ssize_t begin):
        """Return the last parts, and remove them from the open line."""
        cdef list parts = self.parts[begin:]
        del self.parts[begin:]
        return parts

    # Before writing

    cdef int prepare(self) except -1:
        """Survey the document: blocks in elements, styles, dollars, targets of links, footnotes, and cells in rows."""
        cdef int item, cell
        cdef bint has_anchors = False
        for item in range(<int>self.count):
            give_turn(item, turn)
            if self.is_a(item, BLOCK):
                self.note_block(item)
            if self.attributes[item] is not None:
                if item and "style" in <dict>self.attributes[item]:
                    self.note_style(item, self.value_of(item, "style"))
                has_anchors |= bool(self.href_of(item))
            if self.nodes[item].tag == TAG_TR and self.around(item, TAG_TABLE) >= 0:
                cell = self.next_cell(self.first_in(item))
                while cell >= 0:
                    self.nodes[cell].flags |= IN_ROW
                    cell = self.next_cell(self.behind(cell))
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

    cdef int note_style(self, int item, str style) except -1:
        """Note an element whose style keeps white space, which is code if its lines are indented."""
        cdef int inside
        cdef Name* name = place_of("pre")
        if not self.nodes[item].flags & STYLED:
            for inside in range(item, self.nodes[item].end):
                self.nodes[inside].flags |= STYLED
        if style == "white-space: pre" and self.is_styled_code(item):
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
        return INDENTED.search(self.text_in(item)) is not None

    cdef list texts_with_dollars(self):
        """Return the texts with dollars outside code."""
        cdef list found = []
        cdef int item
        for item in range(<int>self.count):
            if "$" in (self.texts[item] or "") and not self.is_in_code(item):
                found.append(self.texts[item])
            if "$" in (self.tails[item] or "") and not self.is_in_code(self.nodes[item].parent):
                found.append(self.tails[item])
        return found

    cdef bint is_in_code(self, int item) noexcept:
        """Return True if an element is code, or in code; ``tt`` may be a font."""
        while item >= 0 and self.nodes[item].tag != TAG_PRE:
            if self.is_a(item, INLINE_CODE) and self.nodes[item].tag != TAG_TT:
                return True
            item = self.nodes[item].parent
        return item >= 0

    cdef str label_in(self, int item):
        """Return the label of the footnote that an element marks by its text, or ``None``."""
        return footnotes.label_of(" ".join(self.text_in(item).split()))

    cdef str href_of(self, int item):
        """Return the address of a link, "" for other elements."""
        return (self.value_of(item, "href") or "") if self.nodes[item].tag == TAG_A else ""

    cdef int find_places(self) except -1:
        """Find the targets of links by name; the first of a name counts."""
        cdef int item
        for item in range(<int>self.count):
            for name in ("id", "name"):
                self.places.setdefault(self.value_of(item, name) or "", item)
        return 0

    cdef int place_of_link(self, int link) except -2:
        """Return the target of a link in the page, or -1."""
        cdef str href = self.href_of(link)
        return self.places.get(href[1:], -1) if len(href) > 1 and href[0] == "#" else -1

    cdef int find_linked_blocks(self) except -1:
        """Find the blocks for the text of links around blocks: the first heading or paragraph, else the first line."""
        cdef int item, first = <int>self.count, block
        for item in range(<int>self.count - 1, -1, -1):
            if self.is_a(item, HEADING) or self.nodes[item].tag == TAG_P:
                first = item
            if self.nodes[item].flags & HOLDS_BLOCK and self.href_of(item):
                block = first if first < self.nodes[item].end else self.first_line(item)
                if block >= 0:
                    self.link_of.setdefault(block, item)
        return 0

    cdef int first_line(self, int link) except -2:
        """Return the first element in an outer link with text or an image before a block, or -1."""
        cdef int block = link, child
        if self.around_with(link, HEADING) >= 0 or self.around(link, TAG_A) >= 0:
            return -1
        while block < self.nodes[link].end:
            if block == link or (self.is_a(block, BLOCK) and self.nodes[block].tag != TAG_PRE):
                if (self.texts[block] or "").strip():
                    return block
                child = self.first_in(block)
                while child >= 0 and not self.is_or_holds_block(child):
                    if self.first_of(child, TAG_IMG) >= 0 or (self.text_in(child) + (self.tails[child] or "")).strip():
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
                marks.setdefault(block, set()).add(self.href_of(link))
        for link, block in links:
            if len(marks[block]) > 1:
                continue
            self.notes[self.href_of(link)[1:]] = block
            self.unbracket(link)
            if block not in self.note_of:
                label = self.label_in(link)
                counts[label] = counts.get(label, 0) + 1
                self.note_of[block] = len(self.labels)
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
        if footnotes.is_name_of_note(self.href_of(link)):
            return block
        if self.nodes[place].tag == TAG_ASIDE and self.text_in(link).lstrip().startswith("["):
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
        cdef list texts = self.texts if before < 0 else self.tails
        before = self.nodes[mark].parent if before < 0 else before
        if (self.tails[mark] or "").startswith("]") and (texts[before] or "").endswith("["):
            self.tails[mark], texts[before] = self.tails[mark][1:], texts[before][:-1]
        return 0

    cdef int note_at(self, int link) except -2:
        """Return the footnote that a link leads to, or -1."""
        cdef str href = self.href_of(link) if self.notes else ""
        return self.notes.get(href[1:], -1) if href.startswith("#") else -1

    cdef bint is_back(self, int link) except -1:
        """Return True if a link in the page leads back from a footnote: by its text, or to a place before the footnote."""
        cdef int note = self.nodes[link].parent, place
        while note >= 0 and note not in self.note_of:
            note = self.nodes[note].parent
        if note < 0 or not self.href_of(link).startswith("#") or self.note_at(link) not in (-1, note):
            return False
        if footnotes.says_back(self.text_in(link)):
            return True
        label, place = self.label_in(link), self.place_of_link(link)
        own = self.labels[self.note_of[note]].partition("-")[0]
        return label is not None and (label == own or 0 <= place < note)

    # Blocks within marks

    cdef Box add_box(self, int kind, str mark, int within):
        """Begin an element whose lines are marked."""
        cdef Box box = Box()
        box.kind, box.mark, box.within, box.note = kind, mark, within, -1
        self.boxes.append(box)
        return box

    cdef int put_block(self, str text) except -1:
        """Write lines behind a blank line."""
        cdef Box box
        for box in self.boxes:
            if box.note >= 0:
                line, newline, rest = text.partition("\n")
                line = footnotes.without_label(line, self.labels[box.note].partition("-")[0])
                text = (safe_line(line) if line.startswith("[") else line) + newline + rest
                box.note = -1
        return self.put_within(text, len(self.boxes)) if text else 0

    cdef int put_within(self, str text, Py_ssize_t count) except -1:
        """Write lines behind a blank line, within some of the boxes around."""
        cdef Py_ssize_t quote = 0, each
        cdef Box box
        cdef str line
        self.part_lists()
        for each, box in enumerate(self.boxes[:count], 1):
            if box.kind == QUOTE and box.is_begun:
                quote = each
        if not self.is_close(quote, count, MARK.match(text) is not None):
            self.put_blank_line(quote)
        for line in text.split("\n"):
            self.lines.append((self.marks_of(count) + line).rstrip() if count else line.rstrip())
        self.blocks += 1
        return 0

    cdef int part_lists(self) except -1:
        """Keep a list apart from the list before."""
        cdef int parted = self.parted - 1
        self.parted = 0
        return self.put_within("<!-- -->", parted) if parted >= 0 else 0

    cdef bint is_close(self, Py_ssize_t first, Py_ssize_t count, bint is_marked) except -1:
        """Return True if no blank line parts a block from the block before: in tight lists, and below terms.

        :param first: the first box that is looked at.
        :param is_marked: whether the block begins with a mark of Markdown.
        """
        cdef Box box
        cdef bint is_close = False, is_first
        for box in self.boxes[first:count][::-1]:
            is_first = box.flow is not None and not box.flow.is_close
            if box.flow is not None:
                is_close |= box.flow.is_close and (is_marked or not box.is_begun)
                box.flow.is_close = box.flow.is_tight
            if box.is_begun:
                continue
            if box.kind == DEFINITION:
                box.mark = "" if is_marked else box.mark
                is_close |= box.is_close and not is_marked
            elif box.mark.strip():
                # Only a list that begins with 1 ends a paragraph.
                is_marked |= box.mark == "1. " or not (is_first and box.mark[0] in "0123456789")
        return is_close

    cdef int put_blank_line(self, Py_ssize_t quote) except -1:
        """Write a blank line behind the block before, in the quote around both."""
        if self.lines:
            self.lines.append(self.marks_of(quote).rstrip())
        return 0

    cdef str marks_of(self, Py_ssize_t count):
        """Return the beginning of a line, which begins the boxes around."""
        cdef list marks = []
        cdef Box box
        for box in self.boxes[:count]:
            marks.append(box.mark if box.kind == QUOTE or not box.is_begun else " " * box.within)
            box.is_begun = True
        return "".join(marks)

    cdef int put_code(self, str text) except -1:
        """Write code at the margin. It ends the quotes around; what is behind it in a list is at the margin too."""
        cdef Py_ssize_t count = len(self.boxes)
        cdef Box box
        while count and ((<Box>self.boxes[count - 1]).is_begun or (<Box>self.boxes[count - 1]).kind != ITEM):
            count -= 1
        if count:
            self.put_within("", count)
        self.part_lists()
        self.put_blank_line(0)
        self.lines += text.split("\n")
        self.blocks += 1
        for box in self.boxes:
            box.within, box.is_begun = 0, box.kind != QUOTE
            if box.flow is not None:
                box.flow.is_close = False
        return 0

    # Blocks

    cdef int write_blocks(self, int item, int depth) except -1:
        """Write the content of an element: blocks, and lines between."""
        cdef Flow flow = Flow()
        flow.depth, flow.begin = depth, len(self.parts)
        if depth >= MAX_DEPTH:
            self.add(self.text_in(item), TEXT_PART)
        else:
            self.write_flow(flow, item, depth)
        self.write_paragraphs(flow.begin)
        return 0

    cdef int write_flow(self, Flow flow, int item, int depth) except -1:
        """Write the blocks in an element, and add the parts of the lines before and behind."""
        cdef int child = self.first_in(item), link = self.link_of.get(item, -1), links = self.links
        cdef Py_ssize_t begin = len(self.parts)
        self.add_text(self.texts[item], item)
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
            self.add_text(self.tails[child], item)
            child = self.behind(child)
        return self.end_link(begin, link, links) if link >= 0 else 0

    cdef inline bint is_block(self, int item) except -1:
        if self.nodes[item].tag != TAG_MATH:
            return self.is_a(item, BLOCK)
        return self.value_of(item, "display") == "block" and bool(self.tex_of(item))

    cdef str tex_of(self, int item):
        found = self.formulas.get(item)
        if found is None:
            found = tex_from(cetree.elementFactory(self.document, self.nodes[item].node))
            found = self.formulas[item] = safe_tex(found)
        return found

    cdef int write_block(self, Flow flow, int block) except -1:
        """Write the lines before a block, then the block."""
        cdef bint is_behind = self.write_paragraphs(flow.begin)
        cdef int before = self.blocks, tag = self.nodes[block].tag
        cdef bint is_parted = not is_behind and self.is_a(block, LIST) and flow.last == tag and not self.parted
        if flow.is_list:
            return self.write_item(flow, block, is_behind)
        if is_parted:
            self.parted = len(self.boxes) + 1
        self.write_only(block, flow.depth + 1)
        if is_parted:
            self.parted = 0
        if self.blocks > before or is_behind:
            flow.last = tag
        return 0

    cdef int write_only(self, int item, int depth) except -1:
        cdef int tag = self.nodes[item].tag, links = self.links
        cdef Py_ssize_t begin = len(self.parts)
        if item in self.note_of:
            return self.write_note(item, depth, None)
        if self.is_a(item, HEADING):
            self.add_marked(item, depth)
            if item in self.link_of:
                self.end_link(begin, self.link_of[item], links)
            return self.write_heading(begin, 1 + tag - TAG_H1)
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
            return self.put_block("***" if self.around(item, TAG_LI) >= 0 else "---")
        if tag == TAG_MATH:
            return self.write_formula(item)
        if tag != TAG_BLOCKQUOTE:
            return self.write_blocks(item, depth)
        self.add_box(QUOTE, "> ", 0)
        self.write_blocks(item, depth)
        self.boxes.pop()
        return 0

    cdef bint write_paragraphs(self, Py_ssize_t begin) except -1:
        """Write the last parts as paragraphs; return True if there are any."""
        cdef bint is_any = False
        cdef list parts, lines
        for parts in paragraphs_of(self.taken(begin)) if len(self.parts) > begin else ():
            lines = lines_of(parts, False)
            if lines:
                self.put_block("\\\n".join(lines))
                is_any = True
        return is_any

    cdef int write_heading(self, Py_ssize_t begin, int level) except -1:
        """Write the last parts as a heading, if there is any text."""
        cdef list lines = lines_of(self.taken(begin), False)
        if not lines:
            return 0
        text = f"{'#' * level} {' '.join(lines)}"
        return self.put_block(HASHES_AT_END.sub(r" \\\g<1>", text) if text.endswith("#") else text)

    cdef int write_formula(self, int item) except -1:
        """Write a formula on lines of its own."""
        cdef str tex = self.tex_of(item)
        is_odd = tex.startswith("~~~") or (tex[0] != "[" and safe_line(tex) != tex)
        return self.put_block(f"$$\n{'{}' if is_odd else ''}{tex}\n$$")

    # Lists

    cdef int write_list(self, int item, int depth) except -1:
        cdef Flow flow = Flow()
        cdef int child = self.first_in(item)
        if depth >= MAX_DEPTH:  # also in lists right in a list
            return self.write_blocks(item, depth)
        flow.depth, flow.begin = depth, len(self.parts)
        flow.is_list = flow.is_tight = True
        while child >= 0:
            flow.is_tight = flow.is_tight and not self.is_loose(child)
            child = self.behind(child)
        if self.nodes[item].tag == TAG_OL:
            self.number_items(item, self.numbers)
        self.write_flow(flow, item, depth)
        self.write_paragraphs(flow.begin)
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

    cdef int write_item(self, Flow flow, int item, bint is_behind) except -1:
        """Write an item of a list, behind lines outside any item if ``is_behind``."""
        cdef str mark
        cdef int parent = self.nodes[item].parent
        flow.is_close = flow.is_close and not is_behind
        if item in self.note_of:
            return self.write_note(item, flow.depth + 1, flow)
        if self.is_a(item, LIST):
            mark = " " * flow.within
        else:
            is_numbered = self.nodes[parent].tag == TAG_OL and self.nodes[item].tag == TAG_LI
            mark = self.mark_of(self.numbers[item], self.form_of(parent)) if is_numbered else "- "
            flow.within = min(len(mark), MAX_INDENT)
        self.add_box(ITEM, mark, flow.within).flow = flow
        if self.is_a(item, LIST):
            self.write_list(item, flow.depth + 1)
        else:
            self.write_blocks(item, flow.depth + 1)
        self.boxes.pop()
        return 0

    cdef str mark_of(self, int number, char form):
        """Return the mark of a numbered item; Markdown has no lists with letters."""
        return "- " if number < 0 else f"{'- ' if form and number else ''}{label_of(number, form)}. "

    cdef int write_note(self, int item, int depth, Flow flow) except -1:
        """Write a footnote, with its label in place of the links back."""
        cdef Box box = self.add_box(ITEM, f"[^{self.labels[self.note_of[item]]}]: ", MAX_INDENT)
        box.note, box.flow = self.note_of[item], flow
        self.write_blocks(item, depth)
        self.boxes.pop()
        return 0

    cdef int write_definition(self, int item, int depth) except -1:
        """Write a definition: its first line is marked, below the term."""
        cdef int before = self.nodes[item].before, parent = self.nodes[item].parent
        if before < 0 and self.nodes[parent].tag == TAG_DD:
            before = parent  # without an end tag
        if before < 0 or (self.nodes[before].tag == TAG_DD and not self.nodes[before].flags & DEFINED):
            return self.write_blocks(item, depth)
        self.nodes[item].flags |= DEFINED
        self.add_box(DEFINITION, ": ", 0).is_close = self.nodes[before].tag in (TAG_DT, TAG_DD)
        self.write_blocks(item, depth)
        self.boxes.pop()
        return 0

    # Code

    cdef int write_code(self, int pre) except -1:
        """Write code in a fence absent from the code, with its language."""
        cdef int code = self.first_of(pre, TAG_CODE)
        cdef str language = "" if code < 0 else (self.value_of(code, "class") or "").removeprefix("language-")
        cdef str text = self.text_in(pre).replace("\r\n", "\n").lstrip("\n").rstrip(), fence = ticks_around(text, 3)
        return self.put_code(f"{fence}{language}\n{text}\n{fence}")

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
        if not self.nodes[cell].flags & CELL_KNOWN:
            self.nodes[cell].flags |= CELL_KNOWN
            if self.fits_in_row(cell) and len(self.text_in(cell)) <= MAX_MARKDOWN_CELL:
                self.nodes[cell].flags |= CELL_HOLDS_LINE
        return self.nodes[cell].flags & CELL_HOLDS_LINE != 0

    cdef bint fits_in_row(self, int cell) except -1:
        """Return True if a cell has nothing that needs lines of its own; a line of code does not."""
        cdef int item
        for item in range(cell + 1, self.nodes[cell].end):
            if self.nodes[item].tag == TAG_PRE:
                if "\n" in self.text_in(item).lstrip("\r\n").rstrip("\r\n "):
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
            if blocks > 1 and len(self.text_in(cell)) > LAYOUT:
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
        self.left = MAX_SPANNED
        table = [self.texts_of(row, depth, spans) for row in rows]
        most = max([len(texts) - texts.count("") for texts in table])
        if most < 2 and not (most and len(rows) > 1 and has_head):
            return False
        width = max(1, max(map(len, table)))
        filled = width if width * (1 + len(rows)) <= MAX_FILLED else 1
        lines = [row_line(table[0] if has_head else [], width), "|" + " --- |" * width]
        self.put_block("\n".join([*lines, *[row_line(texts, filled) for texts in table[has_head:]]]))
        return True

    cdef list texts_of(self, int row, int depth, dict spans):
        """Return the texts of a row's cells, with empty ones where cells span columns or rows."""
        cdef list texts = []
        cdef int cell = self.next_cell(self.first_in(row)), across, down
        while True:
            while spans.get(len(texts), 0) > 0 and self.may_span():
                spans[len(texts)] -= 1
                texts.append("")
            if cell < 0:
                return texts
            across, down = span_in(self.value_of(cell, "colspan")), span_in(self.value_of(cell, "rowspan"))
            self.left += MAX_SPANNED_PER_CELL if self.left >= 0 else 0
            spans[len(texts)] = down - 1
            texts.append(self.cell_text(cell, depth))
            while across > 1 and self.may_span():
                across -= 1
                spans[len(texts)] = down - 1
                texts.append("")
            cell = self.next_cell(self.behind(cell))

    cdef inline bint may_span(self) noexcept:
        """Count an empty cell; return False in a table that is too sparse, whose cells span nothing from there on."""
        self.left -= 1
        return self.left >= 0

    cdef str cell_text(self, int cell, int depth):
        cdef Py_ssize_t begin = len(self.parts)
        self.add_content(cell, depth + 1)
        return " ".join(lines_of(self.taken(begin), False)).replace("|", "\\|")

    cdef int next_cell(self, int item) noexcept:
        """Return an element if a cell, or the next sibling cell, or -1."""
        while item >= 0 and not self.is_a(item, CELL):
            item = self.behind(item)
        return item

    # Lines

    cdef int add_text(self, str text, int item) except -1:
        """Add a text of an element without soft hyphens: its TeX unchanged, its lines where a style keeps them."""
        cdef bint is_styled = self.nodes[item].flags & STYLED != 0
        cdef str line
        if not text:
            return 0
        if not self.in_code:
            text = text.replace(SOFT_HYPHEN, "")
            if not is_styled and ("$" in text or "\\(" in text or "\\[" in text):
                for line, is_mark in tex_parts(text, has_dollars=self.has_dollars):
                    self.add(line, MARK_PART if is_mark else TEXT_PART)
                return 0
        if is_styled:
            *lines, text = text.split("\n")
            for line in lines:
                self.add(line, CODE_PART if self.in_code else TEXT_PART)
                self.add("\n", MARK_PART)
        return self.add(text, CODE_PART if self.in_code else TEXT_PART)

    cdef int add_inline(self, int item, int depth) except -1:
        """Add the parts of a line for an element."""
        cdef int tag = self.nodes[item].tag
        if tag == TAG_BR:
            return self.add("\n", MARK_PART)
        if self.in_code and depth < MAX_DEPTH:
            return self.add_link(item, depth) if tag == TAG_A else self.add_content(item, depth)
        if tag == TAG_INPUT:
            self.add("[ ]" if self.value_of(item, "checked") is None else "[x]", MARK_PART)
            return self.add(" ", TEXT_PART)
        if self.is_a(item, UNREAD):
            return 0
        if depth >= MAX_DEPTH:
            return self.add(self.text_in(item), TEXT_PART)
        if tag == TAG_IMG:
            return self.add_image(item)
        if tag == TAG_MATH:
            return self.add_formula(self.tex_of(item))
        if tag == TAG_A:
            return self.add_link(item, depth)
        if not (self.is_a(item, INLINE_CODE) or tag == TAG_PRE):
            return self.add_marked(item, depth)
        self.in_code = self.first_of(item, TAG_IMG) < 0 and self.first_of(item, TAG_MATH) < 0
        self.add_content(item, depth)
        self.in_code = False
        return 0

    cdef int add_formula(self, str tex) except -1:
        return self.add(f"${tex}$" if tex else "", MARK_PART)

    cdef int add_marked(self, int item, int depth) except -1:
        """Add the content of an element, within marks."""
        cdef int tag = self.nodes[item].tag
        cdef str mark, end
        cdef int side = 0
        if self.is_a(item, EMPHASIS):
            mark = end = "**" if tag <= TAG_STRONG else "*" if tag <= TAG_CITE else "~~"
            side = 1
        elif (tag == TAG_SUP or tag == TAG_SUB) and not self.holds_mark(item):
            mark, end = f"<{self.names[item]}>", f"</{self.names[item]}>"
        elif tag == TAG_RT and self.is_bare(item):
            self.add("(", TEXT_PART)
            self.add_content(item, depth)
            return self.add(")", TEXT_PART)
        else:
            return self.add_content(item, depth)
        self.add(mark, MARK_PART, side)
        self.add_content(item, depth)
        return self.add(end, MARK_PART, -side)

    cdef int add_content(self, int item, int depth) except -1:
        """Add the content of an element, blocks parted by spaces."""
        cdef int child = self.first_in(item)
        self.add_text(self.texts[item], item)
        while child >= 0:
            if self.is_a(child, BLOCK) and not self.in_code:
                self.add(" ", TEXT_PART)
            self.add_inline(child, depth + 1)
            if self.is_a(child, BLOCK) and not self.in_code:
                self.add(" ", TEXT_PART)
            self.add_text(self.tails[child], item)
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
        cdef str source = self.value_of(image, "src"), alt = self.value_of(image, "alt") or ""
        if source is None or source.startswith("data:"):
            return 0
        if alt.startswith(IMAGED_TEX):
            return self.add_formula(safe_tex(alt))
        return self.add_address(f"![{escaped(alt, True, False, False)}", source) if self.has_images else 0

    cdef int add_address(self, str text, str address) except -1:
        """Add a link or an image with a text."""
        cdef str page = self.url if address.startswith("#") else ""
        if ENDS_ADDRESS.search(address) is not None:
            address = address.translate(ADDRESS_CODES)
        return self.add(f"{text}]({page}{address})", MARK_PART)

    cdef int add_link(self, int link, int depth) except -1:
        cdef Py_ssize_t begin = len(self.parts)
        cdef int note = self.note_at(link), heading = self.around_with(link, HEADING), place, links = self.links
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
                return self.add(f"[^{self.labels[self.note_of[note]]}]", MARK_PART)
        self.add_content(link, depth)
        return self.end_link(begin, link, links)

    cdef int end_link(self, Py_ssize_t begin, int link, int links) except -1:
        """Make the last parts the text of a link, without white space around, unless they hold a link.

        :param links: number of links before these parts.
        """
        cdef str href = self.href_of(link)
        cdef list parts = self.parts[begin:], lines
        lines = lines_of(parts, True) if self.has_links and href and self.links == links else []
        if not lines:
            return 0
        del self.parts[begin:]
        if has_space_at(parts, 0):
            self.add(" ", TEXT_PART)
        self.add_address(f"[{' '.join(lines)}", href)
        self.links += 1
        if has_space_at(parts, -1):
            self.add(" ", TEXT_PART)
        return 0


cdef str row_line(list texts, Py_ssize_t least):
    """Return a row of at least so many columns."""
    return "| " + " | ".join(texts + [""] * (least - len(texts))) + " |"


cdef int span_in(str value) except -1:
    """Return the number of columns or rows spanned by a cell."""
    return min(int(value), MAX_SPAN) if SPAN.fullmatch(value or "") else 1
