"""Sphinx configuration."""

from __future__ import annotations

from importlib.metadata import version as version_of

project = "scrapy-stemmer"
author = project_copyright = "the scrapy-stemmer developers"
release = version = version_of("scrapy-stemmer")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
exclude_patterns = ["_build"]
html_static_path = ["_static"]
html_css_files = ["narrow.css"]
html_theme = "furo"  # light or dark, as the reader's system is
html_title = f"scrapy-stemmer {release}"
