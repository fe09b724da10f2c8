"""The sites of a crawl, below its state.

============  =========================================================================================
table         one table of the states of all sites; each transition is a method
patterns      the patterns in use, and when they are saved
shared        patterns of other crawls, by a shared store
watch         pages and texts unlike those that a site was learned from
============  =========================================================================================
"""
