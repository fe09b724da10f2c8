"""The evidence model: what of a page is its text, by all that a site's pages tell together.

An :mod:`outline <.outline>` of each page, the :mod:`paths <.paths>` of its elements and the :mod:`classes <.classes>`
of its blocks give a :mod:`prior <.prior>` for each block; the pages vote for the :mod:`region <.region>` that holds
the text; the :mod:`decision <.decision>` is taken relative to it. :mod:`model <.model>` is what is kept of a site.
"""
