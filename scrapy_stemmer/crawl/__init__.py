"""The Scrapy components: add-on, middlewares and item pipeline.

A page's way: ``spidermiddleware`` is given each response. While its site is being learned, ``learning_session`` puts
the page and the texts of its links into the ``spool``, and learns the site once it has enough pages; ``pages``
finds the links, and says which responses are left out. ``sites`` is the table of all that is known of the sites
besides their patterns: which are sampled, queued, learned or known. ``crawl_patterns`` keeps and saves what was
learned. ``shared_patterns`` follows what other crawls learn into the same store, and says who learns what.

An item's way: ``spidermiddleware`` notes its page (``pages``), or ``held_items`` keeps it until its site is learned
(``item_json`` writes it to the spool), and lets it go on with a response of its own; what could not come out is written
into a file. ``pipeline`` strips its page and writes its fields; from unusual pages ``drift_watch`` sees
whether a site has changed, and is to be learned once more.

Around these: ``addon`` enables the components, ``downloadermiddleware`` marks rendered pages, ``state`` is what the
components of a crawl share, ``stats`` counts, and says at the end what has come of it, ``compat`` is what differs
between versions of Scrapy.
"""
