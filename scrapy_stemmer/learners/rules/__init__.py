"""The default learner: a layout pattern is a short list of rules, made from the scores of a sample's blocks.

Learning a site, in the order of its way:

==================  ================================================================================================
learner             a sample of pages becomes one pattern
learning            the steps: read, count what returns, score, make rules, note where they decide
reading             a tree becomes columns of numbers and texts; `read_py` is the plain twin of the native reader
columns             what elements are to the reader, and what it gives
copies              which pages are copies of each other, and which have no text of their own
sample              elements become components of paths, and paths a tree for the whole site
texts, repeats      what is measured of a text; which texts and links stand on several pages
table, features     the blocks of all pages as one table, and what the scorer looks at
path_features       what paths and the names in them tell
scorer              trees, trained on many sites (``training/``), that give each block log-odds; `scorer.json`
teaching, aligned   what a teacher says of a few pages, as evidence on the blocks of all
rules, selectors    the fewest keep and drop rules that decide as the scores do; the CSS that they are written in
title_rules         where titles stand, by links and heads
==================  ================================================================================================

Stripping a page:

==================  ================================================================================================
pattern             the rules and what else is kept of a site; how both stand in pattern files
site                paths of the page's elements, and which rule decides on each
page                what is decided on each block: text, title, HTML, kind, confidence
scoring             the scorer, for blocks on which the rules don't decide
titles              what the page's head says, and which heading is its name
roles               what the page, and each block of it, is there for
confidence          how sure it is that the text is right
names, packed       the vocabulary of class names; sets of keys as text
exported            the rules as CSS and XPath for programs that don't have the package
==================  ================================================================================================
"""
