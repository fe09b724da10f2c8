"""Stores of patterns.

===========  =====================================================================================================
base         the class that all stores implement; the patterns of one site
by_uri       a store is chosen by the scheme of its URI
file         a store that is a file of JSON Lines, written as a whole
merging      what a crawl has learned put into what is there, where others write too
objects      object stores, by way of fsspec
patternfile  such a file while it is read: sites are read when they are asked for
redis        Redis
shared       what stores have in common that many crawls learn into at a time: versions and leases
===========  =====================================================================================================
"""
