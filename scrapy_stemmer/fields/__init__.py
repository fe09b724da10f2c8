"""Fields: who wrote a page, when, and what else it says of itself; read off the page, by what was learned of its site.

=========  ==================================================================================================
metadata   what a page's JSON-LD, ``meta`` elements and microdata say
dates      dates in texts of many languages
names      names of people in bylines
others     what of a page is of its comments, or of other pages
places     where a page shows dates, names and links of tags, with the reasons to take them for its own
rules      the rule of a field: the element that holds it on all pages of a site
learning   rules from a sample of pages
reading    the fields of one page
=========  ==================================================================================================
"""
