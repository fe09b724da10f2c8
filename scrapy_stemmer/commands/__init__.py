"""The command line: ``scrapy stemmer`` and its sub-commands.

``command`` has its options, ``subcommands`` what it does with pattern files; ``learn_stored`` and ``strip_stored`` read
pages of ``sources``, ``report_stored`` makes a report of them; ``stored_pages`` keeps a sample of these, spreads the
work and tells how far it is.
"""
