# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What the compiled walk remembers from page to page: block-level elements, and the memory that it works in.

An element is told by the place around it and by a key of what its shape is made from. It is looked up for each
block-level element of each page, so that makes no Python object and calls nothing.
"""

from cpython.ref cimport Py_INCREF, Py_XDECREF, Py_XINCREF, PyObject
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from scrapy_stemmer.core.evidence._buffer cimport Buffer, reserve
from scrapy_stemmer.core.evidence.outline cimport Shape
from scrapy_stemmer.core.evidence.places cimport Place

from scrapy_stemmer.core.evidence.memo import MAX_KNOWN

__all__ = ("Met",)


cdef enum:
    WORD = sizeof(uint64_t)
    # Slots of a table that begins, a power of two.
    FIRST_SLOTS = 64
    # How many slots are looked at for an element. One that finds none of them free is not remembered, lest a page whose
    # names were chosen to that end has the whole table looked through for each of its elements.
    PROBES = 16
    # Elements of longer keys are not remembered.
    MOST_WORDS = 128
    # Buffers with room for more bytes are not lent again, nor is what measures texts.
    MOST_LENT = 1 << 20

cdef extern from *:
    """
    #define STEMMER_MIXER 0x9E3779B97F4A7C15U
    """
    # 2**64 divided by the golden ratio: to multiply with it spreads bits.
    const uint64_t MIXER "STEMMER_MIXER"


cdef class Met:
    """Block-level elements that were met, with their shapes and places, and buffers that walks lend from each other.

    What is remembered is also held, so that the address of a place is never that of another one. A reader has one that
    knows no places; :class:`Places` have another one, which goes with them, and each route along them too.

    :param most: when there are so many elements, all are forgotten.
    :param telling: the bits of hashes that count.
    """

    def __cinit__(self, most=MAX_KNOWN, telling=(1 << 64) - 1):
        self.most = most
        self.telling = telling

    def __dealloc__(self):
        free(self.slots)
        _let_go(&self.records, self.last)
        free_desk(&self.desk)

    def __len__(self):
        return self.count

    def knowing(self, shapes not None):
        """A new one that knows the elements of some shapes, and no places."""
        cdef Met known = Met()
        cdef uint32_t at = self.last
        cdef Record* record
        cdef Buffer key
        while at:
            record = <Record*>(self.records.data + at)
            at = record.before
            key.data, key.size = <char*>(record + 1), record.words * WORD
            shape = <Shape>record.shape
            if shape in shapes:
                known.add(NULL, &key, shape, None, 0)
        return known

    cdef Record* find(self, const PyObject* above, const Buffer* key) noexcept:
        """What is remembered of an element, NULL for nothing; good until anything is added.

        :param above: the place around it, NULL for none.
        :param key: in whole words.
        """
        cdef size_t count = <size_t>key.size // WORD, index, word
        cdef const uint64_t* words = <const uint64_t*>key.data
        cdef const uint64_t* others
        cdef uint64_t hash
        cdef Slot* slot
        cdef Record* record
        cdef int probe
        if not self.room:
            return NULL
        hash = self._hash(above, words, count)
        for probe in range(PROBES):
            slot = self.slots + ((hash + probe) & (self.room - 1))
            if not slot.record:
                return NULL
            if slot.hash == <uint32_t>(hash >> 32):
                record = <Record*>(self.records.data + slot.record)
                if record.above == above and record.words == count:
                    others = <const uint64_t*>(record + 1)
                    word = 0
                    while word < count and words[word] == others[word]:
                        word += 1
                    if word == count:
                        return record
        return NULL

    cdef int add(self, PyObject* above, const Buffer* key, Shape shape, Place place, int step) except -1:
        """Remember an element; ``None`` for a place that is not known, and 0 where no route is followed."""
        cdef size_t count = <size_t>key.size // WORD
        cdef Py_ssize_t size = sizeof(Record) + key.size
        cdef uint64_t hash = self._hash(above, <const uint64_t*>key.data, count)
        cdef Slot* slot
        cdef Record* record
        if count > MOST_WORDS:
            return 0
        if self.count >= self.most:
            self._forget()
        if 2 * <size_t>self.count >= self.room:
            self._grow()
        reserve(&self.records, self.records.size + size)
        slot = self._free_slot(hash)
        if slot is NULL:
            return 0
        slot.hash = <uint32_t>(hash >> 32)
        slot.record = self.records.size
        record = <Record*>(self.records.data + self.records.size)
        record.above = above
        record.shape = <PyObject*>shape
        record.place = NULL if place is None else <PyObject*>place
        record.words = count
        record.before = self.last
        record.step = step
        memcpy(record + 1, key.data, key.size)
        Py_XINCREF(above)
        Py_INCREF(shape)
        Py_XINCREF(record.place)
        self.last = self.records.size
        self.records.size += size
        self.count += 1
        return 0

    cdef inline uint64_t _hash(self, const PyObject* above, const uint64_t* words, size_t count) noexcept:
        cdef uint64_t hash = <size_t>above
        cdef size_t index
        for index in range(count):
            hash = (hash ^ words[index]) * MIXER
            hash ^= hash >> 32
        return hash & self.telling

    cdef Slot* _free_slot(self, uint64_t hash) noexcept:
        """Where a record of a hash may go, NULL for nowhere."""
        cdef Slot* slot
        cdef int probe
        for probe in range(PROBES):
            slot = self.slots + ((hash + probe) & (self.room - 1))
            if not slot.record:
                return slot
        return NULL

    cdef int _grow(self) except -1:
        """Have more slots."""
        cdef size_t room = 2 * self.room if self.room else FIRST_SLOTS
        cdef Slot* slots = <Slot*>calloc(room, sizeof(Slot))
        cdef uint32_t at = self.last
        cdef Slot* slot
        cdef Record* record
        cdef uint64_t hash
        if slots is NULL:
            raise MemoryError
        free(self.slots)
        self.slots, self.room = slots, room
        if not self.records.size:
            # Nothing stands at 0.
            reserve(&self.records, WORD)
            self.records.size = WORD
        while at:
            record = <Record*>(self.records.data + at)
            hash = self._hash(record.above, <const uint64_t*>(record + 1), record.words)
            slot = self._free_slot(hash)
            if slot is not NULL:
                slot.hash = <uint32_t>(hash >> 32)
                slot.record = at
            at = record.before
        return 0

    cdef int _forget(self) except -1:
        """Forget all elements."""
        cdef Buffer records = self.records
        cdef uint32_t last = self.last
        free(self.slots)
        self.slots, self.room = NULL, 0
        self.count = self.last = 0
        memset(&self.records, 0, sizeof(Buffer))
        # Last: what is let go of may be asked for something on its way.
        _let_go(&records, last)
        return 0

    cdef Measure lend(self, Desk* desk):
        """Give the memory that there is to work in, and what measures texts; new ones while another walk has them."""
        cdef Measure measure = self.measure
        free_desk(desk)
        desk[0] = self.desk
        memset(&self.desk, 0, sizeof(Desk))
        self.measure = None
        return Measure() if measure is None else measure

    cdef int take_back(self, Desk* desk, Measure measure) noexcept:
        """Take the memory that a walk has worked in, and what has measured its texts."""
        cdef Buffer* buffer = <Buffer*>desk
        cdef int index
        free_desk(&self.desk)
        for index in range(<int>(sizeof(Desk) // sizeof(Buffer))):
            if buffer[index].room > MOST_LENT:
                free(buffer[index].data)
                memset(buffer + index, 0, sizeof(Buffer))
            buffer[index].size = 0
        self.desk = desk[0]
        memset(desk, 0, sizeof(Desk))
        measure.text = None
        self.measure = measure if measure.room() <= MOST_LENT else None
        return 0


cdef int free_desk(Desk* desk) noexcept:
    """Free the memory to work in."""
    cdef Buffer* buffer = <Buffer*>desk
    cdef int index
    for index in range(<int>(sizeof(Desk) // sizeof(Buffer))):
        free(buffer[index].data)
    memset(desk, 0, sizeof(Desk))
    return 0


cdef int _let_go(Buffer* records, uint32_t last) noexcept:
    """Let go of what some records hold, and free them: the last first, so that no place takes all above it with it."""
    cdef Record* record
    while last:
        record = <Record*>(records.data + last)
        last = record.before
        Py_XDECREF(record.place)
        Py_XDECREF(record.shape)
        Py_XDECREF(record.above)
    free(records.data)
    return 0
