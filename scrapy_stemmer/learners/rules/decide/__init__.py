"""A page of a site: decisions on each block, and what follows from them.

============  =======================================================================================================
page          the labelled page: title, text, HTML, roles, kind, confidence
output        text with signs and shapes; layout blocks
confidence    confidence in the text of a page; `confidence.json`
decide        decisions on each block by rules, known texts and facts of placeholders
corrections   decisions of the scorer, and a table of corrections by rare evidence
scorer        decision trees for the log-odds of blocks, trained by ``training/``; `scorer.json`
features      the scorer's input: a row of numbers for each block
placeholders  errors, challenges, logins and walls in place of pages; `placeholders.json`
outline       parts of a page by which placeholders are found
title         the block with the page's name, and the title made of block and head
sitenames     names of the site in titles
head          titles in the head, cut into parts
============  =======================================================================================================
"""
