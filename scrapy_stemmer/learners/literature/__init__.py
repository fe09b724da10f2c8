"""The learners of the literature, for comparison with the default learner, and what only they use.

============  ====================================================================================================
layout        Webstemmer's page layouts
repetition    the learners ``dom_hash`` (subtrees that return) and ``shingle`` (fragments of text that return)
text_mdl      the learners ``text_mdl`` and ``text_hash`` (the shortest description of all pages)
regex_tree    a template that is a regular expression over trees
visual        blocks that look alike in a browser
base          what the learners share: options, the pattern of a whole site
patterns      what their patterns share: roles of blocks by their noise confidence
blocks        a page's tree cut into layout blocks
alignment     what two sequences have in common, and two texts
rendering     how a browser marks a page with looks and boxes
============  ====================================================================================================

Each folder holds a learner and its options (``learner.py``), its pattern (``pattern.py``) and its algorithm.
"""
