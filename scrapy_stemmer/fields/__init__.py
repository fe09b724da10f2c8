"""Fields of a page: authors, dates and others, read from the page by learned rules of its site.

=========  ==================================================================================================
metadata   JSON-LD, ``meta`` elements and microdata
dates      dates in texts of many languages
day_order  the order of day and month in dates of numbers
names      names of people in bylines
texts      texts of a page in order, with data on their elements
places     candidates for dates, names and tags on a page, with the reasons for them
selecting  elements that a CSS selector finds
rules      the rule of a field: the element that holds it on all pages of a site
learning   rules from a sample of pages
reading    the fields of one page
=========  ==================================================================================================
"""
