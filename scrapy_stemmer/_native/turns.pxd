# Turns of other threads, such as an event loop, while a loop computes.

cdef enum:
    # Steps of a loop from one turn to the next.
    TURN = 100


cdef inline int give_turn(Py_ssize_t step) except -1:
    """Let other threads have the interpreter, each so many steps of a loop."""
    if step % TURN == 0:
        with nogil:
            pass
    return 0
