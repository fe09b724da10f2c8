"""The Scrapy components: settings, add-on, middlewares, item pipeline and the command ``scrapy stemmer``.

A page's way: ``spidermiddleware`` is given each response. While its site is being learned, ``learning_session`` puts
the page and the texts of its links into the ``spool``, and learns the site once it has enough pages; ``responses``
finds the links, and says which responses are left out. ``crawl_patterns`` keeps and saves what was learned.
``shared_patterns`` follows what other crawls learn into the same store, and says who learns what.

An item's way: ``spidermiddleware`` notes its page (``items``), or ``held_items`` keeps it until its site is learned
(``item_json`` writes it to the spool). It comes out with a later response, or with a request of our own when the
crawl is idle; what could not come out is written into a file. ``pipeline`` strips its page and writes its fields; from
the pages that it strips ``drift`` sees whether a site has changed, and is to be learned once more.

Around these: ``addon`` enables the components, ``downloadermiddleware`` marks rendered pages, ``config`` reads the
settings, ``state`` is what the components of a crawl share, ``stats`` counts, ``compat`` is what differs between
versions of Scrapy, ``poet`` gives stripped pages to callbacks.

The command line: ``commands`` has its options, ``subcommands`` what it does with pattern files; ``learn_stored`` and
``strip_stored`` read pages of ``sources``, ``report_stored`` makes a report of them; ``stored_pages`` keeps a sample of
these, spreads the work and tells how far it is.
"""
