"""The pure core that all learners share: no Scrapy, no files, no settings.

===========  =====================================================================================================
document     a page of a site: its URL, its tree, and the HTML of a part of that tree
blocks       layout blocks and their features, roles of blocks, kinds of pages, elements and attributes that matter
selectors    selectors of elements, as a part of CSS and as XPath
text         white space, words and hashes of texts; two texts, or sequences, aligned
shown        the tree of a page as browsers show it, and where its text stands
script_text  the text of a page that is in its scripts alone
rendering    how a browser marks a page with looks and boxes
===========  =====================================================================================================
"""
