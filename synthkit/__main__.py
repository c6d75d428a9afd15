"""``python -m synthkit``: the command line."""

from synthkit.cli import main

main(prog_name="synthkit")
