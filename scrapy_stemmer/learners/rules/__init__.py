"""The default learner: a layout pattern is a short list of rules, made from the scores of a sample's blocks.

A page that is stripped crosses these, in this order:

============  =======================================================================================================
pattern       the rules and what else is kept of a site; how both stand in pattern files; rules as CSS and XPath
site          the paths of the page's elements, and which rule decides on each
columns       the page as columns of numbers and texts, and what its elements are; keys of texts
paths         elements as components of paths, the paths of a site, and the selectors of rules
page          what is decided on each block: text, title, HTML, kind, confidence
roles         what the page is called, what it and each block of it is there for; how sure it is; `confidence.json`
sitenames     names of the site in titles
products      price, availability and short description of a product
mending       blocks decided by their neighbours: captions, headings, items, cells, boxes
============  =======================================================================================================

On the way of a sample there are besides:

============  =======================================================================================================
sampling      which pages make a good sample
placeholders  pages that stand in place of another: errors, challenges, logins, walls; `placeholders.json`
learner       the pages of a sample that count, and what a teacher is asked
learning      the steps: count what returns, score, make rules, note where they decide and where titles stand
sample_pages  the pages of a sample, as they were read; which of them are copies
hints         what elements around a block, and the names of these, hint at
features      what the scorer looks at: for each block of a page a row of numbers
scorer        trees, trained on many sites (``training/``), that give each block log-odds; `scorer.json`
returning     text that returns within the content: which of it is template, and how it is found on later pages
teaching      what a teacher says of a few pages, as evidence on the blocks of all
rules         the fewest keep and drop rules that decide as the scores do, and which rule is for an element
============  =======================================================================================================

The scorer is used on a page too, where the rules don't decide on much of its text.
"""
