"""Items that wait until the site of their page is learned.

============  =========================================================================================
held_items    the held items of a crawl: their waiting, their release, and items of killed crawls
item_json     items as JSON and back, without pickle
item_count    the number of items of a page: the text of a page belongs to one item
============  =========================================================================================
"""
