"""Learner ``regex_tree``, after R. R. Mehta, A. Madaan, "Web Page Sectioning Using Regex-based Template" (2008)."""
