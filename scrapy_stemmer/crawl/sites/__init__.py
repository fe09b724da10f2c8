"""The sites of a crawl, below its state.

============  =========================================================================================
table         a table of the states of all sites; each transition is a method
patterns      the patterns in use, and the saving of new patterns
shared        patterns of other crawls, by a shared store
watch         pages and texts unlike the sample of a site
============  =========================================================================================
"""
