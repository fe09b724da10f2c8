"""Learner ``visual``, after Zhou and Sun, "Web Content Extraction Through Machine Learning" (2014).

The authors' program, ``ziyan/spider``, decided questions left open by the paper.
:mod:`scrapy_stemmer.learners.literature.rendering` documents the marks of a browser.
"""
