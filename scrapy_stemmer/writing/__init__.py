"""Writers of the kept part of a page: HTML, Markdown and plain text.

==============  =======================================================================================
pruned_html     standalone HTML of the kept part of a tree
rewriting       rewritten parts of standalone HTML: attributes, code, images, boxes of tasks
markdown        HTML as Markdown
plain_text      blocks as plain text, with code, rows, lists and quotes
text_tables     rows and columns of tables in plain text
code            code with its lines and its language; gutters, which are left out
formulas        formulas as MathML with TeX, and on a line
footnotes       labels, names and back links of footnotes
==============  =======================================================================================
"""
