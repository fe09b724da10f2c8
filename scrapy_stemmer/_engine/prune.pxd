# The kept part of a tree; see prune.pyx.

from lxml.includes.etreepublic cimport _Element
from lxml.includes.tree cimport xmlAttr, xmlNode

from scrapy_stemmer._engine.markup cimport Markup
from scrapy_stemmer._engine.nodes cimport Buffer
from scrapy_stemmer._engine.tree cimport Memo, Tree


cdef class Kept(Tree):
    cdef Memo places, wanted
    cdef bint has_places, has_wanted, has_holders, is_whole
    cdef Buffer address
    cdef object addresses, root, given
    cdef bytes url, origin, folder, page
    cdef int pres
    cdef Markup into

    cdef int keep(self, Py_ssize_t number, bint is_tail) except -1
    cdef int keep_node(self, xmlNode* node, bint is_tail) except -1
    cdef int keep_all(self, int top) except -1
    cdef bint is_unseen(self, int number) except -1
    cdef bint is_kept(self, int number) noexcept nogil
    cdef int put_pieces(self, root, pieces, url, bint has_formulas, Markup into) except -1
    cdef int put_all(self, root, url, Markup into) except -1
    cdef object based(self)
    cdef int smallest(self) noexcept
    cdef int write(self, int top) except -1
    cdef bint parts(self, int top) noexcept
    cdef int part(self, int number, bint is_amid_text) except -1
    cdef bint begin(self, int number, bint is_top) except -1
    cdef int end(self, int number, bint is_block) except -1
    cdef bint has_blocks(self, int number, bint is_block) noexcept
    cdef bint keeps(self, int number) noexcept
    cdef int add_attributes(self, int number) except -1
    cdef const char* checked(self, int name, const char* value) except? NULL
    cdef int put(self, const char* text) except -1
    cdef int put_run(self, xmlNode* node) except -1
    cdef const char* absolute(self, const char* address, bint is_image) except? NULL
    cdef bint is_usual(self, const char* address) except -1
    cdef const char* held_value(self, str text) except NULL
    cdef const char* fragment(self, const char* address) noexcept
    cdef const char* address_of(self, const char* value) except? NULL
    cdef bint is_anchor(self, int number) except -1
    cdef const char* name_for_links(self, int number) except? NULL
    cdef bint is_wanted(self, const char* name) except -1
    cdef int find_wanted(self) except -1
    cdef int place_named(self, const char* name) except -2
    cdef int find_places(self, const char* attribute, int tag) except -1
    cdef bint rewrite(self, int number) except -1
    cdef bint put_code(self, int number) except -1
    cdef int show(self, int number, int parent, bint is_amid_text) except -1
    cdef int put_box(self, int number) except -1
    cdef bint is_amid_kept(self, int number, bint is_before) noexcept
    cdef int put_cell(self, int cell) except -1
    cdef int show_images(self, int number, int parent, bint is_amid_text) except -1
    cdef bint has_words_beside(self, int top, int figure) noexcept
    cdef bint is_beside_text(self, int number, int parent) noexcept
    cdef bint has_image_beside(self, int twin) noexcept
    cdef int around(self, int number, int tag) noexcept
    cdef int put_images(self, int top, const char* outer) except -1
    cdef bint begin_link(self, int link) except -1
    cdef int put_image(self, int image) except -1
    cdef bint find_source(self, int image) except -1
    cdef bint is_source(self, const char* value) except -1
    cdef bint is_first_of_sets(self, int image, tuple names) except -1
    cdef bint is_source_in(self, int twin) except -1
    cdef bint is_picture(self, int image) except -1
    cdef int twin_of(self, int image) noexcept


cdef int put_numbered(_Element root, _Element body, pieces, url, bint has_formulas, Markup into) except -1
