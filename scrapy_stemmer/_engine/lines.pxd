# Lines of Markdown; see lines.pyx.

cimport cython

cdef enum:
    # Kinds of parts. Marks are written unchanged; a new line is one for a kept line break.
    TEXT_PART
    CODE_PART
    MARK_PART


@cython.final
cdef class Part:
    cdef str text
    cdef int kind
    cdef int side  # 1 for the start of emphasis, -1 for the end


cdef Part part_of(str text, int kind, int side=*)
cdef bint is_break(Part part) noexcept
cdef bint has_space_at(list parts, int end) except -1
cdef list lines_of(list parts, bint is_link)
cdef list paragraphs_of(list parts)
cdef str safe_line(str line)
cdef str escaped(str text, bint is_link, bint has_formula, bint has_address)
cdef str ticks_around(str code, int least)
