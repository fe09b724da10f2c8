"""Learners ``text_mdl`` and ``text_hash``, after C. Kim, K. Shim, "TEXT: Automatic Template Extraction from
Heterogeneous Web Pages" (TKDE 2011), which was available in a restatement only."""
