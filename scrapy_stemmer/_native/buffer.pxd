# Growing arrays of bytes. Who has one frees its data.

from libc.stdlib cimport realloc
from libc.string cimport memcpy


ctypedef struct Buffer:
    char* data
    size_t size
    size_t room


cdef inline int put(Buffer* buffer, const char* data, size_t size) except -1:
    """Append some bytes."""
    cdef size_t room = buffer.size + size
    cdef char* grown
    if room > buffer.room:
        room += room // 2 + 256
        grown = <char*>realloc(buffer.data, room)
        if grown is NULL:
            raise MemoryError
        buffer.data, buffer.room = grown, room
    memcpy(buffer.data + buffer.size, data, size)
    buffer.size += size
    return 0
