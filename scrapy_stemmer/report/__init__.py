"""The report: a static site that shows what was learned of sites, and how it strips their pages.

===============  ===========================================================================================
figures          what stripping tells of each page and of its site: shares, confidence, drift, over time
reading          sample pages: what is decided on each block and why
selecting        for each block of some pages the selectors that a correction may have
drawing          a page as a browser draws it, made harmless, with its blocks marked
markup           elements and documents of the report
documents        the index, and a page for each layout; the drawings over time
sample_document  a page for each sample page
===============  ===========================================================================================

Beside them lie the script and the style sheets. Texts, URLs and selectors are those of strangers: each becomes a text
or an attribute of an lxml element, and nothing is put together as HTML by hand.
"""
