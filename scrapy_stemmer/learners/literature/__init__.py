"""The learners of the literature, for comparison with the default learner, and what only they use.

============  ====================================================================================================
layout        Webstemmer's page layouts
repetition    the learners ``dom_hash`` (subtrees that return) and ``shingle`` (fragments of text that return)
text_mdl      the learners ``text_mdl`` and ``text_hash`` (the shortest description of all pages)
regex_tree    a template that is a regular expression over trees
visual        blocks that look alike in a browser
base          what the learners share: options, the pattern of a whole site
blocks        what their patterns share: a page's tree cut into layout blocks, the roles of these by their noise
alignment     what two sequences have in common, and two texts
rendering     how a browser marks a page with looks and boxes
============  ====================================================================================================

Each folder holds a learner with its options and its algorithm (``learner.py``), and a pattern with what it needs of
that (``pattern.py``).
"""
