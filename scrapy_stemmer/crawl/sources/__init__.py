"""The sources of stored pages: folders, archives, feeds, caches; each is read page by page.

===========  ============================================================================================
base         what all share: a record of what is left out; compressed bodies
files        HTML files: one of them, folders, zip archives of Webstemmer's textcrawler; linkinfo; JSON Lines
httpcache    the HTTP cache of a Scrapy project, of both its storages; pickles are read and never run
opened       the pages of all sources that somebody has named
warc         WARC files and WACZ archives
===========  ============================================================================================
"""
