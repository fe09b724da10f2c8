"""Patterns learned of a site by any learner.

========  ========================================================================================================
base      the class of all patterns, and labelled pages
level     usual values of a sample, and unusual pages
codec     kinds of patterns by name, and patterns as lines of JSON
record    checked access to the fields of a line
========  ========================================================================================================
"""
