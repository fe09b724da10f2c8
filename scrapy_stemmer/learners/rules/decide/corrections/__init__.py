"""Corrections of decisions on blocks, each a function from a page's decisions to blocks; `table` has their order."""
