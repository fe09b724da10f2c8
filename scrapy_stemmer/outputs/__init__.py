"""Where stripped pages and patterns go: Markdown, items of other packages, selectors, rules of other programs.

=========  ============================================================================================
article    ``Article`` items of zyte-common-items, with the extra ``zyte``
ftr        files of ftr-site-config
markdown   Markdown, with the extra ``markdown``
metadata   what a page says of itself: headline, authors, dates
selectors  the rules of a site as CSS and XPath
=========  ============================================================================================
"""
