"""Stores of patterns.

===========  =====================================================================================================
base         the class that all stores implement; the patterns of one site; merging where others write too
by_uri       a store is chosen by the scheme of its URI
file         a store that is a file of JSON Lines: written as a whole, read site by site
objects      object stores, by way of fsspec
redis        Redis
shared       what stores have in common that many crawls learn into at a time: versions and leases
===========  =====================================================================================================
"""
