"""Sources of stored pages: folders, archives, feeds and caches, each read page by page.

===========  ============================================================================================
base         a record of left-out pages; compressed bodies
files        sources by name: HTML files, folders, archives of textcrawler with linkinfo, feeds, caches
warc         WARC files and WACZ archives
===========  ============================================================================================
"""
