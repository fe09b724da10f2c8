"""The default learner: a layout pattern of few rules, made from the scores of a sample's blocks.

Modules on the way of a page, in order:

============  =======================================================================================================
pattern       the layout pattern: rules and knowledge of a site; the form in files; rules as CSS and XPath
site          paths of a page's elements, and the rule for each path
selected      elements within lines selected by rules by hand
columns       a page as columns of numbers and texts; keys of texts
paths         components of paths, the paths of a site, selectors of rules
page          the labelled page: title, text, HTML, roles, kind, confidence
decide        decisions on each block by rules, known texts and facts of placeholders
corrections   decisions of the scorer, and a table of corrections by rare evidence
title         the block with the page's name, and the title made of block and head
head          titles in the head, cut into parts
output        text with signs and shapes; layout blocks
confidence    confidence in the text of a page; `confidence.json`
roles         roles of blocks, kinds of pages
sitenames     names of the site in titles
traits        traits of elements by names and tags: captions, consent, comments
============  =======================================================================================================

Further modules on the way of a sample:

==============  =====================================================================================================
sample_choice   choice of sample pages
placeholders    errors, challenges, logins and walls in place of pages; `placeholders.json`
learner         choice of sample pages to count, and of pages for a teacher
learning        the steps from sample to pattern
sample_columns  pages of a sample as columns; copies among the pages
hints           hints in tags and names around a block
features        the scorer's input: a row of numbers for each block
scorer          decision trees for the log-odds of blocks, trained by ``training/``; `scorer.json`
returning       template that returns within the content, on sample pages and later pages
advertisements  labels of advertisements; `advertisements.json`
arrays          types of numpy arrays
teaching        evidence from a teacher's texts
new_boxes       template boxes added after learning
rules           the fewest keep and drop rules with the decisions of the scores
==============  =====================================================================================================

The scorer also decides on pages with much text left undecided by rules.
"""
