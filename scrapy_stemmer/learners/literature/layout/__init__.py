"""The learner ``layout``: Webstemmer's page layouts.

After Yusuke Shinyama, "Webstemmer - How it works?" (2005-2007), and his program, version 0.7.

===============  =================================================================================================
learner          options; a site's sample becomes a pattern for each layout
alignment        similarity of two pages: runs of blocks, aligned; as the program did it too; clusters by complete link
sections         a section's blocks on all pages, its scores (DiffScore, MainScore ...), and the section of the title
pattern          the sections, and how a page is labelled with them
webstemmer       the program's pattern and linkinfo files
===============  =================================================================================================
"""
