"""The report: a static site that shows what was learned of sites, and how it strips their pages.

===========  ============================================================================================
figures      what stripping tells of each page and of its site: shares, confidence, drift, over time
selecting    for each block of some pages the selectors that a correction may have
drawing      a page as a browser draws it, made harmless, with its blocks marked
markup       elements and documents of the report's own pages
charts       the drawings over time
documents    the pages of the report: the index, a page a layout, a page a sample page
===========  ============================================================================================

Beside them lie the script and the style sheet of all pages. Texts, URLs and selectors are those of strangers: each
becomes an lxml text or attribute, and nothing is put together as HTML by hand.
"""
