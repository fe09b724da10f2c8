"""From sample pages to a pattern.

=============  ======================================================================================================
sample_choice  choice of a crawl's sample pages
counting       the pages of a sample that count, without placeholders and copies
learning       the steps from sample to pattern
teaching       evidence from a teacher's texts
fewest_rules   the fewest keep and drop rules with the decisions of the scores
=============  ======================================================================================================
"""
