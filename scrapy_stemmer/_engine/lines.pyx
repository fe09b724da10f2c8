# cython: boundscheck=False, wraparound=False
"""Lines of Markdown from parts: escaped text, and marks.

White space is collapsed and moved out of emphasis and code. Emphasis that no parser would see is left out. Adjacent
pieces of code are one.
"""

from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_ISDECIMAL, Py_UNICODE_ISSPACE
from libc.stdint cimport uint32_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memcpy, memmove, memset, strlen

from scrapy_stemmer._engine.nodes cimport Buffer, put, resized, sign_at, space_at

cdef enum:
    MAX_SETTLING = 4  # passes over marks of emphasis, repeated when some have gone
    MAX_LABEL = 200  # characters of a label in brackets
    MAX_ADDRESS = 80  # characters before the at sign of an address in angle brackets
    ROOM = 1 << 16

# Characters to be escaped in text, and at the start of a line

cdef unsigned char[256] SPECIAL
cdef unsigned char[256] FIRST
memset(SPECIAL, 0, 256)
memset(FIRST, 0, 256)
for code_ in range(256):
    SPECIAL[<int>code_] = chr(code_) in "\\`*~_<&[]!($"
    FIRST[<int>code_] = code_ >= 128 or chr(code_) in "-+*#>=:0123456789"


# Bytes that stay in place

cdef char* more_room(Room* room, size_t size) except NULL:
    """Return room for some bytes."""
    cdef char* block
    cdef size_t wanted = size if size > ROOM else ROOM
    if not room.count or room.used + size > room.size:
        if room.count == room.room:
            room.blocks = <char**>resized(room.blocks, (2 * room.room + 8) * sizeof(char*))
            room.room = 2 * room.room + 8
        room.blocks[room.count] = <char*>resized(NULL, wanted)
        room.count += 1
        room.used, room.size = 0, wanted
    block = room.blocks[room.count - 1] + room.used
    room.used += size
    return block


cdef const char* kept(Room* room, const char* text, size_t size) except NULL:
    """Return a copy of a text, followed by NUL."""
    cdef char* copy = more_room(room, size + 1)
    memcpy(copy, text, size)
    copy[size] = 0
    return copy


cdef void free_room(Room* room) noexcept nogil:
    cdef size_t block
    for block in range(room.count):
        free(room.blocks[block])
    free(room.blocks)
    memset(room, 0, sizeof(Room))


# Characters

cdef Py_UCS4 character_at(const char* text) noexcept nogil:
    """The first character of a text in UTF-8."""
    cdef uint32_t sign
    sign_at(<const unsigned char*>text, &sign)
    return sign


cdef inline const char* before(const char* begin, const char* at) noexcept nogil:
    """Return the start of the character before a place."""
    at -= 1
    while at > begin and (<unsigned char>at[0] & 0xC0) == 0x80:
        at -= 1
    return at


cdef int space_before(const char* begin, const char* end) noexcept:
    """Return the bytes of the white space character before an end, else 0."""
    cdef const char* at
    if end == begin:
        return 0
    at = before(begin, end)
    return <int>(end - at) if space_at(<const unsigned char*>at) == end - at else 0


cdef bint is_space_in(const char* text, size_t size) noexcept:
    """Return True if a text is white space or empty."""
    cdef const char* end = text + size
    cdef int space
    while text < end:
        space = space_at(<const unsigned char*>text)
        if not space:
            return False
        text += space
    return True


cdef inline bint is_word(Py_UCS4 character) noexcept:
    return character == c"_" or Py_UNICODE_ISALNUM(character)


cdef size_t longest_run(const char* text, size_t size, char character) noexcept nogil:
    cdef size_t longest = 0, count = 0, at
    for at in range(size):
        count = count + 1 if text[at] == character else 0
        longest = count if count > longest else longest
    return longest


# Escapes

cdef int escape(Buffer* written, const char* begin, const char* end, bint is_link, bint has_formula) except -1:
    """Append text with escapes where Markdown would read a mark.

    :param is_link: True for the text of a link, which no bracket may end.
    :param has_formula: True if dollars would make a formula.
    """
    cdef const char* plain = begin
    cdef const char* at = begin
    while at < end:
        if SPECIAL[<unsigned char>at[0]] and is_special(begin, at, end, is_link, has_formula):
            put(written, plain, at - plain)
            put(written, "\\", 1)
            plain = at
        at += 1
    return put(written, plain, end - plain)


cdef bint is_special(const char* begin, const char* at, const char* end, bint is_link, bint has_formula) noexcept:
    """Return True if Markdown would read a character of a text as a mark."""
    cdef char character = at[0]
    cdef char next_ = at[1] if at + 1 < end else 0
    if character == c"\\" or character == c"`":
        return True
    if character == c"$":
        return has_formula
    if character == c"*":
        return not (space_before(begin, at) and at + 1 < end and space_at(<const unsigned char*>at + 1))
    if character == c"~":
        return next_ == c"~"
    if character == c"_":
        if at == begin or not Py_UNICODE_ISALNUM(character_at(before(begin, at))):
            return True
        return not next_ or not Py_UNICODE_ISALNUM(character_at(at + 1))
    if character == c"<":
        return begins_tag(at + 1, end)
    if character == c"&":
        return begins_entity(at + 1, end)
    if character == c"[":
        return is_link or begins_label(begin, at, end)
    if character == c"]":
        return is_link
    if character == c"!":
        return next_ == c"["
    return at > begin and at[-1] == c"]"


cdef bint begins_tag(const char* at, const char* end) noexcept:
    """Return True if a tag or a mail address seems to follow an angle bracket."""
    cdef int count = 0
    if at < end and (97 <= (<unsigned char>at[0] | 0x20) <= 122 or at[0] == c"/" or at[0] == c"!" or at[0] == c"?"):
        return True
    while at < end and not space_at(<const unsigned char*>at):
        if count and at[0] == c"@":
            return True
        count += 1
        if count > MAX_ADDRESS:
            return False
        at = behind(at)
    return False


cdef bint begins_entity(const char* at, const char* end) noexcept:
    """Return True if a character reference seems to follow an ampersand."""
    cdef const char* begin
    if at < end and at[0] == c"#":
        at += 1
    begin = at
    while at < end and is_word(character_at(at)):
        at = behind(at)
    return at > begin and at < end and at[0] == c";"


cdef bint begins_label(const char* begin, const char* at, const char* end) noexcept:
    """Return True if a bracket may begin a link, a definition, a footnote, or at the start of a text a task."""
    cdef const char* inside = at + 1
    cdef int count = 0, space
    if inside < end and inside[0] == c"^":
        return True
    if at == begin and end - at > 3 and at[2] == c"]" and (at[1] == c" " or at[1] == c"x" or at[1] == c"X"):
        if space_at(<const unsigned char*>at + 3):
            return True
    while inside < end and inside[0] != c"]":
        count += 1
        if count > MAX_LABEL:
            return True
        inside = behind(inside)
    if inside == end:
        return False
    inside += 1
    space = space_at(<const unsigned char*>inside) if inside < end else 0
    inside += space
    return inside < end and (inside[0] == c"[" or inside[0] == c"(" or inside[0] == c":")


cdef class Lines:
    """Lines made of parts.

    :ivar parts: added parts.
    :ivar marks: parts of the finished lines, with white space apart.
    :ivar written: finished lines with new lines at the ends.
    :ivar lines: finished lines without empty lines, separated by new lines.
    :ivar kept: texts of parts.
    :ivar begins_with_space: whether white space was before the finished lines; likewise ``ends_with_space``.
    """

    def __dealloc__(self):
        free(self.parts)
        free(self.marks)
        free(self.written.data)
        free(self.run.data)
        free(self.lines.data)
        free_room(&self.kept)

    # Parts

    cdef int add(self, const char* text, size_t size, int kind, int side=0) except -1:
        """Add a part whose text stays in memory, with NUL or more text behind."""
        cdef Part* part
        if self.count == self.room:
            self.parts = <Part*>resized(self.parts, (2 * self.room + 64) * sizeof(Part))
            self.room = 2 * self.room + 64
        part = &self.parts[self.count]
        part.text, part.size, part.kind, part.side = text, size, kind, side
        self.count += 1
        return 0

    cdef int add_kept(self, const char* text, size_t size, int kind) except -1:
        """Add a part with a copy of a text."""
        return self.add(kept(&self.kept, text, size), size, kind)

    cdef int add_mark(self, const char* text) except -1:
        return self.add(text, strlen(text), MARK_PART)

    cdef int add_space(self) except -1:
        return self.add(" ", 1, TEXT_PART)

    cdef bint is_blank(self, size_t begin) noexcept:
        """Return True if the last parts are white space."""
        cdef size_t part
        for part in range(begin, self.count):
            if self.parts[part].kind == MARK_PART or not is_space_in(self.parts[part].text, self.parts[part].size):
                return False
        return True

    # Lines

    cdef int make(self, size_t begin, bint is_link) except -1:
        """Make lines of the last parts, and return True if there are any.

        :param is_link: True for the text of a link, which no bracket may end.
        """
        cdef bint has_sides
        self.lines.size = self.written.size = self.marks_count = 0
        has_sides = self.space_out(begin)
        if not self.marks_count:
            return False
        if has_sides:
            self.settle()
        self.write(is_link)
        self.cut()
        return self.lines.size != 0

    cdef bint space_out(self, size_t begin) except -1:
        """Make marks of parts: collapse white space, and move white space and new lines out of emphasis and code.

        Emphasis that ends and begins again at once goes on. Return True if there is any emphasis.
        """
        cdef size_t number, place
        cdef Part* part
        cdef Part* last
        cdef Part mark
        cdef int space = -1  # kind of the white space before
        cdef int size
        cdef bint has_sides = False
        for number in range(begin, self.count):
            part = &self.parts[number]
            if part.kind == MARK_PART:
                if space >= 0 and part.side >= 0:
                    self.put_space(TEXT_PART)
                    space = -1
                last = &self.marks[self.marks_count - 1] if self.marks_count else NULL
                has_sides |= part.side != 0
                if (
                    part.side > 0 and last is not NULL and last.side == -1 and last.size == part.size
                    and memcmp(last.text, part.text, part.size) == 0
                ):
                    self.marks_count -= 1
                elif part.size:
                    place = self.marks_count
                    while is_break(part) and place and self.marks[place - 1].side > 0:
                        place -= 1
                    while part.side < 0 and place and is_break(&self.marks[place - 1]):
                        place -= 1
                    self.insert(part, place)
                continue
            mark = part[0]
            size = space_at(<const unsigned char*>mark.text) if mark.size else 0
            strip(&mark)
            if size:
                space = part.kind if space < 0 or part.kind == TEXT_PART else space
            if not mark.size:
                continue
            if space >= 0:
                self.put_space(space if part.kind == CODE_PART else TEXT_PART)
            size = mark.text + mark.size < part.text + part.size
            space = part.kind if size else -1
            collapse(&self.kept, &mark)
            self.insert(&mark, self.marks_count)
        self.begins_with_space = self.marks_count and space_at(<const unsigned char*>self.marks[0].text)
        self.ends_with_space = space >= 0 or (self.marks_count and is_break(&self.marks[self.marks_count - 1]))
        return has_sides

    cdef int put_space(self, int kind) except -1:
        """Add a space, before beginnings of emphasis. It is code between pieces of code."""
        cdef size_t place = self.marks_count
        cdef Part space
        while place and self.marks[place - 1].side > 0:
            place -= 1
        if not place or self.marks[place - 1].kind != CODE_PART:
            kind = TEXT_PART
        space.text, space.size, space.kind, space.side = b" ", 1, kind, 0
        return self.insert(&space, place)

    cdef int insert(self, Part* part, size_t place) except -1:
        """Put a mark in a place."""
        if self.marks_count == self.marks_room:
            self.marks = <Part*>resized(self.marks, (2 * self.marks_room + 64) * sizeof(Part))
            self.marks_room = 2 * self.marks_room + 64
        if place < self.marks_count:
            memmove(&self.marks[place + 1], &self.marks[place], (self.marks_count - place) * sizeof(Part))
        self.marks[place] = part[0]
        self.marks_count += 1
        return 0

    # Emphasis

    cdef int settle(self) except -1:
        """Leave out marks of emphasis that no parser would see, repeatedly, since each loss may spoil further marks."""
        for _ in range(MAX_SETTLING):
            if not self.drop_emphasis():
                return 0
        return 0

    cdef bint drop_emphasis(self) except -1:
        """Leave out marks of emphasis within emphasis of their kind, or flanked wrongly; return True if there are any."""
        cdef list open_ = []
        cdef set gone = set()
        cdef size_t number, first, outer, left = 0
        cdef bint is_within
        for number in range(self.marks_count):
            if self.marks[number].side > 0:
                open_.append(number)
            elif self.marks[number].side < 0 and open_:
                first = open_.pop()
                is_within = False
                for outer in open_:
                    is_within |= self.marks[outer].size == self.marks[first].size and (
                        self.marks[outer].text[0] == self.marks[first].text[0]
                    )
                if is_within or not self.is_flanked(first, number):
                    gone.update((first, number))
        for number in range(self.marks_count if gone else 0):
            if number not in gone:
                self.marks[left] = self.marks[number]
                left += 1
        self.marks_count = left if gone else self.marks_count
        return bool(gone)

    cdef bint is_flanked(self, size_t first, size_t last) noexcept:
        """Return True if marks of emphasis begin and end emphasis in their places (CommonMark, left- and
        right-flanking)."""
        cdef Py_UCS4 around = last_of(&self.marks[first - 1]) if first else 0
        cdef Py_UCS4 next_ = first_of(&self.marks[last + 1]) if last + 1 < self.marks_count else 0
        cdef Py_UCS4 inner = first_of(&self.marks[first + 1]), end
        if first + 1 == last:
            return False
        if first and around == <Py_UCS4>self.marks[first].text[0] and self.marks[first - 1].side <= 0:
            return False
        end = last_of(&self.marks[last - 1])
        if Py_UNICODE_ISSPACE(inner) or Py_UNICODE_ISSPACE(end):
            return False
        if not Py_UNICODE_ISALNUM(inner) and Py_UNICODE_ISALNUM(around):
            return False
        return Py_UNICODE_ISALNUM(end) or not Py_UNICODE_ISALNUM(next_)

    # Writing

    cdef bint has_formula(self) except -1:
        """Return True if dollars of the text would make a formula."""
        cdef size_t number
        cdef bint has_any = False
        cdef const char* at
        cdef const char* end
        for number in range(self.marks_count):
            if memchr(self.marks[number].text, c"$", self.marks[number].size) is not NULL:
                has_any = True
                break
        if not has_any:
            return False
        self.run.size = 0
        for number in range(self.marks_count):
            put(&self.run, self.marks[number].text, self.marks[number].size)
        put(&self.run, b"\0", 1)
        at, end = self.run.data, self.run.data + self.run.size - 1
        while at < end and not (at[0] == c"$" and not space_at(<const unsigned char*>at + 1)):
            at += 1
        at += 1
        while at < end:
            if at[0] == c"$" and not space_before(self.run.data, at) and not Py_UNICODE_ISDECIMAL(character_at(at + 1)):
                return True
            at += 1
        return False

    cdef int write(self, bint is_link) except -1:
        """Write the marks. Escapes depend on the characters beside, in any elements."""
        cdef size_t number = 0
        cdef bint has_formula = self.has_formula()
        cdef int kind
        cdef char before, first
        while number < self.marks_count:
            kind = self.marks[number].kind
            self.run.size = 0
            while number < self.marks_count and self.marks[number].kind == kind:
                put(&self.run, self.marks[number].text, self.marks[number].size)
                number += 1
            put(&self.run, b"\0", 1)
            self.run.size -= 1
            before, first = self.written.data[self.written.size - 1] if self.written.size else 0, self.run.data[0]
            if kind == MARK_PART and before == c"!" and first == c"[":
                self.written.size -= 1
                put(&self.written, "\\!", 2)
            if kind == TEXT_PART and before == c"]" and first == c"(":
                put(&self.written, "\\", 1)
            if kind == TEXT_PART:
                escape(&self.written, self.run.data, self.run.data + self.run.size, is_link, has_formula)
            elif kind == CODE_PART:
                self.put_code()
            else:
                put(&self.written, self.run.data, self.run.size)
        return 0

    cdef int put_code(self) except -1:
        """Write the run as code, with more ticks around than within."""
        cdef size_t ticks = longest_run(self.run.data, self.run.size, c"`") + 1, each
        cdef bint is_padded = self.run.data[0] == c"`" or self.run.data[self.run.size - 1] == c"`"
        for each in range(ticks):
            put(&self.written, "`", 1)
        put(&self.written, " ", is_padded)
        put(&self.written, self.run.data, self.run.size)
        put(&self.written, " ", is_padded)
        for each in range(ticks):
            put(&self.written, "`", 1)
        return 0

    cdef int cut(self) except -1:
        """Cut the written text into lines."""
        cdef const char* at
        cdef const char* end
        cdef const char* line
        put(&self.written, "\n\0", 2)
        at, end = self.written.data, self.written.data + self.written.size - 1
        while at < end:
            line = <const char*>memchr(at, c"\n", end - at)
            self.put_line(at, line)
            at = line + 1
        return 0

    cdef int put_line(self, const char* begin, const char* end) except -1:
        """Write a line that is no heading, item, quote or rule, and defines no label."""
        cdef const char* at
        while begin < end and begin[0] == c" ":
            begin += 1
        while end > begin and end[-1] == c" ":
            end -= 1
        if is_space_in(begin, end - begin):
            return 0
        if self.lines.size:
            put(&self.lines, "\n", 1)
        if FIRST[<unsigned char>begin[0]]:
            at = start_in(begin, end)
            if at is not NULL:
                put(&self.lines, begin, at - begin)
                put(&self.lines, "\\", 1)
                begin = at
        elif begin[0] == c"[":
            at = definition_in(begin, end)
            if at is not NULL:
                put(&self.lines, begin, at - begin)
                put(&self.lines, "\\", 1)
                begin = at
        return put(&self.lines, begin, end - begin)


cdef inline Py_UCS4 first_of(Part* mark) noexcept nogil:
    """The first character of a mark as written."""
    return c"`" if mark.kind == CODE_PART else character_at(mark.text)


cdef inline Py_UCS4 last_of(Part* mark) noexcept nogil:
    return c"`" if mark.kind == CODE_PART else character_at(before(mark.text, mark.text + mark.size))


cdef inline bint ends_word(const char* at, const char* end) noexcept:
    """Return True at white space, and at the end."""
    return at == end or space_at(<const unsigned char*>at)


cdef const char* start_in(const char* begin, const char* end) noexcept:
    """Return the place to escape in a line like a heading, an item, a quote or a rule; NULL in further lines."""
    cdef const char* at = begin + 1
    cdef char first = begin[0]
    cdef int count = 1
    if first == c">":
        return begin
    if first == c":":
        return begin if at < end and space_at(<const unsigned char*>at) else NULL
    if first == c"-" or first == c"+" or first == c"*":
        if ends_word(at, end):
            return begin
    if first == c"-" or first == c"=":
        while at < end and at[0] == first:
            at += 1
        return begin if is_space_in(at, end - at) else NULL
    if first == c"#":
        while at < end and at[0] == c"#":
            at += 1
        return begin if at - begin <= 6 and ends_word(at, end) else NULL
    at = begin
    count = 0
    while at < end and count < 10 and Py_UNICODE_ISDECIMAL(character_at(at)):
        at = behind(at)
        count += 1
    if not 0 < count < 10 or at == end or not (at[0] == c"." or at[0] == c")"):
        return NULL
    return at if ends_word(at + 1, end) else NULL


cdef const char* definition_in(const char* begin, const char* end) noexcept:
    """Return the place of the colon behind a label in brackets at the start of a line, or NULL."""
    cdef const char* at = begin + 1
    while at < end and at[0] != c"[" and at[0] != c"]":
        if at[0] == c"\\":
            at += 1
            if at == end:
                return NULL
        at = behind(at)
    return at + 1 if at > begin + 1 and at + 1 < end and at[0] == c"]" and at[1] == c":" else NULL


cdef int strip(Part* part) noexcept:
    """Strip the white space around a text."""
    while part.size and space_at(<const unsigned char*>part.text):
        part.size -= space_at(<const unsigned char*>part.text)
        part.text += space_at(<const unsigned char*>part.text)
    while part.size and space_before(part.text, part.text + part.size):
        part.size -= space_before(part.text, part.text + part.size)
    return 0


cdef int collapse(Room* room, Part* mark) except -1:
    """Collapse the white space in a stripped text."""
    cdef const char* at = mark.text
    cdef const char* end = at + mark.size
    cdef char* copy
    cdef char* written
    cdef int size
    while at < end:
        size = space_at(<const unsigned char*>at)
        if size and (at[0] != c" " or space_at(<const unsigned char*>at + 1)):
            break
        at += 1
    if at == end:
        return 0
    copy = written = more_room(room, mark.size + 1)
    memcpy(copy, mark.text, at - mark.text)
    written += at - mark.text
    while at < end:
        size = space_at(<const unsigned char*>at)
        if size:
            written[0] = c" "
            written += 1
            while size:
                at += size
                size = space_at(<const unsigned char*>at)
        else:
            written[0] = at[0]
            written += 1
            at += 1
    written[0] = 0
    mark.text, mark.size = copy, written - copy
    return 0
