"""The learning session of a crawl, above its state.

============  =========================================================================================
session       when a site is learned, and when its held items are released
learner       which pages are sampled; learns queued sites in a thread
held          the held items of a crawl: their release, and items of killed crawls
item_json     items as JSON and back, without pickle
============  =========================================================================================
"""
