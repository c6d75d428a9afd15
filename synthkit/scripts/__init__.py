"""Scripts: what is said; read, checked, generated, split, printed for people to read."""

from synthkit.scripts.commands import Command, read_scripts

__all__ = ["Command", "read_scripts"]
