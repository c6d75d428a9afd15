"""Verify: a set's files against its manifest, its rows against one another and its recipe."""

from synthkit.verify.run import verify as verify
