"""The default learner: a layout pattern of few rules, made from the scores of a sample's blocks.

Imports point downwards:

=========  ==========================================================================================================
learner    choice of sample pages to count, and of pages for a teacher
learn      from a sample to a pattern: the steps, the fewest rules with the decisions of the scores, a teacher's texts
pattern    the layout pattern: rules and knowledge of a site; the form in files; rules as CSS and XPath
returning  template that returns within the content, on sample pages and later pages
decide     from a page on its paths to text, title, roles, kind and confidence: rules, scorer, corrections
site       the pages of a site as columns, paths, the rules on each path, known texts
=========  ==========================================================================================================

The scorer also decides on pages with much text left undecided by rules.
"""
