"""Returning text in the content of a site's pages: learned from a sample, found again on later pages.

Webstemmer drops layout blocks with constant text (Shinyama 2005, DiffScore). These modules do so in kept text, except
for labels, code and table heads. See ``docs/learners/rules.md``.
"""
