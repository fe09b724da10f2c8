"""The report: a static site that shows what was learned of sites, and how it strips their pages.

Beside the modules lie the templates of Jinja2, the script and the style sheets. Texts, URLs and selectors are those of
strangers: Jinja2 escapes each that is put into a template. Only the body and the style rules of a page are put there as
they are, which ``drawing`` has cleaned.
"""
