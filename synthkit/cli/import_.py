"""``synthkit import``: recordings of people, taken in against their scripts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from synthkit.cli.base import FELL_SHORT, Number, progress, writable
from synthkit.errors import InputError, one_line

if TYPE_CHECKING:
    from synthkit.importing.run import Outcome

PATH = click.Path(path_type=Path)
SHOWN = 10  # unmatched files on the terminal


@click.command("import")
@click.argument("folder", type=PATH)
@click.option("--scripts", required=True, type=PATH, help="What was to be said: JSONL or CSV.")
@click.option("--out", required=True, type=PATH, help="Folder of what is retained; a new one.")
@click.option("--table", type=PATH, help="CSV of which file is of which prompt: file, id.")
@click.option(
    "--review", type=PATH, help="CSV of annotators' decisions: id, decision, reason, annotator."
)
@click.option("--channel", type=click.IntRange(min=0), help="This channel, from 0; else the mean.")
@click.option(
    "--level-dbfs",
    type=Number(-100, 0),
    default=-20,
    show_default=True,
    help="RMS level of the speech.",
)
@click.option(
    "--min-snr-db",
    type=Number(-100, 200),
    default=15,
    show_default=True,
    help="Least level of the speech over the noise floor.",
)
@click.option(
    "--max-clipped-runs",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Most runs of 3 samples or more at the largest value.",
)
@click.option(
    "--letters-per-second",
    type=(Number(0, 1000), Number(0, 1000)),
    default=(5, 25),
    show_default=True,
    metavar="LOW HIGH",
    help="How fast a text may be read, pauses left out.",
)
@click.option(
    "--min-sampling-rate",
    type=click.IntRange(4000, 768000),
    default=8000,
    show_default=True,
    help="Lowest sampling rate of a recording, Hz.",
)
@click.option("--instruments", is_flag=True, help="Have recognition check the words (English).")
@click.option(
    "--max-wer",
    type=Number(0, 10),
    default=0.3,
    show_default=True,
    help="With --instruments: most word errors, as a share of the words.",
)
@click.option("--json", "json_path", type=PATH, help="Write import.json here too; - to print it.")
def import_(
    folder: Path,
    scripts: Path,
    out: Path,
    table: Path | None,
    review: Path | None,
    channel: int | None,
    level_dbfs: float,
    min_snr_db: float,
    max_clipped_runs: int,
    letters_per_second: tuple[float, float],
    min_sampling_rate: int,
    instruments: bool,
    max_wer: float,
    json_path: Path | None,
) -> None:
    """Take the recordings of FOLDER: 16 kHz WAVs at one level, and what became of every prompt.

    A file is the recording of the prompt whose id is its name, or of the one that --table says.
    Every recording is retained or rejected with a reason, a line each; docs/recordings.md tells the
    limits. Exit code 1 where a recording is rejected or missing, 2 where nothing was begun.

    Example: synthkit import recordings --scripts talk.jsonl --out out/recorded
    """
    from synthkit.files import write_bytes
    from synthkit.importing.limits import Limits
    from synthkit.importing.output import json_bytes
    from synthkit.importing.run import Given, import_recordings
    from synthkit.importing.take import Settings
    from synthkit.importing.words import whisper

    writable(json_path, scripts, table, review)
    for at in (folder, out):
        if json_path and str(json_path) != "-" and json_path.resolve().is_relative_to(at.resolve()):
            raise InputError(f"--json {json_path}: lies in {at}; allowed: a file outside")
    limits = Limits(min_snr_db, max_clipped_runs, letters_per_second, min_sampling_rate, max_wer)
    recogniser = whisper() if instruments else None
    given = Given(folder, scripts, table, review)
    with progress(None, "prompt") as advance:
        outcome = import_recordings(
            given, out, Settings(level_dbfs, channel, limits), recogniser, advance
        )
    for row in outcome.rejected:
        whats = "; ".join(reason["what"] for reason in row["reasons"])
        click.echo(one_line(f"{row['id']}: {whats}", limit=2**16), err=True)
    printing = str(json_path) != "-"
    if json_path:
        text = json_bytes(outcome.description)
        click.echo(text, nl=False) if not printing else write_bytes(json_path, text)
    for line in _lines(outcome, out) if printing else ():
        click.echo(one_line(line, limit=2**16))
    sys.exit(0 if outcome.good else FELL_SHORT)


def _lines(outcome: Outcome, out: Path) -> list[str]:
    """What the whole came to, the counts last."""
    told = outcome.description
    counts = told["counts"]
    lines = [f"removed {name}" for name in outcome.removed]
    lines += told["notes"]
    if missing := [row["id"] for row in outcome.rows if row["status"] == "missing"]:
        lines.append(f"no recording: {_some(missing)}")
    if told["unmatched"]:
        lines.append(f"of no prompt: {_some(told['unmatched'])}")
    for one in told["agreement"]:
        kappa = "-" if one["kappa"] is None else f"{one['kappa']:.2f}"
        lines.append(
            f"{' and '.join(one['annotators'])}: both keep {one['both_keep']}, both reject "
            f"{one['both_reject']}, differ {one['differ']}; Cohen's kappa {kappa}"
        )
    checks = ", ".join(f"{check} {count}" for check, count in told["rejected_by"].items())
    stand_ins = f" ({told['stand_ins']} stand-ins)" if told["stand_ins"] else ""
    lines.append(
        f"{out}: {counts['prompts']} prompts{stand_ins}: {counts['retained']} retained, "
        f"{counts['rejected']} rejected{f' ({checks})' if checks else ''}, "
        f"{counts['missing']} missing; {counts['unmatched']} files of no prompt"
    )
    return lines


def _some(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more}"
