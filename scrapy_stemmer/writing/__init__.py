"""Writers of the kept part of a page: HTML, Markdown and plain text.

==============  =======================================================================================
pruned_html     standalone HTML of the kept part of a tree
markdown        the same, or HTML, as Markdown
plain_text      blocks as plain text, with code, rows, lists and quotes
code            code with its lines and its language; gutters, which are left out
formulas        formulas as MathML with TeX, and on a line; elements that repeat them
footnotes       labels, names and back links of footnotes
==============  =======================================================================================
"""
