"""Text that returns on the pages of a site within their content: learned from a sample, and found again on later pages.

Webstemmer drops a layout block whose text is the same on all pages of a layout (Shinyama 2005, DiffScore). The modules
here do so for blocks that the rules keep, with exceptions by structure: labels, code and table heads return and are
content. ``docs/learners/rules.md`` describes both.
"""
