# cython: boundscheck=False, wraparound=False
"""A document as Markdown, with tables, footnotes and links back from these; see :mod:`scrapy_stemmer.writing.markdown`.

An element is written as chunks: lines with blank lines around. Elements around indent and mark the lines. Python is asked
for formulas and for the look of footnotes.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8, Py_UNICODE_ISDECIMAL
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memmove, memset, strchr, strcmp, strlen, strncmp, strpbrk, strstr

from scrapy_stemmer._engine.lines cimport *
from scrapy_stemmer._engine.markup cimport *
from scrapy_stemmer._engine.nodes cimport Buffer, give_turn, is_blank, number_in, put, resized, space_at
from scrapy_stemmer._engine.tree cimport *
from scrapy_stemmer._engine.tree cimport note as note_in

cimport lxml.includes.etreepublic as cetree
from lxml.includes.etreepublic cimport _Element

from scrapy_stemmer._engine import turn
from scrapy_stemmer._engine.prune import put_all, put_numbered, put_pieces
from scrapy_stemmer.writing import footnotes
from scrapy_stemmer.page.addresses import Addresses
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.writing.formulas import has_tex_in_dollars, safe_tex, tex_from, tex_parts

cetree.import_lxml__etree()

cdef enum:
    MAX_DEPTH = 60  # nested elements; the text of deeper elements is written unchanged
    MAX_INDENT = 4  # columns of indent behind the mark of an item
    MAX_MARKDOWN_CELL = 1000  # characters of a table cell; a longer cell is a column of a layout
    LAYOUT = 100  # least bytes of several blocks in a cell that are a column of a layout
    MAX_SPAN = 50  # columns or rows spanned by a cell
    MAX_SPANNED = 100  # empty columns left by spanning cells
    MAX_SPANNED_PER_CELL = 10
    MAX_FILLED = 100000  # cells of a table whose short rows are filled up; a larger table might become too large

IMAGED_TEX = ("{\\displaystyle", "{\\textstyle")  # start of the TeX of formula images, as written by MediaWiki

cdef const char* HASHES = "######"
cdef const char* NOTHING = ""


cdef struct Chunk:
    # Lines with blank lines around.
    size_t at, size
    bint is_code  # 1 at the margin, in any element
    bint is_close  # 1 without a blank line before


cdef struct Flow:
    # The element whose blocks or items are written.
    int depth
    size_t begin  # first part of the open line
    int last  # the name of the last block
    bint is_list, is_tight, is_close
    int within  # columns of indent for the rest of the last item


cdef struct Numbers:
    int* data
    size_t count, room


cdef int push(Numbers* numbers, int number) except -1:
    if numbers.count == numbers.room:
        numbers.data = <int*>resized(numbers.data, (2 * numbers.room + 64) * sizeof(int))
        numbers.room = 2 * numbers.room + 64
    numbers.data[numbers.count] = number
    numbers.count += 1
    return 0


def markdown_of(str html, str url, bint has_links, bint has_images):
    """See :func:`scrapy_stemmer.writing.markdown.markdown_of`."""
    cdef _Writer writer = _Writer(url, has_links, has_images)
    put_all(writer, parse(html), url)
    return writer.markdown()


def markdown_of_pieces(_Element root not None, pieces, str url, bint has_links, bint has_images):
    """Return the Markdown of pieces; see :data:`scrapy_stemmer.writing.pruned_html.pruned_html`."""
    cdef _Writer writer = _Writer(url, has_links, has_images)
    put_pieces(writer, root, pieces, url)
    return writer.markdown()


def markdown_of_numbers(
    _Element root not None, _Element body not None, pieces, str url, bint has_formulas, bint has_links, bint has_images
):
    """Return the Markdown of pieces by number; see :data:`scrapy_stemmer.writing.pruned_html.pruned_pieces`."""
    cdef _Writer writer = _Writer(url, has_links, has_images)
    put_numbered(writer, root, body, pieces, url, has_formulas)
    return writer.markdown()


def heading_line(str text):
    """See :data:`scrapy_stemmer.writing.markdown.heading_line`."""
    cdef _Writer writer = _Writer("", False, False)
    cdef bytes encoded = text.encode("utf-8", "replace")
    writer.line.add_text(encoded, len(encoded))
    writer.write_heading(0, 1)
    return writer.joined(0)


cdef class _Writer(Markup):
    """Markdown of a tree.

    :ivar line: parts of the open lines.
    :ivar text: text of all chunks.
    :ivar places: targets of links by name.
    :ivar notes: labels of footnotes, by number in elements.
    :ivar marks: footnotes by the names of places that marks lead to.
    """

    cdef Lines line
    cdef Buffer text, scratch, made, cells
    cdef Chunk* chunks
    cdef size_t chunks_count, chunks_room
    cdef bytes url
    cdef bint has_links, has_images, has_dollars
    cdef dict formulas, marks
    cdef list notes
    cdef Memo places

    def __cinit__(self, str url, bint has_links, bint has_images):
        self.line = Lines()
        self.url = Addresses(None, url).url.encode("utf-8", "replace")
        self.has_links, self.has_images = has_links, has_images
        self.formulas, self.marks, self.notes = {}, {}, []

    def __dealloc__(self):
        free(self.text.data)
        free(self.scratch.data)
        free(self.made.data)
        free(self.cells.data)
        free(self.chunks)
        free_memo(&self.places)

    cdef str markdown(self):
        self.settle()
        self.prepare()
        self.write_blocks(0, 0)
        return self.joined(0).removeprefix("---\n\n").removesuffix("\n\n---")

    # Before writing

    cdef int prepare(self) except -1:
        """Survey the whole tree, and move content that Markdown has elsewhere."""
        cdef int item, outer, cell
        cdef bint has_dollars = False, has_styles = False, has_anchors = False
        cdef const char* value
        cdef int count = self.count
        for item in range(count):
            give_turn(item, turn)
            has_dollars |= (self.items[item].text is not NULL and strchr(self.items[item].text, c"$") is not NULL) or (
                self.items[item].tail is not NULL and strchr(self.items[item].tail, c"$") is not NULL
            )
            if self.items[item].attributes_count:
                has_styles |= self.get(item, STYLE) is not NULL
                if self.items[item].tag == TAG_A:
                    value = self.get(item, HREF)
                    has_anchors |= value is not NULL and value[0] != 0
        if has_styles:
            self.find_styled()
        if has_dollars:
            self.has_dollars = has_tex_in_dollars(self.texts_with_dollars())
        if has_anchors:
            self.find_places()
            self.find_notes()
        for item in range(count):
            if self.items[item].tag == TAG_TR and self.around(item, TAG_TABLE) >= 0:
                cell = self.items[item].first
                while cell >= 0:
                    if self.items[cell].facts & CELL:
                        self.items[cell].flags |= IN_ROW
                    cell = self.items[cell].next
        if has_anchors:
            for item in range(count):
                if self.items[item].tag == TAG_A and self.items[item].first >= 0:
                    self.link_first_block(item)
        for item in range(self.count):
            if self.items[item].facts & BLOCK:
                outer = self.items[item].parent
                while outer >= 0 and not self.items[outer].flags & HOLDS_BLOCK:
                    self.items[outer].flags |= HOLDS_BLOCK
                    outer = self.items[outer].parent
        return 0

    cdef list texts_with_dollars(self):
        """Return the texts with dollars outside code."""
        cdef list found = []
        cdef int item, outer
        for item in range(self.count):
            for text, outer in ((self.text_of(item), item), (self.tail_of(item), self.items[item].parent)):
                if "$" in text:
                    while outer >= 0 and not (
                        self.items[outer].tag == TAG_PRE
                        or (self.items[outer].facts & INLINE_CODE and self.items[outer].tag != TAG_TT)
                    ):
                        outer = self.items[outer].parent
                    if outer < 0:
                        found.append(text)
        return found

    cdef str text_of(self, int item):
        return "" if self.items[item].text is NULL else self.items[item].text.decode()

    cdef str tail_of(self, int item):
        return "" if self.items[item].tail is NULL else self.items[item].tail.decode()

    cdef str decoded(self):
        """Return the text read last."""
        return PyUnicode_DecodeUTF8(self.text_read.data, self.text_read.size, NULL) if self.text_read.size else ""

    cdef str whole(self, int item):
        """Return the text of an element, with white space collapsed."""
        self.read_text(item)
        return " ".join(self.decoded().split())

    cdef int find_styled(self) except -1:
        """Find the elements whose style keeps white space, some of them code."""
        cdef int item, inside
        cdef const char* value
        for item in range(1, self.count):
            value = self.get(item, STYLE)
            if value is not NULL:
                inside = item
                while inside >= 0 and not self.items[inside].flags & STYLED:
                    self.items[inside].flags |= STYLED
                    inside = self.following(inside, item)
                if strcmp(value, "white-space: pre") == 0 and self.is_styled_code(item):
                    self.name_item(item, b"pre")
        return 0

    cdef bint is_styled_code(self, int item) except -1:
        """Return True if an element whose style keeps white space is code: indented lines."""
        cdef const char* at
        if (self.items[item].tag != TAG_DIV and self.items[item].tag != TAG_CODE) or self.around(item, TAG_PRE) >= 0:
            return False
        if self.first_with(item, BLOCK) >= 0 or self.first_of(item, TAG_BR) >= 0:
            return False
        self.read_text(item)
        at = strchr(self.text_read.data, c"\n")
        while at is not NULL:
            at += 1
            if at[0] == c" " or at[0] == c"\t":
                while at[0] == c" " or at[0] == c"\t":
                    at += 1
                if at[0] and not space_at(<const unsigned char*>at):
                    return True
            at = strchr(at, c"\n")
        return False

    cdef int find_places(self) except -1:
        """Find the targets of links by name; the last of a name counts."""
        cdef int item, name
        cdef int* found
        cdef const char* value
        for name in (NAME, ID):
            for item in range(self.count):
                if not self.items[item].attributes_count or (name == NAME and self.items[item].tag != TAG_A):
                    continue
                value = self.get(item, name)
                if value is NULL or not value[0]:
                    continue
                found = found_in(&self.places, value)
                if found is NULL:
                    note_in(&self.places, value, item)
                else:
                    found[0] = item
        return 0

    cdef inline int place_at(self, const char* href) noexcept:
        """Return the target of a link that begins with a number sign, or -1."""
        cdef int* found
        if href is NULL or not href[0]:
            return -1
        found = found_in(&self.places, behind_first(href))
        return -1 if found is NULL else found[0]

    # Links around blocks

    cdef int link_first_block(self, int link) except -1:
        """Move a link around blocks into their first heading or paragraph, else into the first line."""
        cdef const char* href = self.get(link, HREF)
        cdef int first, inner, child, next_
        if href is NULL or not href[0] or self.first_with(link, BLOCK) < 0:
            return 0
        first = self.following(link, link)
        while first >= 0 and not (self.items[first].facts & HEADING or self.items[first].tag == TAG_P):
            first = self.following(first, link)
        if first < 0 and self.around_with(link, HEADING) < 0 and self.around(link, TAG_A) < 0:
            first = link
            while first >= 0 and not (
                (first == link or (self.items[first].facts & BLOCK and self.items[first].tag != TAG_PRE))
                and self.has_first_line(first)
            ):
                first = self.following(first, link)
        if first < 0:
            return 0
        self.add_attribute(HREF, href)
        inner = self.add_item(b"a", -1)
        self.items[inner].attributes -= 1
        self.items[inner].attributes_count = 1
        self.items[inner].text, self.items[first].text = self.items[first].text, NULL
        child = self.items[first].first
        while child >= 0 and (self.items[first].facts & HEADING or not self.is_or_holds_block(child)):
            next_ = self.items[child].next
            self.take_out(child)
            self.put_behind(child, inner)
            child = next_
        self.put_first(inner, first)
        self.drop(link, HREF)
        return 0

    cdef bint is_or_holds_block(self, int item) noexcept:
        return self.items[item].facts & BLOCK != 0 or self.first_with(item, BLOCK) >= 0

    cdef bint has_first_line(self, int block) except -1:
        """Return True if a block has text or an image before a block within."""
        cdef int child = self.items[block].first
        if self.items[block].text is not NULL and not is_blank(<const unsigned char*>self.items[block].text):
            return True
        while child >= 0 and not self.is_or_holds_block(child):
            if self.items[child].tag == TAG_IMG or self.first_of(child, TAG_IMG) >= 0:
                return True
            self.read_text(child)
            if not is_space_in(self.text_read.data, self.text_read.size):
                return True
            if self.items[child].tail is not NULL and not is_blank(<const unsigned char*>self.items[child].tail):
                return True
            child = self.items[child].next
        return False

    cdef int put_first(self, int item, int parent) except -1:
        """Put an element at the start of a second."""
        cdef int first = self.items[parent].first
        self.items[item].parent, self.items[item].before, self.items[item].next = parent, -1, first
        if first >= 0:
            self.items[first].before = item
        else:
            self.items[parent].last = item
        self.items[parent].first = item
        return 0

    # Footnotes

    cdef int find_notes(self) except -1:
        """Note the footnotes: blocks that the marks of a footnote lead to, with one block written as the footnote."""
        cdef int link, block
        cdef list links = []
        for link in range(self.count):
            if self.items[link].tag == TAG_A and self.place_at(self.get(link, HREF)) >= 0:
                links.append(link)
        marks = self.marks_in(links)
        if not marks:
            return 0
        addresses = {}
        for link, block, _ in marks:
            addresses.setdefault(block, set()).add(<bytes>self.get(link, HREF))
        labels = {}
        for link, block, label in marks:
            name = (<bytes>self.get(link, HREF))[1:]
            if len(addresses[block]) == 1:
                self.label(labels, block, label)
                self.marks[name] = block
        self.choose_notes(marks, labels)
        return 0

    cdef int label(self, dict labels, int block, label) except -1:
        labels[block] = label
        if self.items[block].note < 0:
            self.items[block].note = len(self.notes)
            self.notes.append(label)
        self.notes[self.items[block].note] = label
        return 0

    cdef int choose_notes(self, list marks, dict labels) except -1:
        """Keep the footnotes with a written mark, and give each a label of its own."""
        cdef int link, block, heading
        written = {block for link, block, _ in marks if block in labels and self.is_mark(link)}
        counts = {}
        for block, label in list(labels.items()):
            counts[label] = counts.get(label, 0) + (block in written)
            if block not in written:
                self.items[block].note = -1
            elif counts[label] > 1:
                self.label(labels, block, f"{label}-{counts[label]}")
        self.marks = {name: block for name, block in self.marks.items() if block in written}
        for link in sorted({link for link, block, _ in marks if block in written and self.is_mark(link)}):
            self.unbracket(link)
        for block in written:
            heading = self.items[block].before
            if heading >= 0 and self.items[heading].facts & HEADING and footnotes.label_of(self.whole(heading)) is not None:
                self.take_out(heading)
        return 0

    cdef list marks_in(self, list links):
        """Return the marks of footnotes: each with link, target block and label."""
        cdef int link, place, block, inner
        cdef const char* href
        cdef list found = []
        cdef dict ways = {}  # the addresses of the links in each block
        for link in links:
            href = self.get(link, HREF)
            place = self.place_at(href)
            if href[0] != c"#":
                continue
            text = self.whole(link)
            label = footnotes.label_of(text)
            if label is None:
                continue
            block = place
            while block >= 0 and not self.items[block].facts & BLOCK:
                block = self.items[block].parent
            if block >= 0 and self.items[block].facts & HEADING and footnotes.label_of(self.whole(block)) == label:
                block = self.items[block].next  # as Texinfo writes footnotes
            if block < link or not self.items[block].facts & NOTE or self.is_in_cell(block):
                continue  # notes stand behind their marks; links before them lead back
            is_above = self.around(link, TAG_SUP) >= 0
            inner = self.items[link].first
            while inner >= 0:
                is_above = is_above or self.items[inner].tag == TAG_SUP
                inner = self.items[inner].next
            is_above = is_above or footnotes.is_name_of_note((<bytes>href).decode())
            is_above = is_above or (self.items[place].tag == TAG_ASIDE and text.startswith("["))
            if not is_above:
                if block not in ways:
                    ways[block] = self.addresses_in(block)
                is_above = not self.ways_to(link).isdisjoint(ways[block])
            if is_above:
                found.append((link, block, label))
        return found

    cdef set addresses_in(self, int top):
        """The addresses of the links in an element."""
        cdef set found = set()
        cdef int item = top
        while item >= 0:
            if self.items[item].tag == TAG_A and self.get(item, HREF) is not NULL:
                found.add(<bytes>self.get(item, HREF))
            item = self.following(item, top)
        return found

    cdef set ways_to(self, int mark):
        """Return the addresses of links to the mark of a footnote."""
        cdef set found = set()
        cdef const char* value
        for name in (ID, NAME):
            value = self.get(mark, name)
            if value is not NULL and value[0]:
                found.add(b"#" + <bytes>value)
        return found

    cdef bint is_in_cell(self, int item) except -1:
        """Return True if an element is in a table cell that goes into a row."""
        item = self.items[item].parent
        while item >= 0:
            if self.items[item].facts & CELL and self.is_cell(item):
                return True
            item = self.items[item].parent
        return False

    cdef int next_cell(self, int item) noexcept:
        """Return an element if a cell, or the next sibling cell, or -1."""
        while item >= 0 and not self.items[item].facts & CELL:
            item = self.items[item].next
        return item

    cdef int unbracket(self, int mark) except -1:
        """Remove the brackets around a footnote's mark, as Markdown adds brackets."""
        cdef int before = self.items[mark].before, outer = self.items[mark].parent
        cdef const char* tail = self.items[mark].tail
        cdef const char* text
        cdef size_t size
        if outer < 0 or tail is NULL or tail[0] != c"]":
            return 0
        text = self.items[outer].text if before < 0 else self.items[before].tail
        size = 0 if text is NULL else strlen(text)
        if size and text[size - 1] == c"[":
            self.items[mark].tail = tail + 1
            text = kept(&self.texts, text, size - 1)
            if before < 0:
                self.items[outer].text = text
            else:
                self.items[before].tail = text
        return 0

    cdef bint is_mark(self, int link) except -1:
        """Return True if a link to a footnote is written as its mark: outside code, and not leading back."""
        return self.around_with(link, INLINE_CODE) < 0 and self.around(link, TAG_PRE) < 0 and not self.is_back(link)

    cdef bint is_back(self, int link) except -1:
        """Return True if a link leads back from a footnote: to its mark, or by its text, and to no further footnote."""
        cdef int note = self.items[link].parent, place, item
        cdef const char* href = self.get(link, HREF)
        cdef bytes name = b"" if href is NULL else <bytes>behind_first(href)
        while note >= 0 and self.items[note].note < 0:
            note = self.items[note].parent
        if note < 0 or self.marks.get(name, note) != note:
            return False
        text = self.whole(link)
        label = footnotes.label_of(text)
        if footnotes.says_back(text) or (label and label == self.notes[self.items[note].note].partition("-")[0]):
            return True
        place = self.place_at(href)
        if label is None or place < 0 or self.items[place].facts & BLOCK:
            return False
        item = place
        while item >= 0 and not (self.items[item].tag == TAG_A and self.note_at(item) == note):
            item = self.following(item, place)
        if item < 0:
            item = self.items[place].parent
            while item >= 0 and not (self.items[item].tag == TAG_A and self.note_at(item) == note):
                item = self.items[item].parent
        return item >= 0 or (self.items[place].next >= 0 and self.note_at(self.items[place].next) == note)

    # Chunks

    cdef int begin_chunk(self, bint is_code, bint is_close) except -1:
        """Begin a chunk. Its text is all text written until its end."""
        if self.chunks_count == self.chunks_room:
            self.chunks = <Chunk*>resized(self.chunks, (2 * self.chunks_room + 64) * sizeof(Chunk))
            self.chunks_room = 2 * self.chunks_room + 64
        self.chunks[self.chunks_count].at, self.chunks[self.chunks_count].size = self.text.size, 0
        self.chunks[self.chunks_count].is_code, self.chunks[self.chunks_count].is_close = is_code, is_close
        self.chunks_count += 1
        return 0

    cdef int end_chunk(self) except -1:
        self.chunks[self.chunks_count - 1].size = self.text.size - self.chunks[self.chunks_count - 1].at
        return 0

    cdef inline int put(self, const char* text) except -1:
        return put(&self.text, text, strlen(text))

    cdef str joined(self, size_t begin):
        """Return the lines of the last chunks."""
        cdef size_t number
        self.scratch.size = 0
        for number in range(begin, self.chunks_count):
            if number > begin:
                put(&self.scratch, "\n\n", 1 if self.chunks[number].is_close else 2)
            put(&self.scratch, self.text.data + self.chunks[number].at, self.chunks[number].size)
        return PyUnicode_DecodeUTF8(self.scratch.data, self.scratch.size, NULL) if self.scratch.size else ""

    cdef int indent(self, size_t begin, size_t start, const char* first, size_t size) except -1:
        """Indent the last chunks as an item, behind its mark. Code ends the list around: text behind is at the margin
        too.

        :param start: start of the chunks' text.
        :param first: the mark.
        """
        cdef const char* mark = first
        cdef const char* spaces = "    "
        cdef size_t mark_size = size, others_size = size if size < MAX_INDENT else MAX_INDENT, number, end = self.chunks_count
        cdef Chunk chunk
        cdef Numbers extra
        if begin == end:
            return 0
        memset(&extra, 0, sizeof(Numbers))
        self.scratch.size = 0
        for number in range(begin, end):
            chunk = self.chunks[number]
            if chunk.is_code:
                if mark_size == size and memcmp(mark, first, size) == 0:
                    push(&extra, <int>number)
                mark_size = others_size = 0
                self.chunks[number].at = start + self.scratch.size
                put(&self.scratch, self.text.data + chunk.at, chunk.size)
            else:
                self.chunks[number].at = start + self.scratch.size
                self.indent_lines(self.text.data + chunk.at, chunk.size, mark, mark_size, spaces, others_size)
                self.chunks[number].size = start + self.scratch.size - self.chunks[number].at
                mark, mark_size = spaces, others_size
        self.text.size = start
        put(&self.text, self.scratch.data, self.scratch.size)
        while size and first[size - 1] == c" ":
            size -= 1
        while extra.count:
            extra.count -= 1
            self.begin_chunk(False, False)
            put(&self.text, first, size)
            self.end_chunk()
            self.move_chunk(extra.data[extra.count])
        free(extra.data)
        return 0

    cdef int indent_lines(
        self, const char* at, size_t size, const char* mark, size_t mark_size, const char* others, size_t others_size
    ) except -1:
        """Write lines into :attr:`scratch`, with a prefix for the first and for the rest, without white space at ends.
        """
        cdef const char* end = at + size
        cdef const char* line
        cdef size_t start
        put(&self.scratch, mark, mark_size)
        line = <const char*>memchr(at, c"\n", end - at)
        if line is NULL:
            return put(&self.scratch, at, size)
        put(&self.scratch, at, line - at)
        while line is not NULL:
            at = line + 1
            line = <const char*>memchr(at, c"\n", end - at)
            put(&self.scratch, "\n", 1)
            start = self.scratch.size
            put(&self.scratch, others, others_size)
            put(&self.scratch, at, (end if line is NULL else line) - at)
            strip_end(&self.scratch, start)
        return 0

    cdef int move_chunk(self, size_t place) except -1:
        """Move the last chunk to an earlier place."""
        cdef Chunk chunk = self.chunks[self.chunks_count - 1]
        memmove(&self.chunks[place + 1], &self.chunks[place], (self.chunks_count - 1 - place) * sizeof(Chunk))
        self.chunks[place] = chunk
        return 0

    cdef int quote(self, size_t begin, size_t start) except -1:
        """Put the mark of a quote before the lines of the last chunks. Code ends the quote."""
        cdef size_t number = begin, left = begin, end = self.chunks_count, at
        cdef Chunk chunk
        self.scratch.size = 0
        while number < end:
            chunk = self.chunks[number]
            at = self.scratch.size
            if chunk.is_code:
                put(&self.scratch, self.text.data + chunk.at, chunk.size)
                number += 1
            else:
                chunk.is_close = True
                while number < end and not self.chunks[number].is_code:
                    if self.scratch.size > at:
                        put(&self.scratch, "\n>\n", 1 if self.chunks[number].is_close else 3)
                    self.quote_lines(self.text.data + self.chunks[number].at, self.chunks[number].size)
                    number += 1
                chunk.is_close = False
            chunk.at, chunk.size = start + at, self.scratch.size - at
            self.chunks[left] = chunk
            left += 1
        self.chunks_count = left
        self.text.size = start
        return put(&self.text, self.scratch.data, self.scratch.size)

    cdef int quote_lines(self, const char* at, size_t size) except -1:
        cdef const char* end = at + size
        cdef const char* line
        cdef size_t start
        while True:
            line = <const char*>memchr(at, c"\n", end - at)
            start = self.scratch.size
            put(&self.scratch, "> ", 2)
            put(&self.scratch, at, (end if line is NULL else line) - at)
            strip_end(&self.scratch, start)
            if line is NULL:
                return 0
            put(&self.scratch, "\n", 1)
            at = line + 1

    # Blocks

    cdef int write_blocks(self, int item, int depth) except -1:
        """Write the content of an element: blocks, and lines between."""
        cdef Flow flow
        cdef size_t begin = self.line.count
        if depth >= MAX_DEPTH:
            self.read_text(item)
            self.line.add_text(kept(&self.line.kept, self.text_read.data, self.text_read.size), self.text_read.size)
            self.write_paragraph(begin)
            return 0
        memset(&flow, 0, sizeof(Flow))
        flow.depth, flow.begin = depth, begin
        self.write_flow(&flow, item, depth)
        self.write_paragraph(begin)
        return 0

    cdef int write_flow(self, Flow* flow, int item, int depth) except -1:
        """Write the blocks in an element, and add the parts of the lines before and behind."""
        cdef int child = self.items[item].first
        self.add_text(self.items[item].text, item)
        while child >= 0:
            give_turn(child, turn)
            if self.items[child].flags & IN_ROW or (
                self.items[child].tag == TAG_CAPTION and self.items[item].tag == TAG_TABLE
            ):
                pass  # they are written with their table
            elif self.is_block(child):
                self.write_block(flow, child)
            elif depth < MAX_DEPTH and self.items[child].flags & HOLDS_BLOCK:
                self.write_flow(flow, child, depth + 1)
            else:
                self.add_inline(child, depth + 1)
            self.add_text(self.items[child].tail, item)
            child = self.items[child].next
        return 0

    cdef inline bint is_block(self, int item) except -1:
        if self.items[item].facts & BLOCK:
            return True
        return self.items[item].tag == TAG_MATH and self.is_formula_block(item)

    cdef bint is_formula_block(self, int item) except -1:
        cdef const char* display = self.get(item, DISPLAY)
        return display is not NULL and strcmp(display, "block") == 0 and bool(self.tex_of(item))

    cdef object tex_of(self, int item):
        found = self.formulas.get(item)
        if found is None:
            found = self.formulas[item] = tex_from(cetree.elementFactory(self.document, self.items[item].node))
        return found

    cdef int write_block(self, Flow* flow, int block) except -1:
        """Write the lines before a block, then the block."""
        cdef bint is_behind = self.write_paragraph(flow.begin)
        cdef size_t begin = self.chunks_count
        cdef int tag = self.items[block].tag
        if flow.is_list:
            return self.write_item(flow, block, is_behind)
        self.write_only(block, flow.depth + 1)
        if self.chunks_count > begin and not is_behind and self.items[block].facts & LIST and flow.last == tag:
            self.begin_chunk(False, False)
            self.put("<!-- -->")  # keeps two lists apart
            self.end_chunk()
            self.move_chunk(begin)
        if self.chunks_count > begin or is_behind:
            flow.last = tag
        return 0

    cdef int write_only(self, int item, int depth) except -1:
        cdef size_t begin = self.chunks_count, start = self.text.size, part = self.line.count
        cdef unsigned int facts = self.items[item].facts
        cdef int tag = self.items[item].tag
        if self.items[item].note >= 0:
            self.write_blocks(item, depth)
            return self.finish_note(item, begin, start)
        if facts & HEADING:
            self.add_marked(item, depth)
            return self.write_heading(part, 1 + tag - TAG_H1)
        if facts & LIST:
            return self.write_list(item, depth)
        if tag == TAG_TABLE:
            return self.write_table(item, depth)
        if tag == TAG_DD:
            return self.write_definition(item, depth)
        if tag == TAG_PRE and self.write_code(item):
            return 0
        if tag == TAG_HR:
            self.begin_chunk(False, False)
            # In an item ``---`` would make a heading of the line before, or a rule of the item.
            self.put("***" if self.around(item, TAG_LI) >= 0 else "---")
            return self.end_chunk()
        if tag == TAG_MATH:
            return self.write_formula(item)
        self.write_blocks(item, depth)
        return self.quote(begin, start) if tag == TAG_BLOCKQUOTE else 0

    cdef bint write_paragraph(self, size_t begin) except -1:
        """Write the last parts as paragraphs, which line breaks in a row part, if not empty."""
        cdef size_t first = begin, end = self.line.count, next_ = begin
        cdef bint is_any = False
        while next_ < end:
            next_ = self.end_of_paragraph(first, end)
            is_any |= self.write_one(first)
            first = next_
        self.line.count = begin
        return is_any

    cdef size_t end_of_paragraph(self, size_t first, size_t end) noexcept:
        """End the lines at line breaks in a row, and return the start of the next paragraph; emphasis goes on there."""
        cdef size_t part, last = end
        cdef Part* parts = self.line.parts
        cdef Part* open_ = NULL
        cdef bint is_break
        for part in range(first, end):
            is_break = not parts[part].is_text and parts[part].size == 1 and parts[part].text[0] == c"\n"
            if is_break and last < end and last > first:
                self.line.count = last
                if open_ is not NULL:
                    parts[part] = open_[0]
                    parts[last] = open_[0]
                    parts[last].side = -1
                    self.line.count += 1
                return part
            if is_break:
                last = part
            elif not parts[part].is_text or not is_space_in(parts[part].text, parts[part].size):
                last = end
                if parts[part].side:
                    open_ = &parts[part] if parts[part].side > 0 else NULL
        self.line.count = end
        return end

    cdef bint write_one(self, size_t begin) except -1:
        """Write the last parts as a paragraph, if not empty."""
        cdef size_t part
        cdef bint is_any = False
        for part in range(begin, self.line.count):
            if not self.line.parts[part].is_text or not is_space_in(self.line.parts[part].text, self.line.parts[part].size):
                is_any = True
                break
        if not is_any or not self.line.make(begin, False):
            return False
        self.begin_chunk(False, False)
        self.put_lines("\\\n", 2, &self.text)
        self.end_chunk()
        return True

    cdef int put_lines(self, const char* between, size_t size, Buffer* written) except -1:
        """Put the finished lines, with a separator."""
        cdef const char* at = self.line.lines.data
        cdef const char* end = at + self.line.lines.size
        cdef const char* line = <const char*>memchr(at, c"\n", end - at) if at < end else NULL
        while line is not NULL:
            put(written, at, line - at)
            put(written, between, size)
            at = line + 1
            line = <const char*>memchr(at, c"\n", end - at)
        return put(written, at, end - at)

    cdef int write_heading(self, size_t begin, int level) except -1:
        """Write the last parts as a heading, if there is any text."""
        cdef bint is_any = self.line.make(begin, False)
        cdef const char* text
        cdef const char* end
        cdef const char* at
        self.line.count = begin
        if not is_any:
            return 0
        self.made.size = 0
        self.put_lines(" ", 1, &self.made)
        text, end = self.made.data, self.made.data + self.made.size
        at = end
        while at > text and at[-1] == c"#":
            at -= 1
        self.begin_chunk(False, False)
        put(&self.text, HASHES, level)
        self.put(" ")
        put(&self.text, text, at - text)
        if at < end and (at == text or space_before(text, at)):
            self.put("\\")
        put(&self.text, at, end - at)
        return self.end_chunk()

    cdef int write_formula(self, int item) except -1:
        """Write a formula on lines of its own."""
        cdef bytes tex = safe_tex(self.tex_of(item)).encode("utf-8", "replace")
        cdef const char* text = tex
        self.begin_chunk(False, False)
        self.put("$$\n")
        if strncmp(text, "~~~", 3) == 0 or start_in(text, text + len(tex)) is not NULL:
            self.put("{}")
        self.put(text)
        self.put("\n$$")
        return self.end_chunk()

    # Lists

    cdef int write_list(self, int item, int depth) except -1:
        cdef Flow flow
        cdef int child = self.items[item].first
        if depth >= MAX_DEPTH:  # also in lists right in a list
            return self.write_blocks(item, depth)
        memset(&flow, 0, sizeof(Flow))
        flow.depth, flow.begin = depth, self.line.count
        flow.is_list = flow.is_tight = True
        while child >= 0:
            flow.is_tight = flow.is_tight and not self.is_loose(child)
            child = self.items[child].next
        if self.items[item].tag == TAG_OL:
            self.number_items(item)
        self.write_flow(&flow, item, depth)
        self.write_paragraph(flow.begin)
        return 0

    cdef bint is_loose(self, int item) noexcept:
        """Return True if an item of a list has several blocks: then blank lines separate the items."""
        cdef int child = self.items[item].first, count = 0, tag
        cdef bint is_odd = False
        while child >= 0:
            tag = self.items[child].tag
            if tag == TAG_P or tag == TAG_PRE or tag == TAG_TABLE or tag == TAG_BLOCKQUOTE:
                is_odd |= count == 0 and tag != TAG_P
                count += 1
                if is_odd or count > 1:
                    return True
            child = self.items[child].next
        return False

    cdef int number_items(self, int items) noexcept:
        """Number the items of an ordered list."""
        cdef int step = 1, count = 0, number
        cdef int child = self.items[items].first
        if self.get(items, REVERSED) is not NULL:
            step = -1
            while child >= 0:
                count += self.items[child].tag == TAG_LI
                child = self.items[child].next
        number = number_in(self.get(items, START), count if step < 0 else 1)
        child = self.items[items].first
        while child >= 0:
            if self.items[child].tag == TAG_LI:
                number = number_in(self.get(child, VALUE), number)
                self.items[child].mark = number
                number += step
            child = self.items[child].next
        return 0

    cdef char form_of(self, int item) noexcept:
        """Return the type of the list of an item, 0 without."""
        cdef const char* form = NULL if self.items[item].parent < 0 else self.get(self.items[item].parent, TYPE)
        return 0 if form is NULL or self.items[self.items[item].parent].tag != TAG_OL else form[0]

    cdef int write_item(self, Flow* flow, int item, bint is_behind) except -1:
        """Write an item of a list, behind lines outside any item if ``is_behind``."""
        cdef size_t begin = self.chunks_count, start = self.text.size, number, size
        cdef char[32] mark
        cdef bint is_item, is_next
        cdef Chunk* chunk
        # Only a list that begins with 1 ends a paragraph.
        flow.is_close = flow.is_close and not is_behind
        if self.items[item].facts & LIST:
            size = flow.within
            memset(mark, c" ", size)
            self.write_list(item, flow.depth + 1)
        else:
            size = mark_of(mark, self.items[item].mark, self.form_of(item))
            flow.within = <int>size if size < MAX_INDENT else MAX_INDENT
            self.write_blocks(item, flow.depth + 1)
        if self.items[item].note >= 0:
            self.finish_note(item, begin, start)
        else:
            self.indent(begin, start, mark, size)
        for number in range(begin, self.chunks_count):
            chunk = &self.chunks[number]
            is_item = number == begin or has_no_text(self.text.data + chunk.at, chunk.size)
            is_next = chunk.is_close or (flow.is_close and is_item)
            chunk.is_close = is_next and not chunk.is_code
            flow.is_close = flow.is_tight and not chunk.is_code
        return 0

    cdef int finish_note(self, int item, size_t begin, size_t start) except -1:
        """Write the label of a footnote before its chunks, in place of the links back."""
        cdef size_t number, left = begin, size
        cdef Chunk* chunk
        cdef const char* line
        cdef bytes encoded
        label = self.notes[self.items[item].note]
        for number in range(begin, self.chunks_count):
            chunk = &self.chunks[number]
            if number == begin:
                line = self.text.data + chunk.at
                size = size_of_line(line, chunk.size)
                text = footnotes.without_label((<bytes>line[:size]).decode(), label.partition("-")[0])
                encoded = text.encode("utf-8", "replace") + (<bytes>line[size : chunk.size])
                chunk.at, chunk.size = self.text.size, 0
                line = encoded
                line = definition_in(line, line + len(encoded)) if line[0] == c"[" else NULL
                size = 0 if line is NULL else line - <const char*>encoded
                put(&self.text, encoded, size)
                if size:
                    self.put("\\")
                put(&self.text, <const char*>encoded + size, len(encoded) - size)
                chunk.size = self.text.size - chunk.at
            if chunk.size:
                self.chunks[left] = chunk[0]
                left += 1
        self.chunks_count = left
        encoded = f"[^{label}]: ".encode("utf-8", "replace")
        return self.indent(begin, start, encoded, len(encoded))

    cdef int write_definition(self, int item, int depth) except -1:
        """Write a definition: its first line is marked, below the term."""
        cdef int before = self.items[item].before, parent = self.items[item].parent
        cdef size_t begin = self.chunks_count, start, size
        cdef Chunk* chunk
        if before < 0 and parent >= 0 and self.items[parent].tag == TAG_DD:
            before = parent  # without an end tag
        if before >= 0 and (self.items[before].tag != TAG_DD or self.items[before].flags & DEFINED):
            self.items[item].flags |= DEFINED
        self.write_blocks(item, depth)
        if self.chunks_count == begin or not self.items[item].flags & DEFINED:
            return 0
        chunk = &self.chunks[begin]
        if chunk.is_code or has_no_text_at(self.text.data + chunk.at, self.text.data + chunk.at + chunk.size):
            return 0
        start, size = chunk.at, chunk.size
        chunk.at, chunk.size = self.text.size, size + 2
        chunk.is_close = before >= 0 and (self.items[before].tag == TAG_DT or self.items[before].tag == TAG_DD)
        self.put(": ")
        self.scratch.size = 0
        put(&self.scratch, self.text.data + start, size)
        return put(&self.text, self.scratch.data, size)

    # Code

    cdef bint write_code(self, int pre) except -1:
        """Write code in a fence absent from the code, with its language; return False for other content."""
        cdef bytes text
        cdef const char* at
        cdef const char* language = NULL
        cdef size_t size, ticks, count = 0
        cdef int code = self.first_of(pre, TAG_CODE)
        if self.first_with(pre, BLOCK) >= 0:
            return False
        self.read_text(pre)
        text = (<bytes>self.text_read.data[: self.text_read.size]).replace(b"\r\n", b"\n").lstrip(b"\n")
        at, size = text, len(text)
        while size and space_before(at, at + size):
            size -= space_before(at, at + size)
        ticks = longest_run(at, size, c"`") + 1
        ticks = ticks if ticks > 3 else 3
        self.begin_chunk(True, False)
        for count in range(ticks):
            self.put("`")
        language = NULL if code < 0 else self.get(code, CLASS)
        if language is not NULL:
            self.put(language + strlen("language-"))
        self.put("\n")
        put(&self.text, at, size)
        self.put("\n")
        for count in range(ticks):
            self.put("`")
        self.end_chunk()
        return True

    # Tables

    cdef int write_table(self, int table, int depth) except -1:
        """Write a table: the caption, content outside cells, shown by browsers before the rows, and the rows."""
        cdef Numbers rows
        cdef int item = self.items[table].first
        cdef size_t first = 0, last
        cdef bint is_data
        memset(&rows, 0, sizeof(Numbers))
        while item >= 0:
            if self.items[item].tag == TAG_CAPTION:
                self.write_blocks(item, depth)
            item = self.items[item].next
        self.write_blocks(table, depth)
        try:
            self.find_rows(table, &rows)
            while first < rows.count:
                is_data, last = self.is_data(rows.data[first]), first + 1
                while last < rows.count and self.is_data(rows.data[last]) == is_data:
                    last += 1
                if is_data and first == 0 and last == rows.count and self.is_layout(rows.data, rows.count):
                    is_data = False
                if not (is_data and self.write_rows(rows.data + first, last - first, depth)):
                    self.write_cells(rows.data + first, last - first, depth)
                first = last
        finally:
            free(rows.data)
        return 0

    cdef int find_rows(self, int table, Numbers* rows) except -1:
        """Find the rows of a table, without rows of nested tables."""
        cdef int item = self.following(table, table)
        while item >= 0:
            if self.items[item].tag == TAG_TABLE:
                while item != table and self.items[item].next < 0:
                    item = self.items[item].parent
                if item == table:
                    return 0
                item = self.items[item].next
                continue
            if self.items[item].tag == TAG_TR:
                push(rows, item)
            item = self.following(item, table)
        return 0

    cdef bint is_data(self, int row) except -1:
        """Return True if all cells of a row fit into a row of Markdown."""
        cdef int cell = self.next_cell(self.items[row].first)
        while cell >= 0:
            if not self.is_cell(cell):
                return False
            cell = self.next_cell(self.items[cell].next)
        return True

    cdef bint is_cell(self, int cell) except -1:
        """Return True if a cell fits into a row of Markdown."""
        cdef size_t count = 0, at
        if not self.items[cell].flags & CELL_KNOWN:
            self.items[cell].flags |= CELL_KNOWN
            if self.fits_in_row(cell):
                self.read_text(cell)
                for at in range(self.text_read.size):
                    count += <unsigned char>self.text_read.data[at] & 0xC0 != 0x80
                if count <= MAX_MARKDOWN_CELL:
                    self.items[cell].flags |= CELL_HOLDS_LINE
        return self.items[cell].flags & CELL_HOLDS_LINE != 0

    cdef bint fits_in_row(self, int cell) except -1:
        """Return True if a cell has nothing that needs lines of its own; a line of code does not."""
        cdef int item = self.following(cell, cell)
        while item >= 0:
            if self.items[item].tag == TAG_PRE:
                self.read_text(item)
                if has_lines(self.text_read.data, self.text_read.size):
                    return False
            elif self.items[item].facts & NO_CELL:
                return False
            item = self.following(item, cell)
        return True

    cdef bint is_layout(self, int* rows, size_t count) except -1:
        """Return True for a single row without a head, with several blocks in a cell: columns of a layout."""
        cdef int cell = self.next_cell(self.items[rows[0]].first), child, blocks
        if count > 1:
            return False
        while cell >= 0:
            if self.items[cell].tag == TAG_TH:
                return False
            cell = self.next_cell(self.items[cell].next)
        cell = self.next_cell(self.items[rows[0]].first)
        while cell >= 0:
            child, blocks = self.items[cell].first, 0
            while child >= 0:
                blocks += self.items[child].facts & BLOCK != 0
                child = self.items[child].next
            if blocks > 1:
                self.read_text(cell)
                if self.text_read.size > LAYOUT:
                    return True
            cell = self.next_cell(self.items[cell].next)
        return False

    cdef int write_cells(self, int* rows, size_t count, int depth) except -1:
        """Write the cells of rows as blocks."""
        cdef size_t row
        cdef int cell
        for row in range(count):
            cell = self.next_cell(self.items[rows[row]].first)
            while cell >= 0:
                self.write_blocks(cell, depth + 1)
                cell = self.next_cell(self.items[cell].next)
        return 0

    cdef bint write_rows(self, int* rows, size_t count, int depth) except -1:
        """Write rows as a table, if any row has several cells with text."""
        cdef Numbers texts, ends, spans  # place and size of each text; number of texts up to each row; spanned rows
        cdef size_t row
        cdef int left = MAX_SPANNED, most = 0, filled, text
        memset(&texts, 0, sizeof(Numbers))
        memset(&ends, 0, sizeof(Numbers))
        memset(&spans, 0, sizeof(Numbers))
        self.cells.size = 0
        try:
            push(&ends, 0)
            for row in range(count):
                self.read_row(rows[row], depth, &texts, &spans, &left)
                push(&ends, <int>texts.count // 2)
                filled = 0
                for text in range(ends.data[row], ends.data[row + 1]):
                    filled += texts.data[2 * text + 1] > 0
                most = max(most, filled)
            if most > 1 or (most and count > 1 and self.has_head(rows[0])):
                self.put_table(rows[0], &texts, &ends)
                return True
            return False
        finally:
            free(texts.data)
            free(ends.data)
            free(spans.data)

    cdef int read_row(self, int row, int depth, Numbers* texts, Numbers* spans, int* left) except -1:
        """Read the texts of a row's cells, with empty ones where cells span columns or rows."""
        cdef int cell = self.next_cell(self.items[row].first), across, down, each
        cdef size_t column = 0, begin = self.line.count
        while True:
            while column < spans.count and spans.data[column] > 0:
                spans.data[column] -= 1
                self.skip_column(texts, spans, &column, left)
            if cell < 0:
                return 0
            push(texts, <int>self.cells.size)
            self.add_marked(cell, depth + 1)
            self.put_cell(begin)
            push(texts, <int>self.cells.size - texts.data[texts.count - 1])
            if left[0] >= 0:
                left[0] += MAX_SPANNED_PER_CELL
            across, down = span_in(self.get(cell, COLSPAN)), span_in(self.get(cell, ROWSPAN))
            for each in range(across):
                if left[0] < 0:
                    break
                while spans.count <= column:
                    push(spans, 0)
                spans.data[column] = down - 1
                if each:
                    self.skip_column(texts, spans, &column, left)
                else:
                    column += 1
            cell = self.next_cell(self.items[cell].next)

    cdef int skip_column(self, Numbers* texts, Numbers* spans, size_t* column, int* left) except -1:
        """Add an empty text; cells of a table that becomes too sparse (``left`` below 0) span nothing from there on."""
        column[0] += 1
        left[0] -= 1
        if left[0] < 0:
            spans.count = 0
            return 0
        push(texts, 0)
        return push(texts, 0)

    cdef int put_cell(self, size_t begin) except -1:
        """Append the last parts as the text of a cell."""
        cdef size_t at
        cdef bint is_any = self.line.make(begin, False)
        self.line.count = begin
        if not is_any:
            return 0
        self.made.size = 0
        self.put_lines(" ", 1, &self.made)
        for at in range(self.made.size):
            if self.made.data[at] == c"|":
                put(&self.cells, "\\", 1)
            put(&self.cells, self.made.data + at, 1)
        return 0

    cdef int put_table(self, int head, Numbers* texts, Numbers* ends) except -1:
        """Put a table of rows. The first row is the head, with as many cells as any row."""
        cdef int column, width = 1
        cdef size_t row
        cdef bint has_head = self.has_head(head)
        for row in range(1, ends.count):
            width = max(width, ends.data[row] - ends.data[row - 1])
        self.begin_chunk(False, False)
        self.put_row(texts, 0, ends.data[1] if has_head else 0, width)
        self.put("\n|")
        for column in range(width):
            self.put(" --- |")
        for row in range(2 if has_head else 1, ends.count):
            self.put("\n")
            self.put_row(texts, ends.data[row - 1], ends.data[row], width if width * ends.count <= MAX_FILLED else 1)
        return self.end_chunk()

    cdef bint has_head(self, int row) noexcept:
        cdef int cell = self.next_cell(self.items[row].first)
        while cell >= 0:
            if self.items[cell].tag == TAG_TH:
                return True
            cell = self.next_cell(self.items[cell].next)
        return False

    cdef int put_row(self, Numbers* texts, int begin, int end, int least) except -1:
        """Put a row of at least so many columns."""
        cdef int text
        self.put("|")
        for text in range(begin, max(end, begin + least)):
            self.put(" ")
            if text < end:
                put(&self.text, self.cells.data + texts.data[2 * text], texts.data[2 * text + 1])
            self.put(" |")
        return 0

    # Lines

    cdef int add_text(self, const char* text, int item) except -1:
        """Add a text of an element without soft hyphens: its TeX unchanged, its lines where a style keeps them."""
        cdef size_t size
        cdef const char* at
        cdef bytes encoded
        if text is NULL or not text[0]:
            return 0
        size = strlen(text)
        if self.items[item].flags & STYLED:
            if strstr(text, "\xc2\xad") is not NULL:
                text = self.without_hyphens(text, &size)
            at = strchr(text, c"\n")
            while at is not NULL:
                self.line.add_text(text, at - text)
                self.line.add_mark("\n")
                text = at + 1
                at = strchr(text, c"\n")
            return self.line.add_text(text, strlen(text))
        if may_have_tex(text):
            for part, is_mark in tex_parts(text.decode(), has_dollars=self.has_dollars):
                encoded = part.encode("utf-8", "replace")
                at = kept(&self.line.kept, encoded, len(encoded))
                self.line.add(at, len(encoded), not is_mark, 0)
            return 0
        if strstr(text, "\xc2\xad") is not NULL:
            text = self.without_hyphens(text, &size)
        return self.line.add_text(text, size)

    cdef const char* without_hyphens(self, const char* text, size_t* size) except NULL:
        """A copy of a text without soft hyphens."""
        cdef char* copy = more_room(&self.line.kept, size[0] + 1)
        cdef char* written = copy
        while text[0]:
            if <unsigned char>text[0] == 0xC2 and <unsigned char>text[1] == 0xAD:
                text += 2
                continue
            written[0] = text[0]
            written += 1
            text += 1
        written[0] = 0
        size[0] = written - copy
        return copy

    cdef int add_inline(self, int item, int depth) except -1:
        """Add the parts of a line for an element."""
        cdef unsigned int facts = self.items[item].facts
        cdef int tag = self.items[item].tag
        if tag == TAG_INPUT:
            return self.add_box(item)
        if facts & UNREAD:
            return 0
        if depth >= MAX_DEPTH:
            self.read_text(item)
            return self.line.add_text(kept(&self.line.kept, self.text_read.data, self.text_read.size), self.text_read.size)
        if tag == TAG_BR:
            return self.line.add_mark("\n")
        if tag == TAG_IMG:
            return self.add_image(item)
        if tag == TAG_MATH:
            return self.add_formula(safe_tex(self.tex_of(item)))
        if (facts & INLINE_CODE or tag == TAG_PRE) and self.first_of(item, TAG_IMG) < 0 and self.first_of(item, TAG_MATH) < 0:
            return self.add_code(item)
        return self.add_link(item, depth) if tag == TAG_A else self.add_marked(item, depth)

    cdef int add_formula(self, tex) except -1:
        cdef bytes encoded
        if tex:
            encoded = f"${tex}$".encode("utf-8", "replace")
            self.line.add(kept(&self.line.kept, encoded, len(encoded)), len(encoded), False, 0)
        return 0

    cdef int add_marked(self, int item, int depth) except -1:
        """Add the content of an element, within marks."""
        cdef int child = self.items[item].first, tag = self.items[item].tag
        cdef const char* mark = NULL
        cdef bint is_above = (tag == TAG_SUP or tag == TAG_SUB) and not self.holds_mark(item)
        cdef bint is_reading = tag == TAG_RT and self.is_bare(item)
        cdef bint is_parted
        if self.items[item].facts & EMPHASIS:
            mark = "**" if tag <= TAG_STRONG else "*" if tag <= TAG_CITE else "~~"
            self.line.add(mark, strlen(mark), False, 1)
        if is_reading:
            self.line.add_text("(", 1)
        if is_above:
            self.line.add_mark("<sup>" if tag == TAG_SUP else "<sub>")
        self.add_text(self.items[item].text, item)
        while child >= 0:
            is_parted = self.items[child].facts & BLOCK != 0
            if is_parted:
                self.line.add_text(" ", 1)
            self.add_inline(child, depth + 1)
            if is_parted:
                self.line.add_text(" ", 1)
            self.add_text(self.items[child].tail, item)
            child = self.items[child].next
        if is_above:
            self.line.add_mark("</sup>" if tag == TAG_SUP else "</sub>")
        if is_reading:
            self.line.add_text(")", 1)
        if mark is not NULL:
            self.line.add(mark, strlen(mark), False, -1)
        return 0

    cdef bint holds_mark(self, int item) except -1:
        """Return True if an element contains the mark of a footnote."""
        cdef int inner = item
        if not self.marks:
            return False
        while inner >= 0:
            if self.items[inner].tag == TAG_A and self.note_at(inner) >= 0:
                return True
            inner = self.following(inner, item)
        return False

    cdef int note_at(self, int link) except -2:
        cdef const char* href = self.get(link, HREF)
        found = self.marks.get(b"" if href is NULL or not href[0] else <bytes>behind_first(href))
        return -1 if found is None else found

    cdef bint is_bare(self, int reading) noexcept:
        """Return True if a reading of characters lacks the brackets shown by old browsers."""
        cdef int before = self.items[reading].before, parent = self.items[reading].parent
        if before >= 0 and self.items[before].tag == TAG_RP:
            return False
        return parent < 0 or self.items[parent].tag != TAG_RP

    cdef int add_box(self, int box) except -1:
        self.line.add_mark("[x]" if self.get(box, CHECKED) is not NULL else "[ ]")
        return self.line.add_text(" ", 1)

    cdef int add_image(self, int image) except -1:
        cdef const char* source = self.get(image, SRC)
        cdef const char* alt = self.get(image, ALT)
        if source is NULL or strncmp(source, "data:", 5) == 0:
            return 0
        alt = NOTHING if alt is NULL else alt
        if alt[0] == c"{" and alt[1] == c"\\":
            tex = alt.decode()
            if tex.startswith(IMAGED_TEX):
                return self.add_formula(safe_tex(tex))
        if not self.has_images:
            return 0
        self.made.size = 0
        put(&self.made, "![", 2)
        escape(&self.made, alt, alt + strlen(alt), True, False)
        return self.add_address(source)

    cdef int add_address(self, const char* address) except -1:
        """Add a begun link or image, with its address."""
        cdef const char* coded
        put(&self.made, "](", 2)
        if address[0] == c"#":
            put(&self.made, self.url, len(self.url))
        while address[0]:
            coded = ADDRESS_CODES[<unsigned char>address[0]]
            if coded is NULL:
                put(&self.made, address, 1)
            else:
                put(&self.made, coded, strlen(coded))
            address += 1
        put(&self.made, ")", 1)
        return self.line.add(kept(&self.line.kept, self.made.data, self.made.size), self.made.size, False, 0)

    cdef int add_link(self, int link, int depth) except -1:
        cdef const char* href = self.get(link, HREF)
        cdef size_t begin = self.line.count
        cdef bint is_before, is_behind
        cdef bytes label
        if href is not NULL and href[0] == c"#":
            if self.leads_to_heading(link, href):
                return self.add_marked(link, depth)
            if self.notes and self.is_back(link):
                return 0
            if self.marks and self.note_at(link) >= 0:
                label = f"[^{self.notes[self.items[self.note_at(link)].note]}]".encode("utf-8", "replace")
                return self.line.add(kept(&self.line.kept, label, len(label)), len(label), False, 0)
        self.add_marked(link, depth)
        if not self.has_links or href is NULL or not href[0] or self.first_of(link, TAG_A) >= 0 or not self.line.make(begin, True):
            return 0
        self.made.size = 0
        put(&self.made, "[", 1)
        self.put_lines(" ", 1, &self.made)
        is_before, is_behind = self.is_space_first(begin), self.is_space_last(begin)
        self.line.count = begin
        if is_before:
            self.line.add_text(" ", 1)
        self.add_address(href)
        return self.line.add_text(" ", 1) if is_behind else 0

    cdef bint leads_to_heading(self, int link, const char* href) noexcept:
        cdef int heading = self.around_with(link, HEADING), place
        if heading < 0:
            return False
        place = self.place_at(href)
        while place >= 0 and place != heading:
            place = self.items[place].parent
        return place >= 0

    cdef bint is_space_first(self, size_t begin) noexcept:
        """Return True if the text of the last parts begins with white space."""
        cdef size_t number
        for number in range(begin, self.line.count):
            if self.line.parts[number].side == 0 and self.line.parts[number].size:
                return space_at(<const unsigned char*>self.line.parts[number].text) > 0
        return False

    cdef bint is_space_last(self, size_t begin) noexcept:
        """Return True if the text of the last parts ends with white space."""
        cdef size_t number = self.line.count
        cdef Part* part
        while number > begin:
            number -= 1
            part = &self.line.parts[number]
            if part.side == 0 and part.size:
                return space_before(part.text, part.text + part.size) > 0
        return False

    # Code in lines

    cdef int add_code(self, int item) except -1:
        """Add code in a line, with its links."""
        cdef int inner = item
        cdef const char* url = NULL  # of the text read
        cdef const char* around = NULL
        self.scratch.size = 0
        while True:
            if self.items[inner].tag == TAG_A:
                around = self.url_of(inner)
            elif self.items[inner].tag == TAG_BR:
                self.add_spans(item, url)
                self.line.add_mark("\n")
            self.add_run(item, self.items[inner].text, &url, around)
            if self.items[inner].first >= 0:
                inner = self.items[inner].first
                continue
            while True:
                if inner == item:
                    return self.add_spans(item, url)
                if self.items[inner].tag == TAG_A:
                    around = self.url_around(inner, item)
                self.add_run(item, self.items[inner].tail, &url, around)
                if self.items[inner].next >= 0:
                    inner = self.items[inner].next
                    break
                inner = self.items[inner].parent

    cdef const char* url_of(self, int link) noexcept:
        """The address of a link in code; NULL where none is written."""
        cdef const char* href = self.get(link, HREF) if self.has_links else NULL
        return NULL if href is NULL or not href[0] else href

    cdef const char* url_around(self, int inner, int top) noexcept:
        """The address of the link around an element in code; NULL without."""
        inner = self.items[inner].parent
        while inner != top and self.items[inner].tag != TAG_A:
            inner = self.items[inner].parent
        return NULL if inner == top else self.url_of(inner)

    cdef int add_run(self, int item, const char* text, const char** url, const char* around) except -1:
        """Read a text of code behind the text before. The latter is added first if its link differs."""
        if text is NULL or not text[0]:
            return 0
        if url[0] is not around and not (url[0] is not NULL and around is not NULL and strcmp(url[0], around) == 0):
            self.add_spans(item, url[0])
        url[0] = around
        return put(&self.scratch, text, strlen(text))

    cdef int add_spans(self, int item, const char* url) except -1:
        """Add the code read as spans, one for each line kept by a style."""
        cdef const char* at
        cdef const char* end
        cdef const char* line = NULL
        if not self.scratch.size:
            return 0
        at = kept(&self.line.kept, self.scratch.data, self.scratch.size)
        end = at + self.scratch.size
        self.scratch.size = 0
        while True:
            if self.items[item].flags & STYLED:
                line = <const char*>memchr(at, c"\n", end - at)
            self.add_span(at, (end if line is NULL else line) - at, url)
            if line is NULL:
                return 0
            self.line.add_mark("\n")
            at = line + 1

    cdef int add_span(self, const char* text, size_t size, const char* url) except -1:
        """Add a span of code, maybe as a link."""
        cdef Part part
        part.text, part.size = text, size
        strip(&part)
        collapse(&self.line.kept, &part)
        if not part.size:
            return self.line.add_text(" ", 1) if size else 0
        if space_at(<const unsigned char*>text):
            self.line.add_text(" ", 1)
        self.line.add_code(part.text, part.size)
        if url is not NULL:
            self.line.count -= 1
            self.made.size = 0
            put(&self.made, "[", 1)
            put(&self.made, self.line.parts[self.line.count].text, self.line.parts[self.line.count].size)
            self.add_address(url)
        return self.line.add_text(" ", 1) if space_before(text, text + size) else 0


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


cdef inline const char* behind_first(const char* text) noexcept nogil:
    """Return a text without the first character."""
    return behind(text) if text[0] else text


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
    """Write the mark of an item, and return its size; Markdown has no lists with letters."""
    cdef size_t size
    mark[0], mark[1] = c"-", c" "
    if number < 0:
        return 2
    size = label_of(mark + 2, number, form)
    if 48 <= mark[2] <= 57:
        size = label_of(mark, number, form)
    else:
        size += 2
    mark[size], mark[size + 1] = c".", c" "
    return size + 2


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


cdef bint has_no_text(const char* text, size_t size) noexcept:
    """Return True if the first line of a chunk begins with a mark of Markdown, after any white space."""
    cdef const char* end = text + size_of_line(text, size)
    while text < end and space_at(<const unsigned char*>text):
        text += space_at(<const unsigned char*>text)
    return has_no_text_at(text, end)


cdef bint has_no_text_at(const char* text, const char* end) noexcept:
    """Return True if a chunk begins with a mark of Markdown."""
    cdef const char* at = text
    cdef size_t size = end - text
    if not size:
        return False
    if text[0] in b"-#>|":
        return True
    if size > 1 and ((text[0] == c"$" and text[1] == c"$") or (text[0] == c"[" and text[1] == c"^")):
        return True
    while at < end and Py_UNICODE_ISDECIMAL(character_at(at)):
        at = behind(at)
    return at > text and end - at > 1 and at[0] == c"." and at[1] == c" "
