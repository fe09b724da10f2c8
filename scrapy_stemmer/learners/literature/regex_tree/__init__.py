"""The learner ``regex_tree``.

After R. R. Mehta, A. Madaan, "Web Page Sectioning Using Regex-based Template" (WWW 2008).

================  ================================================================================================
learner           options; a site's sample becomes one template
template_tree     items of a template: elements, texts, groups, choices, with operators and counts; their alignment
page_tree         a page as such a tree; which part of it is which part of the template, its sections (section 2.2)
generalisation    repeats are folded, two trees are merged (section 2.1)
pattern           the template and its noise confidences, and how a page is labelled with them
================  ================================================================================================
"""
