# Lines of Markdown; see lines.pyx.

from scrapy_stemmer._engine.nodes cimport Buffer

cdef enum:
    # Kinds of parts. Marks are written unchanged; a new line is one for a kept line break.
    TEXT_PART
    CODE_PART
    MARK_PART


cdef struct Part:
    # A part of a line.
    const char* text
    size_t size
    int kind
    int side  # 1 for the start of emphasis, -1 for the end


cdef struct Room:
    # Bytes that stay in place.
    char** blocks
    size_t count, room, used, size


cdef char* more_room(Room* room, size_t size) except NULL
cdef const char* kept(Room* room, const char* text, size_t size) except NULL
cdef void free_room(Room* room) noexcept nogil
cdef bint is_space_in(const char* text, size_t size) noexcept
cdef int space_before(const char* begin, const char* end) noexcept
cdef int escape(Buffer* written, const char* begin, const char* end, bint is_link, bint has_formula) except -1
cdef Py_UCS4 character_at(const char* text) noexcept nogil
cdef const char* start_in(const char* begin, const char* end) noexcept
cdef const char* definition_in(const char* begin, const char* end) noexcept
cdef int strip(Part* part) noexcept
cdef int collapse(Room* room, Part* mark) except -1
cdef size_t longest_run(const char* text, size_t size, char character) noexcept nogil


cdef inline const char* behind(const char* at) noexcept nogil:
    """Return the start of the next character."""
    at += 1
    while (<unsigned char>at[0] & 0xC0) == 0x80:
        at += 1
    return at


cdef inline bint is_break(Part* part) noexcept nogil:
    return part.kind == MARK_PART and part.size == 1 and part.text[0] == c"\n"


cdef class Lines:
    cdef Part* parts
    cdef size_t count, room
    cdef Part* marks
    cdef size_t marks_count, marks_room
    cdef Buffer written, run, lines
    cdef Room kept
    cdef bint begins_with_space, ends_with_space

    cdef int add(self, const char* text, size_t size, int kind, int side=*) except -1
    cdef int add_kept(self, const char* text, size_t size, int kind) except -1
    cdef int add_mark(self, const char* text) except -1
    cdef int add_space(self) except -1
    cdef bint is_blank(self, size_t begin) noexcept
    cdef int make(self, size_t begin, bint is_link) except -1
    cdef bint space_out(self, size_t begin) except -1
    cdef int put_space(self, int kind) except -1
    cdef int insert(self, Part* part, size_t place) except -1
    cdef int settle(self) except -1
    cdef bint drop_emphasis(self) except -1
    cdef bint is_flanked(self, size_t first, size_t last) noexcept
    cdef bint has_formula(self) except -1
    cdef int write(self, bint is_link) except -1
    cdef int put_code(self) except -1
    cdef int cut(self) except -1
    cdef int put_line(self, const char* begin, const char* end) except -1
