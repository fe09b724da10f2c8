"""A page of a site: decisions on each block, by rules, scorer and corrections, and what follows from them."""
