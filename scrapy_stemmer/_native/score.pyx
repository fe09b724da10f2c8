# cython: language_level=3, boundscheck=False, wraparound=False
"""The trees of the scorer, walked for many blocks; see :mod:`scrapy_stemmer.learners.rules.scorer`."""


cdef struct Node:
    int feature
    double threshold
    unsigned char missing_low
    int low
    int high
    double value


def add_odds(const float[:, :] rows, const int[:] roots, const Node[:] nodes, double[:] odds):
    """Add to the log-odds of blocks what the leaves say that they end at.

    :param rows: the features of blocks, a row each; NaN where one is missing.
    :param roots: the numbers of the first nodes of trees; the nodes below a node have higher numbers.
    :param odds: for each block its log-odds; changed in place.
    """
    cdef Py_ssize_t row, tree
    cdef int node
    cdef float given
    for tree in range(roots.shape[0]):
        for row in range(rows.shape[0]):
            node = roots[tree]
            while nodes[node].feature >= 0:
                given = rows[row, nodes[node].feature]
                if given <= nodes[node].threshold or (given != given and nodes[node].missing_low):
                    node = nodes[node].low
                else:
                    node = nodes[node].high
            odds[row] += nodes[node].value
