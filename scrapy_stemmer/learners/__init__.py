"""Learners: a sample of a site's pages becomes patterns, which label the site's other pages.

=============  ===================================================================================================
base           the base class of learners; look-up by name, options, teachers
rules          the default: few rules by CSS selectors
literature     seven learners of the literature, with their modules
=============  ===================================================================================================

Patterns import no learner, so that stripping loads no code for learning.
"""
