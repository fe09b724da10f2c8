"""Fields of a page such as authors and dates, read from the page by learned rules of the site.

=========  ==================================================================================================
metadata   JSON-LD, ``meta`` elements and microdata
dates      dates in texts of many languages, and their order of day and month
words      vocabularies by language and meaning
names      names of people in bylines
texts      texts of a page in order, with data on the elements around
places     candidates for dates, names and tags on a page, with reasons
selecting  elements found by a CSS selector
rules      the rule of a field: the element with the field on all pages of a site
learning   rules from a sample of pages
reading    the fields of a single page
=========  ==================================================================================================
"""
