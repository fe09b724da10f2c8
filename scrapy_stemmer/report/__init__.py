"""The report: a static site that shows what was learned of sites, and how it strips their pages.

===============  ===========================================================================================
figures          shares, confidence and drift of pages and sites, over time
drawing          a page as a browser draws it, made harmless, with its blocks marked; fills the templates
documents        the documents of a site: its layouts with their rules in words, its sample pages block by block
===============  ===========================================================================================

Beside them lie the templates of Jinja2, the script and the style sheets. Texts, URLs and selectors are those of
strangers: Jinja2 escapes each that is put into a template. Only the body and the style rules of a page are put there as
they are, which ``drawing`` has cleaned.
"""
