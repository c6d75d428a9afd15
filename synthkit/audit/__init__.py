"""Audit: proof that nothing but the declared cues changed between the conditions of a set."""

from synthkit.audit.run import audit

__all__ = ["audit"]
