# Turns of other threads, such as an event loop, while a loop computes.

cdef enum:
    # Steps of a loop from one turn to the next.
    TURN = 100


cdef inline int give_turn(Py_ssize_t step, turn) except -1:
    """Let other threads have the interpreter, each so many steps of a loop, if they have asked for it.

    :param turn: :func:`scrapy_stemmer._native.turn`.
    """
    if step % TURN == 0:
        turn()
    return 0
