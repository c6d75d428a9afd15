"""Beds: one seeded noise under a whole clip, the same in every condition of a command."""
