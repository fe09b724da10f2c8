"""Sources of stored pages: folders, archives, feeds and caches, each read page by page.

===========  ============================================================================================
base         a record of left-out pages; compressed bodies
files        sources by name: HTML files, folders, archives, feeds, caches; the URL of a file
warc         WARC files and WACZ archives
===========  ============================================================================================
"""
