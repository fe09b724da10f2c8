"""Where stripped pages and patterns go: Markdown, items of other packages, rules of other programs."""
