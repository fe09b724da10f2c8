"""What was learned of a site, whichever learner did it.

========  ========================================================================================================
base      the class that all patterns implement; what a labelled page is
codec     the kinds of patterns by name, and patterns as lines of JSON
record    such a line, read through checked accessors
========  ========================================================================================================
"""
