"""The learner ``visual``, after Z. Zhou, L. Sun, "Web Content Extraction Through Machine Learning" (2014).

Their program, ``ziyan/spider``, decided what the paper leaves open. How the browser marks a page is in
:mod:`scrapy_stemmer.learners.literature.rendering`.

================  ================================================================================================
learner           options; a site's sample becomes rules by selectors
visual_blocks     texts with the elements that they belong to, clustered by looks (sections 3 and 4)
relevance         texts as terms; a page's titles and descriptions, and clusters scored against them (section 5)
pattern           the selectors of a cluster, consolidated (section 6); the rules, and how a page is labelled
================  ================================================================================================
"""
