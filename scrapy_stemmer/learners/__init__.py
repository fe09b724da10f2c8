"""The systems that learn: a site's sample of pages becomes patterns."""
