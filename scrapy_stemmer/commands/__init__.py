"""The command line: ``scrapy stemmer`` and its sub-commands."""
