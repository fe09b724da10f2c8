"""Learner ``regex_tree``, after Mehta and Madaan, "Web Page Sectioning Using Regex-based Template" (2008)."""
