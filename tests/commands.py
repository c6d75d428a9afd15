"""The command line as a user calls it, in the test's own process."""

from __future__ import annotations

from click.testing import CliRunner, Result

from synthkit.cli import main


def synthkit(*arguments: object) -> Result:
    """Exit code and output of a command; what it raises is raised."""
    return CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)
