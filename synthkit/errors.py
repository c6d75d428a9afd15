"""Errors that a user reads: one line that says what, where, what was found and what is allowed."""

from __future__ import annotations


class SynthkitError(ValueError):
    """Base of every error synthkit raises on purpose; its text is one printable line."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class InputError(SynthkitError):
    """A recipe, card, script or argument is refused, before any work (exit code 2)."""


class UnspeakableError(InputError):
    """Texts that their voices cannot say: all of them, however long the line gets."""

    def __init__(self, refusals: tuple[str, ...]) -> None:
        many = f"{len(refusals)} texts cannot be said: " if len(refusals) > 1 else ""
        ValueError.__init__(self, one_line(many + "; ".join(refusals), limit=2**20))


class AudioError(SynthkitError):
    """A signal cannot be rendered as asked; the item fails and is named (exit code 1)."""


class SilenceError(AudioError):
    """A segment holds no speech: it is never gained and never written."""


def quoted(value: object) -> str:
    """Return a found value as an error shows it: in quotes, escaped, cut to fit the line."""
    try:
        shown = repr(value)
    except (ValueError, RecursionError):  # thousands of digits, nesting without end
        shown = f"a {type(value).__name__}"
    return one_line(shown, 60)


def one_line(text: object, limit: int = 400) -> str:
    """Return ``text`` on one line: control characters escaped, cut after ``limit`` characters.

    Error texts quote what files hold, and a hostile file must not be able to forge lines or
    terminal sequences in them.
    """
    start = str(text)[: limit + 1]  # what follows could not be seen, however much it is
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in start)
    return line if len(line) <= limit else line[: limit - 1] + "…"
