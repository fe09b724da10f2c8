"""A site: pages as columns of numbers and texts, the paths of their elements, and what is known of each path.

==============  =====================================================================================================
columns         a page as columns; keys of texts
sample_columns  pages of a sample as columns
traits          traits of elements by names and tags: captions, consent, comments
paths           components of paths, the paths of a site
hints           hints in tags and names around a block
roles           roles of blocks, kinds of pages
rules           keep, drop and title rules
selected        elements within lines selected by rules by hand
known_texts     texts that return, by lines of a pattern
site            decisions on each path, placed pages
==============  =====================================================================================================
"""
