# A page as read; see page.pyx.

cimport cython

from scrapy_stemmer._engine.nodes cimport Buffer


cdef struct Element:
    # A block-level element: numbers of its parent, signature, place in the tree, and path on the site, and whether
    # it or an element around is concealed.
    int parent
    int signature
    int number
    int path
    bint is_concealed


cdef struct Block:
    # A run of text of an element: its place in the texts, characters, in links too, the end of its pieces, and the
    # number of learned pages with the text.
    Py_ssize_t start
    Py_ssize_t size
    int element
    int length
    int linked
    int end
    int pages
    long long key  # -1 before the first question
    bint has_time
    bint is_spaced


cdef struct Sign:
    # A run of text without letters and digits before a block.
    Py_ssize_t start
    Py_ssize_t size
    int before
    int element
    int first  # of its pieces,
    int end
    bint is_spaced


cdef struct Link:
    # A link: the block at its start, or next, and the place of its address.
    Py_ssize_t start
    Py_ssize_t size
    int before


cdef struct Verdict:
    # A decision on a block; see :class:`scrapy_stemmer.learners.rules.decide.decide.Decisions`.
    double odds
    int by
    bint is_text


@cython.final
cdef class Path:
    cdef public int rule, title, key, near_code
    cdef public double level
    cdef public bint is_decided, in_part, is_heading, is_shaped, is_hidden, is_usual
    cdef public object is_known


@cython.final
cdef class ReadPage:
    cdef public list site_paths
    cdef Buffer said, addresses, element_data, block_data, sign_data, link_data, piece_data, sign_pieces
    cdef readonly int count, size
    cdef dict made
    cdef list decoded  # texts of the blocks; None before the first question

    @cython.final
    cdef inline Element* elements_(self) noexcept:
        return <Element*>self.element_data.data

    @cython.final
    cdef inline Block* blocks_(self) noexcept:
        return <Block*>self.block_data.data

    @cython.final
    cdef inline int path(self, Py_ssize_t block) noexcept:
        """The path of a block's element."""
        return self.elements_()[self.blocks_()[block].element].path

    cdef void trim(self) noexcept
    cdef bint is_marked(self, Py_ssize_t element, list marks, int wanted) except -1
    cdef list column(self, str name, void* first, Py_ssize_t step, Py_ssize_t count)
    cdef tuple sign(self, size_t number)
    cdef str address(self, size_t link)
    cdef str text_at(self, Py_ssize_t start, Py_ssize_t size)
    cdef str text_of(self, Py_ssize_t block)
    cdef Block* checked(self, Py_ssize_t block) except NULL
    cdef Path path_at(self, Py_ssize_t block)
    cdef bint is_further_line(self, Py_ssize_t block) except -1
    cdef bint is_beside_code(self, Py_ssize_t number) except -1
    cdef bint is_number(self, Py_ssize_t block) noexcept
    cdef long long key(self, Py_ssize_t block) except -1


cpdef str line_text(str text)
