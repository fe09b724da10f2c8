"""The pure core that all learners share: no Scrapy, no files, no settings.

===========  =====================================================================================================
page         a page of a site, and which site a URL belongs to
dom          bytes become a tree
document     a page while it is read: parsed once, cut into blocks once
blocks       layout blocks and their features
text         white space, words, significant characters
matching     two sequences, or two texts, aligned
hashing      hashes that are the same in every process
labels       roles of blocks, kinds of pages
rendering    how a browser marks a page with looks and boxes
prune        the HTML of some of a page's blocks
markup       what HTML says of elements and attributes
===========  =====================================================================================================
"""
