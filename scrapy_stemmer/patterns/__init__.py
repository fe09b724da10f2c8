"""Patterns learned of a site by any learner.

===========  =====================================================================================================
base         the base class of patterns, options, labelled pages, and unusual pages
codec        kinds of patterns by name, and patterns as lines of JSON
expressions  regular expressions with bounded time
record       checked access to the fields of a line
===========  =====================================================================================================
"""
