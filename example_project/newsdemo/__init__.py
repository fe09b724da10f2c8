"""A Scrapy project that shows scrapy-stemmer at work."""
