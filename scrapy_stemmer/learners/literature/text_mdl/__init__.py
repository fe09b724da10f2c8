"""The learners ``text_mdl`` and ``text_hash``: TEXT-MDL, TEXT-HASH and TEXT-MAX.

After C. Kim, K. Shim, "TEXT: Automatic Template Extraction from Heterogeneous Web Pages" (TKDE 2011), which was to be
had as a restatement only.

===========  =====================================================================================================
learner      options of both learners; a site's sample becomes a pattern for each cluster
mdl          the length of a description of clusters, counted or estimated from MinHash signatures; clustering by it
pattern      a page as the paths of its elements and texts; those of a cluster, and how a page is labelled with them
===========  =====================================================================================================
"""
