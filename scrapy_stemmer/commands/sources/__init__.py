"""The sources of stored pages: folders, archives, feeds, caches; each is read page by page.

===========  ============================================================================================
base         what all share: a record of what is left out; compressed bodies
files        which source a name stands for: HTML files, folders, archives of textcrawler with linkinfo, feeds, caches
warc         WARC files and WACZ archives
===========  ============================================================================================
"""
