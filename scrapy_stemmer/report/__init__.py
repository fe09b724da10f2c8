"""Report: a static site with learned patterns and stripped pages.

===============  ===========================================================================================
figures          shares, confidence and drift of pages and sites, over time
drawing          pages as a browser draws them, made harmless, with marked blocks; templates
documents        the documents of a site: layouts with their rules, sample pages block by block
===============  ===========================================================================================

The folder also has the templates of Jinja2, the script and the style sheets. Texts, URLs and selectors come from
strangers, so Jinja2 escapes all values. Only the body and style rules of a page are inserted unescaped, cleaned by
``drawing``.
"""
