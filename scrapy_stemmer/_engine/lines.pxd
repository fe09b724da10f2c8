# Lines of Markdown; see lines.pyx.

from scrapy_stemmer._engine.nodes cimport Buffer

cdef struct Part:
    # A part of a line: text to be escaped, or a mark, written unchanged.
    const char* text  # new line of a mark for a kept line break
    size_t size
    const char* code  # code of which a mark is a span, or NULL
    size_t code_size
    int side  # 1 for the start of emphasis, -1 for the end
    bint is_text


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


cdef class Lines:
    cdef Part* parts
    cdef size_t count, room
    cdef Part* marks
    cdef size_t marks_count, marks_room
    cdef Buffer written, run, lines
    cdef Room kept
    cdef bint has_sides

    cdef int add(self, const char* text, size_t size, bint is_text, int side) except -1
    cdef int add_mark(self, const char* text) except -1
    cdef int add_text(self, const char* text, size_t size) except -1
    cdef int add_code(self, const char* code, size_t size) except -1
    cdef int make(self, size_t begin, bint is_link) except -1
    cdef int set_ticked(self, Part* part, const char* code, size_t size) except -1
    cdef int space_out(self, size_t begin) except -1
    cdef int insert(self, Part* part) except -1
    cdef int settle(self) except -1
    cdef size_t flanked(self) except? 0
    cdef bint is_flanked(self, size_t first, size_t last) noexcept
    cdef Py_UCS4 last_of(self, size_t number) noexcept nogil
    cdef int join_code(self) except -1
    cdef bint has_formula(self) except -1
    cdef int write(self, bint is_link) except -1
    cdef int cut(self) except -1
    cdef int put_line(self, const char* begin, const char* end) except -1
