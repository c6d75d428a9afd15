"""Audits: what instruments tell of voices, one by one and against one another."""
