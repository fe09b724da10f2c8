"""Where stripped pages and patterns go: Markdown, items of other packages, rules of other programs.

=========  ============================================================================================
article    what a page says of itself; ``Article`` items of zyte-common-items, with the extra ``zyte``
markdown   Markdown of whole pages, with front matter
selectors  the rules of a site as files of ftr-site-config, which other programs read
=========  ============================================================================================
"""
