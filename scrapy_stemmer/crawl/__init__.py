"""The Scrapy components: add-on, middlewares and item pipeline.

The way of a page: ``spidermiddleware`` gets each response. While a site is being learned, ``learning_session`` puts the
page and the texts of its links into the ``spool``, and learns the site from enough pages. ``pages`` finds the links and
leaves out some responses. ``sites`` is the table of the states of all sites.
``crawl_patterns`` keeps and saves the learned patterns. ``shared_patterns`` follows the patterns of crawls with a
shared store, and decides who learns a site.

The way of an item: ``spidermiddleware`` notes its page (``pages``), or ``held_items`` keeps it until its site is
learned (``item_json`` writes it to the spool) and releases it with a response of its own. Items that can't be released
are written into a file. ``pipeline`` strips the page and writes the fields; ``drift_watch`` finds changed sites by
their unusual pages, and has them learned again.

Around these: ``addon`` enables the components, ``downloadermiddleware`` marks rendered pages, ``state`` holds the
shared objects of a crawl, ``files`` names its files, ``stats`` counts and sums up, ``compat`` hides the differences
between versions of Scrapy.
"""
