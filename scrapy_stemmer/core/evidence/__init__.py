"""The evidence model: what of a page is its text, by all that a site's pages tell together.

An :mod:`outline <.outline>` of each page, the :mod:`paths <.paths>` of its elements and the :mod:`classes <.classes>`
of its blocks give a :mod:`prior <.prior>` for each block; the pages vote for the :mod:`region <.region>` that holds
the text; seen against its :mod:`surroundings <.surroundings>` there, each block is :mod:`weighed <.weighing>` for the
:mod:`decision <.decision>`. :mod:`model <.model>` is what is kept of a site.
"""
