"""The learner ``visual``, after Z. Zhou, L. Sun, "Web Content Extraction Through Machine Learning" (2014).

Their program, ``ziyan/spider``, decided what the paper leaves open. How the browser marks a page is in
:mod:`scrapy_stemmer.learners.literature.rendering`.
"""
