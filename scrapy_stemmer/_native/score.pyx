# cython: language_level=3, boundscheck=False, wraparound=False
"""The trees of the scorer, walked for many blocks; see :mod:`scrapy_stemmer.learners.rules.scorer`."""


def add_odds(
    const float[:, :] rows,
    const int[:] roots,
    const int[:] feature,
    const double[:] threshold,
    const unsigned char[:] missing_low,
    const int[:] low,
    const int[:] high,
    const double[:] value,
    double[:] odds,
):
    """Add to the log-odds of blocks what the leaves say that they end at.

    :param rows: the features of blocks, a row each; NaN where one is missing.
    :param odds: for each block its log-odds; changed in place.

    The other parameters are those of ``Scorer``; the nodes below a node have higher numbers.
    """
    cdef Py_ssize_t row, tree
    cdef int node
    cdef float given
    for row in range(rows.shape[0]):
        for tree in range(roots.shape[0]):
            node = roots[tree]
            while feature[node] >= 0:
                given = rows[row, feature[node]]
                if given != given:
                    node = low[node] if missing_low[node] else high[node]
                else:
                    node = low[node] if given <= threshold[node] else high[node]
            odds[row] += value[node]
