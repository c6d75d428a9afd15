"""Audit: conditions against one another, from the files themselves."""
