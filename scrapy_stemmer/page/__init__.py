"""Pages as read by all learners, without Scrapy, files or settings.

==============  =======================================================================================
document        pages of a site: URL, tree, links, and limits checked before parsing
shown           the tree of a page as shown by browsers, fallbacks for missing text, titles in the head
scripts         text in scripts: JSON and formulas
blocks          layout blocks, their roles, kinds of pages, reasons of missing texts
elements        elements by meaning to readers, to browsers and in HTML
addresses       addresses of links and images, absolute and safe
selectors       selectors of elements, as a part of CSS and as XPath
lazily          properties computed on first access
text            white space, words and hashes of texts
==============  =======================================================================================
"""
