"""A site: its pages as columns, the paths of their elements, rules and known texts on paths."""
