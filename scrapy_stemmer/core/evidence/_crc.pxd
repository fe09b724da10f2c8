# What other compiled modules use of _crc.pyx.

from libc.stdint cimport uint64_t


cdef uint64_t short_hash(const unsigned char* data, Py_ssize_t size) noexcept nogil
