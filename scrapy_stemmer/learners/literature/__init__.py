"""The learners of the literature, for comparison with the default learner, and what only they use.

Each folder holds a learner and its options (``learner.py``), its pattern (``pattern.py``) and its algorithm; the modules
beside them are what the learners share.
"""
