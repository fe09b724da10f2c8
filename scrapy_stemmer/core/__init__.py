"""Pure core that all learners share: no Scrapy, no files, no settings.

==============  =======================================================================================
document        pages of a site: URL, tree, links, and limits checked before parsing
blocks          layout blocks, their roles, kinds of pages, reasons of missing texts
elements        elements by their meaning to readers, to browsers and in HTML
selectors       selectors of elements, as a part of CSS and as XPath
expressions     regular expressions whose time is bounded
text            white space, words and hashes of texts
shown           the tree of a page as browsers show it, with text from scripts
pruned_html     standalone HTML of the kept part of a tree
rewriting       rewritten parts of standalone HTML: attributes, addresses, code, images, boxes of tasks
formulas        formulas as MathML with TeX, and on a line
footnotes       labels, names and back links of footnotes
code            code with its lines and its language, of any highlighter
markdown        HTML as Markdown
plain_text      blocks as plain text, with code, rows, lists and quotes
==============  =======================================================================================
"""
