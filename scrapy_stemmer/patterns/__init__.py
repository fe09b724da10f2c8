"""What was learned, and how it labels a page."""
