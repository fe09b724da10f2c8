"""The learner ``layout``, after Y. Shinyama, "Webstemmer - How it works?" (2005-2007) and his program, version 0.7.

===============  =================================================================================================
learner          options; a site's sample becomes a pattern for each layout
sampled_pages    a sample's pages as layout blocks, copies left out
alignment        similarity of two pages: runs of blocks, aligned; the sequence of features that pages share
clustering       pages grouped into layouts by complete link
sections         a section's blocks on all pages; the section that holds the title
scores           DiffScore, MainScore, LayoutPatternScore, title scores
original         alignment as the program did it, for the preset ``original``
pattern          the sections, and how a page is labelled with them
webstemmer       the program's pattern and linkinfo files
===============  =================================================================================================
"""
