"""The pure core that all learners share: no Scrapy, no files, no settings.

==============  =====================================================================================================
document        a page of a site: its URL, its tree, its links, and what it may have before it is parsed
blocks          layout blocks, their roles, kinds of pages, why a page has no text
elements        which elements are what to readers, to browsers and in HTML
selectors       selectors of elements, as a part of CSS and as XPath
expressions     regular expressions whose time is bounded
text            white space, words and hashes of texts
shown           the tree of a page as browsers show it, and where its text stands: also in scripts alone
pruned_html     the kept part of a tree as HTML that stands alone
rewriting       what is written anew in that: attributes with their addresses, code, images, boxes of tasks
formulas        formulas as MathML with its TeX, and on a line
footnotes       how labels, names and ways back of footnotes look
code            code with its lines and its language, whatever the highlighter
markdown        HTML as Markdown
plain_text      blocks as plain text, with code, rows, lists and quotes as such
==============  =====================================================================================================
"""
