"""The Scrapy components: add-on, middlewares, item pipeline and feeds.

The way of a page: ``spidermiddleware`` gets each response. While a site is being learned, ``session`` puts the page and
the texts of its links into the ``spool``, and learns the site from enough pages. ``pages`` finds the links and leaves
out some responses. ``sites`` holds the states and the patterns of all sites.

The way of an item: ``spidermiddleware`` notes its page (``pages``), or ``session`` holds it until its site is learned,
and releases it with a response of its own. Items that can't be released are written into a file. ``pipeline`` strips
the page and writes the fields; ``sites.watch`` finds changed sites by their unusual pages, and has them learned again.

Around these: ``addon`` enables the components, ``downloadermiddleware`` mends charsets and marks rendered pages,
``feeds`` writes items in further formats, ``state`` holds the shared objects of a crawl, ``files`` names its files,
``stats`` counts and sums up, ``compat`` hides the differences between versions of Scrapy.
"""
