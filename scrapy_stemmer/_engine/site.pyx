# cython: wraparound=False
"""Paths of a page's elements on its site, and decisions on its blocks, as loops over columns.

See :mod:`scrapy_stemmer.learners.rules.paths` and :mod:`scrapy_stemmer.learners.rules.decide`.
"""

from libc.math cimport exp
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset


cdef class Steps:
    """Steps from path to path: by a path and the number of a signature, the path of an element there.

    :ivar count: number of known steps.
    """

    cdef uint64_t* keys
    cdef int* paths
    cdef size_t room
    cdef readonly Py_ssize_t count

    def __dealloc__(self):
        free(self.keys)
        free(self.paths)

    def place(self, parents, signatures, step):
        """Return the path of each element of a page, by number.

        :param step: returns the path of a new signature in a path.
        """
        cdef list above = as_list(parents), numbers = as_list(signatures)
        cdef Py_ssize_t size = len(above), each
        cdef list placed = [0] * max(1, size)
        cdef uint64_t key
        cdef size_t at
        if len(numbers) != size:
            raise ValueError("a signature is wanted for each element")
        for each in range(1, size):
            key = (<uint64_t><int>placed[<Py_ssize_t>above[each]] << 32 | <unsigned int>numbers[each]) + 1
            at = self.place_of(key)
            if self.room and self.keys[at] == key:
                placed[each] = self.paths[at]
            else:
                path = step(placed[<Py_ssize_t>above[each]], numbers[each])
                self.add(key, path)
                placed[each] = path
        return placed

    cdef size_t place_of(self, uint64_t key) noexcept:
        """Return the place of a step, or a free place for it."""
        cdef size_t at = (key * <uint64_t>0x9E3779B97F4A7C15) >> 32
        if not self.room:
            return 0
        at &= self.room - 1
        while self.keys[at] and self.keys[at] != key:
            at = (at + 1) & (self.room - 1)
        return at

    cdef int add(self, uint64_t key, int path) except -1:
        cdef size_t at
        if 2 * self.count >= <Py_ssize_t>self.room:
            self.grow()
        at = self.place_of(key)
        self.count += self.keys[at] != key
        self.keys[at], self.paths[at] = key, path
        return 0

    cdef int grow(self) except -1:
        cdef size_t room = self.room, at
        cdef uint64_t* keys = self.keys
        cdef int* paths = self.paths
        cdef size_t larger = 2 * room if room else 256
        cdef uint64_t* new_keys = <uint64_t*>calloc(larger, sizeof(uint64_t))
        cdef int* new_paths = <int*>calloc(larger, sizeof(int))
        if new_keys is NULL or new_paths is NULL:
            free(new_keys)
            free(new_paths)
            raise MemoryError
        self.keys, self.paths, self.room = new_keys, new_paths, larger
        for at in range(room):
            if keys[at]:
                self.paths[self.place_of(keys[at])] = paths[at]
                self.keys[self.place_of(keys[at])] = keys[at]
        free(keys)
        free(paths)
        return 0


cdef inline list as_list(values):
    return <list>values if type(values) is list else list(values)


def decided(elements, lengths, list placed, list deciding, list rule_odds, list is_decided):
    """See :data:`scrapy_stemmer.learners.rules.decide.decided`."""
    cdef list stands = as_list(elements), sizes = as_list(lengths)
    cdef Py_ssize_t count = len(stands), each, path, last = len(rule_odds) - 1
    cdef list paths = [None] * count, numbers = [None] * count, odds = [None] * count, undecided = []
    cdef long long total = 0, kept = 0, unsure = 0, size
    cdef int number
    for each in range(count):
        path = placed[<Py_ssize_t>stands[each]]
        number, size = deciding[path], sizes[each]
        odd = rule_odds[number if number >= 0 else last]
        paths[each], numbers[each], odds[each] = path, number, odd
        total += size
        if <double>odd > 0:
            kept += size
        if not is_decided[path]:
            undecided.append(each)
            unsure += size
    return paths, numbers, odds, undecided, total, kept, unsure


def probable(list odds, double cut):
    """See :data:`scrapy_stemmer.learners.rules.decide.probable`."""
    cdef list found = [False] * len(odds)
    cdef Py_ssize_t each
    cdef object last = None
    cdef bint is_above = False
    for each in range(len(odds)):
        if odds[each] is not last:  # a few rules decide on most blocks
            last = odds[each]
            is_above = 1 / (1 + exp(-<double>last)) > cut
        found[each] = is_above
    return found


def said_again(list texts, lengths, list is_text):
    """See :data:`scrapy_stemmer.learners.rules.doubles.said_again`."""
    cdef list sizes = as_list(lengths)
    cdef set seen = set()
    cdef Py_ssize_t each
    cdef long long length = 0
    for each in range(len(texts)):
        if is_text[each]:
            if texts[each] in seen:
                length += <long long>sizes[each]
            else:
                seen.add(texts[each])
    return length


def begun_by_digits(list texts):
    """See :data:`scrapy_stemmer.learners.rules.decide.begun_by_digits`."""
    cdef list found = []
    cdef Py_ssize_t each
    cdef str text
    for each in range(len(texts)):
        text = texts[each]
        if text[0].isdigit():
            found.append(each)
    return found


cdef list short_with_digits(list texts, Py_ssize_t most):
    """Return the indexes of texts with a digit and few characters."""
    cdef list found = []
    cdef Py_ssize_t each
    cdef Py_UCS4 character
    cdef str text
    for each in range(len(texts)):
        text = texts[each]
        if len(text) <= most:
            for character in text:
                if character.isdigit():
                    found.append(each)
                    break
    return found


def with_currency(list texts, Py_ssize_t most, names):
    """See :data:`scrapy_stemmer.learners.rules.products.with_currency`."""
    cdef list found = [], codes = [name.encode() for name in names if len(name) > 1 and name.isascii()]
    cdef unsigned char[1024] pairs
    cdef Py_ssize_t each, size
    cdef bytes code
    cdef const char* data
    memset(pairs, 0, sizeof(pairs))
    for code in codes:
        pairs[(code[0] & 31) << 5 | (code[1] & 31)] = True
    for each in short_with_digits(texts, most):
        if not (<str>texts[each]).isascii() or says_currency((<str>texts[each]).encode(), pairs, codes):
            found.append(each)
    return found


cdef bint says_currency(bytes text, const unsigned char* pairs, list codes) except -1:
    """Return True for a text in ASCII with a dollar sign, or a code without a letter behind."""
    cdef const unsigned char* at = text
    cdef bytes code
    while at[0]:
        if at[0] == c"$":
            return True
        if at[0] >= 64 and at[1] >= 64 and pairs[(at[0] & 31) << 5 | (at[1] & 31)]:
            for code in codes:
                if differs(<const char*>at, code, len(code)) == 0 and not is_letter(at[len(code)]):
                    return True
        at += 1
    return False


cdef inline bint is_letter(unsigned char sign) noexcept:
    return 97 <= (sign | 0x20) <= 122


cdef inline int differs(const char* text, const char* small, Py_ssize_t size) noexcept:
    """Return 0 if a text begins with small letters, in any case."""
    cdef Py_ssize_t each
    for each in range(size):
        if text[each] | 0x20 != small[each]:
            return 1
    return 0


def plain_lengths(lengths, linked):
    """See :data:`scrapy_stemmer.learners.rules.columns.plain_lengths`."""
    cdef list sizes = as_list(lengths), in_links = as_list(linked)
    cdef list found = [0] * len(sizes)
    cdef Py_ssize_t each
    cdef long long size
    if len(in_links) != len(sizes):
        raise ValueError("two lengths are wanted of each block")
    for each in range(len(sizes)):
        size = <long long>sizes[each] - <long long>in_links[each]
        if size > 0:
            found[each] = size
    return found


def outside_links(list blocks, lengths, linked):
    """See :data:`scrapy_stemmer.learners.rules.decide.outside_links`."""
    cdef list sizes = as_list(lengths), in_links = as_list(linked)
    cdef long long length = 0
    cdef Py_ssize_t block
    for block in blocks:
        length += <long long>sizes[block] - <long long>in_links[block]
    return length


def are_of_text(blocks, lengths, linked, double share):
    """See :data:`scrapy_stemmer.learners.rules.page.are_of_text`."""
    cdef list sizes = as_list(lengths), in_links = as_list(linked)
    cdef Py_ssize_t block
    for block in blocks:
        if <double>in_links[block] >= share * <double>sizes[block]:
            return False
    return True


def linked_beside(list is_text, lengths, linked, long long most):
    """See :data:`scrapy_stemmer.learners.rules.mending.linked_beside`."""
    cdef list sizes = as_list(lengths), in_links = as_list(linked), found = []
    cdef Py_ssize_t block
    cdef long long size
    for block in range(len(is_text)):
        if is_text[block]:
            size = in_links[block]
            if size and <long long>sizes[block] - size <= most:
                found.append(block)
    return found


def known_share(list blocks, list paths, lengths, list known, is_known):
    """See :data:`scrapy_stemmer.learners.rules.page.known_share`."""
    cdef list sizes = as_list(lengths)
    cdef long long length = 0, total = 0, size
    cdef Py_ssize_t block, path
    for block in blocks:
        path, size = paths[block], sizes[block]
        found = known[path]
        if found is None:
            found = is_known(path)
        total += size
        if found:
            length += size
    return length / total if total else 0.0


def expected_f1(list odds, list is_text, lengths):
    """See :data:`scrapy_stemmer.learners.rules.confidence.expected_f1`."""
    cdef list sizes = as_list(lengths)
    cdef double right = 0, text = 0, part = 1, own
    cdef long long kept = 0
    cdef object last = None
    cdef Py_ssize_t each
    for each in range(len(odds)):
        if odds[each] is not last:
            last = odds[each]
            part = 1 + exp(-<double>last)
        own = <double>sizes[each] / part
        text += own
        if is_text[each]:
            right += own
            kept += <long long>sizes[each]
    return 2 * right / (kept + text) if right else 0.0


def any_marked(numbers, bytes marks not None):
    """See :data:`scrapy_stemmer.learners.rules.columns.any_marked`."""
    cdef const unsigned char* marked = marks
    cdef Py_ssize_t number, count = len(marks)
    for number in as_list(numbers):
        if number >= count:
            raise ValueError("a mark is wanted for each number")
        if marked[number]:
            return True
    return False


def leads_on(list links not None, str own not None, str site not None, Py_ssize_t most):
    """See :data:`scrapy_stemmer.learners.rules.columns.leads_on`."""
    cdef set targets = set()
    cdef str target, begin
    if not site or site.startswith("www."):
        return False
    begins = tuple([f"{scheme}://{www}{site}/" for scheme in ("https", "http") for www in ("", "www.")])
    for _, address in links:
        target = (<str>address).partition("#")[0]
        if not target or target[0].isspace() or target[len(target) - 1].isspace():
            continue
        if ":" in target or "//" in target:
            if not target.startswith(begins):
                continue
        if target not in targets and "/cdn-cgi/" not in target and not own.endswith(target):
            targets.add(target)
            if len(targets) > most:
                return True
    return False
