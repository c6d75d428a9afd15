"""Recordings: taken in, checked against their scripts, written at one level with a manifest."""
