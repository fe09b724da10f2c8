"""The learners: a sample of a site's pages becomes patterns, which label the site's other pages.

=============  ===================================================================================================
base           the class that all learners implement; how one is found and given its options; teachers
rules          the default: few rules by CSS selectors
literature     seven learners of the literature, and what only they use
=============  ===================================================================================================

Patterns import no learner, so that stripping loads nothing that only learning needs.
"""
