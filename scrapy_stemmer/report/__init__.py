"""The report: a static site that shows what was learned of sites, and how it strips their pages.

===============  ===========================================================================================
figures          shares, confidence and drift of pages and sites, over time; sample pages, block by block
selecting        for each block of some pages the selectors that a correction may have
drawing          a page as a browser draws it, made harmless, with its blocks marked
markup           elements and documents of the report
documents        the index, a page for each layout with its drawings over time, a page for each sample page
===============  ===========================================================================================

Beside them lie templates of HTML, the script and the style sheets. Texts, URLs and selectors are those of strangers:
each becomes a text or an attribute of an lxml element, and nothing is put together as HTML by hand.
"""
