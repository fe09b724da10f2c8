"""Learners ``text_mdl`` and ``text_hash``, after Kim and Shim, "TEXT: Automatic Template Extraction" (TKDE 2011).

The paper was available in a restatement only.
"""
