"""The learners: a sample of a site's pages becomes patterns, which label the site's other pages.

=============  ===================================================================================================
base           the class that all learners implement; how one is found and given its options; teachers
alignment      common subsequences of two sequences, the longest or the heaviest
noise          roles of blocks by their noise confidence, for the learners that give nothing else
rules          the default: few rules by CSS selectors
layout         Webstemmer's page layouts
repetition     the learners ``dom_hash`` (subtrees that return) and ``shingle`` (fragments of text that return)
text_mdl       the learners ``text_mdl`` and ``text_hash`` (the shortest description of all pages)
regex_tree     a template that is a regular expression over trees
visual         blocks that look alike in a browser
=============  ===================================================================================================

Each folder holds a learner and its options (``learner.py``), its pattern (``pattern.py``) and its algorithm. Patterns
import no learner, so that stripping loads nothing that only learning needs.
"""
