"""The pure core: pages, blocks, alignment, scores, clustering. No Scrapy, no files, no settings."""
