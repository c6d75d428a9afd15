"""The command line: arguments in, one call, one line out; no logic of its own.

A command is a function beside its neighbours. What the heavy imports would print or raise
belongs to the commands, so each imports its own, and ``--help`` is quick.
"""

from __future__ import annotations

import click

from synthkit import __version__
from synthkit.cli.audit import audit
from synthkit.cli.base import OneLineErrors
from synthkit.cli.cache import cache
from synthkit.cli.compose import compose
from synthkit.cli.generate import generate, merge
from synthkit.cli.import_ import import_
from synthkit.cli.measure import measure
from synthkit.cli.report import report
from synthkit.cli.rooms import rooms
from synthkit.cli.scripts import scripts
from synthkit.cli.verify import verify
from synthkit.cli.voices import voices


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """Make acoustic counterfactual speech data, and prove that only the cue changed.

    Example: synthkit generate cue_validity_eight.toml --out out/eight
    """


COMMANDS = (
    generate,
    merge,
    import_,
    verify,
    audit,
    measure,
    report,
    scripts,
    compose,
    voices,
    rooms,
    cache,
)
for command in COMMANDS:
    main.add_command(command)
