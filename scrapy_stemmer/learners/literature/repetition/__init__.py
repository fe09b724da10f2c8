"""The learners ``dom_hash`` and ``shingle``: template is what returns from page to page.

After D. Gibson, K. Punera, A. Tomkins, "The Volume and Evolution of Web Page Templates" (WWW 2005), which was to be
had as restatements only: its DOM-based and its text-based system.
"""
