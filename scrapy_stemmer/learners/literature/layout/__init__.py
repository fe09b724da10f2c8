"""The learner ``layout``: Webstemmer's page layouts.

After Yusuke Shinyama, "Webstemmer - How it works?" (2005-2007), and his program, version 0.7.
"""
