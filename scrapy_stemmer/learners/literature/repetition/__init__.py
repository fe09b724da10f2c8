"""Learners ``dom_hash`` and ``shingle``: template is text or markup returning from page to page.

After the DOM-based and text-based systems of D. Gibson, K. Punera, A. Tomkins, "The Volume and Evolution of Web Page
Templates" (WWW 2005), which was available in restatements only.
"""
