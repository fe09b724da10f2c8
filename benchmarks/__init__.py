"""Measurements: how well pages are stripped, and how fast. Not part of the package that is installed."""
