# Growing arrays of bytes, for compiled modules. Who has one frees its data.

from libc.stdlib cimport realloc
from libc.string cimport memcpy


ctypedef struct Buffer:
    char* data
    Py_ssize_t size
    Py_ssize_t room


cdef inline int reserve(Buffer* buffer, Py_ssize_t room) except -1:
    """Make room for so many bytes altogether."""
    cdef char* data
    if room > buffer.room:
        room += room // 2 + 64
        data = <char*>realloc(buffer.data, room)
        if data is NULL:
            raise MemoryError
        buffer.data = data
        buffer.room = room
    return 0


cdef inline int put(Buffer* buffer, const char* data, Py_ssize_t size) except -1:
    """Append some bytes."""
    if buffer.size + size > buffer.room:
        reserve(buffer, buffer.size + size)
    memcpy(buffer.data + buffer.size, data, size)
    buffer.size += size
    return 0


cdef inline int close(Buffer* buffer) except -1:
    """Have a NUL behind a text in UTF-8, which doesn't count: for who looks at its last character."""
    reserve(buffer, buffer.size + 1)
    buffer.data[buffer.size] = 0
    return 0
