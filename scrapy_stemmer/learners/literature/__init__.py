"""Learners of the literature, for comparison with the default learner, with modules shared by these learners alone.

============  ====================================================================================================
layout        Webstemmer's page layouts
repetition    the learners ``dom_hash`` (returning subtrees) and ``shingle`` (returning fragments of text)
text_mdl      the learners ``text_mdl`` and ``text_hash`` (shortest description of all pages)
regex_tree    templates as regular expressions over trees
visual        blocks that look alike in a browser
base          options, fields of patterns, and labels by noise confidence
blocks        layout blocks of a page's tree
alignment     common subsequences of two sequences or texts
rendering     looks that a browser writes into a page
============  ====================================================================================================

Each folder has its learner, options and algorithm in ``learner.py`` and its pattern in ``pattern.py``.
"""
