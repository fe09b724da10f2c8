"""The sources of stored pages: folders, archives, feeds, caches; each is read page by page."""
