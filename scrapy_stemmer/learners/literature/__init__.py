"""The learners of the literature, for comparison with the default learner, and what only they use.

Each folder holds a learner and its options (``learner.py``), its pattern (``pattern.py``) and its algorithm; what the
learners share is in the modules beside them.
"""
