"""Writers of the kept part of a page: HTML, Markdown and plain text.

==============  =======================================================================================
pruned_html     standalone HTML of the kept part of a tree
markdown        the kept part, or HTML, as Markdown
plain_text      blocks as plain text, with code, rows, lists and quotes
code            code with lines and language; gutters to leave out
formulas        formulas as MathML with TeX, and on a line; elements that repeat formulas
footnotes       labels, names and back links of footnotes
==============  =======================================================================================
"""
