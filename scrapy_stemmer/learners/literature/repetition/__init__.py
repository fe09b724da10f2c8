"""The learners ``dom_hash`` and ``shingle``: template is what returns from page to page.

After D. Gibson, K. Punera, A. Tomkins, "The Volume and Evolution of Web Page Templates" (WWW 2005), which was to be
had as restatements only: its DOM-based and its text-based system.

===========  =====================================================================================================
learner      both learners and their options: two passes over a sample, on how many pages something must be
subtrees     a page as nodes with a hash of their subtree; those that return, siblings joined
pattern      the patterns of both: hashes that return, how a page is labelled with them; windows of words as hashes
===========  =====================================================================================================
"""
