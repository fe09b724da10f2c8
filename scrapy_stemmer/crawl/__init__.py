"""The Scrapy edge: settings, add-on, spider middleware, item pipeline and commands."""
