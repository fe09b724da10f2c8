"""The sources of stored pages: folders, archives, feeds, caches; each is read page by page.

===========  ============================================================================================
base         what a source is: an iterator of pages, with what it had to leave out; compressed bodies
files        HTML files: one of them, folders, zip archives of Webstemmer's textcrawler; linkinfo; JSON Lines
httpcache    the HTTP cache of a Scrapy project, of both its storages; pickles are read and never run
warc         WARC files and WACZ archives
opened       which source a name stands for
===========  ============================================================================================
"""
