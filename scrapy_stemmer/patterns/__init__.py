"""What was learned of a site, whichever learner did it.

========  ========================================================================================================
base      the class that all patterns implement; what a labelled page is
kinds     the classes of patterns, by the name that pattern files use
codec     patterns as lines of JSON
record    such a line, read through checked accessors
========  ========================================================================================================
"""
