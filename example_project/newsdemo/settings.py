"""Settings of the example project."""

BOT_NAME = "newsdemo"
SPIDER_MODULES = ["newsdemo.spiders"]
NEWSPIDER_MODULE = "newsdemo.spiders"

# This line switches the stemmer on. What was learned is kept in a file a spider.
ADDONS = {"scrapy_stemmer.Addon": 500}
STEMMER_PATTERNS = "patterns/%(spider)s.jsonl"

# Beside title and text, the fields for report.py and for readers of the items.
STEMMER_FIELDS = ["html", "kind", "matched", "pattern"]

# The demonstration site comes from files; requests to any other host go to the network as usual.
DOWNLOADER_MIDDLEWARES = {"newsdemo.bundled.BundledSiteMiddleware": 950}

# Breadth first: the pages that the patterns are learned from are then of all kinds.
DEPTH_PRIORITY = 1
SCHEDULER_DISK_QUEUE = "scrapy.squeues.PickleFifoDiskQueue"
SCHEDULER_MEMORY_QUEUE = "scrapy.squeues.FifoMemoryQueue"

# Be a good guest on real sites (bundled pages are not delayed).
ROBOTSTXT_OBEY = True
USER_AGENT = "newsdemo (example project of scrapy-stemmer)"
CONCURRENT_REQUESTS_PER_DOMAIN = 4
DOWNLOAD_DELAY = 0.25

FEEDS = {"items.jsonl": {"format": "jsonlines", "encoding": "utf-8", "overwrite": True}}
FEED_EXPORT_ENCODING = "utf-8"
LOG_LEVEL = "INFO"
TELNETCONSOLE_ENABLED = False
